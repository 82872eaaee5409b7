/**
 * A database of polls: a file of SQLite, or a libsql server such as Turso by its URL. Calls are synchronous, so they run in threads of their own.
 * A file has a write-ahead log and is flushed at every commit (synchronous=FULL): what was acknowledged survives a crash of the process and of the
 * machine.
 */
import { InputError } from "../../input-error.ts";
import { importPackage } from "../http/import-package.ts";
import { MIGRATIONS } from "./schema.ts";

/** Where the polls are. */
export interface DatabasePlace {
  /** A file, or a URL of a libsql server. */
  readonly path: string;
  /** Token of a libsql server. */
  readonly token?: string | undefined;
}

type Value = string | number | null | Uint8Array;
type Row = Readonly<Record<string, unknown>>;

/** What is used of the package libsql. */
interface Connection {
  /** Values as one array: a single object would be taken for named ones. */
  prepare(sql: string): { run(values: readonly Value[]): unknown; all(values: readonly Value[]): Row[] };
  exec(sql: string): void;
  pragma(text: string): unknown;
  close(): void;
}

export const isRemote = (path: string): boolean => /^(libsql|https?|wss?):\/\//.test(path);

const WAIT = 10_000; // milliseconds for another writer to finish
const pause = new Int32Array(new SharedArrayBuffer(4));

export class Database {
  readonly #connection: Connection;
  readonly #statements = new Map<string, ReturnType<Connection["prepare"]>>();

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Opens the database and brings its tables to the current version. */
  static async open({ path, token }: DatabasePlace): Promise<Database> {
    const packages = ["fastify", "libsql"] as const;
    const module = (await importPackage({ command: "poll", packages }, () => import("libsql"))) as unknown as {
      default: new (path: string, options?: object) => Connection;
    };
    let connection: Connection | undefined;
    try {
      connection = new module.default(path, token === undefined ? {} : { authToken: token });
      if (!isRemote(path))
        for (const text of ["journal_mode=WAL", "synchronous=FULL", `busy_timeout=${WAIT}`]) connection.pragma(text);
      connection.exec("PRAGMA foreign_keys=ON");
      const database = new Database(connection);
      database.#migrate(path);
      return database;
    } catch (error) {
      connection?.close();
      if (error instanceof InputError) throw error;
      throw new InputError(
        `--db ${path}: cannot be used as a database of polls (${(error as Error).message.replace(/\s+/g, " ")})`,
      );
    }
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.#statement(sql).all(values);
  }

  first(sql: string, ...values: Value[]): Row | undefined {
    return this.all(sql, ...values)[0];
  }

  run(sql: string, ...values: Value[]): void {
    this.#statement(sql).run(values);
  }

  /** Runs `work` in a transaction, which an error takes back. */
  transaction<R>(work: () => R): R {
    return this.#between(() => this.#begin(), "COMMIT", "ROLLBACK", work);
  }

  /** Waits for other writers: a file does so by itself, and a libsql server answers at once that it is locked. */
  #begin(): void {
    for (const limit = Date.now() + WAIT; ; ) {
      try {
        this.#connection.exec("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!/SQLITE_BUSY|database is locked/.test((error as Error).message) || Date.now() > limit) throw error;
        Atomics.wait(pause, 0, 0, 5 + 20 * Math.random());
      }
    }
  }

  /** Runs `work` within a transaction, so that an error takes back its own changes alone. */
  savepoint<R>(work: () => R): R {
    return this.#between(() => this.#connection.exec("SAVEPOINT one"), "RELEASE one", "ROLLBACK TO one; RELEASE one", work);
  }

  close(): void {
    this.#connection.close();
  }

  #between<R>(begin: () => void, end: string, undo: string, work: () => R): R {
    begin();
    let result: R;
    try {
      result = work();
      this.#connection.exec(end);
    } catch (error) {
      try {
        this.#connection.exec(undo);
      } catch {} // the database has taken it back already
      throw error;
    }
    return result;
  }

  #statement(sql: string): ReturnType<Connection["prepare"]> {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#connection.prepare(sql)));
    return statement;
  }

  #migrate(path: string): void {
    this.transaction(() => {
      this.run("CREATE TABLE IF NOT EXISTS tierwise_schema (version INTEGER NOT NULL)");
      const found = this.first("SELECT version FROM tierwise_schema");
      const version = found ? Number(found.version) : 0;
      if (version > MIGRATIONS.length)
        throw new InputError(
          `--db ${path}: the database was written by a newer tierwise (version ${version} of its tables); update this one`,
        );
      if (!found) this.run("INSERT INTO tierwise_schema (version) VALUES (0)");
      if (version === MIGRATIONS.length) return;
      for (const step of MIGRATIONS.slice(version)) for (const sql of step) this.run(sql);
      this.run("UPDATE tierwise_schema SET version = ?", MIGRATIONS.length);
    });
  }
}

/** Bytes of a column, which the package gives as an ArrayBuffer or a Buffer. */
export const bytesOf = (value: unknown): Uint8Array =>
  value instanceof ArrayBuffer ? new Uint8Array(value) : Uint8Array.from(value as Uint8Array);

/**
 * The models of `tierwise serve` and their files. A file is looked at every few seconds; when it has changed, a thread reads it, all workers get the
 * new version, and only then do new requests go to it. Requests that are under way finish on the version that they began with, which is forgotten
 * after the last of them. A file that cannot be read is reported, and the version before it stays.
 */
import { InputError } from "../../input-error.ts";
import { HttpError } from "../http/http-error.ts";
import type { Log } from "../http/log.ts";
import { fileStamp } from "./file-stamp.ts";
import type { RankPool } from "./rank-pool.ts";
import type { ModelFacts, TransformModule } from "./worker-messages.ts";

/** A model to be served. */
export interface ModelSource {
  readonly name: string;
  readonly path: string;
}

/** One version of a model. */
export interface Version {
  /** NAME@NUMBER. */
  readonly key: string;
  readonly number: number;
  readonly facts: ModelFacts;
  readonly loaded: string;
  /** Requests that need it. */
  inUse: number;
}

export interface Entry extends ModelSource {
  current: Version;
  stamp: string | undefined;
  /** Why the file as it is was refused. */
  error: string | undefined;
}

export interface ReloadListener {
  loaded(entry: Entry, before: Version | undefined): void;
  refused(entry: Entry, message: string): void;
}

export class ServedModels {
  readonly #entries = new Map<string, Entry>();
  readonly #pool: RankPool;
  readonly #log: Log;
  readonly #listener: ReloadListener;
  readonly #transform: TransformModule | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  constructor(pool: RankPool, log: Log, listener: ReloadListener, transform: TransformModule | undefined) {
    this.#pool = pool;
    this.#log = log;
    this.#listener = listener;
    this.#transform = transform;
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** The first version of a model. What is wrong with the file is an `InputError`. */
  async add(source: ModelSource): Promise<void> {
    const stamp = fileStamp(source.path);
    let version: Version;
    try {
      version = await this.#load(source, 1);
    } catch (error) {
      throw new InputError((error as Error).message);
    }
    const entry: Entry = { ...source, current: version, stamp, error: undefined };
    this.#entries.set(source.name, entry);
    this.#listener.loaded(entry, undefined);
  }

  /** The entry of a name that a client gave. */
  find(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry) throw new HttpError(404, "no_such_model", `no model has that name; GET /models lists those served`);
    return entry;
  }

  /** Keeps a version until `release` is called for it. */
  use({ current }: Entry): Version {
    current.inUse++;
    return current;
  }

  release(entry: Entry, version: Version): void {
    version.inUse--;
    if (version.inUse === 0 && entry.current !== version) this.#pool.forget(version.key);
  }

  /** Looks for changed files every so many seconds, and once more after it has found one. */
  watch(seconds: number): void {
    this.#timer = setInterval(() => void this.check(), seconds * 1000).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Loads the files that have changed. Calls that overlap wait for the one under way. */
  check(): Promise<void> {
    this.#checking ??= this.#checkAll().finally(() => void (this.#checking = undefined));
    return this.#checking;
  }

  async #checkAll(): Promise<void> {
    for (const entry of this.#entries.values()) {
      const stamp = fileStamp(entry.path);
      if (stamp === entry.stamp) continue;
      entry.stamp = stamp;
      if (stamp === undefined) {
        this.#refuse(entry, `${entry.path}: the file is gone`);
        continue;
      }
      try {
        await this.#replace(entry);
      } catch (error) {
        this.#refuse(entry, (error as Error).message);
      }
    }
  }

  #refuse(entry: Entry, message: string): void {
    entry.error = message;
    this.#log("error", "model refused", { model: entry.name, serving: entry.current.key, message });
    this.#listener.refused(entry, message);
  }

  async #replace(entry: Entry): Promise<void> {
    const before = entry.current;
    const next = await this.#load(entry, before.number + 1, before.facts.digest);
    entry.error = undefined;
    if (next === undefined) return;
    entry.current = next;
    if (before.inUse === 0) this.#pool.forget(before.key);
    const same = JSON.stringify(before.facts.features) === JSON.stringify(next.facts.features);
    this.#log("info", "model loaded", { model: entry.name, version: next.number, digest: next.facts.digest });
    if (!same) this.#log("warn", "model has other features", { model: entry.name, version: next.number });
    this.#listener.loaded(entry, before);
  }

  async #load(source: ModelSource, number: number): Promise<Version>;
  /** Nothing where the content of the file is the same. */
  async #load(source: ModelSource, number: number, digest: string): Promise<Version | undefined>;
  async #load({ name, path }: ModelSource, number: number, digest?: string): Promise<Version | undefined> {
    const { record, facts } = await this.#pool.load(path, this.#transform);
    if (facts.digest === digest) return undefined;
    const key = `${name}@${number}`;
    await this.#pool.addModel(key, record);
    return { key, number, facts, loaded: new Date().toISOString(), inUse: 0 };
  }
}

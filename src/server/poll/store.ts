/** Polls and ballots in a database: every statement of SQL that the server runs. Refusals are HttpErrors, thrown before anything is written. */
import { HttpError } from "../http/http-error.ts";
import { checkBallot, checkedPoll, LIMITS } from "./check-poll.ts";
import { bytesOf, type Database } from "./database.ts";
import { type Picture, pictureOf } from "./pictures.ts";
import { hashed, isToken, newCode, newToken, normalCode, pollTokenOf } from "./tokens.ts";
import type { BallotTiers, CreatedPoll, NewPoll, PollTier, PollView } from "./types.ts";

/** A ballot that a voter sends. */
export interface Vote {
  readonly tiers: BallotTiers;
  /** Drawn by the page once, so that a ballot that is sent again after a lost answer counts once. */
  readonly request: string;
  /** From the cookie. */
  readonly voter?: string | undefined;
  readonly code?: string | undefined;
}

/** Ballots as they were imported, each with its count. */
export type CountedBallots = readonly (readonly [tiers: BallotTiers, count: number])[];

/** A ballot that is new or changed. */
export interface ChangedBallot {
  readonly ballot: number;
  readonly tiers: BallotTiers;
  readonly count: number;
  readonly change: number;
}

/** A poll with its number in the database. */
export interface StoredPoll {
  readonly id: number;
  readonly view: PollView;
}

const MOST_POLLS_BYTES = 8_000_000; // pictures of one poll

export class PollStore {
  readonly #database: Database;
  constructor(database: Database) {
    this.#database = database;
  }

  create(given: NewPoll, imported?: CountedBallots): CreatedPoll {
    const poll = checkedPoll(given, Date.now());
    const pictures = poll.items.map(({ picture, name }) =>
      picture === undefined ? undefined : pictureOf(picture, JSON.stringify(name)),
    );
    const size = pictures.reduce((sum, picture) => sum + (picture?.bytes.length ?? 0), 0);
    if (size > MOST_POLLS_BYTES)
      throw new HttpError(
        413,
        "pictures_too_large",
        `the pictures have ${size} bytes together, more than the limit of ${MOST_POLLS_BYTES}`,
      );
    const admin = newToken();
    const token = pollTokenOf(admin);
    const { title, description = "", access = "open", results = "always", closes = null } = poll;
    this.#database.run(
      "INSERT INTO polls (poll_hash, admin_hash, title, description, tiers, access, results, imported, closes, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ...[hashed(token), hashed(admin), title, description, JSON.stringify(poll.tiers), access, results],
      ...[imported ? 1 : 0, closes, Date.now()],
    );
    const { id } = this.#byPoll(token);
    poll.items.forEach(({ name, color }, number) => {
      const picture = pictures[number];
      this.#database.run(
        "INSERT INTO items (poll, number, name, color, picture_type, picture) VALUES (?, ?, ?, ?, ?, ?)",
        ...[id, number, name, color, picture?.type ?? null, picture?.bytes ?? null],
      );
    });
    if (imported) this.#importBallots(id, imported);
    return { poll: token, admin, codes: this.#issueCodes(id, poll.codes ?? 0) };
  }

  #importBallots(id: number, ballots: CountedBallots): void {
    let [change, total] = [0, 0];
    for (const [tiers, count] of ballots) {
      total += count;
      this.#database.run(
        "INSERT INTO ballots (poll, tiers, count, change) VALUES (?, ?, ?, ?)",
        ...[id, JSON.stringify(tiers), count, ++change],
      );
    }
    this.#database.run("UPDATE polls SET ballots = ?, changes = ? WHERE id = ?", total, change, id);
  }

  #issueCodes(id: number, count: number): string[] {
    const codes = Array.from({ length: count }, newCode);
    for (const code of codes) this.#database.run("INSERT INTO codes (poll, code_hash) VALUES (?, ?)", id, hashed(code));
    return codes;
  }

  /** The poll of a link. */
  poll(token: string): StoredPoll {
    const row = this.#byPoll(token);
    return { id: row.id, view: this.#view(row) };
  }

  picture(token: string, number: number): Picture {
    const { id } = this.#byPoll(token);
    const row = this.#database.first("SELECT picture_type, picture FROM items WHERE poll = ? AND number = ?", id, number);
    if (row?.picture_type === null || row === undefined) throw new HttpError(404, "not_found", "the item has no picture");
    return { type: String(row.picture_type), bytes: Buffer.from(bytesOf(row.picture)) };
  }

  /** Stores a ballot, the first of a voter or a changed one. Gives the token of a new voter. */
  vote(token: string, vote: Vote): { readonly id: number; readonly ballots: number; readonly voter: string | undefined } {
    const row = this.#byPoll(token);
    const { status, tiers, items } = this.#view(row);
    if (status !== "open") throw new HttpError(409, "poll_closed", "voting has ended; the ballot was not stored");
    checkBallot(vote.tiers, tiers.length, items.length);
    const { ballot, voter, voterHash } = this.#voterOf(row, vote);
    const change = Number(row.changes) + 1;
    const text = JSON.stringify(vote.tiers);
    const request = hashed(`request ${vote.request}`);
    if (ballot === undefined)
      this.#database.run(
        "INSERT INTO ballots (poll, voter_hash, request_hash, tiers, change) VALUES (?, ?, ?, ?, ?)",
        ...[row.id, voterHash, request, text, change],
      );
    else
      this.#database.run(
        "UPDATE ballots SET tiers = ?, change = ?, voter_hash = ? WHERE id = ?",
        text,
        change,
        voterHash,
        ballot,
      );
    const ballots = Number(row.ballots) + (ballot === undefined ? 1 : 0);
    this.#database.run("UPDATE polls SET changes = ?, ballots = ? WHERE id = ?", change, ballots, row.id);
    return { id: row.id, ballots, voter };
  }

  /** The ballot of this voter, if there is one, and the hash that the voter is known by. */
  #voterOf(
    { id, access }: PollRow,
    { voter, code, request }: Vote,
  ): { ballot: number | undefined; voter: string | undefined; voterHash: Buffer } {
    if (access === "codes") {
      const voterHash = this.#codeHash(id, code);
      return { ballot: this.#ballotBy(id, "voter_hash", voterHash), voter: undefined, voterHash };
    }
    if (voter !== undefined) {
      const voterHash = hashed(voter);
      const ballot = isToken(voter) ? this.#ballotBy(id, "voter_hash", voterHash) : undefined;
      if (ballot === undefined)
        throw new HttpError(
          403,
          "unknown_voter",
          "the token of this voter is not of this poll; send the ballot again without it",
        );
      return { ballot, voter: undefined, voterHash };
    }
    const fresh = newToken();
    return { ballot: this.#ballotBy(id, "request_hash", hashed(`request ${request}`)), voter: fresh, voterHash: hashed(fresh) };
  }

  #codeHash(id: number, code: string | undefined): Buffer {
    if (code === undefined) throw new HttpError(403, "code_needed", "this poll wants the code that you were given");
    const hash = hashed(normalCode(code));
    const known = this.#database.first("SELECT 1 AS known FROM codes WHERE poll = ? AND code_hash = ?", id, hash);
    if (!known) throw new HttpError(403, "unknown_code", "this poll has issued no such code");
    return hash;
  }

  #ballotBy(id: number, column: "voter_hash" | "request_hash", hash: Buffer): number | undefined {
    const row = this.#database.first(`SELECT id FROM ballots WHERE poll = ? AND ${column} = ?`, id, hash);
    return row && Number(row.id);
  }

  /** The ballot that a voter has stored, or undefined. A code must be one that was issued. */
  ballotOf(token: string, voter: string | undefined, code: string | undefined): BallotTiers | undefined {
    const { id, access } = this.#byPoll(token);
    const hash = access === "codes" ? this.#codeHash(id, code) : voter === undefined ? undefined : hashed(voter);
    const row = hash && this.#database.first("SELECT tiers FROM ballots WHERE poll = ? AND voter_hash = ?", id, hash);
    return row && (JSON.parse(String(row.tiers)) as BallotTiers);
  }

  /** The poll of an admin link, with the token of the link for voters. */
  administered(admin: string): StoredPoll & { readonly token: string } {
    const row = this.#byAdmin(admin);
    return { id: row.id, view: this.#view(row), token: pollTokenOf(admin) };
  }

  close(admin: string, closed: boolean): PollView {
    const row = this.#byAdmin(admin);
    if (row.imported === 1) throw new HttpError(409, "poll_imported", "an imported poll has no voting to end or to begin again");
    // Opening again also removes a date that has passed.
    const keep = closed || row.closes === null || Number(row.closes) > Date.now();
    this.#database.run("UPDATE polls SET closed = ?, closes = ? WHERE id = ?", closed ? 1 : 0, keep ? row.closes : null, row.id);
    return this.#view(this.#byAdmin(admin));
  }

  addCodes(admin: string, count: number): string[] {
    const { id, access } = this.#byAdmin(admin);
    if (access !== "codes") throw new HttpError(409, "poll_open", "anyone with the link may vote in this poll: it has no codes");
    const row = this.#database.first("SELECT COUNT(*) AS issued FROM codes WHERE poll = ?", id);
    if (Number(row!.issued) + count > LIMITS.codes)
      throw new HttpError(409, "too_many_codes", `a poll has at most ${LIMITS.codes} codes, and ${row!.issued} are issued`);
    return this.#issueCodes(id, count);
  }

  /** Removes a poll and all its ballots. Gives its number. */
  remove(admin: string): number {
    const { id } = this.#byAdmin(admin);
    for (const table of ["ballots", "codes", "items", "fits"]) this.#database.run(`DELETE FROM ${table} WHERE poll = ?`, id);
    this.#database.run("DELETE FROM polls WHERE id = ?", id);
    return id;
  }

  /** How often ballots of a poll were stored or changed; undefined where the poll is gone. */
  changesOf(id: number): number | undefined {
    const row = this.#database.first("SELECT changes FROM polls WHERE id = ?", id);
    return row && Number(row.changes);
  }

  /** Up to `most` ballots that changed after `since`, in the order of their changes. */
  changesSince(id: number, since: number, most: number): ChangedBallot[] {
    return this.#database
      .all("SELECT id, tiers, count, change FROM ballots WHERE poll = ? AND change > ? ORDER BY change LIMIT ?", id, since, most)
      .map(({ id: ballot, tiers, count, change }) => ({
        ...{ ballot: Number(ballot), tiers: JSON.parse(String(tiers)) as BallotTiers },
        ...{ count: Number(count), change: Number(change) },
      }));
  }

  /** The last fit, to start the next one from. */
  fitOf(id: number): Float64Array | undefined {
    const row = this.#database.first("SELECT utilities FROM fits WHERE poll = ?", id);
    return row && new Float64Array(bytesOf(row.utilities).slice().buffer);
  }

  keepFit(id: number, utilities: Float64Array): void {
    const bytes = new Uint8Array(utilities.buffer, utilities.byteOffset, utilities.byteLength);
    if (this.changesOf(id) === undefined) return;
    this.#database.run(
      "INSERT INTO fits (poll, utilities) VALUES (?, ?) ON CONFLICT (poll) DO UPDATE SET utilities = excluded.utilities",
      id,
      bytes,
    );
  }

  #view(row: PollRow): PollView {
    const items = this.#database.all("SELECT name, color, picture_type FROM items WHERE poll = ? ORDER BY number", row.id);
    const over = row.closed === 1 || (row.closes !== null && row.closes <= Date.now());
    return {
      ...{ title: row.title, description: row.description, tiers: JSON.parse(row.tiers) as PollTier[] },
      items: items.map(({ name, color, picture_type }) => ({
        name: String(name),
        color: String(color),
        picture: picture_type !== null,
      })),
      ...{ access: row.access, results: row.results, status: row.imported === 1 ? "imported" : over ? "closed" : "open" },
      ...{ closes: row.closes, ballots: row.ballots },
    };
  }

  #byPoll(token: string): PollRow {
    return this.#row("poll_hash", token, "no poll has this link; it may have been deleted");
  }

  #byAdmin(token: string): PollRow {
    return this.#row("admin_hash", token, "no poll has this admin link; it may have been deleted");
  }

  #row(column: "poll_hash" | "admin_hash", token: string, missing: string): PollRow {
    const row = isToken(token) ? this.#database.first(`SELECT * FROM polls WHERE ${column} = ?`, hashed(token)) : undefined;
    if (!row) throw new HttpError(404, "no_such_poll", missing);
    return row as unknown as PollRow;
  }
}

interface PollRow {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly tiers: string;
  readonly access: PollView["access"];
  readonly results: PollView["results"];
  readonly imported: number;
  readonly closed: number;
  readonly closes: number | null;
  readonly ballots: number;
  readonly changes: number;
}

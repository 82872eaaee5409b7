/**
 * A log of clicks: impressions of result pages, each with its query, the documents shown, their positions and which were clicked. Documents are
 * identified by query and name: the same name under two queries is two documents.
 */
import { check, isNumbers } from "../arguments.ts";
import { describeValue, InputError, quote } from "../input-error.ts";

/** A log of clicks as columns: impression i owns entries starts[i] to starts[i + 1], by position. */
export interface ClickLog {
  /** Names of the queries. */
  readonly queries: readonly string[];
  /** Names of the documents. */
  readonly documents: readonly string[];
  /** Names of the positions, the first on the page first; usually "1", "2", and so on. */
  readonly positions: readonly string[];
  /** Offsets: impression i owns entries starts[i] to starts[i + 1]. One element longer than the number of impressions. */
  readonly starts: Uint32Array;
  /** Query of each impression, a place in `queries`. */
  readonly query: Uint32Array;
  /** Document of each entry, a place in `documents`. */
  readonly document: Uint32Array;
  /** Position of each entry, a place in `positions`. */
  readonly position: Uint32Array;
  /** Whether the entry was clicked, 0 or 1. */
  readonly clicked: Uint8Array;
}

/** A document that was shown, as code gives it. */
export interface ClickRow {
  /** The query. */
  readonly query: string | number;
  /** The document. */
  readonly document: string | number;
  /** The position on the page, a whole number. */
  readonly position: number;
  /** Whether it was clicked: true or false, 1 or 0. */
  readonly clicked: boolean | number;
  /** Id of the impression. Default: an impression ends where the query changes, or the position does not ascend. */
  readonly impression?: string | number;
}

/** Numbers for names, in the order in which they first occur. */
class Numbering {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  of(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.names.push(name);
      this.numbers.set(name, number);
    }
    return number;
  }
}

/** The highest position that is taken for one: anything above is no place on a page. */
export const LAST_POSITION = 1_000_000;

/** Collects entries one by one. */
export class ClickLogBuilder {
  private readonly queries = new Numbering();
  private readonly documents = new Numbering();
  private readonly ids = new Map<string, number>();
  private readonly query: number[] = []; // by impression
  private readonly impression: number[] = []; // by entry, as the columns below
  private readonly document: number[] = [];
  private readonly position: number[] = [];
  private readonly clicked: number[] = [];
  private last = Number.POSITIVE_INFINITY; // position of the entry before
  private lastId: string | undefined;

  get entries(): number {
    return this.document.length;
  }

  /** From here on, entries belong to other impressions than those before, also under the same ids. */
  beginFile(): void {
    this.ids.clear();
    this.last = Number.POSITIVE_INFINITY;
  }

  add(query: string, document: string, position: number, clicked: boolean, id?: string): void {
    const q = this.queries.of(query);
    this.impression.push(id === undefined ? this.current(q, position) : this.named(q, id));
    this.document.push(this.documents.of(document));
    this.position.push(position);
    this.clicked.push(clicked ? 1 : 0);
    this.last = position;
    this.lastId = id;
  }

  private current(q: number, position: number): number {
    const open = this.query.length > 0 && this.lastId === undefined && this.query.at(-1) === q && position > this.last;
    if (!open) this.query.push(q);
    return this.query.length - 1;
  }

  private named(q: number, id: string): number {
    const key = `${q}\n${id}`;
    let found = this.ids.get(key);
    if (found === undefined) {
      found = this.query.length;
      this.query.push(q);
      this.ids.set(key, found);
    }
    return found;
  }

  /** The log. Throws an `InputError` where an impression has two documents at one position, or one document twice. */
  finish(): ClickLog {
    const impressions = this.query.length;
    const entries = this.document.length;
    const starts = new Uint32Array(impressions + 1);
    for (const i of this.impression) starts[i + 1]!++;
    for (let i = 0; i < impressions; i++) starts[i + 1]! += starts[i]!;
    const order = new Uint32Array(entries);
    const next = starts.slice();
    this.impression.forEach((i, e) => {
      order[next[i]!++] = e;
    });
    const levels = [...new Set(this.position)].sort((a, b) => a - b);
    const levelOf = new Map(levels.map((position, k) => [position, k]));
    for (let i = 0; i < impressions; i++) {
      const window = order.subarray(starts[i]!, starts[i + 1]!);
      window.sort((a, b) => this.position[a]! - this.position[b]!);
      this.checkImpression(i, window);
    }
    return {
      queries: this.queries.names,
      documents: this.documents.names,
      positions: levels.map(String),
      starts,
      query: Uint32Array.from(this.query),
      document: Uint32Array.from(order, (e) => this.document[e]!),
      position: Uint32Array.from(order, (e) => levelOf.get(this.position[e]!)!),
      clicked: Uint8Array.from(order, (e) => this.clicked[e]!),
    };
  }

  private checkImpression(i: number, window: Uint32Array): void {
    const seen = new Set<number>();
    for (let at = 0; at < window.length; at++) {
      const e = window[at]!;
      const where = () => `an impression of the query ${quote(this.queries.names[this.query[i]!]!)}`;
      if (at > 0 && this.position[e] === this.position[window[at - 1]!])
        throw new InputError(`${where()} has two documents at position ${this.position[e]}; give impressions ids of their own`);
      if (seen.has(this.document[e]!))
        throw new InputError(
          `${where()} has the document ${quote(this.documents.names[this.document[e]!]!)} twice; give impressions ids of their own`,
        );
      seen.add(this.document[e]!);
    }
  }
}

const isName = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || (typeof value === "number" && Number.isFinite(value));

/** Whether a number is a position: a whole number from 0 on. */
export const isPosition = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_POSITION;

/**
 * A log of clicks from rows, one for each document that was shown.
 *
 * ```ts
 * clickLog([
 *   { query: "bread", document: "a", position: 1, clicked: false },
 *   { query: "bread", document: "b", position: 2, clicked: true },
 * ]).starts.length - 1; // 1 impression
 * ```
 */
export function clickLog(rows: Iterable<ClickRow>): ClickLog {
  check("clickLog", rows, {
    wanted: "rows: objects with query, document, position and clicked",
    fits: (value) => typeof value === "object" && value !== null && Symbol.iterator in value && !ArrayBuffer.isView(value),
  });
  const builder = new ClickLogBuilder();
  let row = 0;
  for (const one of rows) {
    const fail = (what: string, wanted: string, value: unknown): never => {
      throw new InputError(`clickLog, row ${row}: expected ${what} as ${wanted}, got ${describeValue(value)}`);
    };
    if (typeof one !== "object" || one === null)
      throw new InputError(`clickLog, row ${row}: expected an object, got ${describeValue(one)}`);
    const { query, document, position, clicked, impression } = one;
    if (!isName(query)) fail("the query", "a text or a number", query);
    if (!isName(document)) fail("the document", "a text or a number", document);
    if (!isPosition(position)) fail("the position", `a whole number from 0 to ${LAST_POSITION}`, position);
    if (clicked !== true && clicked !== false && clicked !== 0 && clicked !== 1) fail("clicked", "true, false, 1 or 0", clicked);
    if (impression !== undefined && !isName(impression)) fail("the impression", "a text or a number", impression);
    builder.add(
      ...([String(query), String(document), position, Boolean(clicked)] as const),
      impression === undefined ? undefined : String(impression),
    );
    row++;
  }
  if (row === 0) throw new InputError("clickLog: expected at least one row, got none");
  return builder.finish();
}

/** Refuses what is no log of clicks. */
export function checkLog(who: string, log: unknown): asserts log is ClickLog {
  const value = log as Partial<ClickLog> | null;
  const fits =
    typeof value === "object" &&
    value !== null &&
    [value.queries, value.documents, value.positions].every(Array.isArray) &&
    [value.starts, value.query, value.document, value.position, value.clicked].every(isNumbers);
  if (!fits) throw new InputError(`${who}: expected a log, as clickLog or readClicks give it, got ${describeValue(log)}`);
  const { starts, query, document, position, clicked } = value as ClickLog;
  const entries = starts[starts.length - 1];
  if (query.length !== starts.length - 1 || [document, position, clicked].some(({ length }) => length !== entries))
    throw new InputError(`${who}: the columns of the log do not have the same length`);
  const { queries, documents, positions } = value as ClickLog;
  const within = (column: ArrayLike<number>, names: readonly string[]) =>
    Array.prototype.every.call(column, (one) => one < names.length);
  if (!within(query, queries) || !within(document, documents) || !within(position, positions))
    throw new InputError(`${who}: the log has a query, document or position without a name`);
}

/**
 * Battles of two items, as arenas, leagues and A/B tests record them: rows of first item, second item and outcome, each with a count, and where
 * wanted a weight, a cluster (the voter or the prompt), a slice (such as the language) and covariates. Equal rows are merged as counts.
 */
import { checkOptions, isNumbers, someTexts, yesOrNo } from "../arguments.ts";
import { describeValue, InputError, quote } from "../input-error.ts";

/** Battles as columns, row by row. */
export interface Battles {
  /** Names of the items. */
  readonly items: readonly string[];
  /** Number of the first item. */
  readonly first: Uint32Array;
  /** Number of the second item. */
  readonly second: Uint32Array;
  /** Who won: 0 the first item, 1 the second, 2 neither. */
  readonly outcome: Uint8Array;
  /** How many battles the row stands for. */
  readonly counts: Float64Array;
  /** Weight of each battle of the row. Default: 1 each. */
  readonly weights?: Float64Array;
  /** The cluster of the row: battles of one voter, or about one prompt, that may resemble each other. */
  readonly clusters?: Uint32Array;
  /** Names of the clusters. */
  readonly clusterNames?: readonly string[];
  /** The slice of the row, such as its language; 2^32 - 1 (`NO_SLICE`) where it has none. */
  readonly slices?: Uint32Array;
  /** Names of the slices. */
  readonly sliceNames?: readonly string[];
  /** Names of the covariates. */
  readonly covariateNames: readonly string[];
  /** Values of the covariates, row after row. A positive product with the coefficient favors the first item. */
  readonly covariates: Float64Array;
}

/** A battle as code gives it. */
export interface Battle {
  /** Name of the first item. */
  readonly first: string;
  /** Name of the second item. */
  readonly second: string;
  /** Who won. */
  readonly winner: "first" | "second" | "tie";
  /** How many such battles there were. Default: 1. */
  readonly count?: number;
  /** Weight of each of them. Default: 1. */
  readonly weight?: number;
  /** Name of the cluster, such as the voter. */
  readonly cluster?: string;
  /** Name of the slice, such as the language. */
  readonly slice?: string;
  /** Values of the covariates. */
  readonly covariates?: readonly number[];
}

/** What battles have besides. */
export interface BattlesOptions {
  /** Names of the covariates. Default: none. */
  readonly covariates?: readonly string[];
  /** Whether some battles may have no slice while others have one. Default: false. */
  readonly emptySlices?: boolean;
}

/** What one row says, with names as numbers. */
export interface BattleRow {
  first: number;
  second: number;
  outcome: number;
  count: number;
  weight: number;
  cluster: number;
  slice: number;
}

/** Which columns there are besides the items and the outcome. */
export interface BattleColumns {
  readonly weight: boolean;
  readonly cluster: boolean;
  readonly slice: boolean;
  readonly covariates: readonly string[];
}

/** The slice of a row that belongs to none. */
export const NO_SLICE = 0xffffffff;

const WIDTH = 5; // numbers of a row's key: first, second, outcome, cluster, slice

/** Collects rows and merges equal ones. */
export class BattleTable {
  private readonly columns: BattleColumns;
  private rows = 0;
  private keys = new Uint32Array(WIDTH * 1024);
  private counts = new Float64Array(1024);
  private weights = new Float64Array(1024);
  private values = new Float64Array(0);
  private slots = new Int32Array(4096).fill(-1);

  constructor(columns: BattleColumns) {
    this.columns = columns;
  }

  add(row: BattleRow, values: ArrayLike<number>): void {
    const k = this.columns.covariates.length;
    const mask = this.slots.length - 1;
    let slot = hashOf(row) & mask;
    // Rows with covariates hardly ever repeat, so they are not looked for.
    for (let r = this.slots[slot]!; k === 0 && r >= 0; r = this.slots[slot]!) {
      if (this.equals(r, row)) {
        this.counts[r] = this.counts[r]! + row.count;
        return;
      }
      slot = (slot + 1) & mask;
    }
    const r = this.rows++;
    if (r === this.counts.length) this.grow();
    this.write(r, row);
    if (k > 0) {
      if ((r + 1) * k > this.values.length) this.values = larger(this.values, Math.max(1024, 2 * (r + 1) * k));
      for (let c = 0; c < k; c++) this.values[r * k + c] = values[c]!;
      return;
    }
    this.slots[slot] = r;
    if (2 * this.rows > this.slots.length) this.rehash();
  }

  private write(r: number, { first, second, outcome, cluster, slice, count, weight }: BattleRow): void {
    const at = WIDTH * r;
    this.keys[at] = first;
    this.keys[at + 1] = second;
    this.keys[at + 2] = outcome;
    this.keys[at + 3] = cluster;
    this.keys[at + 4] = slice;
    this.counts[r] = count;
    this.weights[r] = weight;
  }

  private equals(r: number, { first, second, outcome, cluster, slice, weight }: BattleRow): boolean {
    const { keys } = this;
    const at = WIDTH * r;
    return (
      keys[at] === first &&
      keys[at + 1] === second &&
      keys[at + 2] === outcome &&
      keys[at + 3] === cluster &&
      keys[at + 4] === slice &&
      this.weights[r] === weight
    );
  }

  private grow(): void {
    this.keys = larger(this.keys, 2 * this.keys.length);
    this.counts = larger(this.counts, 2 * this.counts.length);
    this.weights = larger(this.weights, 2 * this.weights.length);
  }

  private rehash(): void {
    this.slots = new Int32Array(4 * this.slots.length).fill(-1);
    const mask = this.slots.length - 1;
    for (let r = 0; r < this.rows; r++) {
      const at = WIDTH * r;
      const { keys } = this;
      const row = {
        first: keys[at]!,
        second: keys[at + 1]!,
        outcome: keys[at + 2]!,
        cluster: keys[at + 3]!,
        slice: keys[at + 4]!,
      };
      let slot = hashOf(row) & mask;
      while (this.slots[slot]! >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = r;
    }
  }

  finish(items: readonly string[], clusterNames: readonly string[], sliceNames: readonly string[]): Battles {
    const { weight, cluster, slice, covariates } = this.columns;
    const rows = this.rows;
    const column = (c: number) => Uint32Array.from({ length: rows }, (_, r) => this.keys[WIDTH * r + c]!);
    return {
      items,
      ...{ first: column(0), second: column(1), outcome: Uint8Array.from(column(2)), counts: this.counts.slice(0, rows) },
      ...(weight && { weights: this.weights.slice(0, rows) }),
      ...(cluster && { clusters: column(3), clusterNames }),
      ...(slice && { slices: column(4), sliceNames }),
      covariateNames: covariates,
      covariates: this.values.slice(0, rows * covariates.length),
    };
  }
}

function hashOf({ first, second, outcome, cluster, slice }: Omit<BattleRow, "count" | "weight">): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(cluster, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15) ^ (4 * slice + outcome), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 13), 0x297a2d39);
  return hash ^ (hash >>> 16);
}

function larger<A extends Uint32Array | Float64Array>(from: A, size: number): A {
  const into = (from instanceof Uint32Array ? new Uint32Array(size) : new Float64Array(size)) as A;
  into.set(from);
  return into;
}

/** Numbers for names, in the order in which they come. */
export function numbering(): { readonly names: string[]; of(name: string): number } {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  return {
    names,
    of(name) {
      let number = numbers.get(name);
      if (number === undefined) {
        number = names.length;
        names.push(name);
        numbers.set(name, number);
      }
      return number;
    },
  };
}

const OUTCOMES = ["first", "second", "tie"];

/** Battles from rows: `battles([{ first: "a", second: "b", winner: "tie" }])`. */
export function battles(given: Iterable<Battle>, options: BattlesOptions = {}): Battles {
  checkOptions("battles", options, { covariates: someTexts, emptySlices: yesOrNo });
  if (typeof given !== "object" || given === null || !(Symbol.iterator in given))
    throw new InputError(`battles: expected an array of battles, got ${describeValue(given)}`);
  const { covariates = [], emptySlices = false } = options;
  const rows = [...given];
  rows.forEach((row, i) => void checkBattle(row, i + 1, covariates.length));
  const has = (key: "weight" | "cluster" | "slice") => {
    const with_ = rows.filter((row) => row[key] !== undefined).length;
    if (with_ > 0 && with_ < rows.length && key !== "weight" && !(key === "slice" && emptySlices))
      throw new InputError(
        `battles: ${with_} of ${rows.length} battles have a ${key}; give one to all or to none${key === "slice" ? ", or add emptySlices: true" : ""}`,
      );
    return with_ > 0;
  };
  const table = new BattleTable({ weight: has("weight"), cluster: has("cluster"), slice: has("slice"), covariates });
  const [items, clusters, slices] = [numbering(), numbering(), numbering()];
  for (const { first, second, winner, count = 1, weight = 1, cluster = "", slice, covariates: x = [] } of rows) {
    if (count === 0) continue;
    const numbers = {
      ...{ first: items.of(first), second: items.of(second), cluster: clusters.of(cluster) },
      slice: slice === undefined ? NO_SLICE : slices.of(slice),
    };
    table.add({ ...numbers, outcome: OUTCOMES.indexOf(winner), count, weight }, x);
  }
  return table.finish(items.names, clusters.names, slices.names);
}

function checkBattle(row: Battle, number: number, k: number): void {
  const who = `battle ${number}`;
  if (typeof row !== "object" || row === null) throw new InputError(`${who}: expected an object, got ${describeValue(row)}`);
  for (const key of ["first", "second"] as const)
    if (typeof row[key] !== "string" || row[key] === "")
      throw new InputError(`${who}: expected the name of an item as ${key}, got ${describeValue(row[key])}`);
  if (row.first === row.second) throw new InputError(`${who}: ${quote(row.first)} battles itself`);
  if (!OUTCOMES.includes(row.winner))
    throw new InputError(`${who}: expected "first", "second" or "tie" as winner, got ${describeValue(row.winner)}`);
  if (row.count !== undefined && !(Number.isFinite(row.count) && row.count >= 0))
    throw new InputError(`${who}: expected a count of at least 0, got ${describeValue(row.count)}`);
  if (row.weight !== undefined && !(Number.isFinite(row.weight) && row.weight > 0))
    throw new InputError(`${who}: expected a weight above 0, got ${describeValue(row.weight)}`);
  const x = row.covariates ?? [];
  if (!isNumbers(x) || x.length !== k || !Array.from(x).every(Number.isFinite))
    throw new InputError(`${who}: expected ${k} covariates, each a number, got ${describeValue(row.covariates)}`);
}

/** The rows for which `keep` holds, over the items that they name; numbers of clusters and slices stay. */
export function selectBattles(data: Battles, keep: (row: number) => boolean): Battles {
  const rows = Uint32Array.from(data.first.keys()).filter(keep);
  const k = data.covariateNames.length;
  const known = new Map<number, number>();
  const names: string[] = [];
  const renumber = (item: number) => {
    const number = known.get(item) ?? names.push(data.items[item]!) - 1;
    known.set(item, number);
    return number;
  };
  const [first, second] = [new Uint32Array(rows.length), new Uint32Array(rows.length)];
  rows.forEach((r, at) => {
    first[at] = renumber(data.first[r]!);
    second[at] = renumber(data.second[r]!);
  });
  const { weights, clusters, clusterNames, slices, sliceNames } = data;
  return {
    items: names,
    ...{ first, second, outcome: Uint8Array.from(rows, (r) => data.outcome[r]!) },
    counts: Float64Array.from(rows, (r) => data.counts[r]!),
    ...(weights && { weights: Float64Array.from(rows, (r) => weights[r]!) }),
    ...(clusters && { clusters: Uint32Array.from(rows, (r) => clusters[r]!), ...(clusterNames && { clusterNames }) }),
    ...(slices && sliceNames && { slices: Uint32Array.from(rows, (r) => slices[r]!), sliceNames }),
    covariateNames: data.covariateNames,
    covariates: Float64Array.from(
      { length: rows.length * k },
      (_, at) => data.covariates[rows[Math.floor(at / k)]! * k + (at % k)]!,
    ),
  };
}

/** Features of items relative to the other items of their list (see within-list.ts), computed list by list from the raw features. */
import type { Dataset } from "../../types.ts";
import { denseRows } from "../trees/binned-dataset.ts";

export const listStatistics = ["z", "rank", "best"] as const;

/** How a value is compared with the others of its list. */
export type ListStatistic = (typeof listStatistics)[number];

/** The raw columns that are kept, and after them those whose values are compared within the list. */
export interface ListFeatures {
  readonly statistic: ListStatistic;
  readonly kept: Uint32Array;
  readonly compared: Uint32Array;
}

/** All columns compared but those that stay as they are. */
export function listFeatures(statistic: ListStatistic, columns: number, raw: boolean, asIs: ReadonlySet<number>): ListFeatures {
  const all = Array.from({ length: columns }, (_, c) => c);
  return {
    statistic,
    kept: Uint32Array.from(all.filter((c) => raw || asIs.has(c))),
    compared: Uint32Array.from(all.filter((c) => !asIs.has(c))),
  };
}

/** Writes the features of lists from to to, of which the first row goes to the place of row `origin` of the data. */
export function writeListFeatures(
  { starts, features }: Dataset,
  { statistic, kept, compared }: ListFeatures,
  from: number,
  to: number,
  into: Float32Array,
  origin: number,
): void {
  const { columns } = features;
  const width = kept.length + compared.length;
  let longest = 0;
  for (let q = from; q < to; q++) longest = Math.max(longest, starts[q + 1]! - starts[q]!);
  const raw = new Float32Array(longest * columns);
  const compare = comparators[statistic](columns, compared, longest);
  for (let q = from; q < to; q++) {
    const rows = starts[q + 1]! - starts[q]!;
    denseRows(features, starts[q]!, starts[q + 1]!, raw);
    const first = (starts[q]! - origin) * width;
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < kept.length; k++) into[first + row * width + k] = raw[row * columns + kept[k]!]!;
    compare(raw, rows, into, first + kept.length, width);
  }
}

/** Compares the values of one list: of row r and compared column k, into[at + r * width + k]. */
type Compare = (raw: Float32Array, rows: number, into: Float32Array, at: number, width: number) => void;

type Comparator = (columns: number, compared: Uint32Array, longest: number) => Compare;

const comparators: Readonly<Record<ListStatistic, Comparator>> = { z: zScores, rank: averageRanks, best: gapsToBest };

function zScores(columns: number, compared: Uint32Array): Compare {
  const m = compared.length;
  const [count, mean, deviation] = [new Float64Array(m), new Float64Array(m), new Float64Array(m)];
  return (raw, rows, into, at, width) => {
    for (const sums of [count, mean, deviation]) sums.fill(0);
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < m; k++) {
        const value = raw[row * columns + compared[k]!]!;
        if (Number.isNaN(value)) continue;
        count[k]!++;
        mean[k]! += value;
      }
    for (let k = 0; k < m; k++) mean[k]! /= Math.max(1, count[k]!);
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < m; k++) {
        const value = raw[row * columns + compared[k]!]!;
        if (!Number.isNaN(value)) deviation[k]! += (value - mean[k]!) * (value - mean[k]!);
      }
    // Equal float32 values have an exact mean in float64, so that their squares are 0.
    // Over an infinite deviation everything is 0, and what is missing stays missing.
    for (let k = 0; k < m; k++) deviation[k] = deviation[k]! > 0 ? Math.sqrt(deviation[k]! / count[k]!) : Infinity;
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < m; k++)
        into[at + row * width + k] = (raw[row * columns + compared[k]!]! - mean[k]!) / deviation[k]! + 0; // never -0
  };
}

const LARGEST = 3.4028234663852886e38; // of float32

function gapsToBest(columns: number, compared: Uint32Array): Compare {
  const best = new Float64Array(compared.length);
  return (raw, rows, into, at, width) => {
    best.fill(-Infinity);
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < best.length; k++) {
        const value = raw[row * columns + compared[k]!]!;
        if (value > best[k]!) best[k] = value;
      }
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < best.length; k++)
        into[at + row * width + k] = Math.max(-LARGEST, raw[row * columns + compared[k]!]! - best[k]! + 0); // never -0
  };
}

function averageRanks(columns: number, compared: Uint32Array, longest: number): Compare {
  const held = new Float32Array(longest);
  return (raw, rows, into, at, width) => {
    compared.forEach((column, k) => {
      let n = 0;
      for (let row = 0; row < rows; row++) {
        const value = raw[row * columns + column]!;
        if (!Number.isNaN(value)) held[n++] = value;
      }
      const sorted = held.subarray(0, n).sort();
      for (let row = 0; row < rows; row++) {
        const value = raw[row * columns + column]!;
        const to = at + row * width + k;
        if (Number.isNaN(value)) into[to] = value;
        else if (n === 1) into[to] = 0.5;
        else {
          const [below, upTo] = [countBelow(sorted, value, false), countBelow(sorted, value, true)];
          into[to] = (below + upTo - 1) / 2 / (n - 1);
        }
      }
    });
  };
}

/** How many of the sorted values are below a value, or equal to it where `orEqual` says so. */
function countBelow(sorted: Float32Array, value: number, orEqual: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value || (orEqual && sorted[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

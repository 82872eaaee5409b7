/**
 * Two vectors of values, one value per list each, taken together. NaN says that a list is undefined; a list of which either side says so is
 * left out and counted.
 */
import { check, someNumbers } from "../arguments.ts";
import { InputError } from "../input-error.ts";

export interface Paired {
  /** Of the lists for which both are defined. */
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** A - b. */
  readonly differences: Float64Array;
  /** Which lists these are, in order. */
  readonly lists: Uint32Array;
  readonly leftOut: number;
}

/** Differences below this share of the values are rounding: sums in another order. */
const ROUNDING = 1e-12;

export function paired(a: ArrayLike<number>, b: ArrayLike<number>): Paired {
  for (const side of [a, b]) check("a comparison", side, someNumbers);
  if (a.length !== b.length)
    throw new InputError(`a comparison is list by list: expected as many values on both sides, got ${a.length} and ${b.length}`);
  const lists = Uint32Array.from(
    Array.from({ length: a.length }, (_, q) => q).filter((q) => !Number.isNaN(a[q]!) && !Number.isNaN(b[q]!)),
  );
  const side = (values: ArrayLike<number>) => Float64Array.from(lists, (q) => values[q]!);
  return {
    a: side(a),
    b: side(b),
    differences: Float64Array.from(lists, (q) => less(a[q]!, b[q]!)),
    lists,
    leftOut: a.length - lists.length,
  };
}

function less(a: number, b: number): number {
  const difference = a - b;
  return Math.abs(difference) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b)) ? 0 : difference;
}

/** How many lists have a larger value in a, the same, and a larger one in b. */
export function winsTiesLosses({ differences }: Pick<Paired, "differences">): { wins: number; ties: number; losses: number } {
  let [wins, losses] = [0, 0];
  for (const difference of differences) {
    if (difference > 0) wins++;
    else if (difference < 0) losses++;
  }
  return { wins, ties: differences.length - wins - losses, losses };
}

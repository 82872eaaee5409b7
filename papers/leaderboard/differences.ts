/** Two systems on several data sets, list by list: the difference on each, and on the lists of all together. */
import { compareValues } from "../../src/index.ts";

export interface Difference {
  readonly name: string; // the data set, or ALL
  readonly lists: number; // on which both are defined
  readonly difference: number; // mean over these of the first system minus the second
  readonly p: number; // two-sided, of the paired randomization test
}

export const ALL = "all lists";

export interface SetValues {
  readonly name: string;
  readonly a: readonly number[]; // by list; NaN where it is undefined
  readonly b: readonly number[];
}

/** One for each data set, and the last for all. */
export function differences(sets: readonly SetValues[]): Difference[] {
  const pooled = { name: ALL, a: sets.flatMap(({ a }) => a), b: sets.flatMap(({ b }) => b) };
  return [...sets, pooled].map(({ name, a, b }) => {
    const { difference, p, wins, ties, losses } = compareValues(a, b, { resamples: 100 });
    return { name, lists: wins + ties + losses, difference: difference.mean, p };
  });
}

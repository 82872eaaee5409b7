/** Compares two vectors of values on the same lists: difference, interval, test, and wins, ties and losses. */
import { checkOptions, fraction, type Kinds, seedNumber, someNumbers, wholeFrom } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import { random } from "../numeric/random.ts";
import { bootstrapDifference, type Interval } from "./bootstrap.ts";
import { paired, winsTiesLosses } from "./paired.ts";
import { randomizationTest } from "./randomization.ts";

/** How two vectors of values are compared. */
export interface CompareValuesOptions {
  /** Seed of the test and the resampling. Default: 1. */
  readonly seed?: number;
  /** Random sign assignments of the randomization test, where it is not exact. Default: 100000. */
  readonly rounds?: number;
  /** Level of the interval. Default: 0.95. */
  readonly level?: number;
  /** Number of resamples. Default: 4000. */
  readonly resamples?: number;
  /** Weight of each list. Default: 1 each. */
  readonly weights?: ArrayLike<number>;
}

/** Of a minus b, over the lists for which both are defined. */
export interface ValuesCompared {
  /** Mean of a minus b with its interval. */
  readonly difference: Interval;
  /** Two-sided, of the randomization test, not corrected. */
  readonly p: number;
  /** Whether p was computed over all sign assignments rather than a random sample. */
  readonly exact: boolean;
  /** Standard error of p. */
  readonly error: number;
  /** Number of lists where a is larger. */
  readonly wins: number;
  /** Number of lists where both are equal. */
  readonly ties: number;
  /** Number of lists where b is larger. */
  readonly losses: number;
}

const kinds: Kinds<CompareValuesOptions> = {
  ...{ seed: seedNumber, rounds: wholeFrom(1), level: fraction, resamples: wholeFrom(10), weights: someNumbers },
};

/** The difference of two systems, list by list. */
export function compareValues(a: ArrayLike<number>, b: ArrayLike<number>, options: CompareValuesOptions = {}): ValuesCompared {
  checkOptions("compareValues", options, kinds);
  const { seed = 1, rounds, weights, ...rest } = options;
  const pairs = paired(a, b);
  if (weights && weights.length !== a.length)
    throw new InputError(`compareValues: expected a weight for each of ${a.length} values, got ${weights.length}`);
  const weighted = weights ? pairs.differences.map((one, i) => one * weights[pairs.lists[i]!]!) : pairs.differences;
  const { p, exact, error } = randomizationTest(weighted, random(seed, 0), rounds);
  const difference = bootstrapDifference(a, b, { ...rest, random: random(seed, 1), ...(weights && { weights }) });
  return { difference, p, exact, error, ...winsTiesLosses(pairs) };
}

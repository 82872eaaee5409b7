/**
 * How often intervals contain the truth, in simulations with seeds. The coverage of an interval of 95 % should be between 92 and 98 %; a share of
 * few runs is compared with these bounds allowing for the error of the simulation, at a one-sided level of 0.001.
 */

/** How many intervals there were in one run, and how many of them contain the truth. */
export interface Held {
  held: number;
  all: number;
}

/** What one simulated data set says. */
export interface RunOutcome {
  /** Intervals of ratings or worths. */
  readonly ratings?: Held;
  /** Intervals of coefficients, or of the reliability of judges. */
  readonly coefficients?: Held;
  /** Whether all rank intervals contain all ranks that are true: one interval, since they are simultaneous. */
  readonly ranks?: Held;
}

export type IntervalKind = keyof RunOutcome;

/** Data drawn from a known truth, and the intervals of a method. */
export interface CoverageCase {
  readonly name: string;
  /** Kinds of intervals whose coverage must be within the bounds. */
  readonly within: readonly IntervalKind[];
  /** Kinds of which only the lower bound is demanded: ranks of items whose order is certain. */
  readonly atLeast?: readonly IntervalKind[];
  run(seed: number): RunOutcome;
}

/** The share of intervals that contain the truth. */
export interface Share {
  readonly share: number;
  /** Its standard error, by the variance between runs. */
  readonly error: number;
  readonly intervals: number;
}

export const BOUNDS = [0.92, 0.98] as const;
const Z = 3.09; // the normal quantile of 0.999

/** The coverage of each kind of interval, over runs with the seeds from 1. */
export function simulate({ run }: CoverageCase, runs: number): Readonly<Partial<Record<IntervalKind, Share>>> {
  const outcomes = Array.from({ length: runs }, (_, at) => run(at + 1));
  const kinds = new Set(outcomes.flatMap((outcome) => Object.keys(outcome) as IntervalKind[]));
  return Object.fromEntries([...kinds].map((kind) => [kind, shareOf(outcomes.map((outcome) => outcome[kind]!))]));
}

function shareOf(outcomes: readonly Held[]): Share {
  const intervals = outcomes.reduce((sum, { all }) => sum + all, 0);
  const share = outcomes.reduce((sum, { held }) => sum + held, 0) / intervals;
  const squares = outcomes.reduce((sum, { held, all }) => sum + (held - share * all) ** 2, 0);
  return { share, error: Math.sqrt(squares) / intervals, intervals };
}

/** The error of a share if the coverage were at a bound: intervals of a run may depend on each other, so it is at least that between runs. */
const errorAt = (bound: number, { error, intervals }: Share) => Math.max(error, Math.sqrt((bound * (1 - bound)) / intervals));

/** Whether the share is so far below the lower bound that the error of the simulation does not explain it. */
export const isBelow = (found: Share, bound: number = BOUNDS[0]) => found.share < bound - Z * errorAt(bound, found);

/** Whether the share is so far above the upper bound that the error of the simulation does not explain it. */
export const isAbove = (found: Share, bound: number = BOUNDS[1]) => found.share > bound + Z * errorAt(bound, found);

/** Items with a name and an interval, against the truth. */
export function countHeld(
  items: readonly { readonly name: string; readonly low: number; readonly high: number }[],
  truth: (name: string) => number,
): Held {
  const held = items.filter(({ name, low, high }) => low <= truth(name) && truth(name) <= high).length;
  return { held, all: items.length };
}

/** Whether the rank interval of every item contains each rank that it may have, where some are equal. */
export function ranksHeld(
  items: readonly { readonly name: string; readonly rankLow: number; readonly rankHigh: number }[],
  truth: (name: string) => number,
): Held {
  const values = items.map(({ name }) => truth(name));
  const all = items.every(({ rankLow, rankHigh }, i) => {
    const least = values.filter((value) => value > values[i]! + 1e-6).length + 1;
    const most = values.filter((value) => value > values[i]! - 1e-6).length;
    return rankLow <= least && most <= rankHigh;
  });
  return { held: all ? 1 : 0, all: 1 };
}

/** Numbers that sum to zero. */
export function centered(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

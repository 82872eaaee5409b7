/** Utilities and their errors as rated items: on a scale, against an anchor, with intervals of ratings and simultaneous intervals of ranks. */
import { InputError, quote } from "./input-error.ts";
import { rankIntervals } from "./models/utilities/rank-intervals.ts";
import { rankSummaries } from "./models/utilities/uncertainty.ts";
import { normalQuantile } from "./numeric/normal.ts";
import { descending } from "./numeric/order.ts";
import { suggest } from "./part.ts";
import { quantile } from "./statistics/bootstrap.ts";

export const ELO = 400 / Math.LN10;
const DRAWS = 4000;

/** How many draws of the errors of n utilities rank intervals are made from. */
export const drawsFor = (n: number) => Math.max(400, Math.min(DRAWS, Math.floor(3e8 / (n * n))));

/** An item with its rating. */
export interface LeaderboardRating {
  /** Name of the item. */
  readonly name: string;
  /** Rating on the scale. */
  readonly rating: number;
  /** Standard error of the rating, against the anchor. */
  readonly error: number;
  /** Lower end of the interval of the rating. */
  readonly low: number;
  /** Upper end of the interval of the rating. */
  readonly high: number;
  /** Best rank of the simultaneous rank interval, from 1. */
  readonly rankLow: number;
  /** Worst rank of the simultaneous rank interval. */
  readonly rankHigh: number;
  /** Probability that the item's true utility is the highest. */
  readonly best: number;
}

interface RatingOptions {
  readonly level: number;
  readonly scale?: "log" | "elo";
  readonly anchor?: number;
  readonly anchorItem?: string;
}

/** The interval of a number: normal, or between percentiles of a bootstrap. */
export function intervalOf(value: number, error: number, level: number, draws?: readonly number[]): readonly [number, number] {
  const z = normalQuantile((1 + level) / 2);
  if (!draws) return [value - z * error, value + z * error];
  const sorted = Float64Array.from(draws).sort();
  return [quantile(sorted, (1 - level) / 2), quantile(sorted, (1 + level) / 2)];
}

/**
 * The items from the best to the worst. `noise` are draws of the errors of utilities, and `resampled` utilities of a bootstrap, whose percentiles are
 * the intervals.
 */
export function ratedItems(
  who: string,
  names: readonly string[],
  utilities: Float64Array,
  covariance: Float64Array,
  noise: readonly Float64Array[],
  { level, scale = "log", anchor = scale === "elo" ? 1000 : 0, anchorItem }: RatingOptions,
  resampled?: readonly Float64Array[],
): { rated: LeaderboardRating[]; order: Uint32Array; anchor: string; scale: "log" | "elo" } {
  const n = utilities.length;
  const factor = scale === "elo" ? ELO : 1;
  const at = anchorItem === undefined ? -1 : names.indexOf(anchorItem);
  if (anchorItem !== undefined && at < 0)
    throw new InputError(
      `${who}, option anchorItem: no item is called ${quote(anchorItem)}; ${suggest(anchorItem, names.slice(0, 50))}`,
    );
  const above = (values: Float64Array, i: number) => values[i]! - (at < 0 ? 0 : values[at]!);
  const variance = (i: number) =>
    at < 0
      ? covariance[i * n + i]!
      : Math.max(0, covariance[i * n + i]! + covariance[at * n + at]! - 2 * covariance[i * n + at]!);
  const ranks = rankIntervals(utilities, covariance, noise, level);
  const { first: best } = rankSummaries(utilities, noise);
  const order = descending(utilities);
  const rated = Array.from(order, (i): LeaderboardRating => {
    const error = Math.sqrt(variance(i));
    const [low, high] = intervalOf(above(utilities, i), error, level, resampled?.map((draw) => above(draw, i))); // biome-ignore format: one line
    return {
      name: names[i]!,
      ...{ rating: anchor + factor * above(utilities, i), error: factor * error },
      ...{ low: anchor + factor * low, high: anchor + factor * high, rankLow: ranks.low[i]!, rankHigh: ranks.high[i]! },
      best: best[i]!,
    };
  });
  return { rated, order, scale, anchor: at < 0 ? `the mean is ${anchor}` : `${anchorItem} is ${anchor}` };
}

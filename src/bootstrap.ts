/**
 * Bootstrap of utilities over voters: refits them to ballots resampled voter by voter. Intervals are percentiles over the resamples,
 * separately for each item. Resamples without a maximum-likelihood estimate are left out and counted; a prior avoids that.
 */
import {
  checkData,
  checkOptions,
  fraction,
  type Kinds,
  required,
  seedNumber,
  someLearner,
  someObjective,
  wholeFrom,
} from "./arguments.ts";
import { resample } from "./data/voters.ts";
import { fit } from "./fit.ts";
import { InputError } from "./input-error.ts";
import { isUtilities } from "./models/index.ts";
import { descending } from "./numeric/order.ts";
import type { Dataset, Learner, Objective } from "./types.ts";

/** What is fitted again and again, and how often. */
export interface BootstrapOptions {
  /** Learner of utilities: `utilities()`. */
  readonly model: Learner;
  /** Objective of the fits. */
  readonly objective: Objective;
  /** Number of resamples. Default: 200. */
  readonly resamples?: number;
  /** Level of the intervals. Default: 0.95. */
  readonly level?: number;
  /** Seed of the resampling. Default: 1. */
  readonly seed?: number;
}

/** How utilities and ranks vary over the resamples. */
export interface BootstrapResult {
  /** Names of the items. */
  readonly names: readonly string[];
  /** Utility interval of each item, utilities summing to zero. */
  readonly utilities: readonly {
    /** Lower end of the interval. */
    readonly low: number;
    /** Upper end of the interval. */
    readonly high: number;
    /** Standard error. */
    readonly error: number;
  }[];
  /** Rank interval of each item, from 1. */
  readonly ranks: readonly {
    /** Lower end of the interval. */
    readonly low: number;
    /** Upper end of the interval. */
    readonly high: number;
    /** Mean rank. */
    readonly expected: number;
  }[];
  /** Share of the resamples in which an item is first; items with equal utilities share the first place. */
  readonly first: readonly number[];
  /** Number of resamples that could be fitted. */
  readonly resamples: number;
  /** Number of resamples that could not be fitted. */
  readonly failed: number;
}

const kinds: Kinds<BootstrapOptions> = {
  ...{ model: required(someLearner), objective: required(someObjective) },
  ...{ resamples: wholeFrom(2), level: fraction, seed: seedNumber },
};

/** Fits utilities to resampled ballots and summarizes their variation. */
export function bootstrap(data: Dataset, options: BootstrapOptions): BootstrapResult {
  checkData("bootstrap", data);
  checkOptions("bootstrap", options, kinds);
  const { model, objective, resamples = 200, level = 0.95, seed = 1 } = options;
  const draws: Float64Array[] = [];
  let names: readonly string[] = data.names.items ?? [];
  let failed = 0;
  let why = "";
  for (let b = 0; b < resamples; b++) {
    try {
      const { model: fitted } = fit(resample(data, seed, b), { model, objective, seed });
      if (!isUtilities(fitted)) throw new InputError(`bootstrap needs a utilities model, got ${model.id}`);
      const mean = fitted.fit.utilities.reduce((sum, value) => sum + value, 0) / fitted.fit.utilities.length;
      draws.push(fitted.fit.utilities.map((value) => value - mean));
      names = fitted.fit.names;
    } catch (error) {
      if (!(error instanceof InputError) || model.id !== "utilities") throw error;
      failed++;
      why = error.message;
    }
  }
  if (draws.length < 2)
    throw new InputError(`bootstrap: ${failed} of ${resamples} resamples could not be fitted; the last error: ${why}`);
  const places = draws.map(midRanks);
  const column = (rows: readonly Float64Array[], i: number) => Float64Array.from(rows, (row) => row[i]!).sort();
  const ends = (sorted: Float64Array) => {
    const at = (fraction: number) =>
      sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(fraction * (sorted.length - 1))))]!;
    return { low: at((1 - level) / 2), high: at((1 + level) / 2) };
  };
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    names,
    utilities: names.map((_, i) => {
      const values = column(draws, i);
      const centre = mean(values);
      const square = values.reduce((sum, value) => sum + (value - centre) * (value - centre), 0);
      return { ...ends(values), error: Math.sqrt(square / (values.length - 1)) };
    }),
    ranks: names.map((_, i) => ({ ...ends(column(places, i)), expected: mean(column(places, i)) })),
    first: names.map((_, i) => mean(Float64Array.from(places, (ranks) => shareOfFirst(ranks, i)))),
    resamples: draws.length,
    failed,
  };
}

/** Utilities as close as this are equal: fits of the same ballots in another order differ by less. */
const EQUAL = 1e-6;

/** Ranks from 1, where equal items have the mean of their ranks. */
function midRanks(utilities: Float64Array): Float64Array {
  const ranks = new Float64Array(utilities.length);
  const order = descending(utilities);
  for (let from = 0, to = 1; from < order.length; from = to++) {
    while (to < order.length && utilities[order[to - 1]!]! - utilities[order[to]!]! < EQUAL) to++;
    for (let place = from; place < to; place++) ranks[order[place]!] = (from + 1 + to) / 2;
  }
  return ranks;
}

/** 1 for the first item, its share if several are equal, 0 for the others. */
function shareOfFirst(ranks: Float64Array, item: number): number {
  const least = ranks.reduce((a, b) => Math.min(a, b));
  return ranks[item] === least ? 1 / (2 * least - 1) : 0; // k equal items have rank (k + 1) / 2
}

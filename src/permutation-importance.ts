/**
 * Permutation importance: what a metric loses when the values of one feature change places, the others staying (Breiman 2001,
 * https://doi.org/10.1023/A:1010933404324). Values are shuffled within each list, because only differences within a list change its order;
 * or over all items, which also breaks what a feature says about the list as a whole. Lists are the units: each has a loss of its own, the
 * mean over the repeats, and the standard error is that of the mean over lists.
 */
import {
  checkModelAndData,
  checkOptions,
  type Kinds,
  oneOf,
  required,
  seedNumber,
  someFunction,
  someMetric,
  wholeFrom,
} from "./arguments.ts";
import { type AlignOptions, alignKinds } from "./data/align.ts";
import { column } from "./data/column.ts";
import { denseCopy } from "./data/dense-copy.ts";
import { aligned, score } from "./evaluate.ts";
import { InputError } from "./input-error.ts";
import { average } from "./metrics/index.ts";
import { random, shuffle } from "./numeric/random.ts";
import type { Columns, Dataset, Metric, Model } from "./types.ts";

/** What a metric loses without one feature. */
export interface FeatureImportance {
  /** Column of the feature, from 0. */
  readonly feature: number;
  /** Mean loss of the metric over lists and repeats; below 0 where shuffled values rank better. */
  readonly mean: number;
  /** Standard error of the mean over lists; NaN where fewer than two lists have a value. */
  readonly error: number;
  /** Mean loss of each list over the repeats; NaN where the metric is undefined. */
  readonly lists: Float64Array;
}

/** The importance of every feature. */
export interface PermutationImportance {
  /** Mean of the metric with the values in their places. */
  readonly value: number;
  /** The features of the model. */
  readonly columns: Columns;
  /** By column. */
  readonly features: readonly FeatureImportance[];
}

/** How features are shuffled and measured. */
export interface PermutationImportanceOptions extends AlignOptions {
  /** Metric whose loss is measured. */
  readonly metric: Metric;
  /** Shuffles of each feature. Default: 5. */
  readonly repeats?: number;
  /** Where values change places: within each list, or over all items of the data. Default: "list". */
  readonly shuffle?: "list" | "data";
  /** Seed of the shuffles. Default: 1. */
  readonly seed?: number;
  /** Called after each feature with the number of features done and of all. */
  readonly progress?: (done: number, all: number) => void;
}

const kinds: Kinds<PermutationImportanceOptions> = {
  ...alignKinds,
  ...{ metric: required(someMetric), repeats: wholeFrom(1), shuffle: oneOf("list", "data"), seed: seedNumber },
  progress: someFunction,
};

/**
 * What the metric loses when a feature is shuffled, for each feature, after `align` has fitted the data to the columns of the model. A
 * feature of weight for the model may lose nothing where another says the same.
 *
 * @example
 * const { features, columns } = permutationImportance(model, test, { metric: ndcg({ k: 10 }) });
 */
export function permutationImportance(
  model: Model,
  given: Dataset,
  options: PermutationImportanceOptions,
): PermutationImportance {
  const who = "permutationImportance";
  checkOptions(who, options, kinds);
  const { metric, repeats = 5, shuffle: where = "list", seed = 1, unknownFeatures, progress } = options;
  checkModelAndData(who, model, given);
  if (given.labelSpaceSize !== undefined || model.columns.count === 0)
    throw new InputError(`${who}: the items of the data have no features of their own that could be shuffled`);
  const data = aligned(who, model, given, unknownFeatures ? { unknownFeatures } : {});
  const features = denseCopy(data.features);
  const { rows, columns, values } = features;
  const changed = { ...data, features };
  const before = average(metric, score(model, changed), data);
  const bounds = where === "list" ? data.starts : Uint32Array.of(0, rows);
  const sign = metric.better === "higher" ? 1 : -1;

  const measured = Array.from({ length: columns }, (_, feature): FeatureImportance => {
    const held = column(features, feature);
    const lists = new Float64Array(data.starts.length - 1);
    let sum = 0;
    for (let repeat = 0; repeat < repeats; repeat++) {
      const order = shuffledWithin(bounds, random(seed, feature, repeat));
      for (let row = 0; row < rows; row++) values[row * columns + feature] = held[order[row]!]!;
      const after = average(metric, score(model, changed), data);
      sum += sign * (before.mean - after.mean);
      for (let q = 0; q < lists.length; q++) lists[q]! += (sign * (before.values[q]! - after.values[q]!)) / repeats;
    }
    for (let row = 0; row < rows; row++) values[row * columns + feature] = held[row]!;
    progress?.(feature + 1, columns);
    const mean = sum / repeats;
    return { feature, mean, error: standardError(lists, data.listWeights), lists };
  });
  return { value: before.mean, columns: model.columns, features: measured };
}

/** A permutation of rows that keeps each within its bounds. */
function shuffledWithin(bounds: Uint32Array, draw: () => number): Uint32Array {
  const order = new Uint32Array(bounds.at(-1)!).map((_, row) => row);
  for (let q = 0; q + 1 < bounds.length; q++) shuffle(order.subarray(bounds[q]!, bounds[q + 1]!), draw);
  return order;
}

/** Of the weighted mean over the lists that have a value: √(n / (n - 1) Σ w² (x - mean)²) / Σ w. */
function standardError(values: Float64Array, listWeights: Float32Array | undefined): number {
  const known = Array.from(values.keys()).filter((q) => !Number.isNaN(values[q]!) && (listWeights?.[q] ?? 1) > 0);
  const n = known.length;
  if (n < 2) return Number.NaN;
  const weight = (q: number) => listWeights?.[q] ?? 1;
  const total = known.reduce((sum, q) => sum + weight(q), 0);
  const mean = known.reduce((sum, q) => sum + weight(q) * values[q]!, 0) / total;
  const squares = known.reduce((sum, q) => sum + (weight(q) * (values[q]! - mean)) ** 2, 0);
  return Math.sqrt((squares * n) / (n - 1)) / total;
}

/**
 * Simple baselines: random order, the best single feature, the mean rank over all features without labels, and, for multi-label data, label
 * frequency in training.
 */
import { check, checkData, checkOptions, type Kinds, required, someData, someFunction, someMetric } from "./arguments.ts";
import { align } from "./data/align.ts";
import { column } from "./data/column.ts";
import { shuffledLists } from "./data/parts.ts";
import { subset } from "./data/subset.ts";
import { average } from "./metrics/index.ts";
import { columnsOf } from "./models/shared/columns.ts";
import { descending } from "./numeric/order.ts";
import type { Dataset, LabelFrequency, Metric, TopItems } from "./types.ts";

/** A ranking that any model should beat. */
export interface Baseline {
  /** Short name. */
  readonly name: string;
  /** What it does. */
  readonly about: string;
  /** A score for each entry of the data. */
  readonly scores: Float64Array;
}

/** How the best feature is chosen. */
export interface BaselineOptions {
  /** Metric by which the best feature is chosen. */
  readonly metric: Metric;
  /** Data on which the best feature is chosen, with the features of the data. Default: the data themselves, which is optimistic. */
  readonly train?: Dataset;
  /** Name of a column, from 0. Default: the name or number that the data give it. */
  readonly nameOf?: (column: number) => string;
}

const MANY = 2000; // features: beyond, they are too many to try one by one
const ENOUGH = 4e6; // values looked at in choosing a feature

const kinds: Kinds<BaselineOptions> = { metric: required(someMetric), train: someData, nameOf: someFunction };

/** Rankers that any model should beat. Training data are fitted to the columns of the data as `align` says. */
export function baselines(data: Dataset, options: BaselineOptions): Baseline[] {
  checkData("baselines", data);
  checkOptions("baselines", options, kinds);
  const { metric, nameOf = (c) => data.names.features?.[c] ?? String(c + data.base) } = options;
  const train = options.train && align(options.train, columnsOf(data), { unknownFeatures: "ignore" }).data;
  const random = {
    name: "random order",
    about: "the expected value over all orders",
    scores: new Float64Array(data.labels.length),
  };
  const { columns } = data.features;
  if (data.labelSpaceSize !== undefined || columns === 0 || columns > MANY) return [random];
  const best = bestFeature(train ?? data, metric);
  const where = train ? "in training" : "on these lists themselves";
  return [
    {
      name: `best single feature (${nameOf(best.column)})`,
      about: `${best.sign > 0 ? "high" : "low"} values first, the best ${where}`,
      scores: featureScores(data, best.column, best.sign),
    },
    { name: "all features, no labels", about: "mean rank over the features, high values first", scores: meanRanks(data) },
    random,
  ];
}

/** A feature used as a score. */
export interface BestFeature {
  /** Column of the feature, from 0. */
  readonly column: number;
  /** 1 if high values come first, -1 if low ones do. */
  readonly sign: 1 | -1;
  /** Mean of the metric. */
  readonly mean: number;
}

/** The feature that ranks best alone, and which way up. Of many rows, some lists are looked at. */
export function bestFeature(data: Dataset, metric: Metric): BestFeature {
  checkData("bestFeature", data);
  check("bestFeature", metric, someMetric);
  const some = sample(data, ENOUGH / Math.max(1, data.features.columns));
  let found: BestFeature = { column: 0, sign: 1, mean: Number.NaN };
  for (let c = 0; c < some.features.columns; c++) {
    for (const sign of [1, -1] as const) {
      const { mean } = average(metric, featureScores(some, c, sign), some);
      const better = metric.better === "higher" ? mean > found.mean : mean < found.mean;
      if (better || Number.isNaN(found.mean)) found = { column: c, sign, mean };
    }
  }
  return found;
}

/** Scores by one feature, upwards or downwards; what is missing comes last. */
export const featureScores = ({ features }: Dataset, wanted: number, sign: 1 | -1): Float64Array =>
  column(features, wanted).map((value) => (Number.isNaN(value) ? -1e300 : sign * value));

/** A random sample of lists with about this many rows; all lists if there are not more. */
export function sample(data: Dataset, rows: number, seed = 1): Dataset {
  if (data.features.rows <= rows) return data;
  const lists: number[] = [];
  let taken = 0;
  for (const q of shuffledLists(data.starts.length - 1, seed)) {
    if (taken >= rows) break;
    lists.push(q);
    taken += data.labelSpaceSize === undefined ? data.starts[q + 1]! - data.starts[q]! : 1;
  }
  return subset(
    data,
    lists.sort((a, b) => a - b),
  );
}

/** Minus the mean, over features, of an item's rank in its list; tied items share their ranks, and so do those without a value. */
function meanRanks(data: Dataset): Float64Array {
  const { starts, features } = data;
  const sums = new Float64Array(features.rows);
  for (let c = 0; c < features.columns; c++) {
    const values = featureScores(data, c, 1);
    for (let q = 0; q + 1 < starts.length; q++) {
      const mine = values.subarray(starts[q]!, starts[q + 1]!);
      const order = descending(mine);
      for (let from = 0, to = 0; from < order.length; from = to) {
        while (to < order.length && mine[order[to]!] === mine[order[from]!]) to++;
        const shared = (from + 1 + to) / 2;
        for (let place = from; place < to; place++) sums[starts[q]! + order[place]!]! -= shared / features.columns;
      }
    }
  }
  return sums;
}

/** The same k items for every list: those judged most often in training. */
export function frequencyTop(data: Dataset, { counts }: LabelFrequency, k: number): TopItems {
  const lists = data.starts.length - 1;
  const best = descending(Float64Array.from(counts)).subarray(0, k);
  const items = new Uint32Array(lists * k);
  const scores = new Float64Array(lists * k);
  for (let q = 0; q < lists; q++) {
    items.set(best, q * k);
    for (let place = 0; place < k; place++) scores[q * k + place] = counts[best[place]!]!;
  }
  return { k, items, scores };
}

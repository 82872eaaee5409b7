/** The mean of a metric over lists. */
import { check, checkData, checkScores, someMetric } from "../arguments.ts";
import { describeValue, InputError } from "../input-error.ts";
import type { Dataset, LabelFrequency, Metric } from "../types.ts";

/** The mean of a metric with the values of every list. */
export interface Average {
  /** NaN where it is undefined for all lists. */
  readonly mean: number;
  /** All lists of the data, those skipped included. */
  readonly lists: number;
  /** Lists for which it is undefined, left out of the mean. */
  readonly skipped: number;
  /** Whether lists count by their weights. */
  readonly weighted: boolean;
  /** Value of each list, NaN where it is undefined. */
  readonly values: Float64Array;
}

/** A metric of one list. */
export interface ListValue {
  /** Value of the metric, NaN where it is undefined. */
  readonly value: number;
  /** What the value is divided by in the mean: 1, or the ideal of a metric whose mean is a ratio of means. */
  readonly ideal: number;
}

/** The metric of one list, and what it is divided by in the mean: 1, or the ideal of a metric whose mean is a ratio of means. */
export function measureList(metric: Metric, scores: Float64Array, data: Dataset, list: number): ListValue {
  check("measureList", metric, someMetric);
  checkData("measureList", data, "accept bins");
  checkScores("measureList", scores, data);
  if (!(list >= 0 && list < data.starts.length - 1 && Number.isInteger(list)))
    throw new InputError(`measureList: there is no list ${describeValue(list)} among ${data.starts.length - 1}`);
  return measureOne(metric, scores, data, list);
}

function measureOne(metric: Metric, scores: Float64Array, data: Dataset, list: number): ListValue {
  const [from, to] = [data.starts[list]!, data.starts[list + 1]!];
  const labels = data.labels.subarray(from, to);
  const frequency = frequencyIn(data, from, to);
  const value = metric.measure(scores.subarray(from, to), labels, data.names.entries?.slice(from, to), frequency);
  return { value, ideal: metric.ideal ? metric.ideal(labels, frequency) : 1 };
}

function frequencyIn({ labelFrequency, items }: Dataset, from: number, to: number): LabelFrequency | undefined {
  if (!labelFrequency || !items) return undefined;
  return {
    lists: labelFrequency.lists,
    counts: Uint32Array.from(items.subarray(from, to), (item) => labelFrequency.counts[item]!),
  };
}

/**
 * The metric of every list and its mean, summed in the order of the lists; weighted by the list weights where the data has them. A value
 * that stands in for a list for which it is undefined (`empty=1`) has the weight of its list like any other.
 */
export function average(metric: Metric, scores: Float64Array, data: Dataset): Average {
  check("average", metric, someMetric);
  checkData("average", data, "accept bins");
  checkScores(metric.spec, scores, data);
  const { starts, listWeights } = data;
  const lists = starts.length - 1;
  const odd = scores.findIndex(Number.isNaN);
  if (odd >= 0) throw new InputError(`${metric.spec}: expected scores that can be ordered, got NaN for item ${odd} of the data`);
  const values = new Float64Array(lists);
  let sum = 0;
  let weight = 0;
  let skipped = 0;
  for (let list = 0; list < lists; list++) {
    const { value, ideal } = measureOne(metric, scores, data, list);
    values[list] = value;
    if (Number.isNaN(value)) skipped++;
    else {
      const counts = listWeights ? listWeights[list]! : 1;
      sum += counts * value;
      weight += counts * ideal;
    }
  }
  return { mean: weight > 0 ? sum / weight : Number.NaN, lists, skipped, weighted: listWeights !== undefined, values };
}

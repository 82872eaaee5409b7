/** The mean of a metric over the lists of a data set. */
import { Mistake } from "../mistake.ts";
import type { Dataset, Metric } from "../types.ts";

export interface Average {
  readonly mean: number; // NaN where no list can tell
  readonly lists: number; // all lists of the data, those skipped included
  readonly skipped: number; // lists that cannot tell, left out of the mean
  readonly weighted: boolean; // by the weights of the lists
  readonly values: Float64Array; // one per list, NaN where skipped
}

/**
 * The metric of every list and its mean, summed in the order of the lists; weighted by the list weights where the data has them. A value
 * that stands in for a list that cannot tell (`empty=1`) has the weight of its list like any other.
 */
export function average(metric: Metric, scores: Float64Array, data: Dataset): Average {
  const { starts, labels, listWeights } = data;
  const ids = data.names.entries;
  const lists = starts.length - 1;
  if (scores.length !== labels.length)
    throw new Mistake(`${metric.text}: expected ${labels.length} scores, one per item of the data, got ${scores.length}`);
  const values = new Float64Array(lists);
  let sum = 0;
  let weight = 0;
  let skipped = 0;
  for (let list = 0; list < lists; list++) {
    const from = starts[list]!;
    const to = starts[list + 1]!;
    const value = metric.measure(scores.subarray(from, to), labels.subarray(from, to), ids?.slice(from, to));
    values[list] = value;
    if (Number.isNaN(value)) skipped++;
    else {
      const counts = listWeights ? listWeights[list]! : 1;
      sum += counts * value;
      weight += counts;
    }
  }
  return { mean: weight > 0 ? sum / weight : Number.NaN, lists, skipped, weighted: listWeights !== undefined, values };
}

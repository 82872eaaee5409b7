/**
 * Chooses how models are blended by their out-of-fold scores: greedy forward selection with repetition (Caruana, Niculescu-Mizil, Crew and
 * Ksikes, ICML 2004, https://doi.org/10.1145/1015330.1015432). It begins with the sum of the models that are best by themselves, adds the
 * model whose scaled scores improve the metric of the sum most (or lower it least), again and again, and keeps the best sum of all. The weight
 * of a model is how often it was added. Sums of few draws cannot follow the noise of a metric as far as fitted weights do.
 */
import { measureList } from "./metrics/index.ts";
import type { Dataset, Metric } from "./types.ts";

/** How long the selection goes on. */
export interface SelectionOptions {
  /** Models that it begins with. */
  readonly start: number;
  /** Models that are added. */
  readonly steps: number;
  /** Models that take part, the best by themselves. */
  readonly most: number;
}

/** The metric of each list. */
export interface ListValues {
  /** By list; NaN where it is undefined. */
  readonly values: Float64Array;
  /** By list: what it is divided by in the mean. */
  readonly ideals: Float64Array;
}

/** A mean over lists with its standard error. */
export interface MeanWithError {
  /** The mean. */
  readonly mean: number;
  /** Its standard error, for lists drawn at random. */
  readonly error: number;
}

export function listValues(metric: Metric, scores: Float64Array, data: Dataset): ListValues {
  const lists = data.starts.length - 1;
  const [values, ideals] = [new Float64Array(lists), new Float64Array(lists)];
  for (let q = 0; q < lists; q++) {
    const { value, ideal } = measureList(metric, scores, data, q);
    values[q] = value;
    ideals[q] = ideal;
  }
  return { values, ideals };
}

/** The mean over some lists, weighted as the data say. Lists for which the metric is undefined are left out. */
export function meanOf({ values, ideals }: ListValues, { listWeights }: Dataset, lists: Iterable<number>): MeanWithError {
  const known = Array.from(lists).filter((q) => !Number.isNaN(values[q]!));
  const weight = (q: number) => (listWeights ? listWeights[q]! : 1);
  const sum = known.reduce((total, q) => total + weight(q) * values[q]!, 0);
  const over = known.reduce((total, q) => total + weight(q) * ideals[q]!, 0);
  const mean = over > 0 ? sum / over : Number.NaN;
  const square = known.reduce((total, q) => total + (weight(q) * (values[q]! - mean * ideals[q]!)) ** 2, 0);
  return { mean, error: Math.sqrt((square * known.length) / (known.length - 1)) / over };
}

/** What is chosen, judged by some lists of the data. */
export interface Selected {
  /** The number of times that each model is in the blend. */
  readonly counts: Uint32Array;
  /** The models that took part, the best first. */
  readonly able: readonly number[];
}

/** Chooses among models by their scaled scores of the items of the data, on any of its lists. */
export function selection(
  scores: readonly Float32Array[],
  data: Dataset,
  metric: Metric,
  { start, steps, most }: SelectionOptions,
): (lists: Uint32Array) => Selected {
  const known = new Map<string, ListValues>(); // selections by different lists mostly make the same sums
  const valuesOf = (counts: Uint32Array): ListValues => {
    const key = counts.join();
    const found = known.get(key) ?? listValues(metric, weightedSum(scores, counts), data);
    known.set(key, found);
    return found;
  };
  return (lists) => {
    const worthOf = (counts: Uint32Array) => worth(metric, meanOf(valuesOf(counts), data, lists).mean);
    const withOne = (counts: Uint32Array, m: number) => counts.map((count, other) => (other === m ? count + 1 : count));
    const none = new Uint32Array(scores.length);
    const alone = scores.map((_, m) => worthOf(withOne(none, m)));
    const order = Array.from(alone.keys()).sort((a, b) => (alone[a] === alone[b] ? a - b : alone[b]! - alone[a]!));
    const able = order.slice(0, most);
    let counts = able.slice(0, start).reduce(withOne, none);
    let best = { counts, worth: worthOf(counts) };
    for (let step = 0; step < steps; step++) {
      const next = able.map((m) => {
        const more = withOne(counts, m);
        return { counts: more, worth: worthOf(more) };
      });
      const top = next.reduce((before, one) => (one.worth > before.worth ? one : before));
      counts = top.counts;
      if (top.worth > best.worth) best = top;
    }
    return { counts: best.counts, able };
  };
}

/** The mean with its sign such that higher is better; where it is undefined, the worst. */
export const worth = ({ better }: Metric, mean: number): number =>
  Number.isNaN(mean) ? -Infinity : better === "higher" ? mean : -mean;

/** Σ weight_m score_m, in the order of the models. */
export function weightedSum(scores: readonly Float32Array[], weights: ArrayLike<number>): Float64Array {
  const sum = new Float64Array(scores[0]!.length);
  scores.forEach((own, m) => {
    const weight = weights[m]!;
    if (weight > 0) for (let i = 0; i < sum.length; i++) sum[i]! += weight * own[i]!;
  });
  return sum;
}

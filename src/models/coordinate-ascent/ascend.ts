/**
 * One climb: the weights begin equal, features are taken in random order, and each weight tries steps up, then steps down, each twice as
 * long as the last, then 0; the best of them is taken as soon as a direction raised the metric. Weights are scaled so that their sizes sum to
 * 1 after every change. Ends when a pass over all features has gained less than the tolerance.
 */
import { shuffle } from "../../numeric/random.ts";
import type { Random } from "../../types.ts";
import type { MetricTracker } from "./metric-tracker.ts";

export interface AscentOptions {
  /** Steps in each direction. */
  readonly iterations: number;
  /** Ends the climb when a pass gains less. */
  readonly tolerance: number;
}

export interface Pass {
  /** The metric after it. */
  readonly value: number;
  /** Whether it gained less than the tolerance. */
  readonly last: boolean;
}

/** The weights that a climb begins with. */
export const equalWeights = (features: number): Float64Array => new Float64Array(features).fill(1 / features);

/** The order of features in a pass, counted from 0. Each is drawn from the order before it. */
export function orderOfPass(features: number, pass: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: features }, (_, c) => c);
  for (let drawn = 0; drawn <= pass; drawn++) shuffle(order, random);
  return order;
}

/** One pass over all features, which changes the weights. Column c holds the values of feature c, row after row. */
export function ascendOnce(
  columns: readonly Float32Array[],
  tracker: MetricTracker,
  { iterations, tolerance }: AscentOptions,
  order: Uint32Array,
  weights: Float64Array,
): Pass {
  const rows = columns[0]?.length ?? 0;
  const scores = new Float64Array(rows); // of the weights as they are
  rescore(columns, weights, scores);
  const before = tracker.all(scores);
  let best = before;
  for (const c of order) {
    const weight = weights[c]!;
    const attempt = tracker.along(columns[c]!, scores);
    let taken = 0;
    for (const direction of [1, -1]) {
      let step = direction * firstStep(weight);
      let change = step;
      for (let i = 0; i < iterations; i++) {
        const value = attempt(change);
        if (value > best) [best, taken] = [value, change];
        step *= 2;
        change += step;
      }
      if (taken !== 0) break;
    }
    if (taken === 0 && weight !== 0) {
      const value = attempt(-weight);
      if (value > best) [best, taken] = [value, -weight];
    }
    if (taken === 0) continue;
    weights[c] = weight + taken;
    normalize(weights);
    rescore(columns, weights, scores);
    best = tracker.all(scores); // rounding may have split or made a tie
  }
  return { value: best, last: !(best - before >= tolerance) };
}

/** A thousandth, or a twentieth of a weight so small that a thousandth would be more than half of it. */
const firstStep = (weight: number) => (weight !== 0 && 0.001 > 0.5 * Math.abs(weight) ? 0.05 * Math.abs(weight) : 0.001);

function normalize(weights: Float64Array): void {
  const sum = weights.reduce((total, weight) => total + Math.abs(weight), 0);
  for (let c = 0; c < weights.length; c++) weights[c] = sum > 0 ? weights[c]! / sum : 1 / weights.length;
}

/** From the weights and not from the last scores, so that rounding does not pile up. */
function rescore(columns: readonly Float32Array[], weights: Float64Array, into: Float64Array): void {
  into.fill(0);
  columns.forEach((column, c) => {
    const weight = weights[c]!;
    if (weight !== 0) for (let row = 0; row < into.length; row++) into[row] = into[row]! + weight * column[row]!;
  });
}

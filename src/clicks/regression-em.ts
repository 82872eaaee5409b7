/**
 * Regression-based EM: a click is an examined position and a relevant document, P(click) = p_k r(x). Wang, Golbandi, Bendersky, Metzler and Najork
 * 2018, https://doi.org/10.1145/3159652.3159732
 *
 * E: what was not clicked was examined with probability p (1 - r) / (1 - p r), and relevant with probability (1 - p) r / (1 - p r).
 * M: p_k is the mean of examined at k; r is regressed on the mean of relevant.
 *
 * The regression is logistic, r = 1 / (1 + exp(-w x)), with a ridge. Each M takes one step under the bound of the Hessian by a quarter of Xᵀ X (Böhning
 * and Lindsay 1988), which never lowers the likelihood. No document needs to have been shown at two positions, but what features cannot tell of the
 * relevance is taken for position bias where the ranking knew it.
 */
import { cholesky, solve } from "../numeric/cholesky.ts";
import { logistic } from "../numeric/functions.ts";
import type { Exposures } from "./exposures.ts";

/** Features of documents, row after row; see `designOf`. */
export interface Design {
  /** Number of features. */
  readonly columns: number;
  /** By document, then feature. */
  readonly values: Float64Array;
}

const RIDGE = 1;
const ROUNDS = 300;
const TOLERANCE = 1e-4; // relative, of propensities
const MOST = 1 - 1e-9; // probability

/** Propensities by position, relative to the first. */
export function regressionEm(counts: Exposures, design: Design): Float64Array {
  const { positions, starts, position, shown, clicked } = counts;
  const documents = starts.length - 1;
  const impressions = new Float64Array(documents);
  const byPosition = new Float64Array(positions);
  for (let d = 0; d < documents; d++)
    for (let c = starts[d]!; c < starts[d + 1]!; c++) {
      impressions[d]! += shown[c]!;
      byPosition[position[c]!]! += shown[c]!;
    }
  const regress = regression(design, impressions);
  const relevance = new Float64Array(documents).fill(0.5);
  const relevant = new Float64Array(documents); // expected number of impressions in which it was
  let propensities = new Float64Array(positions).fill(0.5);
  for (let round = 0; round < ROUNDS; round++) {
    const examined = new Float64Array(positions);
    relevant.fill(0);
    for (let d = 0; d < documents; d++)
      for (let c = starts[d]!; c < starts[d + 1]!; c++) {
        const [k, r] = [position[c]!, relevance[d]!];
        const p = propensities[k]!;
        const missed = (shown[c]! - clicked[c]!) / (1 - p * r);
        examined[k]! += clicked[c]! + missed * p * (1 - r);
        relevant[d]! += clicked[c]! + missed * (1 - p) * r;
      }
    const before = propensities;
    propensities = examined.map((sum, k) => Math.min(sum / byPosition[k]!, MOST));
    regress(relevant, relevance);
    const scale = before[0]! / propensities[0]!;
    if (propensities.every((p, k) => Math.abs((scale * p) / before[k]! - 1) < TOLERANCE)) break;
  }
  const [first] = propensities as unknown as [number];
  return propensities.map((p) => p / first);
}

/** A logistic regression that takes one step towards the given expectations and writes the relevance of each document. */
function regression(
  { columns, values }: Design,
  impressions: Float64Array,
): (relevant: Float64Array, into: Float64Array) => void {
  const documents = impressions.length;
  const n = columns + 1; // the intercept comes last
  const bound = new Float64Array(n * n);
  const row = new Float64Array(n).fill(1);
  const fill = (d: number) => row.set(values.subarray(d * columns, (d + 1) * columns));
  for (let d = 0; d < documents; d++) {
    fill(d);
    for (let i = 0; i < n; i++) {
      const left = (impressions[d]! * row[i]!) / 4;
      if (left !== 0) for (let j = 0; j <= i; j++) bound[i * n + j]! += left * row[j]!;
    }
  }
  for (let i = 0; i < columns; i++) bound[i * n + i]! += RIDGE;
  cholesky(bound, n, 1e-9);
  const weights = new Float64Array(n);
  const scoreOf = (d: number) => {
    let sum = weights[columns]!;
    for (let j = 0; j < columns; j++) sum += weights[j]! * values[d * columns + j]!;
    return sum;
  };
  return (relevant, into) => {
    const gradient = new Float64Array(n);
    for (let d = 0; d < documents; d++) {
      const off = relevant[d]! - impressions[d]! * logistic(scoreOf(d));
      for (let j = 0; j < columns; j++) gradient[j]! += off * values[d * columns + j]!;
      gradient[columns]! += off;
    }
    for (let j = 0; j < columns; j++) gradient[j]! -= RIDGE * weights[j]!;
    solve(bound, n, gradient);
    for (let j = 0; j < n; j++) weights[j]! += gradient[j]!;
    for (let d = 0; d < documents; d++) into[d] = Math.min(logistic(scoreOf(d)), MOST);
  };
}

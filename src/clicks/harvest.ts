/**
 * Intervention harvesting: where the same document of a query was shown at several positions, the difference in its clicks is due to the positions
 * alone. Agarwal, Zaitsev, Wang, Li, Najork and Joachims 2019, https://doi.org/10.1145/3289600.3291017
 *
 * A document that was shown n_k times at position k gets n_k p_k r clicks there on average, p_k the propensity and r its relevance. Given how many
 * clicks it got in all, r cancels: a click fell on position k with probability n_k p_k / Σ_j n_j p_j. The propensities maximize the product of these
 * probabilities over all clicks: a multinomial logit in log p_k, to which all pairs of positions contribute at once.
 *
 * A little smoothing between neighbors, worth one click, keeps the logarithms of positions without clicks finite.
 *
 * Errors are clustered by query: influence_q = H⁻¹ g_q, g_q the derivative of the log-likelihood of the clicks of query q.
 */
import { cholesky, solve } from "../numeric/cholesky.ts";
import { exp, log } from "../numeric/functions.ts";
import type { Exposures } from "./exposures.ts";

/** What interventions say about positions. */
export interface Harvested {
  /** By position: log propensity relative to the first. */
  readonly logs: Float64Array;
  /** By position: clicks at it of documents that were also shown elsewhere. */
  readonly clicks: Float64Array;
  /** By query, then position: how much the query moves the log propensity. */
  readonly influence: Float64Array;
}

const SMOOTHING = 1; // the precision of the difference of neighboring log propensities
const ROUNDS = 100;
const TOLERANCE = 1e-10; // of log propensities
const LONGEST_STEP = 3;
const HALVINGS = 12;

/** Propensities from documents shown at several positions; undefined where no click is on such a document. */
export function harvest(counts: Exposures, queries: number): Harvested | undefined {
  const { positions: n, starts, position, clicked } = counts;
  const clicks = new Float64Array(n);
  const informative: number[] = [];
  for (let d = 0; d < starts.length - 1; d++) {
    const [from, to] = [starts[d]!, starts[d + 1]!];
    if (to - from < 2 || clicksOf(counts, d) === 0) continue;
    informative.push(d);
    for (let c = from; c < to; c++) clicks[position[c]!]! += clicked[c]!;
  }
  if (informative.length === 0) return undefined;
  const logs = new Float64Array(n);
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n * n);
  let value = derivatives(counts, informative, logs, gradient, hessian);
  for (let round = 0; round < ROUNDS; round++) {
    const step = Float64Array.from(gradient);
    cholesky(hessian, n, 1e-9);
    solve(hessian, n, step);
    const size = step.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    if (size < TOLERANCE) break;
    const before = value;
    let scale = Math.min(1, LONGEST_STEP / size);
    for (let tries = 0; tries < HALVINGS; tries++, scale /= 2) {
      const next = logs.map((one, k) => one + scale * step[k]!);
      const there = derivatives(counts, informative, next, gradient, hessian);
      if (there <= value) continue;
      value = there;
      logs.set(next);
      break;
    }
    if (!(value > before)) break; // to rounding, this is the maximum
  }
  derivatives(counts, informative, logs, gradient, hessian);
  cholesky(hessian, n, 1e-9);
  const influence = influences(counts, informative, logs, hessian, queries);
  relativeToFirst(logs);
  return { logs, clicks, influence };
}

function relativeToFirst(logs: Float64Array): void {
  const [first] = logs as unknown as [number];
  for (let k = 0; k < logs.length; k++) logs[k]! -= first;
}

function clicksOf({ starts, clicked }: Exposures, d: number): number {
  let total = 0;
  for (let c = starts[d]!; c < starts[d + 1]!; c++) total += clicked[c]!;
  return total;
}

/** For the cells of a document, the probability that a click on it fell there. */
function chancesOf({ starts, position, shown }: Exposures, d: number, logs: Float64Array): Float64Array {
  const [from, to] = [starts[d]!, starts[d + 1]!];
  const found = new Float64Array(to - from);
  let sum = 0;
  for (let c = from; c < to; c++) sum += found[c - from] = shown[c]! * exp(logs[position[c]!]!);
  for (let c = 0; c < found.length; c++) found[c]! /= sum;
  return found;
}

/** The log-likelihood with the smoothing; writes its gradient and the negative of its Hessian. */
function derivatives(
  counts: Exposures,
  informative: readonly number[],
  logs: Float64Array,
  gradient: Float64Array,
  hessian: Float64Array,
): number {
  const { positions: n, starts, position, clicked } = counts;
  gradient.fill(0);
  hessian.fill(0);
  let value = 0;
  for (const d of informative) {
    const [from, to] = [starts[d]!, starts[d + 1]!];
    const chances = chancesOf(counts, d, logs);
    const total = clicksOf(counts, d);
    for (let c = from; c < to; c++) {
      const [k, mean] = [position[c]!, total * chances[c - from]!];
      if (clicked[c]! > 0) value += clicked[c]! * log(chances[c - from]!);
      gradient[k]! += clicked[c]! - mean;
      hessian[k * n + k]! += mean;
      for (let other = from; other < to; other++) hessian[k * n + position[other]!]! -= mean * chances[other - from]!;
    }
  }
  return value - smooth(logs, gradient, hessian);
}

/** Adds the smoothing to the derivatives: neighbors differ little, and the first position is about 0. Gives its cost. */
function smooth(logs: Float64Array, gradient: Float64Array, hessian: Float64Array): number {
  const n = logs.length;
  let cost = 0;
  for (let k = 0; k < n; k++) {
    const difference = k === 0 ? logs[0]! : logs[k]! - logs[k - 1]!;
    cost += (SMOOTHING * difference * difference) / 2;
    gradient[k]! -= SMOOTHING * difference;
    hessian[k * n + k]! += SMOOTHING;
    if (k === 0) continue;
    gradient[k - 1]! += SMOOTHING * difference;
    hessian[(k - 1) * n + k - 1]! += SMOOTHING;
    hessian[k * n + k - 1]! -= SMOOTHING;
    hessian[(k - 1) * n + k]! -= SMOOTHING;
  }
  return cost;
}

function influences(
  counts: Exposures,
  informative: readonly number[],
  logs: Float64Array,
  factor: Float64Array,
  queries: number,
): Float64Array {
  const { positions: n, starts, position, clicked, query } = counts;
  const found = new Float64Array(queries * n);
  for (const d of informative) {
    const chances = chancesOf(counts, d, logs);
    const total = clicksOf(counts, d);
    for (let c = starts[d]!; c < starts[d + 1]!; c++)
      found[query[d]! * n + position[c]!]! += clicked[c]! - total * chances[c - starts[d]!]!;
  }
  for (let q = 0; q < queries; q++) {
    const row = found.subarray(q * n, (q + 1) * n);
    solve(factor, n, row);
    relativeToFirst(row);
  }
  return found;
}

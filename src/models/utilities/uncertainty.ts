/**
 * Uncertainty of utilities: the inverse of the observed information, and what follows from it. Utilities sum to zero here; what is said
 * about differences holds for any reference.
 *
 * Rank intervals are simultaneous (rank-intervals.ts). They and the probabilities come from draws of the asymptotic normal distribution.
 */
import { cholesky, inverse } from "../../numeric/cholesky.ts";
import { normalBelow, normals } from "../../numeric/normal.ts";
import { descending } from "../../numeric/order.ts";
import { random } from "../../numeric/random.ts";
import { quasiVariances } from "./quasi-variances.ts";
import { type RankIntervals, rankIntervals } from "./rank-intervals.ts";

/** How certain fitted utilities are. */
export interface Uncertainty {
  /** Standard errors, utilities summing to zero. */
  readonly errors: Float64Array;
  /** Quasi-variances: their sums approximate the variances of differences. */
  readonly quasi: Float64Array;
  /** Rank interval of each item, from 1. */
  readonly ranks: RankIntervals;
  /** Probability that an item's true utility is the highest. */
  readonly first: Float64Array;
  /** Expected rank of each item's true utility. */
  readonly expected: Float64Array;
  /** Standard errors of what the objective learned besides. */
  readonly auxiliary: readonly number[];
  /** Covariance matrix of the utilities, items × items. */
  readonly covariance?: Float64Array;
}

/**
 * The covariance of utilities that sum to zero, and of auxiliary parameters after them, from the second derivatives of the total cost. The
 * derivatives may hold a ghost between items and auxiliary parameters. Undefined where they are singular.
 */
export function covarianceOf(
  information: Float64Array,
  size: number,
  items: number,
  auxiliaryCount: number,
): { covariance: Float64Array; auxiliary: number[] } | undefined {
  const shifted = size - auxiliaryCount; // items and ghost: a common shift of them is free
  let scale = 0;
  for (let i = 0; i < shifted; i++) scale += information[i * size + i]! / shifted;
  for (let i = 0; i < shifted; i++) for (let j = 0; j < shifted; j++) information[i * size + j]! += scale / shifted;
  const all = inverse(information, size);
  if (!all) return undefined;
  const covariance = new Float64Array(items * items);
  const means = Float64Array.from({ length: items }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < items; j++) sum += all[i * size + j]!;
    return sum / items;
  });
  const mean = means.reduce((sum, one) => sum + one, 0) / items;
  for (let i = 0; i < items; i++)
    for (let j = 0; j < items; j++) covariance[i * items + j] = all[i * size + j]! - means[i]! - means[j]! + mean;
  return {
    covariance,
    auxiliary: Array.from({ length: auxiliaryCount }, (_, e) => Math.sqrt(all[(shifted + e) * size + shifted + e]!)),
  };
}

/** Variance of the difference of two utilities. */
const between = (c: Float64Array, n: number, i: number, j: number) =>
  Math.max(0, c[i * n + i]! + c[j * n + j]! - 2 * c[i * n + j]!);

export function uncertaintyOf(
  utilities: Float64Array,
  covariance: Float64Array,
  auxiliary: readonly number[],
  seed: number,
): Uncertainty {
  const n = utilities.length;
  const draws = drawsOf(covariance, n, Math.max(400, Math.min(4000, Math.floor(3e8 / (n * n)))), seed);
  const errors = Float64Array.from(utilities, (_, i) => Math.sqrt(covariance[i * n + i]!));
  return {
    errors,
    auxiliary,
    covariance,
    quasi: quasiVariances(covariance, n),
    ranks: rankIntervals(utilities, covariance, draws),
    ...rankSummaries(utilities, draws),
  };
}

/** Draws of the errors of utilities, one after another. */
export function drawsOf(covariance: Float64Array, n: number, count: number, seed: number): Float64Array[] {
  const root = covariance.slice();
  // The covariance knows no common shift; one is added to make it invertible, and taken out of each draw.
  let scale = 0;
  for (let i = 0; i < n; i++) scale += covariance[i * n + i]! / n;
  for (let i = 0; i < n * n; i++) root[i]! += scale;
  for (let i = 0; i < n; i++) root[i * n + i]! *= 1 + 1e-12;
  if (!cholesky(root, n)) return [];
  const normal = normals(random(seed, 0xd4a3));
  const draws = Array.from({ length: count }, () => new Float64Array(n));
  const noise = new Float64Array(4 * n); // four numbers for each item, one of each draw
  const spare = [0, 1, 2].map(() => new Float64Array(n)); // for the last draws, where they are no four
  for (let c = 0; c < count; c += 4) {
    const these = draws.slice(c, c + 4);
    for (let d = 0; d < these.length; d++) for (let i = 0; i < n; i++) noise[4 * i + d] = normal();
    multiply(root, n, noise, [...these, ...spare]);
    for (const draw of these) subtractMean(draw);
  }
  return draws;
}

/** Writes the lower triangle times the noise into four draws, two rows at a time. */
function multiply(root: Float64Array, n: number, noise: Float64Array, draws: readonly Float64Array[]): void {
  const [d0, d1, d2, d3] = draws as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let i = 0; i < n; i += 2) {
    const one = i * n;
    const two = i + 1 < n ? one + n : one;
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    let [t0, t1, t2, t3] = [0, 0, 0, 0];
    for (let k = 0, at = 0; k <= i; k++, at += 4) {
      const v = root[one + k]!;
      const w = root[two + k]!;
      const x0 = noise[at]!;
      const x1 = noise[at + 1]!;
      const x2 = noise[at + 2]!;
      const x3 = noise[at + 3]!;
      s0 += v * x0;
      s1 += v * x1;
      s2 += v * x2;
      s3 += v * x3;
      t0 += w * x0;
      t1 += w * x1;
      t2 += w * x2;
      t3 += w * x3;
    }
    d0[i] = s0;
    d1[i] = s1;
    d2[i] = s2;
    d3[i] = s3;
    if (two === one) continue;
    const last = root[two + i + 1]!;
    const at = 4 * (i + 1);
    d0[i + 1] = t0 + last * noise[at]!;
    d1[i + 1] = t1 + last * noise[at + 1]!;
    d2[i + 1] = t2 + last * noise[at + 2]!;
    d3[i + 1] = t3 + last * noise[at + 3]!;
  }
}

function subtractMean(draw: Float64Array): void {
  const n = draw.length;
  let mean = 0;
  for (let i = 0; i < n; i++) mean += draw[i]! / n;
  for (let i = 0; i < n; i++) draw[i] = draw[i]! - mean;
}

/** How often a draw puts each item first, and its mean rank over the draws. */
export function rankSummaries(utilities: Float64Array, draws: readonly Float64Array[]): Pick<Uncertainty, "first" | "expected"> {
  const n = utilities.length;
  const [first, expected] = [new Float64Array(n), new Float64Array(n)];
  forEachOrder(utilities, draws, (order) => {
    first[order[0]!]! += 1 / draws.length;
    for (let place = 0; place < n; place++) expected[order[place]!]! += (place + 1) / draws.length;
  });
  return { first, expected };
}

/** The share of draws in which each item's utility is among the k highest. */
export function topProbabilities(utilities: Float64Array, draws: readonly Float64Array[], k: number): Float64Array {
  const fraction = new Float64Array(utilities.length);
  forEachOrder(utilities, draws, (order) => {
    for (let place = 0; place < Math.min(k, order.length); place++) fraction[order[place]!]! += 1 / draws.length;
  });
  return fraction;
}

/** The items of each draw by descending utility. Draws differ little from the estimate, so its order is put right by insertion. */
function forEachOrder(utilities: Float64Array, draws: readonly Float64Array[], visit: (order: Uint32Array) => void): void {
  const n = utilities.length;
  const order = descending(utilities);
  const values = new Float64Array(n);
  for (const draw of draws) {
    for (let i = 0; i < n; i++) values[i] = draw[i]! + utilities[i]!;
    for (let place = 1; place < n; place++) {
      const item = order[place]!;
      const value = values[item]!;
      let to = place;
      for (; to > 0; to--) {
        const before = order[to - 1]!;
        if (values[before]! > value || (values[before] === value && before < item)) break;
        order[to] = before;
      }
      order[to] = item;
    }
    visit(order);
  }
}

/** The probability that the true utility of item i is above that of item j. */
export function probabilityAbove(utilities: Float64Array, covariance: Float64Array, i: number, j: number): number {
  const error = Math.sqrt(between(covariance, utilities.length, i, j));
  if (error === 0) return i === j ? 0.5 : utilities[i]! > utilities[j]! ? 1 : 0;
  return normalBelow((utilities[i]! - utilities[j]!) / error);
}

/**
 * Samples the labels used in one step, such that the gradient stays unbiased.
 *
 * A cost that is nonlinear in the mass of the last tier, such as a likelihood, is biased when the mass of a sample replaces it, however it
 * is scaled: the mean of a logarithm is not the logarithm of the mean. So the cost F is estimated by a sample of n_0 items and a
 * correction: with n_l = ⌊N / 2^(m - l)⌋, so that n_m = N, and a level l drawn with chance p_l,
 *
 *   F(first n_0) + (F(all n_{l+1}) - ½ F(first n_l) - ½ F(next n_l)) / p_l
 *
 * whose mean over samples and levels telescopes to F(N) exactly. The corrections shrink by about 4 from level to level, and p_l by 2^1.5,
 * so that both the variance and the mean number of items stay bounded. In each F a sample of n has its mass times N / n. Blanchet and Glynn
 * 2015, Unbiased Monte Carlo for Optimization and Functions of Expectations; suggested in footnote 5 of Ma et al. 2021. A sum over pairs is
 * linear in what is sampled, and needs no correction.
 */
import { below } from "../../numeric/random.ts";
import type { Random } from "../../types.ts";

/** One F: which segments its items are, how many they are, and with what share it counts. */
export interface Term {
  /** Segment. */
  readonly first: number;
  readonly last: number;
  readonly size: number;
  readonly coefficient: number;
}

export interface Sample {
  /** Different ones, in random order. */
  readonly items: Uint32Array;
  /** Of the segments. */
  readonly ends: readonly number[];
  readonly terms: readonly Term[];
}

/** The least number of items that a sample of about `wanted` of N has, and how many doublings lead to all. */
export function levels(items: number, wanted: number): { least: number; doublings: number } {
  let doublings = 0;
  while (Math.floor(items / 2 ** (doublings + 1)) >= wanted) doublings++;
  return { least: Math.floor(items / 2 ** doublings), doublings };
}

export function drawSample(draw: Random, items: number, wanted: number, linear: boolean): Sample {
  const { least, doublings } = levels(items, wanted);
  if (linear || doublings === 0) {
    const size = linear ? Math.min(items, wanted) : items;
    return { items: different(draw, items, size), ends: [size], terms: [{ first: 0, last: 0, size, coefficient: 1 }] };
  }
  const ratio = 1 / Math.sqrt(8);
  let all = 0;
  for (let l = 0, weight = 1; l < doublings; l++, weight *= ratio) all += weight;
  let level = 0;
  let weight = 1;
  for (let left = draw() * all; level < doublings - 1 && left >= weight; level++) {
    left -= weight;
    weight *= ratio;
  }
  const coefficient = all / weight; // 1 / p
  const half = Math.floor(items / 2 ** (doublings - level));
  const size = Math.floor(items / 2 ** (doublings - level - 1));
  return {
    items: different(draw, items, size),
    ends: [least, half, 2 * half, size],
    terms: [
      { first: 0, last: 0, size: least, coefficient: 1 },
      { first: 0, last: 3, size, coefficient },
      { first: 0, last: 1, size: half, coefficient: -coefficient / 2 },
      { first: 2, last: 2, size: half, coefficient: -coefficient / 2 },
    ],
  };
}

/** So many different whole numbers below n, in random order. */
function different(draw: Random, n: number, size: number): Uint32Array {
  const found = new Uint32Array(size);
  if (3 * size > n) {
    const all = new Uint32Array(n).map((_, i) => i);
    for (let i = 0; i < size; i++) {
      const j = i + below(draw, n - i);
      found[i] = all[j]!;
      all[j] = all[i]!;
    }
    return found;
  }
  const seen = new Set<number>();
  while (seen.size < size) {
    const item = below(draw, n);
    if (!seen.has(item)) found[seen.size] = item;
    seen.add(item);
  }
  return found;
}

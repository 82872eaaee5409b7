/**
 * Sums over all subsets of a size: with log-odds l_i of n items,
 *
 *   Σ_{|S| = m} exp(Σ_{i in S} l_i)
 *
 * is the elementary symmetric polynomial of degree m of e^l, and the inclusion probability of an item is how often it is in S when S is drawn in
 * proportion to its term. With independent trials of chances p_i = 1 / (1 + e^-(l_i + t)) and K successes, the sum is
 * P(K = m) Π (1 + e^(l_i + t)) e^(-m t) for every t. Here t makes the mean of K about m, so that P(K = m) is never small, and nothing but
 * positive numbers is added. Inclusion probabilities follow from the distributions of the trials before and after an item. Time and memory grow
 * as n m. Chen, Dempster, Liu: Weighted finite population sampling to maximize entropy, Biometrika 1994.
 */
import { InputError } from "../../input-error.ts";
import { log, logistic, softplus } from "../../numeric/functions.ts";
import { scratch } from "./scratch.ts";

/** Entries of the table of one sum; more would take more memory and time than a list is worth. */
const MOST = 5e7;

/** Makes a function that returns the logarithm of the sum over subsets of `m` of the first `n` log-odds and writes their inclusion probabilities. */
export function subsetSums(): (logOdds: Float64Array, n: number, m: number, inclusion: Float64Array) => number {
  const [ins, outs, tables, afters] = [scratch(), scratch(), scratch(), scratch()];
  return (logOdds, n, m, inclusion) => {
    if (m === n) return all(logOdds, n, inclusion);
    const width = m + 1;
    if ((n + 1) * width > MOST)
      throw new InputError(
        `pmop-exact: subsets of ${m} of ${n} items are too many to be summed; use pmop-fd or pl-partition for lists of this length`,
      );
    const [p, q] = [ins(n), outs(n)]; // chances of success and failure
    const shift = centre(logOdds, n, m);
    let scale = -m * shift;
    for (let i = 0; i < n; i++) {
      const l = logOdds[i]! + shift;
      p[i] = logistic(l);
      q[i] = logistic(-l);
      scale += softplus(l);
    }
    const before = tables((n + 1) * width); // [i * width + k]: k successes in the first i trials
    fillBefore(before, p, q, n, m);
    const chance = before[n * width + m]!;
    const after = afters(width).fill(0, 0, width); // k successes in the trials after i
    after[0] = 1;
    for (let i = n - 1; i >= 0; i--) {
      let sum = 0;
      for (let k = Math.max(0, m - (n - i)); k < m && k <= i; k++) sum += before[i * width + k]! * after[m - 1 - k]!;
      inclusion[i] = (p[i]! * sum) / chance;
      for (let k = m; k > 0; k--) after[k] = after[k]! * q[i]! + after[k - 1]! * p[i]!;
      after[0] = after[0]! * q[i]!;
    }
    return log(chance) + scale;
  };
}

function all(logOdds: Float64Array, n: number, inclusion: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += logOdds[i]!;
  inclusion.fill(1, 0, n);
  return sum;
}

/** Numbers of successes of which m can still be reached; the others are not written and not read. */
function fillBefore(before: Float64Array, p: Float64Array, q: Float64Array, n: number, m: number): void {
  const width = m + 1;
  before.fill(0, 0, (n + 1) * width);
  before[0] = 1;
  for (let i = 0; i < n; i++) {
    const [row, next] = [i * width, (i + 1) * width];
    for (let k = Math.max(0, m - (n - i)); k <= m && k <= i; k++) {
      const held = before[row + k]!;
      before[next + k] = before[next + k]! + held * q[i]!;
      if (k < m) before[next + k + 1] = held * p[i]!;
    }
  }
}

/** A shift under which about m successes are expected, by Newton's method within a bracket. */
function centre(logOdds: Float64Array, n: number, m: number): number {
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = 0; i < n; i++) {
    if (logOdds[i]! < least) least = logOdds[i]!;
    if (logOdds[i]! > greatest) greatest = logOdds[i]!;
  }
  const margin = log(n) + 2;
  let [low, high] = [-greatest - margin, -least + margin];
  let shift = (low + high) / 2;
  for (let step = 0; step < 200; step++) {
    let [sum, slope] = [0, 0];
    for (let i = 0; i < n; i++) {
      const p = logistic(logOdds[i]! + shift);
      sum += p;
      slope += p * (1 - p);
    }
    if (Math.abs(sum - m) <= 0.25) break;
    if (sum < m) low = shift;
    else high = shift;
    const next = shift - (sum - m) / slope;
    shift = next > low && next < high ? next : (low + high) / 2;
  }
  return shift;
}

/**
 * Whether Markov chains have converged, and how much their draws are worth. Every chain is split in two halves, m chains of n draws in all.
 *
 *   R-hat = sqrt(V / W),   V = (n - 1) / n W + B,   W: mean variance within chains, B: variance of their means
 *   ESS   = m n / (-1 + 2 Σ ρ_t)
 *
 * with autocorrelations ρ_t of all chains together, summed in pairs of lags up to the first negative pair and not allowed to rise (Geyer's
 * initial monotone sequence). Gelman et al., Bayesian Data Analysis, 3rd edition, 11.4 and 11.5; Geyer 1992,
 * https://doi.org/10.1214/ss/1177011137
 */
import { InputError } from "../input-error.ts";

/** What the draws of several chains say about their convergence. */
export interface ChainConvergence {
  /** Split R-hat: near 1 where chains from different starts cannot be told apart. */
  readonly rHat: number;
  /** The number of independent draws whose mean is as precise as that of all draws. */
  readonly effectiveSize: number;
}

/** Diagnostics of chains of equal length, at least 4 draws each. Draws that never change are NaN in both. */
export function chainConvergence(chains: readonly ArrayLike<number>[]): ChainConvergence {
  const length = Array.isArray(chains) ? chains[0]?.length : undefined;
  if (length === undefined || length < 4 || chains.some((chain) => chain.length !== length))
    throw new InputError("chainConvergence: expected one or more chains of equal length, of at least 4 draws each");
  const n = Math.floor(length / 2);
  const halves = chains.flatMap((chain) => [
    Float64Array.from({ length: n }, (_, i) => chain[i]!),
    Float64Array.from({ length: n }, (_, i) => chain[length - n + i]!),
  ]);
  const means = halves.map((half) => half.reduce((sum, value) => sum + value, 0) / n);
  const centered = halves.map((half, c) => half.map((value) => value - means[c]!));
  const within = (autocovariance(centered, 0) * n) / (n - 1);
  const grand = means.reduce((sum, mean) => sum + mean, 0) / means.length;
  const between = means.reduce((sum, mean) => sum + (mean - grand) ** 2, 0) / (means.length - 1);
  const total = (within * (n - 1)) / n + between;
  if (!(total > 0)) return { rHat: Number.NaN, effectiveSize: Number.NaN };
  const correlation = (lag: number) => 1 - (within - autocovariance(centered, lag)) / total;
  const draws = halves.length * n;
  const time = Math.max(2 * sumOfPairs(correlation, n) - 1, 1 / Math.log10(draws)); // chains that alternate are not trusted without limit
  return { rHat: Math.sqrt(total / within), effectiveSize: draws / time };
}

/** The mean over chains of the autocovariance at a lag, divided by the number of draws as is usual. */
function autocovariance(centered: readonly Float64Array[], lag: number): number {
  let sum = 0;
  for (const chain of centered) for (let i = lag; i < chain.length; i++) sum += chain[i]! * chain[i - lag]!;
  return sum / (centered.length * centered[0]!.length);
}

/** Σ ρ_t by Geyer's initial monotone sequence; of the first negative pair, half of a positive first term is kept. */
function sumOfPairs(correlation: (lag: number) => number, n: number): number {
  let [sum, least] = [0, Infinity];
  for (let lag = 0; lag + 1 < n; lag += 2) {
    const even = lag === 0 ? 1 : correlation(lag);
    const pair = even + correlation(lag + 1);
    if (!(pair > 0)) return sum + Math.max(0, even) / 2;
    least = Math.min(least, pair);
    sum += least;
  }
  return sum;
}

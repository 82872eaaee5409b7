/**
 * The standard deviation τ of random effects: the estimate of the highest marginal likelihood, and the covariance of all parameters with the
 * uncertainty of τ in it. Errors given the estimate would be too small, above all where it is near 0: with few battles the marginal likelihood
 * is often highest there although τ is not. So second moments around the estimate are averaged over τ,
 *
 *   E[C_τ + (p_τ - p) (p_τ - p)ᵀ],   with weights m(τ) / (1 + τ²),
 *
 * where m is the marginal likelihood, C_τ the posterior covariance given τ, and the prior of τ half-Cauchy, flat up to differences of log-odds of
 * about 1 (Kass and Steffey 1989, Approximate Bayesian inference in conditionally independent hierarchical models; Gelman 2006, Prior distributions
 * for variance parameters).
 */
import { exp, log } from "./numeric/functions.ts";

const [LEAST, GREATEST] = [1e-3, 1e2]; // of τ
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const STEP = 0.35; // of log τ between the values that are averaged
const NEGLIGIBLE = 0.005; // weight of a value of τ, relative to the greatest

/** A fit given τ. */
export interface ShrinkageFit {
  readonly tau: number;
  readonly params: Float64Array;
  /** Minus the log of the marginal likelihood, up to a constant. */
  readonly marginal: number;
}

/** The weight of a value of τ on a grid of logarithms: marginal likelihood, relative to a reference, times prior times τ. */
export const shrinkageWeight = ({ tau, marginal }: Omit<ShrinkageFit, "params">, reference: number) =>
  (exp(reference - marginal) * tau) / (1 + tau * tau);

type FitAt<F> = (tau: number, start?: Float64Array) => F;

/** τ of the highest marginal likelihood: the best of a grid of logarithms, then golden section around it. */
export function bestShrinkage<F extends ShrinkageFit>(fit: FitAt<F>): F {
  const count = 12;
  const [low, high] = [log(LEAST), log(GREATEST)];
  let best: F | undefined;
  let place = 0;
  for (let k = count; k >= 0; k--) {
    const one = fit(exp(low + ((high - low) * k) / count), best?.params);
    if (best && one.marginal >= best.marginal) continue;
    [best, place] = [one, k];
  }
  let [a, b] = [low + ((high - low) * Math.max(0, place - 1)) / count, low + ((high - low) * Math.min(count, place + 1)) / count];
  let [left, right] = [fit(exp(b - GOLDEN * (b - a)), best!.params), fit(exp(a + GOLDEN * (b - a)), best!.params)];
  while (b - a > 1e-4) {
    if (left.marginal < right.marginal) {
      [b, right] = [a + GOLDEN * (b - a), left];
      left = fit(exp(b - GOLDEN * (b - a)), best!.params);
    } else {
      [a, left] = [b - GOLDEN * (b - a), right];
      right = fit(exp(a + GOLDEN * (b - a)), best!.params);
    }
  }
  return left.marginal < right.marginal ? left : right;
}

/** The covariance of all parameters around those of `best`, averaged over τ. */
export function averagedCovariance<F extends ShrinkageFit>(
  best: F,
  fit: FitAt<F>,
  covarianceOf: (fit: F) => Float64Array,
): Float64Array {
  const size = best.params.length;
  const sum = new Float64Array(size * size);
  let [total, greatest] = [0, 0];
  const add = (one: F): boolean => {
    const weight = shrinkageWeight(one, best.marginal);
    const covariance = covarianceOf(one);
    const off = one.params.map((value, i) => value - best.params[i]!);
    for (let i = 0; i < size; i++)
      for (let j = 0, at = i * size; j < size; j++, at++) sum[at] = sum[at]! + weight * (covariance[at]! + off[i]! * off[j]!);
    total += weight;
    greatest = Math.max(greatest, weight);
    return weight > NEGLIGIBLE * greatest;
  };
  add(best);
  // Upwards first: where the estimate is near 0, the greatest weights are above it.
  for (let tau = best.tau * exp(STEP), last = best; tau <= GREATEST; tau *= exp(STEP)) {
    last = fit(tau, last.params);
    if (!add(last)) break;
  }
  for (let tau = best.tau * exp(-STEP), last = best; tau >= LEAST; tau *= exp(-STEP)) {
    last = fit(tau, last.params);
    if (!add(last)) break;
  }
  return sum.map((value) => value / total);
}

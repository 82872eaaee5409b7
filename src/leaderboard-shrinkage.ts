/**
 * The standard deviation τ of random effects, and the covariance of all parameters with the uncertainty of τ in it.
 *
 * τ is not that of the highest marginal likelihood m: with few battles that is often 0 although τ is not, and then every item would be given what its
 * features say, with an interval that misses the truth (26 times in 100 in the simulations of bench/coverage, where the deviations are about as large as
 * the errors of the battles). It is the one with the highest
 *
 *   m(τ) τ² / (1 + τ²)^(3/2),
 *
 * which is never 0: the mode of log τ where τ² has a flat prior up to differences of log-odds of about 1, and the tail of a half-Cauchy prior beyond
 * (Morris and Tang 2011, Estimating random effects via adjustment for density maximization; Gelman 2006, Prior distributions for variance parameters).
 * Second moments around the estimate are averaged over τ with the same weights (Kass and Steffey 1989, Approximate Bayesian inference in conditionally
 * independent hierarchical models),
 *
 *   E[C_τ + (p_τ - p) (p_τ - p)ᵀ],
 *
 * where C_τ is the posterior covariance given τ.
 */
import { exp, log } from "./numeric/functions.ts";

const [LEAST, GREATEST] = [1e-3, 1e2]; // of τ
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const STEP = 0.35; // of log τ between the values that are averaged
const NEGLIGIBLE = 0.005; // weight of a value of τ, relative to that of the estimate

/** A fit given τ. */
export interface ShrinkageFit {
  readonly tau: number;
  readonly params: Float64Array;
  /** Minus the log of the marginal likelihood, up to a constant. */
  readonly marginal: number;
}

/** Minus the log of the weight of a value of τ on a grid of logarithms: of marginal likelihood times prior times τ. */
const costOf = ({ tau, marginal }: Omit<ShrinkageFit, "params">) => marginal - 2 * log(tau) + 1.5 * log(1 + tau * tau);

/** The weights of values of τ on a grid of logarithms, relative to the greatest. */
export function shrinkageWeights(fits: readonly Omit<ShrinkageFit, "params">[]): number[] {
  const costs = fits.map(costOf);
  const least = costs.reduce((low, cost) => Math.min(low, cost), Infinity);
  return costs.map((cost) => exp(least - cost));
}

type FitAt<F> = (tau: number, start?: Float64Array) => F;

/** τ of the greatest weight: the best of a grid of logarithms, then golden section around it. */
export function bestShrinkage<F extends ShrinkageFit>(fit: FitAt<F>): F {
  const count = 12;
  const [low, high] = [log(LEAST), log(GREATEST)];
  let best: F | undefined;
  let place = 0;
  for (let k = count; k >= 0; k--) {
    const one = fit(exp(low + ((high - low) * k) / count), best?.params);
    if (best && costOf(one) >= costOf(best)) continue;
    [best, place] = [one, k];
  }
  let [a, b] = [low + ((high - low) * Math.max(0, place - 1)) / count, low + ((high - low) * Math.min(count, place + 1)) / count];
  let [left, right] = [fit(exp(b - GOLDEN * (b - a)), best!.params), fit(exp(a + GOLDEN * (b - a)), best!.params)];
  while (b - a > 1e-4) {
    if (costOf(left) < costOf(right)) {
      [b, right] = [a + GOLDEN * (b - a), left];
      left = fit(exp(b - GOLDEN * (b - a)), best!.params);
    } else {
      [a, left] = [b - GOLDEN * (b - a), right];
      right = fit(exp(a + GOLDEN * (b - a)), best!.params);
    }
  }
  return costOf(left) < costOf(right) ? left : right;
}

/** The covariance of all parameters around those of `best`, averaged over τ. */
export function averagedCovariance<F extends ShrinkageFit>(
  best: F,
  fit: FitAt<F>,
  covarianceOf: (fit: F) => Float64Array,
): Float64Array {
  const size = best.params.length;
  const sum = new Float64Array(size * size);
  let total = 0;
  const add = (one: F): boolean => {
    const weight = exp(costOf(best) - costOf(one));
    const covariance = covarianceOf(one);
    const off = one.params.map((value, i) => value - best.params[i]!);
    for (let i = 0; i < size; i++)
      for (let j = 0, at = i * size; j < size; j++, at++) sum[at] = sum[at]! + weight * (covariance[at]! + off[i]! * off[j]!);
    total += weight;
    return weight > NEGLIGIBLE;
  };
  add(best);
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

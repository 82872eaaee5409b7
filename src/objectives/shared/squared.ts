/** Squared error against a target per item: cost = Σ (s_i - t_i)², weighted per item. */
import type { Derivatives } from "../../types.ts";

export function squaredError(
  scores: Float64Array,
  target: Float64Array,
  n: number,
  { gradient, hessian }: Derivatives,
  weights?: Float32Array,
): number {
  let cost = 0;
  for (let i = 0; i < n; i++) {
    const weight = weights ? weights[i]! : 1;
    const miss = scores[i]! - target[i]!;
    cost += weight * miss * miss;
    gradient[i] = 2 * weight * miss;
    if (hessian) hessian[i] = 2 * weight;
  }
  return cost;
}

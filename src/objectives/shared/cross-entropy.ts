/**
 * Cross-entropy of the softmax of the scores against a target t >= 0 that need not sum to one: cost = Σ t_i (log Σ e^s - s_i), with
 * gradient T σ_i - t_i and Hessian T σ_i (1 - σ_i), where σ is the softmax and T = Σ t.
 */
import { exp, log } from "../../numeric/functions.ts";
import type { Derivatives } from "../../types.ts";

export function crossEntropy(scores: Float64Array, target: Float64Array, n: number, { gradient, hessian }: Derivatives): number {
  let top = -Infinity;
  let total = 0;
  for (let i = 0; i < n; i++) {
    if (scores[i]! > top) top = scores[i]!;
    total += target[i]!;
  }
  if (total === 0) {
    gradient.fill(0);
    hessian?.fill(0);
    return 0;
  }
  let mass = 0;
  for (let i = 0; i < n; i++) mass += gradient[i] = exp(scores[i]! - top);
  const level = top + log(mass);
  let cost = 0;
  for (let i = 0; i < n; i++) {
    const fraction = gradient[i]! / mass;
    const t = target[i]!;
    if (t !== 0) cost += t * (level - scores[i]!);
    gradient[i] = total * fraction - t;
    if (hessian) hessian[i] = total * fraction * (1 - fraction);
  }
  return cost;
}

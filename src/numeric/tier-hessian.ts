/**
 * All second derivatives of one stage of the Plackett-Luce likelihood of tiers, log P of tier-stage.ts, by the margins d of its items:
 *
 *   ∂² log P / ∂d_i ∂d_j = Cov(h_i, h_j) + [i = j] E[h_i (1 - z_i - h_i)],   z_i = e^(s + d_i),   h(z) = z / (e^z - 1)
 *
 * where s has the density exp φ(s), φ(s) = s - e^s + Σ log(1 - exp(-z_i)). The trapezoid rule, with errors near 1e-8.
 */
import { exp, expm1, log } from "./functions.ts";
import { highestFrequency } from "./plain/quadrature-step.ts";

/** For tiers of up to as many items as its arrays are long. */
export interface TierHessianScratch {
  /** e^d. */
  readonly a: Float64Array;
  readonly h: Float64Array;
  readonly second: Float64Array;
  readonly mean: Float64Array;
}

export const tierHessianScratch = (size: number): TierHessianScratch => ({
  ...{ a: new Float64Array(size), h: new Float64Array(size) },
  ...{ second: new Float64Array(size), mean: new Float64Array(size) },
});

const FAR = 300; // a margin beyond is as good as infinite
const NATS = 23; // of the nodes, as in QuadratureRule: second derivatives are some thousand times less accurate than log P

/** Writes the n × n matrix, row after row, into `into`, and the sum of each row into `sums`. Gives Σ E[h]. */
export function tierHessian(
  scratch: TierHessianScratch,
  d: Float64Array,
  n: number,
  into: Float64Array,
  sums: Float64Array,
): number {
  const { a, h, second, mean } = scratch;
  into.fill(0, 0, n * n);
  second.fill(0, 0, n);
  mean.fill(0, 0, n);
  for (let i = 0; i < n; i++) a[i] = exp(Math.max(-FAR, Math.min(FAR, d[i]!)));
  const { mode, width } = peak(scratch, n);
  const top = logDensity(scratch, n, mode);
  const step = (2 * Math.PI) / highestFrequency(width, leftSlope(scratch, n, mode, width, top), NATS);
  let total = 0;
  for (const side of [1, -1]) {
    for (let k = side === 1 ? 0 : 1; ; k++) {
      const s = mode + side * k * step;
      const sum = logDensity(scratch, n, s) - top;
      if (sum < -NATS) break;
      const weight = exp(sum);
      const scale = exp(s);
      total += weight;
      for (let i = 0; i < n; i++) {
        const hi = h[i]!;
        mean[i] = mean[i]! + weight * hi;
        second[i] = second[i]! + weight * hi * (1 - a[i]! * scale - hi);
        const factor = weight * hi;
        for (let j = 0, at = i * n; j <= i; j++, at++) into[at] = into[at]! + factor * h[j]!;
      }
    }
  }
  let slope = 0;
  for (let i = 0; i < n; i++) slope += mean[i] = mean[i]! / total;
  sums.fill(0, 0, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = into[i * n + j]! / total - mean[i]! * mean[j]! + (i === j ? second[i]! / total : 0);
      into[i * n + j] = into[j * n + i] = value;
      sums[i] = sums[i]! + value;
      if (j < i) sums[j] = sums[j]! + value;
    }
  }
  return slope;
}

/** φ(s), with every h left in place. */
function logDensity({ a, h }: TierHessianScratch, n: number, s: number): number {
  const scale = exp(s);
  let sum = s - scale;
  let product = 1;
  for (let i = 0; i < n; i++) {
    const z = a[i]! * scale;
    const q = -expm1(-z);
    h[i] = z > 40 ? 0 : (z * (1 - q)) / q; // beyond, 1 - q is rounding
    product *= q;
    if (product < 1e-150) {
      sum += log(product);
      product = 1;
    }
  }
  return sum + log(product);
}

/** φ' on the left of the peak, where φ is NATS below `top`, or a little more. */
function leftSlope(scratch: TierHessianScratch, n: number, mode: number, width: number, top: number): number {
  let s = mode;
  let fall = 0;
  while (fall < NATS) fall = top - logDensity(scratch, n, (s -= width));
  for (let iteration = 0; ; iteration++) {
    let slope = 1 - exp(s);
    for (let i = 0; i < n; i++) slope += scratch.h[i]!;
    if (!(fall > 1.15 * NATS) || iteration === 20) return slope;
    // φ is concave: Newton's method from the left stays there.
    s += (fall - 1.05 * NATS) / slope;
    fall = top - logDensity(scratch, n, s);
  }
}

/** Where φ is greatest, 1 + Σ h(z_i) = e^s, and the width of its peak. */
function peak(scratch: TierHessianScratch, n: number): { mode: number; width: number } {
  const { a, h } = scratch;
  let s = log(1 + 0.5 * n);
  let width = 1;
  for (let round = 0; round < 20; round++) {
    logDensity(scratch, n, s);
    const scale = exp(s);
    let [sum, curvature] = [0, 0];
    for (let i = 0; i < n; i++) {
      sum += h[i]!;
      curvature += h[i]! * (1 - a[i]! * scale - h[i]!);
    }
    curvature = Math.min(0, curvature);
    const move = (log(1 + sum) - s) / (1 - curvature / (1 + sum));
    s += move;
    width = 1 / Math.sqrt(1 + sum - curvature);
    if (Math.abs(move) < 0.1 * width) break;
  }
  return { mode: s, width };
}

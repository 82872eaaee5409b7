/**
 * All second derivatives of one stage of the Plackett-Luce likelihood of tiers, log P of tier-stage.ts, by the margins d of its items:
 *
 *   ∂² log P / ∂d_i ∂d_j = Cov(h_i, h_j) + [i = j] E[h_i (1 - z_i - h_i)],   z_i = e^(s + d_i),   h(z) = z / (e^z - 1)
 *
 * where s has the density exp φ(s), φ(s) = s - e^s + Σ log(1 - exp(-z_i)). The trapezoid rule, with errors near 1e-9.
 */
import { exp, expm1, log } from "./functions.ts";

let h = new Float64Array(0);
let turn = h;
let mean = h;

/** Writes the n × n matrix, row after row, into `into`, and gives the sum of each row in `sums`. */
export function tierBend(d: Float64Array, n: number, into: Float64Array, sums: Float64Array): void {
  if (h.length < n) {
    h = new Float64Array(2 * n);
    turn = new Float64Array(2 * n);
    mean = new Float64Array(2 * n);
  }
  into.fill(0, 0, n * n);
  turn.fill(0, 0, n);
  mean.fill(0, 0, n);
  const { mode, width } = peak(d, n);
  const top = height(d, n, mode);
  const step = Math.min(0.3, 0.8 * width);
  let total = 0;
  for (const side of [1, -1]) {
    for (let k = side === 1 ? 0 : 1; ; k++) {
      const s = mode + side * k * step;
      const sum = height(d, n, s) - top;
      if (sum < -27) break;
      const weight = exp(sum);
      total += weight;
      for (let i = 0; i < n; i++) {
        const z = exp(s + d[i]!);
        const hi = ratio(z);
        h[i] = hi;
        mean[i] = mean[i]! + weight * hi;
        turn[i] = turn[i]! + (hi > 0 ? weight * hi * (1 - z - hi) : 0);
      }
      for (let i = 0; i < n; i++) {
        const share = weight * h[i]!;
        for (let j = 0, at = i * n; j <= i; j++, at++) into[at] = into[at]! + share * h[j]!;
      }
    }
  }
  for (let i = 0; i < n; i++) mean[i] = mean[i]! / total;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const value = into[i * n + j]! / total - mean[i]! * mean[j]! + (i === j ? turn[i]! / total : 0);
      into[i * n + j] = into[j * n + i] = value;
    }
  }
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += into[i * n + j]!;
    sums[i] = sum;
  }
}

const ratio = (z: number) => (z > 1e-12 ? (z < 700 ? z / expm1(z) : 0) : 1);

/** φ(s). */
function height(d: Float64Array, n: number, s: number): number {
  let sum = s - exp(s);
  for (let i = 0; i < n; i++) {
    const z = exp(s + d[i]!);
    sum += z > 1e-290 ? log(-expm1(-z)) : s + d[i]!;
  }
  return sum;
}

/** Where φ is greatest, 1 + Σ h(z_i) = e^s, and the width of its peak. */
function peak(d: Float64Array, n: number): { mode: number; width: number } {
  let s = log(1 + 0.5 * n);
  let width = 1;
  for (let round = 0; round < 20; round++) {
    let sum = 0;
    let bend = 0;
    for (let i = 0; i < n; i++) {
      const z = exp(s + d[i]!);
      const hi = ratio(z);
      sum += hi;
      if (hi > 0) bend += hi * (1 - z - hi);
    }
    bend = Math.min(0, bend);
    const move = (log(1 + sum) - s) / (1 - bend / (1 + sum));
    s += move;
    width = 1 / Math.sqrt(1 + sum - bend);
    if (Math.abs(move) < 0.01 * width) break;
  }
  return { mode: s, width };
}

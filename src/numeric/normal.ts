/** The normal distribution, from our own functions, so that results are the same everywhere. */
import type { Random } from "../types.ts";
import { exp, log } from "./functions.ts";

/** Half of a two-sided 95 % interval, in standard errors. */
export const Z95 = 1.959963984540054;

/** Standard normal numbers by the polar method (Marsaglia and Bray 1964), which needs no trigonometry. */
export function normals(random: Random): Random {
  let kept = Number.NaN;
  return () => {
    if (!Number.isNaN(kept)) {
      const value = kept;
      kept = Number.NaN;
      return value;
    }
    for (;;) {
      const [x, y] = [2 * random() - 1, 2 * random() - 1];
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * log(square)) / square);
      kept = y * scale;
      return x * scale;
    }
  };
}

/** The probability that a standard normal number is below x: a series near 0 (Marsaglia 2004), a continued fraction in the tails. */
export function normalBelow(x: number): number {
  const density = exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (Math.abs(x) < 5) {
    let [term, sum] = [x, x];
    for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum) && k < 400; k += 2) sum += term *= (x * x) / k;
    return 0.5 + sum * density;
  }
  let fraction = 0;
  for (let k = 40; k > 0; k--) fraction = k / (Math.abs(x) + fraction);
  const tail = density / (Math.abs(x) + fraction);
  return x > 0 ? 1 - tail : tail;
}

/** The number below which a standard normal number lies with probability p, by halving: to the last bits of p. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN;
  if (p > 0.5) return -normalQuantile(1 - p); // tails are distinguished only near 0
  let [low, high] = [-39, 0];
  for (let middle = low / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (normalBelow(middle) < p) low = middle;
    else high = middle;
  }
  return high;
}

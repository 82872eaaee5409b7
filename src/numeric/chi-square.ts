/** Tails of the chi-square distribution, by the incomplete gamma function: a series below its mean, a continued fraction above. */
import { exp, log } from "./functions.ts";

/** The logarithm of the gamma function at x > 0: Stirling's series, after a shift to x >= 10. */
export function logGamma(x: number): number {
  let [shift, at] = [0, x];
  for (; at < 10; at++) shift -= log(at);
  const inverse = 1 / at;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188))));
  return shift + (at - 0.5) * log(at) - at + 0.5 * log(2 * Math.PI) + series;
}

/** The probability that a chi-square number with `df` degrees of freedom is above x. */
export function chiSquareAbove(x: number, df: number): number {
  if (Number.isNaN(x) || !(df > 0)) return Number.NaN;
  if (x <= 0) return 1;
  const [a, half] = [df / 2, x / 2];
  const scale = exp(a * log(half) - half - logGamma(a));
  if (half < a + 1) {
    let [term, sum] = [1 / a, 1 / a];
    for (let k = 1; term > 1e-17 * sum && k < 100_000; k++) sum += term *= half / (a + k);
    return Math.max(0, 1 - sum * scale);
  }
  // Lentz's algorithm for 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...)).
  let b = half + 1 - a;
  let [c, d] = [1e300, 1 / b];
  let fraction = d;
  for (let k = 1; k < 100_000; k++) {
    const factor = -k * (k - a);
    b += 2;
    d = 1 / (factor * d + b || 1e-300);
    c = b + factor / c || 1e-300;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return scale * fraction;
}

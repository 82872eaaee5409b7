/** Student's t distribution: the chance of a value at least as far from 0 as t, by the continued fraction of the incomplete beta function. */
import { exp, log } from "./internal.ts";

/** log Γ for x > 0, by Stirling's series from 20 upwards. */
function logGamma(x: number): number {
  let shift = 0;
  for (; x < 20; x++) shift += log(x);
  const inverse = 1 / (x * x);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / x;
  return (x - 0.5) * log(x) - x + 0.5 * log(2 * Math.PI) + series - shift;
}

/** The continued fraction of I_x(a, b), which converges fast for x < (a + 1) / (a + b + 2): Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let [c, d] = [1, 1 / away(1 - ((a + b) * x) / (a + 1))];
  let product = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      product *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return product;
}

/** The regularized incomplete beta function I_x(a, b). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const factor = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (factor * betaFraction(x, a, b)) / a : 1 - (factor * betaFraction(1 - x, b, a)) / b;
}

/** The chance of a value at least as far from 0 as t, with so many degrees of freedom. */
export const twoSided = (t: number, freedom: number): number => incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);

/**
 * Loops over vectors, in plain TypeScript: the fallbacks of wasm/vectors.ts, which add in the same order and so give the same bits. A sum
 * is eight partial sums, entry i in sum i % 8, then their sum in a fixed order, then the entries that do not fill eight.
 */
import { exp, expm1, log, log1p, logSumExp } from "../functions.ts";

export { logSumExp };

/** Sum of a[i] * b[i]. */
export function dot(a: Float64Array, b: Float64Array): number {
  const n = a.length;
  const whole = n - (n % 8);
  let [s0, s1, s2, s3, s4, s5, s6, s7] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < whole; i += 8) {
    s0 += a[i]! * b[i]!;
    s1 += a[i + 1]! * b[i + 1]!;
    s2 += a[i + 2]! * b[i + 2]!;
    s3 += a[i + 3]! * b[i + 3]!;
    s4 += a[i + 4]! * b[i + 4]!;
    s5 += a[i + 5]! * b[i + 5]!;
    s6 += a[i + 6]! * b[i + 6]!;
    s7 += a[i + 7]! * b[i + 7]!;
  }
  let sum = s0 + s4 + (s2 + s6) + (s1 + s5 + (s3 + s7));
  for (let i = whole; i < n; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** to[i] = f(from[i]). */
const map = (f: (x: number) => number) => (from: Float64Array, to: Float64Array) => {
  for (let i = 0; i < from.length; i++) to[i] = f(from[i]!);
};

export const expAll = map(exp);
export const expm1All = map(expm1);
export const logAll = map(log);
export const log1pAll = map(log1p);

/** to[i] = e^from[i] over their sum, whose log is returned. The sum is taken as in logSumExp. */
export function softmax(from: Float64Array, to: Float64Array): number {
  const n = from.length;
  let top = -Infinity;
  for (let i = 0; i < n; i++) if (from[i]! > top) top = from[i]!;
  if (top === -Infinity || top === Infinity) {
    to.fill(top < 0 ? 0 : Number.NaN, 0, n);
    return top;
  }
  for (let i = 0; i < n; i++) to[i] = exp(from[i]! - top);
  const whole = n - (n % 4);
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    s0 += to[i]!;
    s1 += to[i + 1]!;
    s2 += to[i + 2]!;
    s3 += to[i + 3]!;
  }
  let mass = s0 + s2 + (s1 + s3);
  for (let i = whole; i < n; i++) mass += to[i]!;
  scale(to.subarray(0, n), 1 / mass);
  return top + log(mass);
}

/** a[i] *= factor. */
export function scale(a: Float64Array, factor: number): void {
  for (let i = 0; i < a.length; i++) a[i]! *= factor;
}

/** b[i] += factor * a[i]. */
export function axpy(factor: number, a: Float64Array, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) b[i]! += factor * a[i]!;
}

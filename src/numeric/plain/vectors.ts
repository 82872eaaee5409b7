/**
 * Loops over vectors, in plain TypeScript: the twins of wasm/vectors.ts, which add in the same order and so give the same bits.
 * A sum is eight partial sums, entry i in sum i % 8, then their sum in a fixed order, then the entries that do not fill eight.
 */

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

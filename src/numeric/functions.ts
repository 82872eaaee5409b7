/**
 * exp, expm1, log and log1p from additions, multiplications and divisions alone, whose results IEEE 754 defines exactly: engines round
 * Math.exp and similar functions differently, and training must be bit-identical everywhere. Errors stay within 2 units in the last place.
 * exp is 2^n 2^(j / 64) e^r with a table for j and a short polynomial in |r| <= ln 2 / 128; log is the series of atanh around 1, the
 * polynomials fitted by Chebyshev interpolation; see Muller, Elementary Functions, chapters 4 and 11.
 *
 * wasm/functions.ts has the same functions for two float64 numbers at a time, with the same bits.
 */
import {
  E2,
  E3,
  E4,
  E5,
  E6,
  L1,
  L2,
  L3,
  L4,
  L5,
  L6,
  L7,
  LN2_HIGH,
  LN2_LOW,
  POWERS_HIGH,
  POWERS_LOW,
  ROUND,
  STEP_HIGH,
  STEP_LOW,
  STEPS,
} from "./coefficients.ts";

const number = new Float64Array(1);
const halves = new Int32Array(number.buffer);
const HIGH = new Int16Array(new Uint8Array([1, 0]).buffer)[0] === 1 ? 1 : 0; // which half holds sign and exponent

const powers = new Float64Array(2046); // 2^k at k + 1022
powers[1022] = 1;
for (let k = 1; k <= 1023; k++) powers[1022 + k] = 2 * powers[1021 + k]!;
for (let k = 1; k <= 1022; k++) powers[1022 - k] = 0.5 * powers[1023 - k]!;

/** 2^k for whole k between -1022 and 1023. */
const power = (k: number) => powers[k + 1022]!;

/** e^r - 1 for |r| <= ln 2 / 128. */
function series(r: number): number {
  const z = r * r;
  return r + z * (E2 + r * E3 + z * (E4 + r * E5 + z * E6));
}

export function exp(x: number): number {
  if (!(x > -745.2)) return Number.isNaN(x) ? x : 0;
  if (x > 709.79) return x * Number.MAX_VALUE; // infinity; its name here would make V8 box every result
  const k = x * STEPS + ROUND - ROUND;
  const s = series(x - k * STEP_HIGH - k * STEP_LOW);
  const base = POWERS_HIGH[k & 63]!;
  const e = base + base * s;
  const n = k >> 6;
  if (n > -1022 && n < 1024) return e * power(n);
  return n < 0 ? e * power(n + 600) * 2.409919865102884e-181 : e * power(n - 1) * 2; // 2^-600: denormals round once
}

/** e^x - 1, without loss where x is small. */
export function expm1(x: number): number {
  if (x > 709) return exp(x) - 1;
  if (!(x > -40)) return Number.isNaN(x) ? x : -1;
  const k = x * STEPS + ROUND - ROUND;
  const s = series(x - k * STEP_HIGH - k * STEP_LOW);
  const base = POWERS_HIGH[k & 63]!;
  const scale = power(k >> 6);
  return scale * base - 1 + scale * (POWERS_LOW[k & 63]! + base * s);
}

export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN;
  if (x === Infinity) return x;
  let k = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984; // 2^54 lifts denormals
    k = -54;
  }
  number[0] = x;
  // The mantissa is brought into [sqrt(1/2), sqrt(2)), where the series is short.
  const word = halves[HIGH]! + (0x3ff00000 - 0x3fe6a09e);
  k += (word >> 20) - 1023;
  halves[HIGH] = (word & 0x000fffff) + 0x3fe6a09e;
  const f = number[0]! - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const tail = z * (L1 + z * L2 + w * (L3 + z * L4 + w * (L5 + z * L6 + w * L7)));
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + tail) + k * LN2_LOW) - f);
}

/** log(1 + x), without loss where x is small. */
export function log1p(x: number): number {
  const u = 1 + x;
  if (u === 1) return x;
  if (!(x < Infinity)) return x;
  if (u === 0) return -Infinity;
  return log(u) + (x - (u - 1)) / u;
}

/** log(e^a + e^b). */
export function logAdd(a: number, b: number): number {
  if (a === b) return a + Math.LN2; // also when both are -Infinity
  return a > b ? a + log1p(exp(b - a)) : b + log1p(exp(a - b));
}

/**
 * log of the sum of e^values, over entries from to to. The sum is taken as four partial sums, entry i of them in sum i % 4, then the
 * entries that do not fill four: an order that vectors can follow.
 */
export function logSumExp(values: Float64Array, from = 0, to = values.length): number {
  let top = -Infinity;
  for (let i = from; i < to; i++) if (values[i]! > top) top = values[i]!;
  if (top === -Infinity || top === Infinity) return top;
  const whole = to - ((to - from) % 4);
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let i = from; i < whole; i += 4) {
    s0 += exp(values[i]! - top);
    s1 += exp(values[i + 1]! - top);
    s2 += exp(values[i + 2]! - top);
    s3 += exp(values[i + 3]! - top);
  }
  let mass = s0 + s2 + (s1 + s3);
  for (let i = whole; i < to; i++) mass += exp(values[i]! - top);
  return top + log(mass);
}

/** 1 / (1 + e^-x). */
export function logistic(x: number): number {
  if (x >= 0) return 1 / (1 + exp(-x));
  const e = exp(x);
  return e / (1 + e);
}

/** log(1 + e^x). */
export const softplus = (x: number) => (x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)));

/** 2^x. */
export function exp2(x: number): number {
  if (Number.isInteger(x) && x > -1022 && x < 1024) return power(x);
  return exp(x * Math.LN2);
}

export const log2 = (x: number) => log(x) * Math.LOG2E;

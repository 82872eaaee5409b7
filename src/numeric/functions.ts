/**
 * exp, expm1, log and log1p of our own, from additions, multiplications and divisions alone, which IEEE 754 fixes to the last bit:
 * engines round Math.exp and its kin differently, and training must give the same bits everywhere. Errors stay within 2 units in the last
 * place. Reduction by powers of two and the series of exp and atanh; see Muller, Elementary Functions, chapter 11.
 */
const LN2_HIGH = 0.6931471803691238; // ln 2 cut to 33 bits: its product with an exponent is exact
const LN2_LOW = 1.9082149292705877e-10; // the rest
const LOG2_E = Math.LOG2E;
const ROUND = 6755399441055744; // 1.5 * 2^52: adding and subtracting it rounds to a whole number

const number = new Float64Array(1);
const halves = new Int32Array(number.buffer);
const HIGH = new Int16Array(new Uint8Array([1, 0]).buffer)[0] === 1 ? 1 : 0; // which half holds sign and exponent

/** 2^k for whole k between -1022 and 1023. */
function power(k: number): number {
  halves[HIGH] = (k + 1023) << 20;
  halves[1 - HIGH] = 0;
  return number[0]!;
}

/** e^r - 1 for |r| <= ln 2 / 2: the series to the 13th power, whose rest is below 1e-17. */
function series(r: number): number {
  const p =
    1 / 6 +
    r *
      (1 / 24 +
        r *
          (1 / 120 +
            r *
              (1 / 720 +
                r *
                  (1 / 5040 +
                    r *
                      (1 / 40320 +
                        r * (1 / 362880 + r * (1 / 3628800 + r * (1 / 39916800 + r * (1 / 479001600 + r / 6227020800)))))))));
  return r + r * r * (0.5 + r * p);
}

export function exp(x: number): number {
  if (!(x > -745.2)) return Number.isNaN(x) ? x : 0;
  if (x > 709.79) return Infinity;
  const k = x * LOG2_E + ROUND - ROUND;
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  const e = 1 + series(r);
  if (k > -1022 && k < 1024) return e * power(k);
  return k < 0 ? e * power(k + 600) * 2.409919865102884e-181 : e * power(k - 1) * 2; // 2^-600: denormals round once
}

/** e^x - 1, without loss where x is small. */
export function expm1(x: number): number {
  if (x > 709) return exp(x);
  if (!(x > -40)) return Number.isNaN(x) ? x : -1;
  const k = x * LOG2_E + ROUND - ROUND;
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  const scale = power(k);
  return scale * series(r) + (scale - 1);
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
  const tail =
    z *
    (2 / 3 +
      z *
        (2 / 5 +
          z * (2 / 7 + z * (2 / 9 + z * (2 / 11 + z * (2 / 13 + z * (2 / 15 + z * (2 / 17 + z * (2 / 19 + z * (2 / 21))))))))));
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

/** log of the sum of e^values, over entries from to to. */
export function logSumExp(values: Float64Array, from = 0, to = values.length): number {
  let top = -Infinity;
  for (let i = from; i < to; i++) if (values[i]! > top) top = values[i]!;
  if (top === -Infinity || top === Infinity) return top;
  let mass = 0;
  for (let i = from; i < to; i++) mass += exp(values[i]! - top);
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

export const log2 = (x: number) => log(x) * LOG2_E;

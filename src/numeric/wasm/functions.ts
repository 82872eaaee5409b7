// exp, expm1, log and log1p for two float64 at a time, and one at a time for what lies outside their range: operation by operation as in
// ../functions.ts.

import {
  E2,
  E3,
  E4,
  E5,
  E6,
  EXPONENT,
  HALF,
  HIGH,
  L1,
  L2,
  L3,
  L4,
  L5,
  L6,
  L7,
  LEAST,
  LN2_HIGH,
  LN2_LOW,
  LOW,
  MANTISSA,
  ONE,
  one,
  ROOT,
  ROUND,
  SHIFT,
  STEP_HIGH,
  STEP_LOW,
  STEPS,
  TWO,
  two,
  UNIT,
} from "./numbers";

function power(k: i64): f64 {
  return reinterpret<f64>((k + 1023) << 52);
}

function series(r: f64): f64 {
  const z = r * r;
  return r + z * (one(E2) + r * one(E3) + z * (one(E4) + r * one(E5) + z * one(E6)));
}

export function expOne(x: f64): f64 {
  if (!(x > -745.2)) return isNaN(x) ? x : 0;
  if (x > 709.79) return Infinity;
  const k = x * one(STEPS) + one(ROUND) - one(ROUND);
  const s = series(x - k * one(STEP_HIGH) - k * one(STEP_LOW));
  const base = load<f64>((<usize>(<i64>k & 63)) << 3, HIGH);
  const e = base + base * s;
  const n = <i64>k >> 6;
  if (n > -1022 && n < 1024) return e * power(n);
  return n < 0 ? e * power(n + 600) * 2.409919865102884e-181 : e * power(n - 1) * 2;
}

export function logOne(x: f64): f64 {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  let k: i64 = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984;
    k = -54;
  }
  // As the high half plus 0x3ff00000 - 0x3fe6a09e: the mantissa comes to lie in [sqrt(1/2), sqrt(2)).
  const word = reinterpret<i64>(x) + 0x00095f6200000000;
  k += (word >> 52) - 1023;
  const f = reinterpret<f64>((word & 0x000fffffffffffff) + 0x3fe6a09e00000000) - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const tail = z * (one(L1) + z * one(L2) + w * (one(L3) + z * one(L4) + w * (one(L5) + z * one(L6) + w * one(L7))));
  const half = 0.5 * f * f;
  const n = <f64>k;
  return n * one(LN2_HIGH) - (half - (s * (half + tail) + n * one(LN2_LOW)) - f);
}

export function log1pOne(x: f64): f64 {
  const u = 1 + x;
  if (u === 1) return x;
  if (!(x < Infinity)) return x;
  if (u === 0) return -Infinity;
  return logOne(u) + (x - (u - 1)) / u;
}

/* @inline */ function add(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}

/* @inline */ function sub(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}

/* @inline */ function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}

/** Two entries of a table, by the low bits of two whole numbers in rounded form. */
/* @inline */ function pick(t: v128, table: usize): v128 {
  const i = (<usize>i64x2.extract_lane(t, 0) & 63) << 3;
  const j = (<usize>i64x2.extract_lane(t, 1) & 63) << 3;
  return v128.load64_lane(table + j, v128.load64_zero(table + i), 1);
}

/* @inline */ function seriesPair(x: v128, k: v128): v128 {
  const r = sub(sub(x, mul(k, two(STEP_HIGH))), mul(k, two(STEP_LOW)));
  const z = mul(r, r);
  const inner = add(add(two(E4), mul(r, two(E5))), mul(z, two(E6)));
  return add(r, mul(z, add(add(two(E2), mul(r, two(E3))), mul(z, inner))));
}

/** e^x where |x| <= 708. The sum t holds k in its low bits, whose upper part goes straight to the exponent. */
/* @inline */ export function expPair(x: v128): v128 {
  const t = add(mul(x, two(STEPS)), two(ROUND));
  const s = seriesPair(x, sub(t, two(ROUND)));
  const base = pick(t, HIGH);
  return i64x2.add(add(base, mul(base, s)), i64x2.shl(i64x2.shr_u(t, 6), 52));
}

/** e^x - 1 where -40 < x <= 708. */
/* @inline */ export function expm1Pair(x: v128): v128 {
  const t = add(mul(x, two(STEPS)), two(ROUND));
  const s = seriesPair(x, sub(t, two(ROUND)));
  const base = pick(t, HIGH);
  const scale = i64x2.add(two(ONE), i64x2.shl(i64x2.shr_u(t, 6), 52));
  return add(sub(mul(scale, base), two(ONE)), mul(scale, add(pick(t, LOW), mul(base, s))));
}

/** log x where x is positive, finite and not denormal. */
/* @inline */ export function logPair(x: v128): v128 {
  const word = i64x2.add(x, two(SHIFT));
  // 2^52 + (k + 1023) as the bits of a float64: taking 2^52 + 1023 away leaves k.
  const k = sub(v128.or(i64x2.shr_u(word, 52), two(UNIT)), two(EXPONENT));
  const mantissa = i64x2.add(v128.and(word, two(MANTISSA)), two(ROOT));
  const f = sub(mantissa, two(ONE));
  const s = f64x2.div(f, add(two(TWO), f));
  const z = mul(s, s);
  const w = mul(z, z);
  const inner = add(add(two(L5), mul(z, two(L6))), mul(w, two(L7)));
  const middle = add(add(two(L3), mul(z, two(L4))), mul(w, inner));
  const tail = mul(z, add(add(two(L1), mul(z, two(L2))), mul(w, middle)));
  const half = mul(mul(two(HALF), f), f);
  return sub(mul(k, two(LN2_HIGH)), sub(sub(half, add(mul(s, add(half, tail)), mul(k, two(LN2_LOW)))), f));
}

/** e^x for two numbers that are not above 708. */
/* @inline */ export function expBelow(x: v128): v128 {
  if (i64x2.all_true(f64x2.ge(x, two(LEAST)))) return expPair(x);
  return f64x2.replace_lane(f64x2.splat(expOne(f64x2.extract_lane(x, 0))), 1, expOne(f64x2.extract_lane(x, 1)));
}

export function logistic(x: f64): f64 {
  if (x >= 0) return 1 / (1 + expOne(-x));
  const e = expOne(x);
  return e / (1 + e);
}

export function softplus(x: f64): f64 {
  return x > 0 ? x + log1pOne(expOne(-x)) : log1pOne(expOne(x));
}

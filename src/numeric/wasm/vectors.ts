// Loops over vectors of float64. Sums are taken as eight partial sums, entry i in sum i % 8, as the plain fallbacks take them.
import { expBelow, expm1One, expm1Pair, expOne, expPair, log1pOne, logOne, logPair } from "./functions";
import { MOST, two } from "./numbers";

/** Sum of a[i] * b[i]. */
export function dot(a: usize, b: usize, n: i32): f64 {
  let s0 = f64x2.splat(0);
  let s1 = f64x2.splat(0);
  let s2 = f64x2.splat(0);
  let s3 = f64x2.splat(0);
  const whole = n & ~7;
  const end = a + ((<usize>whole) << 3);
  while (a < end) {
    s0 = f64x2.add(s0, f64x2.mul(v128.load(a, 0), v128.load(b, 0)));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    s2 = f64x2.add(s2, f64x2.mul(v128.load(a, 32), v128.load(b, 32)));
    s3 = f64x2.add(s3, f64x2.mul(v128.load(a, 48), v128.load(b, 48)));
    a += 64;
    b += 64;
  }
  const four = f64x2.add(f64x2.add(s0, s2), f64x2.add(s1, s3));
  let sum = f64x2.extract_lane(four, 0) + f64x2.extract_lane(four, 1);
  for (let i = whole; i < n; i++) {
    sum += load<f64>(a) * load<f64>(b);
    a += 8;
    b += 8;
  }
  return sum;
}

/** to[i] = e^from[i]. */
export function expAll(from: usize, to: usize, n: i32): void {
  const most = two(MOST);
  let i = n;
  for (; i >= 4; i -= 4) {
    const a = v128.load(from, 0);
    const b = v128.load(from, 16);
    if (i64x2.all_true(v128.and(f64x2.le(f64x2.abs(a), most), f64x2.le(f64x2.abs(b), most)))) {
      v128.store(to, expPair(a), 0);
      v128.store(to, expPair(b), 16);
    } else {
      for (let j: usize = 0; j < 32; j += 8) store<f64>(to + j, expOne(load<f64>(from + j)));
    }
    from += 32;
    to += 32;
  }
  for (; i > 0; i--) {
    store<f64>(to, expOne(load<f64>(from)));
    from += 8;
    to += 8;
  }
}

/** to[i] = e^from[i] - 1. */
export function expm1All(from: usize, to: usize, n: i32): void {
  const least = f64x2.splat(-40);
  const most = two(MOST);
  let i = n;
  for (; i >= 2; i -= 2) {
    const a = v128.load(from);
    if (i64x2.all_true(v128.and(f64x2.gt(a, least), f64x2.le(a, most)))) v128.store(to, expm1Pair(a));
    else {
      store<f64>(to, expm1One(load<f64>(from)));
      store<f64>(to, expm1One(load<f64>(from, 8)), 8);
    }
    from += 16;
    to += 16;
  }
  if (i > 0) store<f64>(to, expm1One(load<f64>(from)));
}

/** to[i] = log from[i]. */
export function logAll(from: usize, to: usize, n: i32): void {
  const least = f64x2.splat(2.2250738585072014e-308);
  const most = f64x2.splat(Infinity);
  let i = n;
  for (; i >= 2; i -= 2) {
    const a = v128.load(from);
    if (i64x2.all_true(v128.and(f64x2.ge(a, least), f64x2.lt(a, most)))) v128.store(to, logPair(a));
    else {
      store<f64>(to, logOne(load<f64>(from)));
      store<f64>(to, logOne(load<f64>(from, 8)), 8);
    }
    from += 16;
    to += 16;
  }
  if (i > 0) store<f64>(to, logOne(load<f64>(from)));
}

/** to[i] = log(1 + from[i]). */
export function log1pAll(from: usize, to: usize, n: i32): void {
  const one = f64x2.splat(1);
  const least = f64x2.splat(-1);
  const most = f64x2.splat(Infinity);
  let i = n;
  for (; i >= 2; i -= 2) {
    const a = v128.load(from);
    if (i64x2.all_true(v128.and(f64x2.gt(a, least), f64x2.lt(a, most)))) {
      const u = f64x2.add(one, a);
      const sum = f64x2.add(logPair(u), f64x2.div(f64x2.sub(a, f64x2.sub(u, one)), u));
      v128.store(to, v128.bitselect(a, sum, f64x2.eq(u, one)));
    } else {
      store<f64>(to, log1pOne(load<f64>(from)));
      store<f64>(to, log1pOne(load<f64>(from, 8)), 8);
    }
    from += 16;
    to += 16;
  }
  if (i > 0) store<f64>(to, log1pOne(load<f64>(from)));
}

/** The largest of n values, -Infinity for none; what is not a number does not count. */
function largest(from: usize, n: i32): f64 {
  let top = f64x2.splat(-Infinity);
  let also = top;
  let i = n;
  for (; i >= 4; i -= 4) {
    top = f64x2.pmax(top, v128.load(from, 0));
    also = f64x2.pmax(also, v128.load(from, 16));
    from += 32;
  }
  top = f64x2.pmax(top, also);
  let best = f64x2.extract_lane(top, 0);
  const other = f64x2.extract_lane(top, 1);
  if (other > best) best = other;
  for (; i > 0; i--) {
    const value = load<f64>(from);
    if (value > best) best = value;
    from += 8;
  }
  return best;
}

/** log of the sum of e^from[i], in four partial sums. */
export function logSumExp(from: usize, n: i32): f64 {
  const top = largest(from, n);
  if (top === -Infinity || top === Infinity) return top;
  const tops = f64x2.splat(top);
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let i = n;
  for (; i >= 4; i -= 4) {
    s0 = f64x2.add(s0, expBelow(f64x2.sub(v128.load(from, 0), tops)));
    s1 = f64x2.add(s1, expBelow(f64x2.sub(v128.load(from, 16), tops)));
    from += 32;
  }
  const both = f64x2.add(s0, s1);
  let mass = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
  for (; i > 0; i--) {
    mass += expOne(load<f64>(from) - top);
    from += 8;
  }
  return top + logOne(mass);
}

/** to[i] = e^from[i] over their sum, whose log is returned. */
export function softmax(from: usize, to: usize, n: i32): f64 {
  const top = largest(from, n);
  if (top === -Infinity || top === Infinity) {
    const value = top < 0 ? 0 : NaN;
    for (let i = n; i > 0; i--) {
      store<f64>(to, value);
      to += 8;
    }
    return top;
  }
  const tops = f64x2.splat(top);
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let out = to;
  let i = n;
  for (; i >= 4; i -= 4) {
    const a = expBelow(f64x2.sub(v128.load(from, 0), tops));
    const b = expBelow(f64x2.sub(v128.load(from, 16), tops));
    s0 = f64x2.add(s0, a);
    s1 = f64x2.add(s1, b);
    v128.store(out, a, 0);
    v128.store(out, b, 16);
    from += 32;
    out += 32;
  }
  const both = f64x2.add(s0, s1);
  let mass = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
  for (; i > 0; i--) {
    const e = expOne(load<f64>(from) - top);
    mass += e;
    store<f64>(out, e);
    from += 8;
    out += 8;
  }
  scale(to, 1 / mass, n);
  return top + logOne(mass);
}

/** a[i] *= factor. */
export function scale(a: usize, factor: f64, n: i32): void {
  const factors = f64x2.splat(factor);
  let i = n;
  for (; i >= 2; i -= 2) {
    v128.store(a, f64x2.mul(v128.load(a), factors));
    a += 16;
  }
  if (i > 0) store<f64>(a, load<f64>(a) * factor);
}

/** b[i] += factor * a[i]. */
export function axpy(factor: f64, a: usize, b: usize, n: i32): void {
  const factors = f64x2.splat(factor);
  let i = n;
  for (; i >= 2; i -= 2) {
    v128.store(b, f64x2.add(v128.load(b), f64x2.mul(factors, v128.load(a))));
    a += 16;
    b += 16;
  }
  if (i > 0) store<f64>(b, load<f64>(b) + factor * load<f64>(a));
}

// Loops over vectors of float64. Sums are taken as eight partial sums, entry i in sum i % 8, as the plain twins take them.

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

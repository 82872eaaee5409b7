// Loops of neural networks over float32: sparse input rows, steps of Adam, and the costs of many scores at once. A row's sum is taken as four
// partial sums, entry i in sum i % 4, then (s0 + s1) + (s2 + s3), as the plain fallbacks take it. Long, because vectors are unrolled by hand.

/** out += Σ values[e] * row indices[e] of w, over entries from to to; rows have n numbers. Four rows at once, added in their order. */
export function gatherRows(indices: usize, values: usize, count: i32, w: usize, n: i32, out: usize): void {
  const bytes = (<usize>n) << 2;
  const whole = bytes & ~15;
  let e = 0;
  for (; e + 3 < count; e += 4) {
    const a = w + <usize>load<u32>(indices) * bytes;
    const b = w + <usize>load<u32>(indices, 4) * bytes;
    const c = w + <usize>load<u32>(indices, 8) * bytes;
    const d = w + <usize>load<u32>(indices, 12) * bytes;
    const x = v128.load32_splat(values);
    const y = v128.load32_splat(values, 4);
    const u = v128.load32_splat(values, 8);
    const v = v128.load32_splat(values, 12);
    for (let i: usize = 0; i < whole; i += 16) {
      let sum = f32x4.add(v128.load(out + i), f32x4.mul(x, v128.load(a + i)));
      sum = f32x4.add(sum, f32x4.mul(y, v128.load(b + i)));
      sum = f32x4.add(sum, f32x4.mul(u, v128.load(c + i)));
      v128.store(out + i, f32x4.add(sum, f32x4.mul(v, v128.load(d + i))));
    }
    for (let i = whole; i < bytes; i += 4) {
      let sum = load<f32>(out + i) + load<f32>(values) * load<f32>(a + i);
      sum += load<f32>(values, 4) * load<f32>(b + i);
      sum += load<f32>(values, 8) * load<f32>(c + i);
      store<f32>(out + i, sum + load<f32>(values, 12) * load<f32>(d + i));
    }
    indices += 16;
    values += 16;
  }
  for (; e < count; e++) {
    addScaled(load<f32>(values), w + <usize>load<u32>(indices) * bytes, out, n);
    indices += 4;
    values += 4;
  }
}

/** out += factor * a. */
function addScaled(factor: f32, a: usize, out: usize, n: i32): void {
  const bytes = (<usize>n) << 2;
  const whole = bytes & ~15;
  const x = f32x4.splat(factor);
  for (let i: usize = 0; i < whole; i += 16) v128.store(out + i, f32x4.add(v128.load(out + i), f32x4.mul(x, v128.load(a + i))));
  for (let i = whole; i < bytes; i += 4) store<f32>(out + i, load<f32>(out + i) + factor * load<f32>(a + i));
}

/** One step of Adam for n numbers; `how` holds beta1, 1 - beta1, beta2, 1 - beta2, step, epsilon, l2. */
export function adamStep(w: usize, m: usize, v: usize, g: usize, n: i32, how: usize): void {
  const beta1 = load<f32>(how);
  const oneMinusBeta1 = load<f32>(how, 4);
  const beta2 = load<f32>(how, 8);
  const oneMinusBeta2 = load<f32>(how, 12);
  const step = load<f32>(how, 16);
  const epsilon = load<f32>(how, 20);
  const l2 = load<f32>(how, 24);
  const bytes = (<usize>n) << 2;
  const whole = bytes & ~15;
  for (let i: usize = 0; i < whole; i += 16) {
    const at = v128.load(w + i);
    const slope = f32x4.add(v128.load(g + i), f32x4.mul(f32x4.splat(l2), at));
    const mean = f32x4.add(f32x4.mul(f32x4.splat(beta1), v128.load(m + i)), f32x4.mul(f32x4.splat(oneMinusBeta1), slope));
    const square = f32x4.add(
      f32x4.mul(f32x4.splat(beta2), v128.load(v + i)),
      f32x4.mul(f32x4.splat(oneMinusBeta2), f32x4.mul(slope, slope)),
    );
    v128.store(m + i, mean);
    v128.store(v + i, square);
    const move = f32x4.div(f32x4.mul(f32x4.splat(step), mean), f32x4.add(f32x4.sqrt(square), f32x4.splat(epsilon)));
    v128.store(w + i, f32x4.sub(at, move));
  }
  for (let i = whole; i < bytes; i += 4) {
    const at = load<f32>(w + i);
    const slope = load<f32>(g + i) + l2 * at;
    const mean = beta1 * load<f32>(m + i) + oneMinusBeta1 * slope;
    const square = beta2 * load<f32>(v + i) + oneMinusBeta2 * (slope * slope);
    store<f32>(m + i, mean);
    store<f32>(v + i, square);
    store<f32>(w + i, at - (step * mean) / (sqrt<f32>(square) + epsilon));
  }
}

/**
 * Steps of Adam for rows of w: row rows[r] has the gradient Σ values[e] * line lines[e] of d, over entries starts[r] to starts[r + 1].
 * `g` is scratch for one row.
 */
export function adamRows(
  count: i32,
  rows: usize,
  starts: usize,
  lines: usize,
  values: usize,
  d: usize,
  n: i32,
  w: usize,
  m: usize,
  v: usize,
  g: usize,
  how: usize,
): void {
  const bytes = (<usize>n) << 2;
  for (let r = 0; r < count; r++) {
    memory.fill(g, 0, bytes);
    const from = load<u32>(starts + ((<usize>r) << 2));
    const to = load<u32>(starts + ((<usize>r) << 2), 4);
    for (let e = from; e < to; e++) {
      const at = (<usize>e) << 2;
      addScaled(load<f32>(values + at), d + <usize>load<u32>(lines + at) * bytes, g, n);
    }
    const offset = <usize>load<u32>(rows + ((<usize>r) << 2)) * bytes;
    adamStep(w + offset, m + offset, v + offset, g, n, how);
  }
}

/** What steps of Adam without a gradient do: w -= move * m / (sqrt(v) + epsilon), then m and v decay. */
export function adamCatchUp(w: usize, m: usize, v: usize, n: i32, move: f32, epsilon: f32, keep1: f32, keep2: f32): void {
  const bytes = (<usize>n) << 2;
  const whole = bytes & ~15;
  for (let i: usize = 0; i < whole; i += 16) {
    const mean = v128.load(m + i);
    const square = v128.load(v + i);
    const far = f32x4.div(f32x4.mul(f32x4.splat(move), mean), f32x4.add(f32x4.sqrt(square), f32x4.splat(epsilon)));
    v128.store(w + i, f32x4.sub(v128.load(w + i), far));
    v128.store(m + i, f32x4.mul(f32x4.splat(keep1), mean));
    v128.store(v + i, f32x4.mul(f32x4.splat(keep2), square));
  }
  for (let i = whole; i < bytes; i += 4) {
    const mean = load<f32>(m + i);
    const square = load<f32>(v + i);
    store<f32>(w + i, load<f32>(w + i) - (move * mean) / (sqrt<f32>(square) + epsilon));
    store<f32>(m + i, keep1 * mean);
    store<f32>(v + i, keep2 * square);
  }
}

/** e^x for x <= 88, and 0 below -87: reduction by powers of two and the series to the seventh power. */
/* @inline */ function exp4(x: v128): v128 {
  const low = f32x4.lt(x, f32x4.splat(-87));
  const y = f32x4.max(x, f32x4.splat(-87));
  const k = f32x4.nearest(f32x4.mul(y, f32x4.splat(1.4426950408889634)));
  const r = f32x4.sub(f32x4.sub(y, f32x4.mul(k, f32x4.splat(0.693145751953125))), f32x4.mul(k, f32x4.splat(1.4286068203e-6)));
  let p = f32x4.add(f32x4.splat(1 / 720), f32x4.mul(r, f32x4.splat(1 / 5040)));
  p = f32x4.add(f32x4.splat(1 / 120), f32x4.mul(r, p));
  p = f32x4.add(f32x4.splat(1 / 24), f32x4.mul(r, p));
  p = f32x4.add(f32x4.splat(1 / 6), f32x4.mul(r, p));
  p = f32x4.add(f32x4.splat(0.5), f32x4.mul(r, p));
  p = f32x4.add(f32x4.splat(1), f32x4.mul(r, p));
  p = f32x4.add(f32x4.splat(1), f32x4.mul(r, p));
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(k), i32x4.splat(127)), 23);
  return v128.andnot(f32x4.mul(p, power), low);
}

/** The sum of four lanes, in the order of all sums here. */
/* @inline */ function lanes(s: v128): f32 {
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + (f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3));
}

/* @inline */ function greatest(z: usize, n: i32): f32 {
  let top = f32x4.splat(-1e30);
  for (let i: usize = 0; i < (<usize>n) << 2; i += 16) top = f32x4.max(top, v128.load(z + i));
  return max(
    max(f32x4.extract_lane(top, 0), f32x4.extract_lane(top, 1)),
    max(f32x4.extract_lane(top, 2), f32x4.extract_lane(top, 3)),
  );
}

/** Each row of z, n numbers of which n is a multiple of 4, becomes e^(z - its greatest), which goes to tops; the sums go to masses. */
export function expSumRows(z: usize, rows: i32, n: i32, tops: usize, masses: usize): void {
  const bytes = (<usize>n) << 2;
  for (let r = 0; r < rows; r++) {
    const top = greatest(z, n);
    const shift = f32x4.splat(top);
    let sum = f32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 16) {
      const e = exp4(f32x4.sub(v128.load(z + i), shift));
      v128.store(z + i, e);
      sum = f32x4.add(sum, e);
    }
    store<f64>(tops, top);
    store<f64>(masses, lanes(sum));
    z += bytes;
    tops += 8;
    masses += 8;
  }
}

/** Multiplies each row of z by its factor. */
export function scaleRows(z: usize, rows: i32, n: i32, factors: usize): void {
  const bytes = (<usize>n) << 2;
  for (let r = 0; r < rows; r++) {
    const factor = v128.load32_splat(factors);
    for (let i: usize = 0; i < bytes; i += 16) v128.store(z + i, f32x4.mul(v128.load(z + i), factor));
    z += bytes;
    factors += 4;
  }
}

/** sums = the sum of rows of n numbers, which begin `stride` numbers apart. */
export function columnSums(z: usize, rows: i32, n: i32, stride: i32, sums: usize): void {
  const bytes = (<usize>n) << 2;
  const whole = bytes & ~15;
  memory.fill(sums, 0, bytes);
  for (let r = 0; r < rows; r++) {
    for (let i: usize = 0; i < whole; i += 16) v128.store(sums + i, f32x4.add(v128.load(sums + i), v128.load(z + i)));
    for (let i = whole; i < bytes; i += 4) store<f32>(sums + i, load<f32>(sums + i) + load<f32>(z + i));
    z += (<usize>stride) << 2;
  }
}

/** log x for normal x > 0, of one number at a time: it is rarely needed. */
function log1(x: f64): f64 {
  const bits = reinterpret<u64>(x) + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd);
  const k = <f64>(<i64>(bits >> 52) - 1023);
  const f = reinterpret<f64>((bits & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd) - 1;
  const s = f / (2 + f);
  const q = s * s;
  const tail = q * (1 / 3.0 + q * (1 / 5.0 + q * (1 / 7.0 + q * (1 / 9.0 + q * (1 / 11.0 + q * (1 / 13.0))))));
  return k * 0.6931471805599453 + 2 * s * (1 + tail);
}

const STRETCH: usize = 64 * 16; // bytes after which a product of halves could vanish

/**
 * Logistic cost of each pair of one of `count` better scores and one of n worse ones, Σ weight log(1 + e^(worse - better)), n a multiple of 4.
 * z becomes the gradient of the worse scores; what a better score i costs goes to costs[i] and minus its gradient to gradients[i], both
 * without its weight. `e` is scratch for 2 n numbers.
 */
export function logisticPairs(
  z: usize,
  n: i32,
  better: usize,
  weights: usize,
  count: i32,
  costs: usize,
  gradients: usize,
  e: usize,
): void {
  const bytes = (<usize>n) << 2;
  const top = greatest(z, n);
  let least = top;
  for (let i = 0; i < count; i++) least = min(least, load<f32>(better + ((<usize>i) << 2)));
  // One exponential an item, unless a better score lies so far below the top that its factor would lose others.
  const near = i32(top - least < 40);
  const shift = f32x4.splat(top);
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(e + i, near ? exp4(f32x4.sub(v128.load(z + i), shift)) : f32x4.splat(0));
    v128.store(e + bytes + i, f32x4.splat(0));
  }
  const one = f32x4.splat(1);
  for (let i = 0; i < count; i++) {
    const own = load<f32>(better + ((<usize>i) << 2));
    const weight = v128.load32_splat(weights + ((<usize>i) << 2));
    const base = f32x4.splat(own);
    const factor = exp4(f32x4.splat(near ? top - own : 0));
    let gradientSum = f32x4.splat(0);
    let lost = f32x4.splat(0);
    let cost: f64 = 0;
    for (let from: usize = 0; from < bytes; from += STRETCH) {
      let product = one;
      for (let at = from; at < min(from + STRETCH, bytes); at += 16) {
        const margin = f32x4.sub(v128.load(z + at), base);
        const x = near ? f32x4.mul(factor, v128.load(e + at)) : exp4(f32x4.min(margin, f32x4.splat(88)));
        const right = f32x4.div(one, f32x4.add(one, x));
        const wrong = f32x4.mul(x, right);
        product = f32x4.mul(product, f32x4.max(right, wrong));
        lost = f32x4.add(lost, f32x4.max(margin, f32x4.splat(0)));
        gradientSum = f32x4.add(gradientSum, wrong);
        const sum = e + bytes + at;
        v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(weight, wrong)));
      }
      cost -= log1(
        <f64>f32x4.extract_lane(product, 0) *
          <f64>f32x4.extract_lane(product, 1) *
          (<f64>f32x4.extract_lane(product, 2) * <f64>f32x4.extract_lane(product, 3)),
      );
    }
    store<f64>(costs + ((<usize>i) << 3), cost + <f64>lanes(lost));
    store<f64>(gradients + ((<usize>i) << 3), lanes(gradientSum));
  }
  memory.copy(z, e + bytes, bytes);
}

/** The same for the hinge cost, Σ weight max(0, 1 - (better - worse)). */
export function hingePairs(
  z: usize,
  n: i32,
  better: usize,
  weights: usize,
  count: i32,
  costs: usize,
  gradients: usize,
  e: usize,
): void {
  const bytes = (<usize>n) << 2;
  memory.fill(e, 0, bytes);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  for (let i = 0; i < count; i++) {
    const short = f32x4.splat(1 - load<f32>(better + ((<usize>i) << 2)));
    const weight = v128.load32_splat(weights + ((<usize>i) << 2));
    let cost = zero;
    let gradientSum = zero;
    for (let at: usize = 0; at < bytes; at += 16) {
      const lack = f32x4.add(short, v128.load(z + at));
      const costs = f32x4.gt(lack, zero);
      cost = f32x4.add(cost, f32x4.max(lack, zero));
      gradientSum = f32x4.add(gradientSum, v128.and(costs, one));
      v128.store(e + at, f32x4.add(v128.load(e + at), v128.and(costs, weight)));
    }
    store<f64>(costs + ((<usize>i) << 3), lanes(cost));
    store<f64>(gradients + ((<usize>i) << 3), lanes(gradientSum));
  }
  memory.copy(z, e, bytes);
}

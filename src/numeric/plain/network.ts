/**
 * Loops of neural networks over float32 in plain TypeScript: the fallbacks of wasm/network.ts, rounded to float32 at each step as they are.
 */
import { log } from "../functions.ts";
import type { AdamSettings } from "../network.ts";

const { fround, sqrt } = Math;

/** out += Σ values[e] * row indices[e] of w, over entries from to to; a row is as long as out. */
export function gatherRows(
  indices: Uint32Array,
  values: Float32Array,
  from: number,
  to: number,
  w: Float32Array,
  out: Float32Array,
): void {
  const n = out.length;
  for (let e = from; e < to; e++) addScaled(values[e]!, w, indices[e]! * n, out);
}

function addScaled(factor: number, a: Float32Array, at: number, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = out[i]! + fround(factor * a[at + i]!);
}

/** One step of Adam for the n numbers of w, m and v from `at` on, with the first n of g as their gradient. */
export function adamStep(
  w: Float32Array,
  m: Float32Array,
  v: Float32Array,
  at: number,
  g: Float32Array,
  n: number,
  { beta1, oneMinusBeta1, beta2, oneMinusBeta2, step, epsilon, l2 }: AdamSettings,
): void {
  for (let i = 0; i < n; i++) {
    const here = w[at + i]!;
    const slope = fround(g[i]! + fround(l2 * here));
    const mean = fround(fround(beta1 * m[at + i]!) + fround(oneMinusBeta1 * slope));
    const square = fround(fround(beta2 * v[at + i]!) + fround(oneMinusBeta2 * fround(slope * slope)));
    m[at + i] = mean;
    v[at + i] = square;
    w[at + i] = here - fround(fround(step * mean) / fround(fround(sqrt(square)) + epsilon));
  }
}

/** What steps of Adam without a gradient do: w -= move * m / (sqrt(v) + epsilon), then m and v decay. */
export function adamCatchUp(
  w: Float32Array,
  m: Float32Array,
  v: Float32Array,
  at: number,
  n: number,
  move: number,
  epsilon: number,
  keep1: number,
  keep2: number,
): void {
  for (let i = at; i < at + n; i++) {
    const [mean, square] = [m[i]!, v[i]!];
    w[i] = w[i]! - fround(fround(move * mean) / fround(fround(sqrt(square)) + epsilon));
    m[i] = keep1 * mean;
    v[i] = keep2 * square;
  }
}

/** Steps of Adam for rows of w: row rows[r] has the gradient Σ values[e] * line lines[e] of d, over entries starts[r] to starts[r + 1]. */
export function adamRows(
  count: number,
  rows: Uint32Array,
  starts: Uint32Array,
  lines: Uint32Array,
  values: Float32Array,
  d: Float32Array,
  w: Float32Array,
  m: Float32Array,
  v: Float32Array,
  g: Float32Array,
  settings: AdamSettings,
): void {
  const n = g.length;
  for (let r = 0; r < count; r++) {
    g.fill(0);
    for (let e = starts[r]!; e < starts[r + 1]!; e++) addScaled(values[e]!, d, lines[e]! * n, g);
    adamStep(w, m, v, rows[r]! * n, g, n, settings);
  }
}

const bits = new Int32Array(1);
const float = new Float32Array(bits.buffer);
const SERIES = Float32Array.of(1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 0.5, 1, 1);
const [LOG2_E, LN2_HIGH, LN2_LOW] = [fround(Math.LOG2E), 0.693145751953125, fround(1.4286068203e-6)];

/** e^x in float32 for x <= 88, and 0 below -87: reduction by powers of two and the series to the seventh power. */
export function exp32(x: number): number {
  if (Number.isNaN(x) || x < -87) return Number.isNaN(x) ? x : 0;
  const k = fround(fround(fround(x * LOG2_E) + 12582912) - 12582912); // to the nearest whole number
  const r = fround(fround(x - fround(k * LN2_HIGH)) - fround(k * LN2_LOW));
  let p = SERIES[0]!;
  for (let i = 1; i < 8; i++) p = fround(SERIES[i]! + fround(r * p));
  bits[0] = (k + 127) << 23;
  return fround(p * float[0]!);
}

const lanes = (s: Float32Array) => fround(fround(s[0]! + s[1]!) + fround(s[2]! + s[3]!));

function greatest(z: Float32Array, at: number, n: number): number {
  let top = fround(-1e30);
  for (let i = at; i < at + n; i++) if (z[i]! > top) top = z[i]!;
  return top;
}

/** Each row of z, n numbers, becomes e^(z - its greatest), which goes to tops; the sums go to masses. */
export function expSumRows(z: Float32Array, rows: number, n: number, maxima: Float64Array, sums: Float64Array): void {
  const sum = new Float32Array(4);
  for (let r = 0; r < rows; r++) {
    const top = greatest(z, r * n, n);
    sum.fill(0);
    for (let i = 0; i < n; i++) {
      const e = exp32(fround(z[r * n + i]! - top));
      z[r * n + i] = e;
      sum[i & 3] = sum[i & 3]! + e;
    }
    maxima[r] = top;
    sums[r] = lanes(sum);
  }
}

/** Multiplies each row of z by its factor. */
export function scaleRows(z: Float32Array, rows: number, n: number, factors: Float32Array): void {
  for (let r = 0; r < rows; r++) for (let i = 0; i < n; i++) z[r * n + i] = z[r * n + i]! * factors[r]!;
}

/** sums = the sum of rows of n numbers, which begin `stride` numbers apart, the first at `from`. */
export function columnSums(z: Float32Array, from: number, rows: number, n: number, stride: number, sums: Float32Array): void {
  sums.fill(0, 0, n);
  for (let r = 0; r < rows; r++) for (let i = 0; i < n; i++) sums[i] = sums[i]! + z[from + r * stride + i]!;
}

const STRETCH = 256; // numbers after which a product of halves could vanish

/**
 * Logistic cost of each pair of one of `count` better scores and one of the worse ones in z, Σ weight log(1 + e^(worse - better)). z
 * becomes the gradient of the worse scores; what a better score i costs goes to costs[i] and minus its gradient to gradients[i], both without
 * its weight. Costs agree with the kernel to rounding, all else to the bit.
 */
export function logisticPairs(
  z: Float32Array,
  better: Float32Array,
  weights: Float32Array,
  count: number,
  costs: Float64Array,
  gradients: Float64Array,
): void {
  const n = z.length;
  const top = greatest(z, 0, n);
  let least = top;
  for (let i = 0; i < count; i++) least = Math.min(least, better[i]!);
  const near = fround(top - least) < 40;
  const e = near ? z.map((score) => exp32(fround(score - top))) : z;
  const gradient = new Float32Array(n);
  const [gradientSum, linear, product] = [new Float32Array(4), new Float32Array(4), new Float32Array(4)];
  for (let i = 0; i < count; i++) {
    const own = better[i]!;
    const factor = exp32(near ? fround(top - own) : 0);
    gradientSum.fill(0);
    linear.fill(0);
    let cost = 0;
    for (let from = 0; from < n; from += STRETCH) {
      product.fill(1);
      for (let j = from; j < Math.min(n, from + STRETCH); j++) {
        const lane = j & 3;
        const margin = fround(z[j]! - own);
        const x = near ? fround(factor * e[j]!) : exp32(Math.min(margin, 88));
        const right = fround(1 / fround(1 + x));
        const wrong = fround(x * right);
        product[lane] = product[lane]! * Math.max(right, wrong);
        if (margin > 0) linear[lane] = linear[lane]! + margin;
        gradientSum[lane] = gradientSum[lane]! + wrong;
        gradient[j] = gradient[j]! + fround(weights[i]! * wrong);
      }
      cost -= log(product[0]! * product[1]! * (product[2]! * product[3]!));
    }
    costs[i] = cost + lanes(linear);
    gradients[i] = lanes(gradientSum);
  }
  z.set(gradient);
}

/** The same for the hinge cost, Σ weight max(0, 1 - (better - worse)). */
export function hingePairs(
  z: Float32Array,
  better: Float32Array,
  weights: Float32Array,
  count: number,
  costs: Float64Array,
  gradients: Float64Array,
): void {
  const gradient = new Float32Array(z.length);
  const [gradientSum, cost] = [new Float32Array(4), new Float32Array(4)];
  for (let i = 0; i < count; i++) {
    const threshold = fround(1 - better[i]!);
    gradientSum.fill(0);
    cost.fill(0);
    for (let j = 0; j < z.length; j++) {
      const violation = fround(threshold + z[j]!);
      if (!(violation > 0)) continue;
      cost[j & 3] = cost[j & 3]! + violation;
      gradientSum[j & 3] = gradientSum[j & 3]! + 1;
      gradient[j] = gradient[j]! + weights[i]!;
    }
    costs[i] = lanes(cost);
    gradients[i] = lanes(gradientSum);
  }
  z.set(gradient);
}

/**
 * One stage of the Plackett-Luce likelihood of tiers: the probability that all n items of a tier come before the rest R.
 *
 *   P = ∫ exp φ(s) ds,   φ(s) = s - e^s + Σ log(1 - exp(-z_i)),   z_i = e^(s + d_i),   d_i = w_i - log Σ_R e^w
 *
 * (Ma et al. 2021, Proposition 1, with u = exp(-e^s)). φ is concave and exp φ analytic for |Im s| < π/2, so the trapezoid rule converges
 * exponentially: its error is about exp(-π² / h) for step h, and exp(-2 π² σ² / h²) for a peak of width σ. With h = ln 2 / r every node is
 * the double of one r places before, in z, so q = 1 - exp(-z) follows by q ← q + q (1 - q), whose relative error never grows, and only
 * the first r nodes need an exponential.
 *
 * From the same nodes, weighted by exp φ and with h(z) = z / (e^z - 1):
 *   ∂ log P / ∂d_i   = E[h_i]
 *   ∂² log P / ∂d_i² = E[h_i] - E[h_i z_i] - E[h_i]²
 * and along the direction of all d at once, with H = Σ h_i: slope E[H], curvature Σ Cov(h_i, e^s). The latter because exp φ vanishes at both ends,
 * so that E[φ'] = 0 and E[H] = E[e^s] - 1, whose derivative is Cov(e^s, H); every h_i falls with s, so nothing cancels in the sum.
 *
 * Two nodes are taken at a time, and where it goes over items alone, two items: the counterpart in wasm/tier-stage.ts has both in one
 * vector. Sums and products are therefore kept in halves. The two nodes are neighbors; where three to an octave suffice, and for the last
 * of an odd number, they are an octave apart.
 *
 * Two items have a closed form: with a = e^d_1, b = e^d_2, u = 1 + a, v = 1 + b and S = u + v - 1, both orders of the two add up to
 * P = a b (1 + S) / (u v S), and its derivatives can be written without a difference of like numbers.
 */
import { exp, expm1, log, log1p } from "../functions.ts";
import type { QuadratureRule } from "../tier-cost.ts";

/** log P, and its first and second derivative along the direction of all d. */
export interface Stage {
  log: number;
  slope: number;
  curvature: number;
}

/** Memory for stages, one after another: its arrays grow with the largest tier. The results of a stage are written here too. */
export interface StageScratch extends Stage {
  /** e^d of the items in between. */
  a: Float64Array;
  /** 1 - exp(-z) at two nodes. */
  q: Float64Array;
  /** Of h at either node, over e^d. */
  sums: Float64Array;
  /** Of h (e^s - center) at either node, over e^d. */
  moments: Float64Array;
  /** Positions of the items in between. */
  which: Uint32Array;
  /** Of the peak of exp φ. */
  width: number;
  /** φ beside the peak, less the d of the items far below: at most 0.0025 too low for each item. */
  peakValue: number;
}

export function stageScratch(): StageScratch {
  const none = new Float64Array(0);
  return {
    ...{ log: 0, slope: 0, curvature: 0, width: 1, peakValue: 0 },
    ...{ a: none, q: none, sums: none, moments: none, which: new Uint32Array(0) },
  };
}

const LOW = -60; // an item this far below R has h = 1 - z/2 = 1 at every node that counts, and log q = s + d
const HIGH = 80; // an item this far above R has h = 0 and q = 1 at every node that counts
const MANY = 256; // for more items the height that the search for the peak leaves is too rough
const SMALL = 1e-50; // products are taken into the sum of logs below this, looked at every eight items: no q is below 1e-60

function reserve(scratch: StageScratch, n: number): void {
  if (scratch.a.length > n) return;
  const size = Math.max(64, 2 * n);
  scratch.a = new Float64Array(size);
  scratch.q = new Float64Array(2 * size);
  scratch.sums = new Float64Array(2 * size);
  scratch.moments = new Float64Array(2 * size);
  scratch.which = new Uint32Array(size);
}

/** Writes E[h] into `first`, and the second derivatives into `second` when it is given; d and both begin at `from` and end at `to`. */
export function tierStage(
  scratch: StageScratch,
  ...[d, from, to, rule, first, second]: [
    ...[d: Float64Array, from: number, to: number, rule: QuadratureRule],
    ...[first: Float64Array, second: Float64Array | undefined],
  ]
): Stage {
  if (to - from === 2 && between(d[from]!) && between(d[from + 1]!)) return pairStage(scratch, d, from, first, second);
  reserve(scratch, to - from);
  const { a, q, sums, moments, which } = scratch;
  let m = 0; // items in between
  let low = 0; // items far below
  let offset = 0; // the sum of their d
  for (let i = from; i < to; i++) {
    const di = d[i]!;
    const far = di < LOW;
    first[i] = far ? 1 : 0;
    if (second) second[i] = 0;
    if (far) {
      low++;
      offset += di;
    } else if (!(di >= HIGH)) {
      which[m] = i;
      a[m++] = di;
    }
  }
  if (m === 0 && low === 0) {
    scratch.log = scratch.slope = scratch.curvature = 0;
    return scratch;
  }

  // Sums of d, of e^d and of its square, of even and odd items.
  let [even, odd, evenMass, oddMass, evenSquare, oddSquare] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < m; i++) {
    const di = a[i]!;
    const e = exp(di);
    a[i] = e;
    if ((i & 1) === 0) {
      even += di;
      evenMass += e;
      evenSquare += e * e;
    } else {
      odd += di;
      oddMass += e;
      oddSquare += e * e;
    }
  }
  const mass = evenMass + oddMass;
  const mode = peak(scratch, m, low, mass);
  if (Number.isNaN(mode)) {
    first.fill(mode, from, to);
    second?.fill(mode, from, to);
    scratch.log = scratch.slope = scratch.curvature = mode;
    return scratch;
  }
  const centre = exp(mode); // covariances with e^s are taken from here
  const top = m > MANY ? height(a, mode, centre, m, low) : scratch.peakValue;
  const chains = Math.max(rule.perOctave, Math.ceil(Math.LN2 / (rule.maxStep * scratch.width)));
  const step = Math.LN2 / chains;
  const begin = leftBound(1 + low + m, even + odd, mass, evenSquare + oddSquare, top - rule.tail, scratch.width);
  const start = Number.isNaN(begin) ? leftEnd(scratch, mode, m, low, rule.tail) : begin;
  const least = exp(-rule.tail);
  const linearTerm = 1 + low; // of φ with s, but for e^s and the items in between

  sums.fill(0, 0, 2 * m + 2);
  moments.fill(0, 0, 2 * m + 2);
  // One more than there are makes the items even in number: its q is 1, so it adds nothing.
  a[m] = 1;
  q[2 * m] = q[2 * m + 1] = 1;
  let [total0, total1, drift0, drift1] = [0, 0, 0, 0]; // of weights, and of e^s - center
  for (let chain = 0, next = 0; chain < chains; chain = next) {
    const octaveApart = chains === 3 || chain + 1 === chains; // the two nodes by an octave
    next = chain + (octaveApart ? 1 : 2);
    let node0 = start + chain * step;
    let node1 = octaveApart ? node0 + Math.LN2 : node0 + step;
    let times0 = exp(node0);
    let times1 = octaveApart ? 2 * times0 : exp(node1);
    // Logs of the products so far, and the products since: of even and odd items at either node.
    let [logs0, logs1, even0, even1, odd0, odd1] = [0, 0, 1, 1, 1, 1];
    for (let i = 0; i < m; i++) {
      const q0 = -expm1(-a[i]! * times0);
      const q1 = octaveApart ? q0 + q0 * (1 - q0) : -expm1(-a[i]! * times1);
      q[2 * i] = q0;
      q[2 * i + 1] = q1;
      if ((i & 1) === 0) {
        even0 *= q0;
        even1 *= q1;
      } else {
        odd0 *= q0;
        odd1 *= q1;
        if ((i & 7) === 7 && (even0 < SMALL || even1 < SMALL || odd0 < SMALL || odd1 < SMALL)) {
          logs0 += log(even0) + log(odd0);
          logs1 += log(even1) + log(odd1);
          even0 = even1 = odd0 = odd1 = 1;
        }
      }
    }

    for (;;) {
      if (even0 < SMALL || even1 < SMALL || odd0 < SMALL || odd1 < SMALL) {
        logs0 += log(even0) + log(odd0);
        logs1 += log(even1) + log(odd1);
        even0 = even1 = odd0 = odd1 = 1;
      }
      const weight0 = exp(Math.max(linearTerm * node0 - top - times0 + logs0, -700)) * (even0 * odd0);
      const weight1 = exp(Math.max(linearTerm * node1 - top - times1 + logs1, -700)) * (even1 * odd1);
      if (node0 > mode && !(weight0 >= least)) break;
      total0 += weight0;
      total1 += weight1;

      logs0 = logs1 = 0;
      even0 = even1 = odd0 = odd1 = 1;
      // Items count through g = h / e^(s + d) = (1 - q) / q.
      const [once0, once1] = [weight0 * times0, weight1 * times1];
      const [off0, off1] = [times0 - centre, times1 - centre];
      const [again0, again1] = [once0 * off0, once1 * off1];
      drift0 += weight0 * off0;
      drift1 += weight1 * off1;
      // Two items, q and r, at a time: one division serves both.
      for (let i = 0; i < m; i += 2) {
        const at = 2 * i;
        let q0 = q[at]!;
        let q1 = q[at + 1]!;
        let r0 = q[at + 2]!;
        let r1 = q[at + 3]!;
        const left0 = 1 - q0;
        const left1 = 1 - q1;
        const over0 = 1 - r0;
        const over1 = 1 - r1;
        const inverse0 = 1 / (q0 * r0);
        const inverse1 = 1 / (q1 * r1);
        const g0 = left0 * (inverse0 * r0);
        const g1 = left1 * (inverse1 * r1);
        const f0 = over0 * (inverse0 * q0);
        const f1 = over1 * (inverse1 * q1);
        sums[at] = sums[at]! + once0 * g0;
        sums[at + 1] = sums[at + 1]! + once1 * g1;
        sums[at + 2] = sums[at + 2]! + once0 * f0;
        sums[at + 3] = sums[at + 3]! + once1 * f1;
        moments[at] = moments[at]! + again0 * g0;
        moments[at + 1] = moments[at + 1]! + again1 * g1;
        moments[at + 2] = moments[at + 2]! + again0 * f0;
        moments[at + 3] = moments[at + 3]! + again1 * f1;
        // On to the next nodes, one octave or two up. In this form q arrives at 1, where q (2 - q) would stop short by a rounding.
        q0 = q0 + q0 * left0;
        q1 = q1 + q1 * left1;
        r0 = r0 + r0 * over0;
        r1 = r1 + r1 * over1;
        if (octaveApart) {
          q0 = q0 + q0 * (1 - q0);
          q1 = q1 + q1 * (1 - q1);
          r0 = r0 + r0 * (1 - r0);
          r1 = r1 + r1 * (1 - r1);
        }
        q[at] = q0;
        q[at + 1] = q1;
        q[at + 2] = r0;
        q[at + 3] = r1;
        even0 *= q0;
        even1 *= q1;
        odd0 *= r0;
        odd1 *= r1;
        if ((i & 6) === 6 && i + 1 < m && (even0 < SMALL || even1 < SMALL || odd0 < SMALL || odd1 < SMALL)) {
          logs0 += log(even0) + log(odd0);
          logs1 += log(even1) + log(odd1);
          even0 = even1 = odd0 = odd1 = 1;
        }
      }
      node0 += octaveApart ? 2 * Math.LN2 : Math.LN2;
      node1 += octaveApart ? 2 * Math.LN2 : Math.LN2;
      times0 *= octaveApart ? 4 : 2;
      times1 *= octaveApart ? 4 : 2;
    }
  }

  const total = total0 + total1;
  const drift = (drift0 + drift1) / total;
  let [evenSlope, oddSlope, evenCurvature, oddCurvature] = [0, 0, 0, 0];
  for (let i = 0; i < m; i++) {
    const mean = (a[i]! * (sums[2 * i]! + sums[2 * i + 1]!)) / total;
    const moment = (a[i]! * (moments[2 * i]! + moments[2 * i + 1]!)) / total;
    first[which[i]!] = mean;
    if (second) second[which[i]!] = mean - a[i]! * (moment + centre * mean) - mean * mean;
    if ((i & 1) === 0) {
      evenSlope += mean;
      evenCurvature += moment - drift * mean;
    } else {
      oddSlope += mean;
      oddCurvature += moment - drift * mean;
    }
  }
  scratch.log = top + log(total * step) + offset;
  scratch.slope = low + (evenSlope + oddSlope);
  scratch.curvature = evenCurvature + oddCurvature;
  return scratch;
}

/**
 * Roughly where φ is greatest: e^s = 1 + Σ h(z_i), by Newton's method on log(1 + Σ h) - s, with h from a short series. It begins where that
 * would be if all items had the mean e^d and h were 1 / (1 + z / 2): at the root of a quadratic.
 */
function peak(scratch: StageScratch, m: number, low: number, mass: number): number {
  const { a } = scratch;
  const linearTerm = 1 + low;
  const half = m > 0 ? mass / m / 2 : 0;
  const linear = 1 - linearTerm * half;
  const root = Math.sqrt(linear * linear + 4 * half * (linearTerm + m));
  let scale = linear < 0 ? (root - linear) / (2 * half) : (2 * (linearTerm + m)) / (linear + root);
  let s = log(scale);
  for (let iteration = 0; iteration < 12; iteration++) {
    if (iteration > 0) scale = exp(s);
    let [evenH, oddH, evenCurvature, oddCurvature, logs, even, odd] = [0, 0, 0, 0, 0, 1, 1];
    for (let i = 0; i < m; i++) {
      const z = a[i]! * scale;
      const h = shortH(z);
      if ((i & 1) === 0) {
        evenH += h;
        evenCurvature += h * (1 - z - h);
        even *= z / (z + h); // 1 - e^-z
      } else {
        oddH += h;
        oddCurvature += h * (1 - z - h);
        odd *= z / (z + h);
      }
      if ((i & 7) === 7 && (even < SMALL || odd < SMALL)) {
        logs += log(even) + log(odd);
        even = odd = 1;
      }
    }
    scratch.peakValue = linearTerm * s - scale + (logs + (log(even) + log(odd)));
    const sum = linearTerm + (evenH + oddH);
    const curvature = Math.min(0, evenCurvature + oddCurvature);
    const move = (log(sum) - s) / (1 - curvature / sum);
    s += move;
    scratch.width = 1 / Math.sqrt(sum - curvature);
    if (Math.abs(move) < 0.2 * scratch.width) break;
  }
  return s;
}

/** z / (e^z - 1) within a few percent: enough to find the peak and its width, which only place the nodes. */
const shortH = (z: number) => 1 / (1 + z * (1 / 2 + z * (1 / 6 + z * (1 / 24 + z * (1 / 120 + z * (1 / 720))))));

/** φ(s), less the d of the items far below; `scale` is e^s. */
function height(a: Float64Array, s: number, scale: number, m: number, low: number): number {
  let [logs, even, odd] = [0, 1, 1];
  for (let i = 0; i < m; i++) {
    const q = -expm1(-a[i]! * scale);
    if ((i & 1) === 0) even *= q;
    else odd *= q;
    if ((i & 7) === 7 && (even < SMALL || odd < SMALL)) {
      logs += log(even) + log(odd);
      even = odd = 1;
    }
  }
  return s - scale + low * s + (logs + (log(even) + log(odd)));
}

/**
 * A point left of which φ is below `target`, from sums over the items alone: log(1 - e^-z) is at most log z - z/2 + z²/24, and hardly less
 * where z is small. NaN where it is not.
 */
function leftBound(count: number, logs: number, mass: number, square: number, target: number, width: number): number {
  let s = (target - logs) / count;
  let quadratic = 0;
  for (let iteration = 0; iteration < 8; iteration++) {
    const scale = exp(s);
    const fall = scale * (1 + mass / 2);
    quadratic = (scale * scale * square) / 24;
    const move = (target - (count * s + logs - fall + quadratic)) / (count - fall + 2 * quadratic);
    s += move;
    if (move * move < 0.4 * width) break; // the next would be shorter than this
  }
  return quadratic <= 0.5 ? s : Number.NaN;
}

/**
 * The same from the items: a point left of which all terms are below e^-tail of the greatest. φ is concave, so it falls at least as fast as its
 * tangents.
 */
function leftEnd({ a, width }: StageScratch, mode: number, m: number, low: number, tail: number): number {
  let left = Math.max(tail - 2, 1); // how far φ has still to fall
  let s = mode - Math.min(2, 2 * width);
  for (let iteration = 0; iteration < 3; iteration++) {
    const scale = exp(s);
    let [even, odd] = [0, 0];
    for (let i = 0; i < m; i++) {
      const h = shortH(a[i]! * scale);
      if ((i & 1) === 0) even += h;
      else odd += h;
    }
    const slope = Math.max(1 - scale + low + (even + odd), 0.5);
    const move = iteration === 0 ? Math.min(2, 2 * width, left / slope) : left / slope / (3 - iteration);
    s -= move;
    left -= move * slope;
  }
  return s;
}

const between = (di: number) => di >= LOW && di < HIGH;

/** The stage of two items, in closed form. */
function pairStage(into: Stage, d: Float64Array, from: number, first: Float64Array, second: Float64Array | undefined): Stage {
  const [x, y] = [exp(d[from]!), exp(d[from + 1]!)];
  const [u, v] = [1 + x, 1 + y];
  const sum = u + y;
  const product = sum * (sum + 1);
  const whole = u * v * sum;
  const hit = (x * y * (sum + 1)) / whole;
  into.log = hit < 0.5 ? log(hit) : log1p(-(u * x + v * y + u * v) / whole);
  const [k, l] = [v * (2 * u + y), u * (2 * v + x)];
  first[from] = k / (u * product);
  first[from + 1] = l / (v * product);
  into.slope = first[from]! + first[from + 1]!;
  const curvature0 = pairCurvature(x, y, u, v, k, product);
  const curvature1 = pairCurvature(y, x, v, u, l, product);
  if (second) {
    second[from] = curvature0;
    second[from + 1] = curvature1;
  }
  into.curvature = curvature0 + curvature1 + (2 * x * y * (2 * sum + 1)) / (product * product);
  return into;
}

/** The second derivative by one of the two, e^d of which is x. */
function pairCurvature(x: number, y: number, u: number, v: number, k: number, product: number): number {
  const uu = u * u;
  const sum = 2 * uu * (x + u) + (2 * u + y) * k + y * uu + 2 * x * y * u;
  return (-x * v * sum) / (uu * (product * product));
}

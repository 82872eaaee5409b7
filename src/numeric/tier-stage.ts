/**
 * One stage of the Plackett-Luce likelihood of tiers: the probability that all n items of a tier come before the rest R.
 *
 *   P = ∫ exp φ(s) ds,   φ(s) = s - e^s + Σ log(1 - exp(-z_i)),   z_i = e^(s + d_i),   d_i = w_i - log Σ_R e^w
 *
 * (Ma et al. 2021, Proposition 1, with u = exp(-e^s)). φ is concave and exp φ analytic for |Im s| < π/2, so the trapezoid rule converges
 * exponentially: its error is about exp(-π² / h) for step h, and exp(-2 π² σ² / h²) for a peak of width σ. With h = ln 2 / r every node is
 * the double of one r places before, in z, so q = 1 - exp(-z) follows by q ← q (2 - q), whose relative error never grows, and only the
 * first r nodes need an exponential.
 *
 * From the same nodes, weighted by exp φ and with h(z) = z / (e^z - 1):
 *   ∂ log P / ∂d_i   = E[h_i]
 *   ∂² log P / ∂d_i² = E[h_i (1 - z_i)] - E[h_i]²
 * and along the direction of all d at once, with H = Σ h_i: slope E[H], bend E[Σ h_i (1 - z_i - h_i) + H²] - E[H]².
 */
import { exp, expm1, log } from "./functions.ts";

/** How fine the nodes lie. `wide` bounds the step by the width of the peak, `octave` is the least number of nodes per doubling. */
export interface Fineness {
  readonly octave: number;
  readonly wide: number;
  readonly tail: number; // nodes end where a term is e^-tail of the greatest
}

/** Errors near 1e-13 in log P and 1e-12 in derivatives. */
export const DOUBLE: Fineness = { octave: 3, wide: 0.75, tail: 39 };
/** Errors near 1e-7 in log P and 1e-6 in derivatives, for half the nodes. */
export const SINGLE: Fineness = { octave: 2, wide: 1.15, tail: 23 };

/** log P, and its first and second derivative along the direction of all d. One object, used again by each call. */
export interface Stage {
  log: number;
  slope: number;
  bend: number;
}

const LOW = -60; // an item this far below R has h = 1 - z/2 = 1 at every node that counts, and log q = s + d
const HIGH = 80; // an item this far above R has h = 0 and q = 1 at every node that counts

const stage: Stage = { log: 0, slope: 0, bend: 0 };
let a = new Float64Array(0); // e^d of the items in between
let q = a; // 1 - exp(-z) at the current node
let which = new Uint32Array(0); // their positions

function reserve(n: number) {
  if (a.length >= n) return;
  const size = Math.max(64, 2 * n);
  a = new Float64Array(size);
  q = new Float64Array(size);
  which = new Uint32Array(size);
}

/** Writes E[h] into `first`, and the second derivatives into `second` when it is given; entries 0 to n of each. */
export function tierStage(d: Float64Array, n: number, fine: Fineness, first: Float64Array, second?: Float64Array): Stage {
  reserve(n);
  let m = 0; // items in between
  let low = 0; // items far below
  let offset = 0; // the sum of their d
  for (let i = 0; i < n; i++) {
    const di = d[i]!;
    const far = di < LOW;
    first[i] = far ? 1 : 0;
    if (second) second[i] = 0;
    if (far) {
      low++;
      offset += di;
    } else if (di < HIGH) {
      which[m] = i;
      a[m++] = exp(di);
    }
  }
  if (m === 0 && low === 0) {
    stage.log = stage.slope = stage.bend = 0;
    return stage;
  }

  const mode = peak(m, low);
  const top = height(mode, m, low);
  const step = Math.LN2 / Math.max(fine.octave, Math.ceil(Math.LN2 / (fine.wide * width)));
  const start = leftEnd(mode, m, low, fine.tail);

  let total = 0;
  let meanH = 0;
  let meanBend = 0;
  for (let s = start; s < start + Math.LN2 - step / 2; s += step) {
    const scale = exp(s);
    for (let i = 0; i < m; i++) q[i] = -expm1(-a[i]! * scale);
    for (let node = s, times = scale; ; node += Math.LN2, times *= 2) {
      let sum = node - times + low * node - top;
      let product = 1;
      for (let i = 0; i < m; i++) {
        product *= q[i]!;
        if (product < 1e-200) {
          sum += log(product);
          product = 1;
        }
      }
      sum += log(product);
      const weight = exp(sum);
      total += weight;
      if (node > mode && sum < -fine.tail) break;

      let h = low;
      let bend = 0;
      for (let i = 0; i < m; i++) {
        const z = a[i]! * times;
        const qi = q[i]!;
        const hi = z < 40 ? (z * (1 - qi)) / qi : 0; // beyond, 1 - q is rounding
        const turn = hi * (1 - z);
        h += hi;
        bend += turn - hi * hi;
        const j = which[i]!;
        first[j] = first[j]! + weight * hi;
        if (second) second[j] = second[j]! + weight * turn;
        q[i] = qi * (2 - qi);
      }
      meanH += weight * h;
      meanBend += weight * (bend + h * h);
    }
  }

  for (let i = 0; i < m; i++) {
    const j = which[i]!;
    first[j] = first[j]! / total;
    if (second) second[j] = second[j]! / total - first[j]! * first[j]!;
  }
  stage.log = top + log(total * step) + offset;
  stage.slope = meanH / total;
  stage.bend = meanBend / total - stage.slope * stage.slope;
  return stage;
}

let width = 1; // of the peak last found

/** Roughly where φ is greatest: e^s = 1 + Σ h(z_i), by Newton's method on log(1 + Σ h) - s, with h from a short series. */
function peak(m: number, low: number): number {
  let s = log(1 + low + 0.5 * m);
  for (let turn = 0; turn < 12; turn++) {
    const scale = exp(s);
    let h = low;
    let bend = 0;
    for (let i = 0; i < m; i++) {
      const z = a[i]! * scale;
      const hi = shortH(z);
      h += hi;
      bend += hi * (1 - z - hi);
    }
    bend = Math.min(0, bend);
    const move = (log(1 + h) - s) / (1 - bend / (1 + h));
    s += move;
    width = 1 / Math.sqrt(1 + h - bend);
    if (Math.abs(move) < 0.2 * width) break;
  }
  return s;
}

/** z / (e^z - 1) within a few per cent: enough to find the peak and its width, which only place the nodes. */
const shortH = (z: number) => 1 / (1 + z * (1 / 2 + z * (1 / 6 + z * (1 / 24 + z * (1 / 120 + z / 720)))));

/** φ(s), less the d of the items far below. */
function height(s: number, m: number, low: number): number {
  const scale = exp(s);
  let sum = s - scale + low * s;
  let product = 1;
  for (let i = 0; i < m; i++) {
    product *= -expm1(-a[i]! * scale);
    if (product < 1e-200) {
      sum += log(product);
      product = 1;
    }
  }
  return sum + log(product);
}

/** A point left of which all terms are below e^-tail of the greatest: φ is concave, so it falls at least as fast as its tangent. */
function leftEnd(mode: number, m: number, low: number, tail: number): number {
  const s = mode - Math.min(3, 3 * width);
  const scale = exp(s);
  let slope = 1 - scale + low;
  for (let i = 0; i < m; i++) slope += shortH(a[i]! * scale);
  return s - Math.max(tail - 2, 1) / Math.max(slope, 0.5);
}

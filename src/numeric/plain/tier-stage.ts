/**
 * One stage of the Plackett-Luce likelihood of tiers: the probability that all n items of a tier come before the rest R.
 *
 *   P = ∫ exp φ(s) ds,   φ(s) = s - e^s + Σ log(1 - exp(-z_i)),   z_i = e^(s + d_i),   d_i = w_i - log Σ_R e^w
 *
 * (Ma et al. 2021, Proposition 1, with u = exp(-e^s)). φ is concave and exp φ analytic for |Im s| < π/2, so the trapezoid rule converges
 * exponentially; quadrature-step.ts has its step h for a given error. With h = ln 2 / r every node is the double of one r places before,
 * in z, so q = 1 - exp(-z) follows by q ← q + q (1 - q), whose relative error never grows, and only the first r nodes need an exponential.
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
 * Where the nodes begin is in tier-peak.ts, the closed form for two items in pair-stage.ts.
 */
import { exp, expm1, log } from "../functions.ts";
import type { QuadratureRule } from "../tier-cost.ts";
import { pairStage } from "./pair-stage.ts";
import { highestFrequency } from "./quadrature-step.ts";
import { type NodePair, reserve, SMALL, type Stage, type StageScratch } from "./stage-scratch.ts";
import { height, leftBound, leftEnd, peak } from "./tier-peak.ts";

export { type Stage, type StageScratch, stageScratch } from "./stage-scratch.ts";

const LOW = -60; // an item this far below R has h = 1 - z/2 = 1 at every node that counts, and log q = s + d
const HIGH = 80; // an item this far above R has h = 0 and q = 1 at every node that counts
const between = (di: number) => di >= LOW && di < HIGH;

const OCTAVES = Math.LN2 / (2 * Math.PI); // in a period of frequency 1
const MANY = 256; // for more items the height that the search for the peak leaves is too rough

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
  findBetween(scratch, d, from, to, first, second);
  if (scratch.m === 0 && scratch.low === 0) {
    scratch.log = scratch.slope = scratch.curvature = 0;
    return scratch;
  }
  exponentiate(scratch);
  const { m, low, mass } = scratch;
  const mode = peak(scratch, m, low, mass);
  if (Number.isNaN(mode)) {
    first.fill(mode, from, to);
    second?.fill(mode, from, to);
    scratch.log = scratch.slope = scratch.curvature = mode;
    return scratch;
  }
  scratch.mode = mode;
  scratch.center = exp(mode);
  scratch.top = m > MANY ? height(scratch, mode, m, low) : scratch.peakValue;
  const bound = leftBound(scratch, 1 + low + m, scratch.top - rule.nats);
  const start = Number.isNaN(bound) ? leftEnd(scratch, mode, m, low, rule.nats) : bound;
  const chains = Math.ceil(highestFrequency(scratch.width, scratch.leftSlope, rule.nats) * OCTAVES);
  integrate(scratch, start, chains, exp(-rule.nats));
  results(scratch, Math.LN2 / chains, first, second);
  return scratch;
}

/** Finds the items in between, with d in `a`; writes the derivatives of all as if there were none. */
function findBetween(
  scratch: StageScratch,
  d: Float64Array,
  from: number,
  to: number,
  first: Float64Array,
  second: Float64Array | undefined,
): void {
  const { a, which } = scratch;
  let m = 0;
  let low = 0;
  let offset = 0;
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
  scratch.m = m;
  scratch.low = low;
  scratch.offset = offset;
}

/** Turns the d of the items in between into e^d, and takes their sums, of even and odd items apart. */
function exponentiate(scratch: StageScratch): void {
  const { a, m } = scratch;
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
  scratch.logs = even + odd;
  scratch.mass = evenMass + oddMass;
  scratch.squares = evenSquare + oddSquare;
}

/** The trapezoid rule: sums over all nodes from `start` to a weight of `least`, chain by chain. The nodes of a chain are octaves apart. */
function integrate(scratch: StageScratch, start: number, chains: number, least: number): void {
  const { a, q, sums, moments, m, pair } = scratch;
  const step = Math.LN2 / chains;
  sums.fill(0, 0, 2 * m + 2);
  moments.fill(0, 0, 2 * m + 2);
  // One more than there are makes the items even in number: its q is 1, so it adds nothing.
  a[m] = 1;
  q[2 * m] = q[2 * m + 1] = 1;
  pair.total0 = pair.total1 = pair.drift0 = pair.drift1 = 0;
  for (let chain = 0, next = 0; chain < chains; chain = next) {
    const octaveApart = chains === 3 || chain + 1 === chains; // the two nodes by an octave
    next = chain + (octaveApart ? 1 : 2);
    const node = start + chain * step;
    visitNodes(scratch, node, octaveApart ? node + Math.LN2 : node + step, octaveApart, least);
  }
}

/** Visits the nodes of one chain (two at a time, an octave apart) or of two. */
function visitNodes(scratch: StageScratch, node0: number, node1: number, octaveApart: boolean, least: number): void {
  const { mode, center, top, pair } = scratch;
  const linearTerm = 1 + scratch.low; // of φ with s, but for e^s and the items in between
  const octaves = octaveApart ? 2 : 1;
  let times0 = exp(node0);
  let times1 = octaveApart ? 2 * times0 : exp(node1);
  firstNodes(scratch, times0, times1, octaveApart);
  for (;;) {
    if (pair.even0 < SMALL || pair.even1 < SMALL || pair.odd0 < SMALL || pair.odd1 < SMALL) {
      pair.logs0 += log(pair.even0) + log(pair.odd0);
      pair.logs1 += log(pair.even1) + log(pair.odd1);
      pair.even0 = pair.even1 = pair.odd0 = pair.odd1 = 1;
    }
    const weight0 = exp(Math.max(linearTerm * node0 - top - times0 + pair.logs0, -700)) * (pair.even0 * pair.odd0);
    const weight1 = exp(Math.max(linearTerm * node1 - top - times1 + pair.logs1, -700)) * (pair.even1 * pair.odd1);
    if (node0 > mode && !(weight0 >= least)) break;
    const [off0, off1] = [times0 - center, times1 - center];
    pair.total0 += weight0;
    pair.total1 += weight1;
    pair.drift0 += weight0 * off0;
    pair.drift1 += weight1 * off1;
    addNodes(scratch, weight0 * times0, weight1 * times1, off0, off1, octaveApart);
    node0 += octaves * Math.LN2;
    node1 += octaves * Math.LN2;
    times0 *= 2 * octaves;
    times1 *= 2 * octaves;
  }
}

/** q of all items at the first two nodes, and their products. */
function firstNodes({ a, q, m, pair }: StageScratch, times0: number, times1: number, octaveApart: boolean): void {
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
  setProducts(pair, logs0, logs1, even0, even1, odd0, odd1);
}

/** Adds two nodes to the sums of all items, and moves q on to the next two, one octave or two up. */
function addNodes(
  { q, sums, moments, m, pair }: StageScratch,
  once0: number, // weight times e^s
  once1: number,
  off0: number, // e^s - center
  off1: number,
  octaveApart: boolean,
): void {
  const [again0, again1] = [once0 * off0, once1 * off1];
  let [logs0, logs1, even0, even1, odd0, odd1] = [0, 0, 1, 1, 1, 1];
  // Items count through g = h / e^(s + d) = (1 - q) / q. Two items, q and r, at a time: one division serves both.
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
    // In this form q arrives at 1, where q (2 - q) would stop short by a rounding.
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
  setProducts(pair, logs0, logs1, even0, even1, odd0, odd1);
}

function setProducts(
  pair: NodePair,
  ...[logs0, logs1, even0, even1, odd0, odd1]: [number, number, number, number, number, number]
): void {
  pair.logs0 = logs0;
  pair.logs1 = logs1;
  pair.even0 = even0;
  pair.even1 = even1;
  pair.odd0 = odd0;
  pair.odd1 = odd1;
}

/** The derivatives of the items in between, and of the stage, from the sums over all nodes. */
function results(scratch: StageScratch, step: number, first: Float64Array, second: Float64Array | undefined): void {
  const { a, sums, moments, which, m, low, center, pair } = scratch;
  const total = pair.total0 + pair.total1;
  const drift = (pair.drift0 + pair.drift1) / total;
  let [evenSlope, oddSlope, evenCurvature, oddCurvature] = [0, 0, 0, 0];
  for (let i = 0; i < m; i++) {
    const mean = (a[i]! * (sums[2 * i]! + sums[2 * i + 1]!)) / total;
    const moment = (a[i]! * (moments[2 * i]! + moments[2 * i + 1]!)) / total;
    first[which[i]!] = mean;
    if (second) second[which[i]!] = mean - a[i]! * (moment + center * mean) - mean * mean;
    if ((i & 1) === 0) {
      evenSlope += mean;
      evenCurvature += moment - drift * mean;
    } else {
      oddSlope += mean;
      oddCurvature += moment - drift * mean;
    }
  }
  scratch.log = scratch.top + log(total * step) + scratch.offset;
  scratch.slope = low + (evenSlope + oddSlope);
  scratch.curvature = evenCurvature + oddCurvature;
}

// The likelihood of tiers of one list, as in ../plain/tier-cost.ts.

import { expBelow, expOne, logistic, logOne, softplus } from "./functions";
import { stageCurvature, stageLog, stageScratch, stageSlope, tierStage } from "./tier-stage";

/* @inline */ function higher(a: f64, b: f64): f64 {
  return b > a ? b : a;
}

/** The derivatives by two items, of the stages above and of their own. */
/* @inline */ function put(
  p: usize,
  expScore: usize,
  gradient: usize,
  hessian: usize,
  gradientScale: f64,
  hessianScale: f64,
  weight: f64,
): void {
  const s = v128.load(expScore + p);
  const fromAbove = f64x2.mul(f64x2.splat(gradientScale), s);
  const weights = f64x2.splat(weight);
  const own = weight !== 0 ? f64x2.mul(weights, v128.load(gradient + p)) : f64x2.splat(0);
  v128.store(gradient + p, f64x2.sub(fromAbove, own));
  if (!hessian) return;
  const hessians = f64x2.sub(fromAbove, f64x2.mul(f64x2.mul(f64x2.splat(hessianScale), s), s));
  const ownHessian = weight !== 0 ? f64x2.mul(weights, v128.load(hessian + p)) : f64x2.splat(0);
  v128.store(hessian + p, f64x2.sub(hessians, ownHessian));
}

/** By tier: its greatest score, e to each score less that, and the log-sum-exp of all tiers below. */
function sumTiers(count: i32, scores: usize, starts: usize, expScore: usize, below: usize, peak: usize): void {
  store<f64>(below + ((<usize>(count - 1)) << 3), -Infinity);
  let highest: f64 = -Infinity;
  let whole: f64 = 0;
  for (let t = count - 1; t >= 0; t--) {
    const from = (<usize>load<u32>(starts + ((<usize>t) << 2))) << 3;
    const to = (<usize>load<u32>(starts + ((<usize>t) << 2), 4)) << 3;
    let greatest: f64 = -Infinity;
    let peaks = f64x2.splat(greatest);
    let p = from;
    for (; p + 16 <= to; p += 16) peaks = f64x2.pmax(peaks, v128.load(scores + p));
    if (p < to) greatest = higher(greatest, load<f64>(scores + p));
    greatest = higher(higher(greatest, f64x2.extract_lane(peaks, 0)), f64x2.extract_lane(peaks, 1));
    const tops = f64x2.splat(greatest);
    let mass = f64x2.splat(0);
    for (p = from; p + 16 <= to; p += 16) {
      const e = expBelow(f64x2.sub(v128.load(scores + p), tops));
      v128.store(expScore + p, e);
      mass = f64x2.add(mass, e);
    }
    let even = f64x2.extract_lane(mass, 0);
    if (p < to) {
      const e = expOne(load<f64>(scores + p) - greatest);
      store<f64>(expScore + p, e);
      even += e;
    }
    store<f64>(peak + ((<usize>t) << 3), greatest);
    if (t === 0) break;
    const sum = even + f64x2.extract_lane(mass, 1);
    if (greatest > highest) {
      whole = whole * expOne(highest - greatest) + sum;
      highest = greatest;
    } else whole += sum * expOne(greatest - highest);
    store<f64>(below + ((<usize>(t - 1)) << 3), highest + logOne(whole));
  }
}

/** `hessian` may be 0. `scratch` has at least 14 float64 for each item, and 64 more. */
export function tierCost(
  n: i32,
  count: i32,
  scores: usize,
  starts: usize,
  weights: usize,
  gradient: usize,
  hessian: usize,
  nats: f64,
  scratch: usize,
): f64 {
  const padded = (<usize>((n + 1) & ~1)) << 3;
  const expScore = scratch + stageScratch(n);
  const margin = expScore + padded;
  const below = margin + padded;
  const peak = below + padded;

  sumTiers(count, scores, starts, expScore, below, peak);
  let cost: f64 = 0;
  let once: f64 = 0;
  let twice: f64 = 0;
  let rest: f64 = 0;
  for (let t = 0; t < count; t++) {
    const from = (<usize>load<u32>(starts + ((<usize>t) << 2))) << 3;
    const to = (<usize>load<u32>(starts + ((<usize>t) << 2), 4)) << 3;
    const left = load<f64>(below + ((<usize>t) << 3));
    const weight = t < count - 1 ? load<f64>(weights + ((<usize>t) << 3)) : 0;
    let log: f64 = 0;
    let slope: f64 = 0;
    let curvature: f64 = 0;
    if (weight !== 0) {
      if (to - from === 8) {
        const d = load<f64>(scores + from) - left;
        log = -softplus(-d);
        slope = logistic(-d);
        curvature = -slope * logistic(d);
        store<f64>(gradient + from, slope);
        if (hessian) store<f64>(hessian + from, curvature);
      } else {
        const lefts = f64x2.splat(left);
        for (let p = from; p < to; p += 16) v128.store(margin + p, f64x2.sub(v128.load(scores + p), lefts));
        const second = hessian ? hessian + from : 0;
        tierStage(margin + from, <i32>((to - from) >> 3), nats, gradient + from, second, scratch);
        log = stageLog;
        slope = stageSlope;
        curvature = stageCurvature;
      }
      cost -= weight * log;
    }

    const ratio = t === 0 ? 0 : expOne(load<f64>(peak + ((<usize>t) << 3)) - rest);
    const gradientScale = once * ratio;
    const hessianScale = twice * ratio * ratio;
    for (let p = from; p + 16 <= to; p += 16) put(p, expScore, gradient, hessian, gradientScale, hessianScale, weight);
    if ((to - from) & 8) {
      // The last one alone, so that the next tier's numbers stay.
      const p = to - 8;
      const s = load<f64>(expScore + p);
      store<f64>(gradient + p, gradientScale * s - (weight !== 0 ? weight * load<f64>(gradient + p) : 0));
      if (hessian)
        store<f64>(hessian + p, gradientScale * s - hessianScale * s * s - (weight !== 0 ? weight * load<f64>(hessian + p) : 0));
    }

    if (weight !== 0) {
      const shrink = t === 0 ? 0 : expOne(left - rest);
      once = once * shrink + weight * slope;
      twice = twice * shrink * shrink + weight * (curvature + slope);
      rest = left;
    }
  }
  return cost;
}

/** The same for a list whose items lie in another order: gathers scores and puts derivatives back. `hessian` may be 0. */
export function tierCostOf(
  n: i32,
  count: i32,
  scores: usize,
  order: usize,
  starts: usize,
  weights: usize,
  gradient: usize,
  hessian: usize,
  nats: f64,
  placed: usize,
  first: usize,
  second: usize,
  scratch: usize,
): f64 {
  for (let p: usize = 0; p < <usize>n; p++) {
    const i = <usize>load<u32>(order + (p << 2));
    store<f64>(placed + (p << 3), load<f64>(scores + (i << 3)));
  }
  const cost = tierCost(n, count, placed, starts, weights, first, hessian ? second : 0, nats, scratch);
  for (let p: usize = 0; p < <usize>n; p++) {
    const i = <usize>load<u32>(order + (p << 2));
    store<f64>(gradient + (i << 3), load<f64>(first + (p << 3)));
    if (hessian) store<f64>(hessian + (i << 3), load<f64>(second + (p << 3)));
  }
  return cost;
}

// The forces between pairs of a list that LambdaRank sums, and the sorting that they begin with.
import { expPair } from "./functions";

const RUN = 8; // places sorted by insertion before runs are merged

/** Sorts n keys from high to low, and places with them, both in their old order where keys are equal. Returns where the result lies. */
function sortDown(keys: usize, places: usize, otherKeys: usize, otherPlaces: usize, n: i32): bool {
  for (let from = 0; from < n; from += RUN) {
    const to = min(from + RUN, n);
    for (let i = from + 1; i < to; i++) {
      const key = load<f64>(keys + ((<usize>i) << 3));
      const place = load<u32>(places + ((<usize>i) << 2));
      let j = i - 1;
      while (j >= from && load<f64>(keys + ((<usize>j) << 3)) < key) {
        store<f64>(keys + ((<usize>j) << 3), load<f64>(keys + ((<usize>j) << 3)), 8);
        store<u32>(places + ((<usize>j) << 2), load<u32>(places + ((<usize>j) << 2)), 4);
        j--;
      }
      store<f64>(keys + ((<usize>(j + 1)) << 3), key);
      store<u32>(places + ((<usize>(j + 1)) << 2), place);
    }
  }
  let swapped = false;
  for (let width = RUN; width < n; width <<= 1) {
    for (let from = 0; from < n; from += 2 * width) {
      const middle = min(from + width, n);
      const to = min(from + 2 * width, n);
      let a = from;
      let b = middle;
      for (let k = from; k < to; k++) {
        let take = a;
        if (a < middle && (b >= to || load<f64>(keys + ((<usize>a) << 3)) >= load<f64>(keys + ((<usize>b) << 3)))) a++;
        else {
          take = b;
          b++;
        }
        store<f64>(otherKeys + ((<usize>k) << 3), load<f64>(keys + ((<usize>take) << 3)));
        store<u32>(otherPlaces + ((<usize>k) << 2), load<u32>(places + ((<usize>take) << 2)));
      }
    }
    const heldKeys = keys;
    keys = otherKeys;
    otherKeys = heldKeys;
    const heldPlaces = places;
    places = otherPlaces;
    otherPlaces = heldPlaces;
    swapped = !swapped;
  }
  return swapped;
}

/**
 * Fills gradient and curvature of a list and returns the sum of all forces; `out` gets the DCG of the first `truncation` places. `weights`
 * may be 0. The scratch holds 7 (n + 2) words of 8 bytes.
 */
export function lambdaForces(
  scores: usize,
  gains: usize,
  weights: usize,
  discounts: usize,
  n: i32,
  truncation: i32,
  sigmoid: f64,
  norm: i32,
  share: f64,
  gradient: usize,
  curvature: usize,
  scratch: usize,
  out: usize,
): f64 {
  const span = (<usize>(n + 2)) << 3;
  let s = scratch;
  let otherS = s + span;
  const g = otherS + span;
  const w = g + span;
  const push = w + span;
  const bend = push + span;
  let places = bend + span;
  let otherPlaces = places + (span >> 1);
  memory.copy(s, scores, (<usize>n) << 3);
  for (let i = 0; i < n; i++) store<u32>(places + ((<usize>i) << 2), i);
  if (sortDown(s, places, otherS, otherPlaces, n)) {
    s = otherS;
    places = otherPlaces;
  }
  for (let p = 0; p < n; p++) {
    const from = (<usize>load<u32>(places + ((<usize>p) << 2))) << 3;
    store<f64>(g + ((<usize>p) << 3), load<f64>(gains + from));
    if (weights) store<f64>(w + ((<usize>p) << 3), load<f64>(weights + from));
  }
  memory.fill(push, 0, span << 1);
  const last = (<usize>n) << 3;
  // One place more, so that pairs of lanes may run over the end; its gain is always that of the other item.
  store<f64>(s + last, load<f64>(s + last - 8));
  store<f64>(w + last, 0);
  const spread = norm !== 0 && load<f64>(s) !== load<f64>(s + last - 8);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const least = f64x2.splat(-700);
  const gap = f64x2.splat(0.01);
  const steep = f64x2.splat(sigmoid);
  let total = zero;
  let dcg: f64 = 0;
  for (let p = 0; p < min(n, truncation); p++) {
    const at = (<usize>p) << 3;
    const own = load<f64>(g + at);
    dcg += own * load<f64>(discounts + at);
    const sp = v128.load64_splat(s + at);
    const gp = f64x2.splat(own);
    const dp = v128.load64_splat(discounts + at);
    const wp = weights ? v128.load64_splat(w + at) : one;
    const scale = f64x2.splat(sigmoid * share);
    store<f64>(g + last, own);
    let pushes = zero;
    let bends = zero;
    for (let r = at + 8; r < last; r += 16) {
      const d = f64x2.sub(sp, v128.load(s + r));
      const e = expPair(f64x2.max(f64x2.neg(f64x2.mul(steep, d)), least));
      const lead = f64x2.sub(gp, v128.load(g + r));
      const up = f64x2.gt(lead, zero);
      const delta = f64x2.mul(f64x2.mul(f64x2.abs(lead), f64x2.sub(dp, v128.load(discounts + r))), scale);
      const both = f64x2.add(one, e);
      const far = f64x2.add(gap, d);
      const t = f64x2.div(one, spread ? f64x2.mul(both, far) : both);
      const common = f64x2.mul(delta, t);
      const force = f64x2.mul(common, v128.bitselect(e, one, up));
      total = f64x2.add(total, force);
      const weight = weights ? v128.bitselect(wp, v128.load(w + r), up) : one;
      const inverse = spread ? f64x2.mul(t, far) : t;
      const b = f64x2.mul(weight, f64x2.mul(f64x2.mul(f64x2.mul(steep, common), e), inverse));
      const pushed = f64x2.mul(weight, v128.bitselect(f64x2.neg(force), force, up));
      pushes = f64x2.add(pushes, pushed);
      bends = f64x2.add(bends, b);
      v128.store(push + r, f64x2.sub(v128.load(push + r), pushed));
      v128.store(bend + r, f64x2.add(v128.load(bend + r), b));
    }
    store<f64>(push + at, load<f64>(push + at) + (f64x2.extract_lane(pushes, 0) + f64x2.extract_lane(pushes, 1)));
    store<f64>(bend + at, load<f64>(bend + at) + (f64x2.extract_lane(bends, 0) + f64x2.extract_lane(bends, 1)));
  }
  for (let p = 0; p < n; p++) {
    const to = (<usize>load<u32>(places + ((<usize>p) << 2))) << 3;
    store<f64>(gradient + to, load<f64>(push + ((<usize>p) << 3)));
    store<f64>(curvature + to, load<f64>(bend + ((<usize>p) << 3)));
  }
  store<f64>(out, dcg);
  return f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1);
}

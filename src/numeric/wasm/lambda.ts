// The lambdas between pairs of a list that LambdaRank sums, and the ranks that they begin with. Long, because
// vectors are unrolled by hand.
import { expPair, logOne } from "./functions";
import { ONE, two } from "./numbers";

const FEW = 256; // items up to which all are compared with all to rank them

/** Adds to four ranks how many of the scores from..to stand before the four at i: greater ones, and equal ones where those come earlier. */
/* @inline */ function countBefore(s: usize, i: usize, from: usize, to: usize, earlier: bool, ranks: usize): void {
  const a = v128.load64_splat(s + i);
  const b = v128.load64_splat(s + i, 8);
  const c = v128.load64_splat(s + i, 16);
  const d = v128.load64_splat(s + i, 24);
  let ra = i64x2.splat(0);
  let rb = ra;
  let rc = ra;
  let rd = ra;
  // A comparison that holds is -1.
  for (let j = s + from; j < s + to; j += 16) {
    const x = v128.load(j);
    ra = i64x2.sub(ra, earlier ? f64x2.ge(x, a) : f64x2.gt(x, a));
    rb = i64x2.sub(rb, earlier ? f64x2.ge(x, b) : f64x2.gt(x, b));
    rc = i64x2.sub(rc, earlier ? f64x2.ge(x, c) : f64x2.gt(x, c));
    rd = i64x2.sub(rd, earlier ? f64x2.ge(x, d) : f64x2.gt(x, d));
  }
  store<i32>(ranks, load<i32>(ranks) + <i32>(i64x2.extract_lane(ra, 0) + i64x2.extract_lane(ra, 1)));
  store<i32>(ranks, load<i32>(ranks, 4) + <i32>(i64x2.extract_lane(rb, 0) + i64x2.extract_lane(rb, 1)), 4);
  store<i32>(ranks, load<i32>(ranks, 8) + <i32>(i64x2.extract_lane(rc, 0) + i64x2.extract_lane(rc, 1)), 8);
  store<i32>(ranks, load<i32>(ranks, 12) + <i32>(i64x2.extract_lane(rd, 0) + i64x2.extract_lane(rd, 1)), 12);
}

/** ranks[i] = how many of n scores stand before i, from high to low, equal ones in their order. Both arrays are three longer. */
function rankFew(s: usize, n: i32, ranks: usize): void {
  const end = (<usize>((n + 3) & ~3)) << 3;
  for (let i = (<usize>n) << 3; i < end; i += 8) store<f64>(s + i, -Infinity);
  for (let i: usize = 0; i < end; i += 32) {
    const four = ranks + (i >> 1);
    v128.store(four, i32x4.splat(0));
    countBefore(s, i, 0, i, true, four);
    countBefore(s, i, i + 32, end, false, four);
    for (let j: usize = 0; j < 32; j += 8)
      for (let k = j + 8; k < 32; k += 8) {
        const behind = four + ((load<f64>(s + i + j) >= load<f64>(s + i + k) ? k : j) >> 1);
        store<i32>(behind, load<i32>(behind) + 1);
      }
  }
}

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

/** The same for many: by sorting. Keys are the scores, and are moved. */
function rankMany(keys: usize, otherKeys: usize, n: i32, ranks: usize, places: usize, otherPlaces: usize): void {
  for (let i = 0; i < n; i++) store<u32>(places + ((<usize>i) << 2), i);
  const order = sortDown(keys, places, otherKeys, otherPlaces, n) ? otherPlaces : places;
  for (let p = 0; p < n; p++) store<u32>(ranks + ((<usize>load<u32>(order + ((<usize>p) << 2))) << 2), p);
}

// Two items share a line: their scores, exponentials, gains, discounts and weights, and their gradients and Hessians.
const EXP: usize = 16;
const GAIN: usize = 32;
const DISCOUNT: usize = 48;
const WEIGHT: usize = 64;
const GRADIENT: usize = 80;
const HESSIAN: usize = 96;
const LINE: usize = 112;

/* @inline */ function slot(lines: usize, k: i32): usize {
  return lines + <usize>(k >> 1) * LINE + ((<usize>(k & 1)) << 3);
}

// Who of a pair is the better one: either, the one in front, or the other.
const EITHER = 0;
const FRONT = 1;
const OTHER = 2;

/** The pairs of the item at p with those of some lines, which stand behind it. Returns the sum of lambdas. */
/* @inline */ function pairs(p: usize, line: usize, end: usize, better: i32, spread: bool, weighted: bool): v128 {
  const sp = f64x2.add(v128.load64_splat(p), f64x2.splat(0.01));
  const ep = v128.load64_splat(p, EXP);
  const gp = v128.load64_splat(p, GAIN);
  const dp = v128.load64_splat(p, DISCOUNT);
  const wp = v128.load64_splat(p, WEIGHT);
  const one = two(ONE);
  let total = f64x2.splat(0);
  let gradients = total;
  let hessians = total;
  for (; line < end; line += LINE) {
    const er = v128.load(line, EXP);
    const lead = f64x2.sub(gp, v128.load(line, GAIN));
    const sum = f64x2.add(ep, er);
    const far = f64x2.sub(sp, v128.load(line));
    const t = f64x2.div(one, spread ? f64x2.mul(sum, far) : sum);
    const common = f64x2.mul(f64x2.mul(lead, f64x2.sub(dp, v128.load(line, DISCOUNT))), t);
    const up = f64x2.gt(lead, f64x2.splat(0));
    let lambda = f64x2.mul(common, better === FRONT ? er : better === OTHER ? ep : v128.bitselect(er, ep, up));
    let h = f64x2.mul(f64x2.mul(common, f64x2.mul(ep, er)), spread ? f64x2.mul(t, far) : t);
    if (better === FRONT) total = f64x2.add(total, lambda);
    else if (better === OTHER) total = f64x2.sub(total, lambda);
    else total = f64x2.add(total, f64x2.abs(lambda));
    if (weighted) {
      const weight =
        better === FRONT ? wp : better === OTHER ? v128.load(line, WEIGHT) : v128.bitselect(wp, v128.load(line, WEIGHT), up);
      lambda = f64x2.mul(weight, lambda);
      h = f64x2.mul(weight, h);
    }
    if (better === EITHER) h = f64x2.abs(h);
    gradients = f64x2.sub(gradients, lambda);
    v128.store(line, f64x2.add(v128.load(line, GRADIENT), lambda), GRADIENT);
    if (better === OTHER) {
      hessians = f64x2.sub(hessians, h);
      v128.store(line, f64x2.sub(v128.load(line, HESSIAN), h), HESSIAN);
    } else {
      hessians = f64x2.add(hessians, h);
      v128.store(line, f64x2.add(v128.load(line, HESSIAN), h), HESSIAN);
    }
  }
  store<f64>(p, load<f64>(p, GRADIENT) + (f64x2.extract_lane(gradients, 0) + f64x2.extract_lane(gradients, 1)), GRADIENT);
  store<f64>(p, load<f64>(p, HESSIAN) + (f64x2.extract_lane(hessians, 0) + f64x2.extract_lane(hessians, 1)), HESSIAN);
  return total;
}

/**
 * The pairs of p with all behind it: the other first places, then of the rest those better, a line `mixed` (or 0) of one better and one
 * worse, and those worse.
 */
/* @inline */ function pairsOf(
  p: usize,
  next: usize,
  rest: usize,
  better: usize,
  mixed: usize,
  worse: usize,
  end: usize,
  spread: bool,
  weighted: bool,
): v128 {
  let total = pairs(p, next, rest, EITHER, spread, weighted);
  total = f64x2.add(total, pairs(p, rest, better, OTHER, spread, weighted));
  if (mixed) total = f64x2.add(total, pairs(p, mixed, mixed + LINE, EITHER, spread, weighted));
  return f64x2.add(total, pairs(p, worse, end, FRONT, spread, weighted));
}

const WIDE: f64 = 600;
const LOG2E: f64 = 1.4426950408889634;

/** e^(sigmoid (score - top)) for some lines, never less than e^-700. */
function fillExp(line: usize, end: usize, top: f64, sigmoid: f64): void {
  const tops = f64x2.splat(top);
  const steep = f64x2.splat(sigmoid);
  const least = f64x2.splat(-700);
  for (; line < end; line += LINE)
    v128.store(line, expPair(f64x2.pmax(f64x2.mul(steep, f64x2.sub(v128.load(line), tops)), least)), EXP);
}

function notNumbers(s: usize, n: i32): bool {
  for (let i: usize = 0; i < (<usize>n) << 3; i += 8) if (isNaN(load<f64>(s + i))) return true;
  return false;
}

function fillNaN(into: usize, n: i32): void {
  for (let i: usize = 0; i < (<usize>n) << 3; i += 8) store<f64>(into + i, NaN);
}

/**
 * Fills gradient and Hessian of a list and returns the sum of all lambdas; `out` gets the DCG of the first `truncation` places. Tier t has
 * the items order[starts[t]] to order[starts[t + 1]], each with gains[t]. `weights` may be 0.
 *
 * The items of the first places lie first, by place; the rest follow tier by tier. So those better and those worse than one of the first
 * lie in a piece each, and equal ones are passed over. Lines are whole: where one holds an equal item, the item itself or none, no gain
 * lies between the two, and so no lambda. The scratch holds 12 (n + 8) + count words of 8 bytes.
 *
 * One function, because its three steps, laying out lines, pairs, results, share the addresses and bounds of all parts of the scratch.
 */
export function lambdaGradients(
  n: i32,
  count: i32,
  scores: usize,
  order: usize,
  starts: usize,
  gains: usize,
  weights: usize,
  discounts: usize,
  truncation: i32,
  sigmoid: f64,
  norm: i32,
  factor: f64,
  gradient: usize,
  hessian: usize,
  scratch: usize,
  out: usize,
): f64 {
  if (notNumbers(scores, n)) {
    fillNaN(gradient, n);
    fillNaN(hessian, n);
    store<f64>(out, NaN);
    return NaN;
  }
  const words = (<usize>((n + 5) & ~3)) << 3; // bytes of a number for each item
  const keys = scratch;
  const ranks = keys + 2 * words;
  const slots = ranks + (words >> 1); // by item
  const tiers = slots + (words >> 1); // by place
  const bounds = tiers + (words >> 1); // by tier: how many of the rest come before it
  const lines = bounds + ((<usize>((count + 4) & ~3)) << 2);
  memory.copy(keys, scores, (<usize>n) << 3);
  if (n <= FEW) rankFew(keys, n, ranks);
  else rankMany(keys, keys + words, n, ranks, slots, tiers);

  const first = min(n, truncation);
  const rest = (first + 1) & ~1;
  let after = rest;
  let top: f64 = 0;
  let bottom: f64 = 0;
  for (let t = 0; t < count; t++) {
    const gain = load<f64>(gains + ((<usize>t) << 3));
    store<u32>(bounds + ((<usize>t) << 2), after);
    const to = load<u32>(starts + ((<usize>t) << 2), 4);
    for (let k = load<u32>(starts + ((<usize>t) << 2)); k < to; k++) {
      const i = <usize>load<u32>(order + ((<usize>k) << 2));
      const rank = load<i32>(ranks + (i << 2));
      const score = load<f64>(scores + (i << 3));
      if (rank === 0) top = score;
      if (rank === n - 1) bottom = score;
      let at: usize;
      if (rank < first) {
        at = slot(lines, rank);
        store<u32>(tiers + ((<usize>rank) << 2), t);
      } else at = slot(lines, after++);
      store<u32>(slots + (i << 2), at);
      store<f64>(at, score);
      store<f64>(at, gain, GAIN);
      store<f64>(at, load<f64>(discounts + ((<usize>rank) << 3)), DISCOUNT);
      if (weights) store<f64>(at, <f64>load<f32>(weights + (i << 2)), WEIGHT);
      store<f64>(at, 0, GRADIENT);
      store<f64>(at, 0, HESSIAN);
    }
  }
  store<u32>(bounds + ((<usize>count) << 2), after);
  const restAt = slot(lines, rest);
  const end = slot(lines, (after + 1) & ~1);
  // Slots without an item: their gain is always that of the other item.
  const idle = rest > first ? slot(lines, first) : end;
  const idleToo = after & 1 ? slot(lines, after) : end;
  store<f64>(idle, bottom);
  store<f64>(idle, 0, DISCOUNT);
  store<f64>(idle, 0, WEIGHT);
  store<f64>(idleToo, bottom);
  store<f64>(idleToo, 0, DISCOUNT);
  store<f64>(idleToo, 0, WEIGHT);

  const spread = norm !== 0 && top !== bottom;
  // One exponential for each item, unless the last would vanish beside the first.
  const wide = !(sigmoid * (top - bottom) < WIDE);
  if (!wide) fillExp(lines, end, top, sigmoid);
  let total = f64x2.splat(0);
  let dcg: f64 = 0;
  for (let k = 0; k < first; k++) {
    const p = slot(lines, k);
    const gain = load<f64>(p, GAIN);
    dcg += gain * load<f64>(p, DISCOUNT);
    store<f64>(idle, gain, GAIN);
    store<f64>(idleToo, gain, GAIN);
    const next = slot(lines, (k + 1) & ~1);
    if (wide) {
      fillExp(next, end, load<f64>(p), sigmoid);
      store<f64>(p, 1, EXP);
    }
    const tier = bounds + ((<usize>load<u32>(tiers + ((<usize>k) << 2))) << 2);
    const from = <i32>load<u32>(tier);
    const to = <i32>load<u32>(tier, 4);
    // A line between may hold an equal one, but not where all equal ones stand among the first.
    const apart = from === to && (from & 1) !== 0;
    const better = slot(lines, apart ? from - 1 : (from + 1) & ~1);
    const mixed = apart ? better : 0;
    const worse = slot(lines, apart ? from + 1 : to & ~1);
    let sum: v128;
    if (weights) {
      if (spread) sum = pairsOf(p, next, restAt, better, mixed, worse, end, true, true);
      else sum = pairsOf(p, next, restAt, better, mixed, worse, end, false, true);
    } else {
      if (spread) sum = pairsOf(p, next, restAt, better, mixed, worse, end, true, false);
      else sum = pairsOf(p, next, restAt, better, mixed, worse, end, false, false);
    }
    total = f64x2.add(total, sum);
  }
  const sum = sigmoid * factor * (f64x2.extract_lane(total, 0) + f64x2.extract_lane(total, 1));
  const scale = sigmoid * factor * (norm !== 0 && sum > 0 ? (logOne(1 + 2 * sum) * LOG2E) / (2 * sum) : 1);
  const hessianScale = sigmoid * scale;
  for (let i: usize = 0; i < <usize>n; i++) {
    const at = load<u32>(slots + (i << 2));
    store<f64>(gradient + (i << 3), scale * load<f64>(at, GRADIENT));
    store<f64>(hessian + (i << 3), hessianScale * load<f64>(at, HESSIAN));
  }
  store<f64>(out, dcg);
  return sum;
}

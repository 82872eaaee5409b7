// One stage of the likelihood of tiers, as in ../plain/tier-stage.ts: over nodes two at a time, and where it goes over items alone, two
// items at a time. Long, because its steps share scratch and the numbers of the last stage, as those of its counterpart do, which are in
// several files. `walk` is one function because its loops keep a dozen vectors in registers.

import { expBelow, expm1Pair, expOne, expPair, log1pOne, logOne, logPair } from "./functions";
import { H4, H5, H6, HALF, MIN_EXPONENT, ONE, SIXTH, SMALL, SURE, two } from "./numbers";

const LN2: f64 = 0.6931471805599453;
const LOW: f64 = -60;
const HIGH: f64 = 80;
const OCTAVES: f64 = LN2 / (2 * Math.PI);
const MANY: i32 = 256;
const FILL: f64 = 1e100; // e^d of an item that fills a pair: its h is 0 and its q is 1

// What the last stage gave.
export let stageLog: f64 = 0;
export let stageSlope: f64 = 0;
export let stageCurvature: f64 = 0;

// Of the peak last found.
let width: f64 = 1;
let near: f64 = 0;

/** φ' where `height` or `leftBound` was last evaluated. */
let leftSlope: f64 = 0;

// Of the stage at hand: items in between, items far below, and the sum of their d.
let items: i32 = 0;
let low: f64 = 0;
let offset: f64 = 0;

// An item in between has a line of 64 bytes in scratch: q at two nodes, the sums of h / e^d and of h / e^d (e^s - center) at either, e^d, its position.
const SUMS: usize = 16;
const MOMENTS: usize = 32;
const MASS: usize = 48;
const PLACE: usize = 56;
const LINE: usize = 64;

/** Scratch for n items, in bytes: lines, and e^d again without gaps. */
export function stageScratch(n: i32): usize {
  return <usize>((n + 3) & ~1) * (LINE + 8);
}

/* @inline */ function both(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
}

/** z / (e^z - 1) within a few percent. */
/* @inline */ function shortH(z: v128): v128 {
  let p = f64x2.add(two(H5), f64x2.mul(z, two(H6)));
  p = f64x2.add(two(H4), f64x2.mul(z, p));
  p = f64x2.add(two(SIXTH), f64x2.mul(z, p));
  p = f64x2.add(two(HALF), f64x2.mul(z, p));
  p = f64x2.add(two(ONE), f64x2.mul(z, p));
  return f64x2.div(two(ONE), p);
}

/** 1 - e^-z. */
/* @inline */ function chance(z: v128): v128 {
  return f64x2.neg(expm1Pair(f64x2.pmax(f64x2.neg(z), two(SURE))));
}

/* @inline */ function small(even: v128, odd: v128): bool {
  return v128.any_true(f64x2.lt(f64x2.pmin(even, odd), two(SMALL)));
}

/** Seldom called, and so not written out where it is: the loops there have better use for registers. */
function logsOf(even: v128, odd: v128): v128 {
  return f64x2.add(logPair(even), logPair(odd));
}

/** Writes E[h] to `first`, and the second derivatives to `second` unless that is 0. `d` and both hold n numbers. */
export function tierStage(d: usize, n: i32, nats: f64, first: usize, second: usize, scratch: usize): void {
  if (n === 2 && between(load<f64>(d)) && between(load<f64>(d, 8))) {
    pairStage(load<f64>(d), load<f64>(d, 8), first, second);
    return;
  }
  const lines = scratch;
  const a = lines + <usize>((n + 3) & ~1) * LINE;
  const all = allBetween(d, n);
  items = n;
  low = 0;
  offset = 0;
  if (!all) findBetween(d, n, first, second, lines, a);
  const from = all ? d : a; // of the items in between
  const m = items;
  stageLog = 0;
  stageSlope = 0;
  stageCurvature = 0;
  if (m === 0 && low === 0) return;
  const bytes = (<usize>m) << 3;
  const pairs = (<usize>((m + 1) & ~1)) << 3;
  const zero = f64x2.splat(0);
  let logs = zero;
  let sums = zero;
  let squares = zero;
  for (let i: usize = 0; i < bytes; i += 16) {
    let margins = v128.load(from + i);
    let e = expBelow(margins);
    if (i + 8 === bytes) {
      margins = f64x2.replace_lane(margins, 1, 0);
      v128.store(a + i, f64x2.replace_lane(e, 1, FILL));
      e = f64x2.replace_lane(e, 1, 0);
    } else v128.store(a + i, e);
    logs = f64x2.add(logs, margins);
    sums = f64x2.add(sums, e);
    squares = f64x2.add(squares, f64x2.mul(e, e));
  }

  const mode = peak(a, m, pairs, low, both(sums));
  if (isNaN(mode)) {
    for (let at: usize = 0; at < (<usize>n) << 3; at += 8) {
      store<f64>(first + at, mode);
      if (second) store<f64>(second + at, mode);
    }
    stageLog = mode;
    stageSlope = mode;
    stageCurvature = mode;
    return;
  }
  const centre = expOne(mode);
  const top = m > MANY ? height(a, pairs, mode, low) : near;
  let start = leftBound(1 + low + <f64>m, both(logs), both(sums), both(squares), top - nats);
  if (isNaN(start)) start = leftEnd(a, pairs, mode, low, top, nats);
  const chains = ceil<f64>(highestFrequency(nats) * OCTAVES);
  const step = LN2 / chains;
  const least = expOne(-nats);

  const end = lines + <usize>m * LINE;
  for (let i: usize = 0, line = lines; line < end; i += 8, line += LINE) {
    v128.store(line, zero, SUMS);
    v128.store(line, zero, MOMENTS);
    store<f64>(line, load<f64>(a + i), MASS);
  }
  store<f64>(end, FILL, MASS); // for whoever takes items in twos
  totals = zero;
  drifts = zero;
  for (let chain: f64 = 0; chain < chains; ) {
    const apart = chains === 3 || chain + 1 === chains;
    const node = start + chain * step;
    const nodes = f64x2.replace_lane(f64x2.splat(node), 1, apart ? node + LN2 : node + step);
    let times = expPair(nodes);
    if (apart) times = f64x2.replace_lane(times, 1, 2 * f64x2.extract_lane(times, 0));
    if (apart) walk(lines, m, a, nodes, times, low, top, mode, centre, least, true);
    else walk(lines, m, a, nodes, times, low, top, mode, centre, least, false);
    chain += apart ? 1 : 2;
  }

  results(lines, a, bytes, all, centre, first, second);
  stageLog = top + logOne(both(totals) * step) + offset;
}

/** Finds the items in between, with d in `a`; writes the derivatives of all as if there were none. */
function findBetween(d: usize, n: i32, first: usize, second: usize, lines: usize, a: usize): void {
  items = 0;
  for (let i = 0; i < n; i++) {
    const at = (<usize>i) << 3;
    const di = load<f64>(d + at);
    const far = di < LOW;
    store<f64>(first + at, far ? 1 : 0);
    if (second) store<f64>(second + at, 0);
    if (far) {
      low += 1;
      offset += di;
    } else if (!(di >= HIGH)) {
      store<usize>(lines + <usize>items * LINE, at, PLACE);
      store<f64>(a + ((<usize>items) << 3), di);
      items++;
    }
  }
}

/** The derivatives of the items in between, and of the stage, from the sums over all nodes. */
function results(lines: usize, a: usize, bytes: usize, all: bool, centre: f64, first: usize, second: usize): void {
  const zero = f64x2.splat(0);
  const mass = both(totals);
  const masses = f64x2.splat(mass);
  const drift = f64x2.splat(both(drifts) / mass);
  const centres = f64x2.splat(centre);
  let slope = zero;
  let curvature = zero;
  for (let i: usize = 0, line = lines; i < bytes; i += 16, line += 2 * LINE) {
    const e = v128.load(a + i);
    const here = v128.load(line, SUMS);
    const there = v128.load(line, LINE + SUMS);
    const momentHere = v128.load(line, MOMENTS);
    const momentThere = v128.load(line, LINE + MOMENTS);
    const sum = f64x2.add(v128.shuffle<f64>(here, there, 0, 2), v128.shuffle<f64>(here, there, 1, 3));
    const moments = f64x2.add(v128.shuffle<f64>(momentHere, momentThere, 0, 2), v128.shuffle<f64>(momentHere, momentThere, 1, 3));
    let mean = f64x2.div(f64x2.mul(e, sum), masses);
    let moment = f64x2.div(f64x2.mul(e, moments), masses);
    const sharp = f64x2.mul(e, f64x2.add(moment, f64x2.mul(centres, mean)));
    const curve = f64x2.sub(f64x2.sub(mean, sharp), f64x2.mul(mean, mean));
    const lone = i + 8 === bytes; // the other fills the pair
    if (all && !lone) {
      v128.store(first + i, mean);
      if (second) v128.store(second + i, curve);
    } else {
      const at = all ? i : load<usize>(line, PLACE);
      v128.store64_lane(first + at, mean, 0);
      if (second) v128.store64_lane(second + at, curve, 0);
      if (lone) {
        mean = f64x2.replace_lane(mean, 1, 0);
        moment = f64x2.replace_lane(moment, 1, 0);
      } else {
        const next = load<usize>(line, LINE + PLACE);
        v128.store64_lane(first + next, mean, 1);
        if (second) v128.store64_lane(second + next, curve, 1);
      }
    }
    slope = f64x2.add(slope, mean);
    curvature = f64x2.add(curvature, f64x2.sub(moment, f64x2.mul(drift, mean)));
  }
  stageSlope = low + both(slope);
  stageCurvature = both(curvature);
}

// Sums over all nodes so far, in either lane: of weights, and of e^s - center.
let totals: v128 = f64x2.splat(0);
let drifts: v128 = f64x2.splat(0);

/** Visits the nodes of one chain (`apart`: two at a time) or of two. */
/* @inline */ function walk(
  lines: usize,
  m: i32,
  a: usize,
  nodes: v128,
  times: v128,
  low: f64,
  top: f64,
  mode: f64,
  centre: f64,
  least: f64,
  apart: bool,
): void {
  const unit = two(ONE);
  const zero = f64x2.splat(0);
  const rises = f64x2.splat(1 + low);
  const tops = f64x2.splat(top);
  const end = lines + <usize>m * LINE;
  let logs = zero;
  let even = unit;
  let odd = unit;
  if (apart) {
    const items = (<usize>m) << 3; // bytes
    const scales = v128.shuffle<f64>(times, times, 0, 0);
    for (let i: usize = 0; i < items; i += 16) {
      const now = chance(f64x2.mul(v128.load(a + i), scales));
      const next = f64x2.add(now, f64x2.mul(now, f64x2.sub(unit, now)));
      const here = v128.shuffle<f64>(now, next, 0, 2);
      const there = v128.shuffle<f64>(now, next, 1, 3);
      v128.store(lines + (i << 3), here);
      v128.store(lines + (i << 3), there, LINE);
      even = f64x2.mul(even, here);
      odd = f64x2.mul(odd, there);
      if ((i & 48) === 48 && i + 16 <= items && small(even, odd)) {
        logs = f64x2.add(logs, logsOf(even, odd));
        even = unit;
        odd = unit;
      }
    }
  } else {
    for (let line = lines; line < end; line += 2 * LINE) {
      const here = chance(f64x2.mul(v128.load64_splat(line, MASS), times));
      const there = chance(f64x2.mul(v128.load64_splat(line, LINE + MASS), times));
      v128.store(line, here);
      v128.store(line, there, LINE);
      even = f64x2.mul(even, here);
      odd = f64x2.mul(odd, there);
      if (((line - lines) & (6 * LINE)) === 6 * LINE && line + LINE < end && small(even, odd)) {
        logs = f64x2.add(logs, logsOf(even, odd));
        even = unit;
        odd = unit;
      }
    }
  }

  for (;;) {
    if (small(even, odd)) {
      logs = f64x2.add(logs, logsOf(even, odd));
      even = unit;
      odd = unit;
    }
    const base = f64x2.sub(f64x2.sub(f64x2.mul(rises, nodes), tops), times);
    const weights = f64x2.mul(expPair(f64x2.pmax(f64x2.add(base, logs), two(MIN_EXPONENT))), f64x2.mul(even, odd));
    if (f64x2.extract_lane(nodes, 0) > mode && !(f64x2.extract_lane(weights, 0) >= least)) break;
    totals = f64x2.add(totals, weights);

    logs = zero;
    even = unit;
    odd = unit;
    const once = f64x2.mul(weights, times);
    const off = f64x2.sub(times, f64x2.splat(centre));
    const again = f64x2.mul(once, off);
    drifts = f64x2.add(drifts, f64x2.mul(weights, off));
    for (let line = lines, stop = lines + 8 * LINE; line < end; line += 2 * LINE) {
      if (line === stop) {
        stop += 8 * LINE;
        if (small(even, odd)) {
          logs = f64x2.add(logs, logsOf(even, odd));
          even = unit;
          odd = unit;
        }
      }
      const qa = v128.load(line);
      const qb = v128.load(line, LINE);
      const la = f64x2.sub(unit, qa);
      const lb = f64x2.sub(unit, qb);
      const inverse = f64x2.div(unit, f64x2.mul(qa, qb));
      const ga = f64x2.mul(la, f64x2.mul(inverse, qb));
      const gb = f64x2.mul(lb, f64x2.mul(inverse, qa));
      v128.store(line, f64x2.add(v128.load(line, SUMS), f64x2.mul(once, ga)), SUMS);
      v128.store(line, f64x2.add(v128.load(line, MOMENTS), f64x2.mul(again, ga)), MOMENTS);
      v128.store(line, f64x2.add(v128.load(line, LINE + SUMS), f64x2.mul(once, gb)), LINE + SUMS);
      v128.store(line, f64x2.add(v128.load(line, LINE + MOMENTS), f64x2.mul(again, gb)), LINE + MOMENTS);
      let na = f64x2.add(qa, f64x2.mul(qa, la));
      let nb = f64x2.add(qb, f64x2.mul(qb, lb));
      if (apart) {
        na = f64x2.add(na, f64x2.mul(na, f64x2.sub(unit, na)));
        nb = f64x2.add(nb, f64x2.mul(nb, f64x2.sub(unit, nb)));
      }
      v128.store(line, na);
      v128.store(line, nb, LINE);
      even = f64x2.mul(even, na);
      odd = f64x2.mul(odd, nb);
    }
    nodes = f64x2.add(nodes, f64x2.splat(apart ? 2 * LN2 : LN2));
    times = f64x2.mul(times, f64x2.splat(apart ? 4 : 2));
  }
}

function peak(a: usize, m: i32, pairs: usize, low: f64, total: f64): f64 {
  const rise = 1 + low;
  const half = m > 0 ? total / <f64>m / 2 : 0;
  const linear = 1 - rise * half;
  const root = sqrt<f64>(linear * linear + 4 * half * (rise + <f64>m));
  let start = linear < 0 ? (root - linear) / (2 * half) : (2 * (rise + <f64>m)) / (linear + root);
  let s = logOne(start);
  for (let iteration = 0; iteration < 12; iteration++) {
    if (iteration > 0) start = expOne(s);
    const scale = f64x2.splat(start);
    let sum = f64x2.splat(0);
    let curvatures = sum;
    let logs: f64 = 0;
    let product = f64x2.splat(1);
    for (let i: usize = 0; i < pairs; i += 16) {
      const z = f64x2.mul(v128.load(a + i), scale);
      const h = shortH(z);
      sum = f64x2.add(sum, h);
      curvatures = f64x2.add(curvatures, f64x2.mul(h, f64x2.sub(f64x2.sub(two(ONE), z), h)));
      product = f64x2.mul(product, f64x2.div(z, f64x2.add(z, h)));
      if ((i & 48) === 48 && v128.any_true(f64x2.lt(product, two(SMALL)))) {
        logs += both(logPair(product));
        product = f64x2.splat(1);
      }
    }
    near = rise * s - start + (logs + both(logPair(product)));
    const mass = rise + both(sum);
    const curvature = min<f64>(0, both(curvatures));
    const move = (logOne(mass) - s) / (1 - curvature / mass);
    s += move;
    width = 1 / sqrt<f64>(mass - curvature);
    if (abs<f64>(move) < 0.2 * width) break;
  }
  return s;
}

function height(a: usize, pairs: usize, s: f64, low: f64): f64 {
  const scale = expOne(s);
  const scales = f64x2.splat(scale);
  let logs: f64 = 0;
  let product = f64x2.splat(1);
  let sum = f64x2.splat(0);
  for (let i: usize = 0; i < pairs; i += 16) {
    const z = f64x2.mul(v128.load(a + i), scales);
    const q = chance(z);
    sum = f64x2.add(sum, f64x2.div(f64x2.mul(z, f64x2.sub(two(ONE), q)), q));
    product = f64x2.mul(product, q);
    if ((i & 48) === 48 && v128.any_true(f64x2.lt(product, two(SMALL)))) {
      logs += both(logPair(product));
      product = f64x2.splat(1);
    }
  }
  leftSlope = 1 - scale + low + both(sum);
  return s - scale + low * s + (logs + both(logPair(product)));
}

/** See ../plain/quadrature-step.ts. */
function highestFrequency(nats: f64): f64 {
  const shifted = 1 / (width * width) + nats / 3 - 0.5;
  const square = nats * (shifted + sqrt<f64>(max<f64>(0, shifted * shifted - 0.12 * nats * nats)));
  const steep = 1.6 * leftSlope * leftSlope;
  return sqrt<f64>(sqrt<f64>(square * square + steep * steep));
}

function leftBound(count: f64, logs: f64, mass: f64, square: f64, target: f64): f64 {
  let s = (target - logs) / count;
  let quadratic: f64 = 0;
  for (let iteration = 0; iteration < 8; iteration++) {
    const scale = expOne(s);
    const fall = scale * (1 + mass / 2);
    quadratic = (scale * scale * square) / 24;
    leftSlope = count - fall + 2 * quadratic;
    const move = (target - (count * s + logs - fall + quadratic)) / leftSlope;
    s += move;
    if (move * move < 0.4 * width) break;
  }
  return quadratic <= 0.5 ? s : NaN;
}

function leftEnd(a: usize, pairs: usize, mode: f64, low: f64, top: f64, nats: f64): f64 {
  let left = max<f64>(nats - 2, 1);
  let s = mode - min<f64>(2, 2 * width);
  for (let iteration = 0; iteration < 3; iteration++) {
    const scale = expOne(s);
    const scales = f64x2.splat(scale);
    let sum = f64x2.splat(0);
    for (let i: usize = 0; i < pairs; i += 16) sum = f64x2.add(sum, shortH(f64x2.mul(v128.load(a + i), scales)));
    const slope = max<f64>(1 - scale + low + both(sum), 0.5);
    const move = iteration === 0 ? min<f64>(min<f64>(2, 2 * width), left / slope) : left / slope / <f64>(3 - iteration);
    s -= move;
    left -= move * slope;
  }
  for (let iteration = 0; iteration < 20; iteration++) {
    const fall = top - height(a, pairs, s, low);
    if (fall >= nats && fall <= 1.15 * nats) break;
    s += (fall - 1.05 * nats) / leftSlope;
  }
  return s;
}

/** Whether no item is far below or far above. */
function allBetween(d: usize, n: i32): bool {
  const end = d + ((<usize>n) << 3);
  let rule = f64x2.eq(f64x2.splat(0), f64x2.splat(0));
  for (; d + 16 <= end; d += 16) {
    const di = v128.load(d);
    rule = v128.and(rule, v128.and(f64x2.ge(di, f64x2.splat(LOW)), f64x2.lt(di, f64x2.splat(HIGH))));
  }
  return i64x2.all_true(rule) && (d === end || between(load<f64>(d)));
}

/* @inline */ function between(di: f64): bool {
  return di >= LOW && di < HIGH;
}

/** The stage of two items, in closed form. */
function pairStage(dx: f64, dy: f64, first: usize, second: usize): void {
  const x = expOne(dx);
  const y = expOne(dy);
  const u = 1 + x;
  const v = 1 + y;
  const sum = u + y;
  const product = sum * (sum + 1);
  const whole = u * v * sum;
  const hit = (x * y * (sum + 1)) / whole;
  stageLog = hit < 0.5 ? logOne(hit) : log1pOne(-(u * x + v * y + u * v) / whole);
  const k = v * (2 * u + y);
  const l = u * (2 * v + x);
  const slope = k / (u * product);
  const other = l / (v * product);
  store<f64>(first, slope);
  store<f64>(first, other, 8);
  stageSlope = slope + other;
  const curvature = pairCurvature(x, y, u, v, k, product);
  const moment = pairCurvature(y, x, v, u, l, product);
  if (second) {
    store<f64>(second, curvature);
    store<f64>(second, moment, 8);
  }
  stageCurvature = curvature + moment + (2 * x * y * (2 * sum + 1)) / (product * product);
}

function pairCurvature(x: f64, y: f64, u: f64, v: f64, k: f64, product: f64): f64 {
  const uu = u * u;
  const sum = 2 * uu * (x + u) + (2 * u + y) * k + y * uu + 2 * x * y * u;
  return (-x * v * sum) / (uu * (product * product));
}

// The best threshold of one feature, from its histogram.

// Of the pass last made: the best score, its bin and its left sums. The bin is -1 where no split beats what the pass began with.
let topScore: f64 = 0;
let topBin: i64 = -1;
let topSum: i64 = 0;

/**
 * Tries splits after bins 0 to `last` - 1, with `before` on the left in all of them. Takes two bins at a time, and each lane keeps the best of
 * its own: of equal scores that of the first bin counts, whichever lane has it. An empty bin repeats the split before it.
 */
function scanBins(
  entries: usize,
  last: i32,
  before: i64,
  gradient: f64,
  hessian: f64,
  l1: f64,
  l2: f64,
  minHessian: f64,
  minScore: f64,
): void {
  const zero = i64x2.splat(0);
  const l2s = f64x2.splat(l2);
  const least = f64x2.splat(minHessian);
  let sum = i64x2.splat(before);
  let bins = i64x2(0, 1);
  let scores = f64x2.splat(minScore);
  let scoreBins = i64x2.splat(-1);
  let scoreSums = zero;
  for (let b = 0; b < last; b += 2, entries += 16) {
    // The last bin of an odd number is followed by an empty one.
    const pair = b + 1 < last ? v128.load(entries) : v128.load64_zero(entries);
    sum = i64x2.add(i64x2.add(pair, v128.shuffle<i64>(zero, pair, 0, 2)), sum);
    const hl = f64x2.convert_low_i32x4_u(v128.shuffle<i32>(sum, sum, 0, 2, 0, 2));
    const hr = f64x2.sub(f64x2.splat(hessian), hl);
    let gl = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(sum, sum, 1, 3, 1, 3));
    let gr = f64x2.sub(f64x2.splat(gradient), gl);
    if (l1 > 0) {
      gl = f64x2.max(f64x2.sub(f64x2.abs(gl), f64x2.splat(l1)), zero);
      gr = f64x2.max(f64x2.sub(f64x2.abs(gr), f64x2.splat(l1)), zero);
    }
    const left = f64x2.div(f64x2.mul(gl, gl), f64x2.add(hl, l2s));
    const score = f64x2.add(left, f64x2.div(f64x2.mul(gr, gr), f64x2.add(hr, l2s)));
    const enough = v128.and(f64x2.ge(hl, least), f64x2.ge(hr, least));
    const better = v128.and(f64x2.gt(score, scores), enough);
    scores = v128.bitselect(score, scores, better);
    scoreBins = v128.bitselect(bins, scoreBins, better);
    scoreSums = v128.bitselect(sum, scoreSums, better);
    sum = v128.shuffle<i64>(sum, sum, 1, 1);
    bins = i64x2.add(bins, i64x2.splat(2));
  }
  const even = f64x2.extract_lane(scores, 0);
  const odd = f64x2.extract_lane(scores, 1);
  const evenBin = i64x2.extract_lane(scoreBins, 0);
  const oddBin = i64x2.extract_lane(scoreBins, 1);
  const first = oddBin < 0 || (evenBin >= 0 && (even > odd || (even === odd && evenBin < oddBin)));
  topScore = first ? even : odd;
  topBin = first ? evenBin : oddBin;
  topSum = first ? i64x2.extract_lane(scoreSums, 0) : i64x2.extract_lane(scoreSums, 1);
}

/** The same one bin at a time, for splits whose sides need `minRows` of so many rows; `gone` of these are on the left in all of them. */
function scanCounted(
  entries: usize,
  last: i32,
  before: i64,
  gradient: f64,
  hessian: f64,
  l1: f64,
  l2: f64,
  minHessian: f64,
  minScore: f64,
  counts: usize,
  gone: i32,
  minRows: i32,
  rows: i32,
): void {
  topScore = minScore;
  topBin = -1;
  let sum = before;
  let count = gone;
  for (let b = 0; b < last; b++) {
    sum += load<i64>(entries + ((<usize>b) << 3));
    count += load<i32>(counts + ((<usize>b) << 2));
    const hl = <f64>(<u32>sum);
    const hr = hessian - hl;
    if (hl < minHessian || hr < minHessian || count < minRows || rows - count < minRows) continue;
    let gl = <f64>(<i32>(sum >> 32));
    let gr = gradient - gl;
    if (l1 > 0) {
      gl = max<f64>(abs<f64>(gl) - l1, 0);
      gr = max<f64>(abs<f64>(gr) - l1, 0);
    }
    const score = (gl * gl) / (hl + l2) + (gr * gr) / (hr + l2);
    if (score <= topScore) continue;
    topScore = score;
    topBin = b;
    topSum = sum;
  }
}

/**
 * Tries every split of bins 0 to `bins` - 1 into left and right. Where `missing` is 1 bin number `bins` holds the rows without a value,
 * which go right in a first pass and left in a second. The score of a split is L² / (l + l2) + R² / (r + l2), with L, R the sums of
 * gradients (drawn towards 0 by l1) and l, r those of Hessians, all in whole units. A side needs a Hessian of `minHessian`, and `minRows` rows
 * where `counts` is not 0. Writes score, bin, side of the missing (1: left) and the left sums to `out` and returns 1 when a split beats
 * `minScore`.
 */
export function bestSplit(
  entries: usize,
  bins: i32,
  missing: i32,
  gradient: f64,
  hessian: f64,
  l1: f64,
  l2: f64,
  minHessian: f64,
  minScore: f64,
  counts: usize,
  minRows: i32,
  rows: i32,
  out: usize,
): i32 {
  let best = minScore;
  let found = 0;
  const missingEntry = missing ? load<i64>(entries + ((<usize>bins) << 3)) : 0;
  const missingRows = counts && missing ? load<i32>(counts + ((<usize>bins) << 2)) : 0;
  const passes = missingEntry !== 0 || missingRows !== 0 ? 2 : 1;
  for (let pass = 0; pass < passes; pass++) {
    // All values left and the missing right is a split too.
    const last = pass === 0 && missingEntry !== 0 ? bins : bins - 1;
    const before: i64 = pass === 1 ? missingEntry : 0;
    const gone = pass === 1 ? missingRows : 0;
    if (counts) scanCounted(entries, last, before, gradient, hessian, l1, l2, minHessian, best, counts, gone, minRows, rows);
    else scanBins(entries, last, before, gradient, hessian, l1, l2, minHessian, best);
    if (topBin < 0) continue;
    best = topScore;
    found = 1;
    store<f64>(out, topScore, 0);
    store<i32>(out, <i32>topBin, 8);
    store<i32>(out, pass, 12);
    store<i64>(out, topSum, 16);
  }
  return found;
}

/** Sums a histogram over joint codes into that of one feature, whose bin of a code stands in a table. */
export function unbundleHistogram(entries: usize, codes: i32, table: usize, bins: i32, into: usize): void {
  memory.fill(into, 0, (<usize>bins) << 3);
  for (let code = 0; code < codes; code++) {
    const at = into + ((<usize>load<u8>(table + <usize>code)) << 3);
    store<i64>(at, load<i64>(at) + load<i64>(entries + ((<usize>code) << 3)));
  }
}

/**
 * The best splits of some features of one leaf. A feature is eight entries of 4 bytes in `list`: where its histogram begins (bytes from
 * `entries`), its bins, whether one more holds the missing, the table of its bins by code or 0, the number of codes, that of bins in all,
 * where its result goes (bytes from `into`). A result is five numbers: score or -Infinity (no split), bin, side of the missing, gradient
 * and Hessian of the left. `unbundled` holds 256 entries, and three more for the split.
 */
export function bestSplits(
  entries: usize,
  list: usize,
  count: i32,
  gradient: f64,
  hessian: f64,
  l1: f64,
  l2: f64,
  minHessian: f64,
  minScore: f64,
  into: usize,
  unbundled: usize,
): void {
  const split = unbundled + 2048;
  for (; count > 0; count--, list += 32) {
    let from = entries + <usize>load<u32>(list);
    const bins = load<i32>(list, 4);
    const table = <usize>load<u32>(list, 12);
    const to = into + <usize>load<u32>(list, 24);
    if (table) {
      unbundleHistogram(from, load<i32>(list, 16), table, load<i32>(list, 20), unbundled);
      from = unbundled;
    }
    if (!bestSplit(from, bins, load<i32>(list, 8), gradient, hessian, l1, l2, minHessian, minScore, 0, 0, 0, split)) {
      store<f64>(to, -Infinity);
      continue;
    }
    const sum = load<i64>(split, 16);
    store<f64>(to, load<f64>(split), 0);
    store<f64>(to, <f64>load<i32>(split, 8), 8);
    store<f64>(to, <f64>load<i32>(split, 12), 16);
    store<f64>(to, <f64>(<i32>(sum >> 32)), 24);
    store<f64>(to, <f64>(<u32>sum), 32);
  }
}

// The best threshold of one feature, from its histogram.

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
  for (let pass = 0; pass < 2; pass++) {
    if (pass === 1 && missingEntry === 0 && missingRows === 0) break;
    let sum: i64 = pass === 1 ? missingEntry : 0;
    let count = pass === 1 ? missingRows : 0;
    // All values left and the missing right is a split too.
    const last = pass === 0 && missingEntry !== 0 ? bins : bins - 1;
    for (let b = 0; b < last; b++) {
      const entry = load<i64>(entries + ((<usize>b) << 3));
      let held = 0;
      if (counts) {
        held = load<i32>(counts + ((<usize>b) << 2));
        count += held;
      }
      // Rows that weigh nothing move no sum, but they count.
      if (entry === 0 && held === 0) continue;
      sum += entry;
      const hl = <f64>(<u32>sum);
      if (hl < minHessian) continue;
      const hr = hessian - hl;
      if (hr < minHessian) break;
      if (counts && (count < minRows || rows - count < minRows)) continue;
      let gl = <f64>(<i32>(sum >> 32));
      let gr = gradient - gl;
      if (l1 > 0) {
        gl = max<f64>(abs<f64>(gl) - l1, 0);
        gr = max<f64>(abs<f64>(gr) - l1, 0);
      }
      const ll = gl * gl;
      const rr = gr * gr;
      const hl2 = hl + l2;
      const hr2 = hr + l2;
      // Divided only where it may be the best: most splits are not.
      if (ll * hr2 + rr * hl2 > best * (hl2 * hr2)) {
        const score = ll / hl2 + rr / hr2;
        if (score <= best) continue;
        best = score;
        found = 1;
        store<f64>(out, score, 0);
        store<i32>(out, b, 8);
        store<i32>(out, pass, 12);
        store<i64>(out, sum, 16);
      }
    }
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

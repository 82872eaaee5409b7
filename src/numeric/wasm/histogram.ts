// Sums of packed gradients by bin, for eight columns at once. An entry holds the gradient in its upper half and the Hessian in its lower,
// so one addition serves both. Eight histograms of 256 entries are 16 KiB: they stay in the nearest cache.
import { ONE, ROUND, two } from "./numbers";

/* @inline */ function eight(bins: usize, entry: i64, into: usize): void {
  let at: usize;
  at = into + ((<usize>load<u8>(bins, 0)) << 3);
  store<i64>(at, load<i64>(at) + entry);
  at = into + ((<usize>load<u8>(bins, 1)) << 3);
  store<i64>(at, load<i64>(at, 2048) + entry, 2048);
  at = into + ((<usize>load<u8>(bins, 2)) << 3);
  store<i64>(at, load<i64>(at, 4096) + entry, 4096);
  at = into + ((<usize>load<u8>(bins, 3)) << 3);
  store<i64>(at, load<i64>(at, 6144) + entry, 6144);
  at = into + ((<usize>load<u8>(bins, 4)) << 3);
  store<i64>(at, load<i64>(at, 8192) + entry, 8192);
  at = into + ((<usize>load<u8>(bins, 5)) << 3);
  store<i64>(at, load<i64>(at, 10240) + entry, 10240);
  at = into + ((<usize>load<u8>(bins, 6)) << 3);
  store<i64>(at, load<i64>(at, 12288) + entry, 12288);
  at = into + ((<usize>load<u8>(bins, 7)) << 3);
  store<i64>(at, load<i64>(at, 14336) + entry, 14336);
}

function addRun(bins: usize, entries: usize, n: i32, into: usize): void {
  const end = bins + ((<usize>n) << 3);
  while (bins < end) {
    eight(bins, load<i64>(entries), into);
    bins += 8;
    entries += 8;
  }
}

const TILE = 256; // rows fetched at once
const WORDS: usize = 2048; // of the buffer: where the entries of a tile begin
const NUMBERS: usize = 4096; // of the buffer: where the numbers of its rows begin

/**
 * Adds entries[i] into the eight histograms at the bins of row i, for rows that lie one after another. `defaultBins` holds the eight bins that
 * many rows have: those rows are summed first, and added once. 0: there are none such. The buffer holds 5120 bytes.
 */
export function sumContiguous(bins: usize, entries: usize, n: i32, into: usize, defaultBins: usize, buffer: usize): void {
  if (!defaultBins) {
    addRun(bins, entries, n, into);
    return;
  }
  const common = load<u64>(defaultBins);
  let aside: i64 = 0; // the entries of rows that were passed over, summed
  while (n > 0) {
    const m = min(n, TILE);
    let to = buffer;
    const end = bins + ((<usize>m) << 3);
    while (bins < end) {
      const row = load<u64>(bins);
      const entry = load<i64>(entries);
      store<u64>(to, row);
      store<i64>(to, entry, WORDS);
      const other = <i64>(row !== common);
      aside += entry & (other - 1);
      to += (<usize>other) << 3;
      bins += 8;
      entries += 8;
    }
    addRun(buffer, buffer + WORDS, <i32>((to - buffer) >> 3), into);
    n -= m;
  }
  eight(defaultBins, aside, into);
}

/** Copies the bins of n rows, which lie `stride` bytes apart. A loop of loads alone keeps many cache misses in flight, where the additions in between would allow only a few. */
function fetchRows(bins: usize, stride: usize, rows: usize, n: i32, to: usize): void {
  let end = rows + ((<usize>(n & ~3)) << 2);
  while (rows < end) {
    const a = load<u64>(bins + <usize>load<u32>(rows, 0) * stride);
    const b = load<u64>(bins + <usize>load<u32>(rows, 4) * stride);
    const c = load<u64>(bins + <usize>load<u32>(rows, 8) * stride);
    const d = load<u64>(bins + <usize>load<u32>(rows, 12) * stride);
    store<u64>(to, a, 0);
    store<u64>(to, b, 8);
    store<u64>(to, c, 16);
    store<u64>(to, d, 24);
    rows += 16;
    to += 32;
  }
  end = rows + ((<usize>(n & 3)) << 2);
  while (rows < end) {
    store<u64>(to, load<u64>(bins + <usize>load<u32>(rows) * stride));
    rows += 4;
    to += 8;
  }
}

/**
 * The same for row rows[i], of rows that lie `stride` bytes apart. Where there are default bins, bit number `bit` of marks[row] is 1 for rows that have others: only their bins are
 * fetched.
 */
export function sumRows(
  bins: usize,
  stride: usize,
  rows: usize,
  entries: usize,
  n: i32,
  into: usize,
  defaultBins: usize,
  marks: usize,
  bit: i32,
  buffer: usize,
): void {
  let aside: i64 = 0;
  while (n > 0) {
    const m = min(n, TILE);
    if (defaultBins) {
      let to: usize = 0; // bytes of entries
      const end = rows + ((<usize>m) << 2);
      while (rows < end) {
        const row = load<u32>(rows);
        const entry = load<i64>(entries);
        store<u32>(buffer + (to >> 1), row, NUMBERS);
        store<i64>(buffer + to, entry, WORDS);
        const other = (<i64>load<u8>(marks + <usize>row) >> bit) & 1;
        aside += entry & (other - 1);
        to += (<usize>other) << 3;
        rows += 4;
        entries += 8;
      }
      const kept = <i32>(to >> 3);
      fetchRows(bins, stride, buffer + NUMBERS, kept, buffer);
      addRun(buffer, buffer + WORDS, kept, into);
    } else {
      fetchRows(bins, stride, rows, m, buffer);
      addRun(buffer, entries, m, into);
      rows += (<usize>m) << 2;
      entries += (<usize>m) << 3;
    }
    n -= m;
  }
  if (defaultBins) eight(defaultBins, aside, into);
}

/** Sets bit number `bit` of marks[i] for each of n rows whose bins are not the default ones. */
export function markOthers(bins: usize, n: i32, defaultBins: usize, bit: i32, marks: usize): void {
  const common = load<u64>(defaultBins);
  for (const end = marks + <usize>n; marks < end; marks++, bins += 8)
    store<u8>(marks, load<u8>(marks) | ((<u32>(load<u64>(bins) !== common)) << bit));
}

/** into[i] = entries[rows[i]]. */
export function gatherEntries(entries: usize, rows: usize, n: i32, into: usize): void {
  const end = rows + ((<usize>n) << 2);
  while (rows < end) {
    store<u64>(into, load<u64>(entries + ((<usize>load<u32>(rows)) << 3)));
    rows += 4;
    into += 8;
  }
}

/** from[i] -= part[i], entry by entry; neither half can borrow from the other, since a part is never more than the whole. */
export function subtractEntries(from: usize, part: usize, n: i32): void {
  const end = from + ((<usize>n) << 3);
  while (from < end) {
    v128.store(from, i64x2.sub(v128.load(from), v128.load(part)));
    from += 16;
    part += 16;
  }
}

/** Sets n entries to 0. */
export function clearEntries(entries: usize, n: i32): void {
  memory.fill(entries, 0, (<usize>n) << 3);
}

/**
 * Packs the derivatives of n rows into entries, in whole units; returns the largest Hessian in units. Derivatives lie `stride` apart;
 * `Hessian` may be 0, for 1 in every row. A number that ROUND was added to holds the whole number nearest to it in its lower half.
 */
export function packGradients(
  gradient: usize,
  hessian: usize,
  stride: i32,
  n: i32,
  gradientUnit: f64,
  hessianUnit: f64,
  entries: usize,
): f64 {
  const move = (<usize>stride) << 3;
  const gs = f64x2.splat(gradientUnit);
  const hs = f64x2.splat(hessianUnit);
  const zero = f64x2.splat(0);
  const round = two(ROUND);
  let most = zero;
  let h = two(ONE);
  const end = entries + ((<usize>n) << 3);
  while (entries < end) {
    const both = entries + 8 < end;
    const next = both ? move : 0; // the last row is taken twice, and stored once
    if (hessian) {
      h = v128.load64_lane(hessian + next, v128.load64_zero(hessian), 1);
      hessian += 2 * move;
    }
    const g = v128.load64_lane(gradient + next, v128.load64_zero(gradient), 1);
    gradient += 2 * move;
    const hessians = f64x2.add(f64x2.mul(f64x2.max(zero, h), hs), round);
    const slopes = f64x2.add(f64x2.mul(g, gs), round);
    most = f64x2.max(most, f64x2.sub(hessians, round));
    const packed = v128.or(i64x2.shr_u(i64x2.shl(hessians, 32), 32), i64x2.shl(slopes, 32));
    if (both) v128.store(entries, packed);
    else v128.store64_lane(entries, packed, 0);
    entries += 16;
  }
  return max<f64>(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
}

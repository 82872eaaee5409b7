/**
 * Histograms of packed gradients, for eight columns at once: a kernel if the arrays are in the heap, plain otherwise, with bit-identical
 * results.
 *
 * `bins` holds eight bytes a row, one for each column. An entry is 64 bits as two entries of an Int32Array, the Hessian in the lower half
 * and the gradient in the upper. Positions count rows, entries or bytes of the array that they belong to. A histogram has 256 entries.
 */
import { isInHeap } from "./heap.ts";
import { kernelScratch, kernels } from "./kernels.ts";
import * as plain from "./plain/histogram.ts";

/** The quantization scale: integer units per gradient or Hessian of 1. */
export interface Units {
  readonly gradient: number;
  readonly hessian: number;
}

export interface HistogramKernels {
  sumContiguous(bins: number, entries: number, n: number, into: number, defaultBins: number, buffer: number): void;
  sumRows(...[bins, stride, rows, entries, n, into, defaultBins, marks, bit, buffer]: readonly number[]): void;
  markOthers(bins: number, n: number, defaultBins: number, bit: number, marks: number): void;
  clearEntries(entries: number, n: number): void;
  packGradients(...[gradient, hessian, stride, n, gradientUnit, hessianUnit, entries]: readonly number[]): number;
  gatherEntries(entries: number, rows: number, n: number, into: number): void;
  subtractEntries(from: number, part: number, n: number): void;
}

const BUFFER = 5120; // bytes

/** What makes rows cheap that have the eight bins that many rows have. */
export interface DefaultRows {
  /** These bins. */
  readonly bins: Uint8Array;
  /** Bit number `bit` of marks[first + row] is 1 where a row has others: see `markOthers`. */
  readonly marks: Uint8Array;
  readonly first: number;
  readonly bit: number;
}

/**
 * Adds entries entry, entry + 1, ... into the histograms that begin at entry `at`, for n rows whose bins begin at byte `bin`. `defaultBins`:
 * eight bins that many rows have, which makes those rows cheap.
 */
export function sumContiguous(
  bins: Uint8Array,
  bin: number,
  entries: Int32Array,
  entry: number,
  n: number,
  into: Int32Array,
  at: number,
  defaultBins?: Uint8Array,
): void {
  const wasm =
    isInHeap(bins) && isInHeap(entries) && isInHeap(into) && (!defaultBins || isInHeap(defaultBins)) ? kernels() : null;
  const [from, to] = [entries.byteOffset + 8 * entry, into.byteOffset + 8 * at];
  if (wasm)
    wasm.sumContiguous(
      bins.byteOffset + bin,
      from,
      n,
      to,
      defaultBins ? defaultBins.byteOffset : 0,
      kernelScratch(BUFFER).address,
    );
  else plain.sumContiguous(bins, bin, entries, entry, n, into, at);
}

/**
 * The same for n rows named by `rows`, from its entry `row` on; byte `bin` is where the bins of row 0 begin, those of rows one after another are
 * `stride` bytes apart, and `defaults` knows them all.
 */
export function sumRows(
  bins: Uint8Array,
  bin: number,
  stride: number,
  rows: Uint32Array,
  row: number,
  entries: Int32Array,
  entry: number,
  n: number,
  into: Int32Array,
  at: number,
  defaults?: DefaultRows,
): void {
  const inHeap = isInHeap(bins) && isInHeap(rows) && isInHeap(entries) && isInHeap(into);
  const wasm = inHeap && (!defaults || (isInHeap(defaults.bins) && isInHeap(defaults.marks))) ? kernels() : null;
  const [from, to] = [entries.byteOffset + 8 * entry, into.byteOffset + 8 * at];
  if (wasm)
    wasm.sumRows(
      bins.byteOffset + bin,
      stride,
      rows.byteOffset + 4 * row,
      from,
      n,
      to,
      defaults ? defaults.bins.byteOffset : 0,
      defaults ? defaults.marks.byteOffset + defaults.first : 0,
      defaults ? defaults.bit : 0,
      kernelScratch(BUFFER).address,
    );
  else plain.sumRows(bins, bin, stride, rows, row, entries, entry, n, into, at);
}

/** Sets bit number `bit` of marks[at], marks[at + 1], ... for those of n rows, from byte `bin` on, whose eight bins are not the default ones. */
export function markOthers(
  bins: Uint8Array,
  bin: number,
  n: number,
  defaultBins: Uint8Array,
  bit: number,
  marks: Uint8Array,
  at: number,
): void {
  const wasm = isInHeap(bins) && isInHeap(defaultBins) && isInHeap(marks) ? kernels() : null;
  if (wasm) wasm.markOthers(bins.byteOffset + bin, n, defaultBins.byteOffset, bit, marks.byteOffset + at);
  else plain.markOthers(bins, bin, n, defaultBins, bit, marks, at);
}

/** Sets n entries from entry `at` on to 0. */
export function clearEntries(entries: Int32Array, at: number, n: number): void {
  const wasm = isInHeap(entries) ? kernels() : null;
  if (wasm) wasm.clearEntries(entries.byteOffset + 8 * at, n);
  else entries.fill(0, 2 * at, 2 * (at + n));
}

/** Copies the entries of the rows into `into`, from its entry `at` on. */
export function gatherEntries(
  entries: Int32Array,
  rows: Uint32Array,
  row: number,
  n: number,
  into: Int32Array,
  at: number,
): void {
  const wasm = isInHeap(entries) && isInHeap(rows) && isInHeap(into) ? kernels() : null;
  if (wasm) wasm.gatherEntries(entries.byteOffset, rows.byteOffset + 4 * row, n, into.byteOffset + 8 * at);
  else plain.gatherEntries(entries, rows, row, n, into, at);
}

/** Takes n entries from entry `part` on away from those at entry `from` on; n is even. */
export function subtractEntries(entries: Int32Array, from: number, part: number, n: number): void {
  const wasm = isInHeap(entries) ? kernels() : null;
  if (wasm) wasm.subtractEntries(entries.byteOffset + 8 * from, entries.byteOffset + 8 * part, n);
  else plain.subtractEntries(entries, from, part, n);
}

/**
 * Packs the derivatives of rows from to to into entries, in whole units; returns the largest Hessian in units. Entry row * stride + output
 * counts; without Hessians all rows have 1, and below 0 they are 0.
 */
export function packGradients(
  gradient: Float64Array,
  hessian: Float64Array | undefined,
  output: number,
  stride: number,
  from: number,
  to: number,
  units: Units,
  entries: Int32Array,
): number {
  const wasm = isInHeap(gradient) && (!hessian || isInHeap(hessian)) && isInHeap(entries) ? kernels() : null;
  if (!wasm) return plain.packGradients(gradient, hessian, output, stride, from, to, units, entries);
  const at = 8 * (from * stride + output);
  return wasm.packGradients(
    ...[gradient.byteOffset + at, hessian ? hessian.byteOffset + at : 0, stride, to - from],
    ...[units.gradient, units.hessian, entries.byteOffset + 8 * from],
  );
}

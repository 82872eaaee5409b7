/**
 * Sums of packed gradients by bin, for eight columns at once: compiled where the arrays lie in the heap, plain otherwise, with the same bits.
 *
 * `bins` holds eight bytes a row, one for each column. A word is 64 bits as two entries of an Int32Array, the curvature in the lower half
 * and the gradient in the upper. Positions count rows, words or bytes of the array that they belong to. A histogram has 256 words.
 */
import { heap, holds } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/histogram.ts";

/** What a gradient or curvature of 1 is in whole units. */
export interface Units {
  readonly gradient: number;
  readonly hessian: number;
}

export interface HistogramKernels {
  sumRun(bins: number, words: number, n: number, into: number, usual: number, buffer: number): void;
  sumRows(bins: number, rows: number, words: number, n: number, into: number, usual: number, buffer: number): void;
  clearWords(words: number, n: number): void;
  packRows(...[gradient, hessian, stride, n, gradientUnit, hessianUnit, words]: readonly number[]): number;
  pickWords(words: number, rows: number, n: number, into: number): void;
  subtractWords(from: number, part: number, n: number): void;
}

let buffer: Uint8Array | undefined;
const bufferAt = () => (buffer ??= heap.u8(4096)).byteOffset;

/**
 * Adds words word, word + 1, ... into the histograms that begin at word `at`, for n rows whose bins begin at byte `bin`. `usual`: eight bins
 * that many rows have, which makes those rows cheap.
 */
export function sumRun(
  bins: Uint8Array,
  bin: number,
  words: Int32Array,
  word: number,
  n: number,
  into: Int32Array,
  at: number,
  usual?: Uint8Array,
): void {
  const wasm = holds(bins) && holds(words) && holds(into) && (!usual || holds(usual)) ? kernels() : null;
  const [from, to] = [words.byteOffset + 8 * word, into.byteOffset + 8 * at];
  if (wasm) wasm.sumRun(bins.byteOffset + bin, from, n, to, usual ? usual.byteOffset : 0, bufferAt());
  else plain.sumRun(bins, bin, words, word, n, into, at);
}

/** The same for n rows named by `rows`, from its entry `row` on; byte `bin` is where the bins of row 0 begin. */
export function sumRows(
  bins: Uint8Array,
  bin: number,
  rows: Uint32Array,
  row: number,
  words: Int32Array,
  word: number,
  n: number,
  into: Int32Array,
  at: number,
  usual?: Uint8Array,
): void {
  const inHeap = holds(bins) && holds(rows) && holds(words) && holds(into) && (!usual || holds(usual));
  const wasm = inHeap ? kernels() : null;
  const [from, to] = [words.byteOffset + 8 * word, into.byteOffset + 8 * at];
  if (wasm) wasm.sumRows(bins.byteOffset + bin, rows.byteOffset + 4 * row, from, n, to, usual ? usual.byteOffset : 0, bufferAt());
  else plain.sumRows(bins, bin, rows, row, words, word, n, into, at);
}

/** Sets n words from word `at` on to 0. */
export function clearWords(words: Int32Array, at: number, n: number): void {
  const wasm = holds(words) ? kernels() : null;
  if (wasm) wasm.clearWords(words.byteOffset + 8 * at, n);
  else words.fill(0, 2 * at, 2 * (at + n));
}

/** Copies the words of the rows into `into`, from its word `at` on. */
export function pickWords(words: Int32Array, rows: Uint32Array, row: number, n: number, into: Int32Array, at: number): void {
  const wasm = holds(words) && holds(rows) && holds(into) ? kernels() : null;
  if (wasm) wasm.pickWords(words.byteOffset, rows.byteOffset + 4 * row, n, into.byteOffset + 8 * at);
  else plain.pickWords(words, rows, row, n, into, at);
}

/** Takes n words from word `part` on away from those at word `from` on; n is even. */
export function subtractWords(words: Int32Array, from: number, part: number, n: number): void {
  const wasm = holds(words) ? kernels() : null;
  if (wasm) wasm.subtractWords(words.byteOffset + 8 * from, words.byteOffset + 8 * part, n);
  else plain.subtractWords(words, from, part, n);
}

/**
 * Packs the derivatives of rows from to to into words, in whole units; returns the largest curvature in units. Entry row * stride + output
 * counts; without curvatures all rows have 1, and below 0 they are 0.
 */
export function packRows(
  gradient: Float64Array,
  hessian: Float64Array | undefined,
  output: number,
  stride: number,
  from: number,
  to: number,
  units: Units,
  words: Int32Array,
): number {
  const wasm = holds(gradient) && (!hessian || holds(hessian)) && holds(words) ? kernels() : null;
  if (!wasm) return plain.packRows(gradient, hessian, output, stride, from, to, units, words);
  const at = 8 * (from * stride + output);
  return wasm.packRows(
    ...[gradient.byteOffset + at, hessian ? hessian.byteOffset + at : 0, stride, to - from],
    ...[units.gradient, units.hessian, words.byteOffset + 8 * from],
  );
}

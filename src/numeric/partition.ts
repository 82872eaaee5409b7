/**
 * Partitions lists of rows by one byte of each row, counts them, and updates the scores of rows: a kernel if the arrays are in the heap,
 * plain otherwise. `bins` holds eight bytes a row; `column` is the byte that matters of row 0.
 */
import { isInHeap } from "./heap.ts";
import { kernels, kernelsFor } from "./kernels.ts";
import * as plain from "./plain/partition.ts";

export interface PartitionKernels {
  partitionRows(column: number, stride: number, rows: number, n: number, right: number, spare: number): number;
  copyColumn(column: number, n: number, to: number): void;
  countCodes(column: number, rows: number, n: number, counts: number): void;
  addToRows(scores: number, stride: number, rows: number, n: number, value: number): void;
}

/**
 * Puts those of the n rows whose code is 0 in `right` before the others, each in their old order. Returns how many those are. Here the codes of rows one
 * after another are `stride` bytes apart.
 */
export function partitionRows(
  codes: Uint8Array,
  column: number,
  stride: number,
  rows: Uint32Array,
  row: number,
  n: number,
  right: Uint8Array,
  spare: Uint32Array,
): number {
  const wasm = isInHeap(codes) && isInHeap(rows) && isInHeap(right) && isInHeap(spare) ? kernels() : null;
  if (!wasm) return plain.partitionRows(codes, column, stride, rows, row, n, right, spare);
  return wasm.partitionRows(codes.byteOffset + column, stride, rows.byteOffset + 4 * row, n, right.byteOffset, spare.byteOffset);
}

/** Copies the codes of n rows to where they lie side by side. */
export function copyColumn(bins: Uint8Array, column: number, n: number, into: Uint8Array, at: number): void {
  const wasm = kernelsFor(bins, into);
  if (wasm) wasm.copyColumn(bins.byteOffset + column, n, into.byteOffset + at);
  else plain.copyColumn(bins, column, n, into, at);
}

/** Adds to counts[code] how many of the n rows have that code. */
export function countCodes(
  bins: Uint8Array,
  column: number,
  rows: Uint32Array,
  row: number,
  n: number,
  counts: Int32Array,
): void {
  const wasm = isInHeap(bins) && isInHeap(rows) && isInHeap(counts) ? kernels() : null;
  if (wasm) wasm.countCodes(bins.byteOffset + column, rows.byteOffset + 4 * row, n, counts.byteOffset);
  else plain.countCodes(bins, column, rows, row, n, counts);
}

/** Adds a value to scores[output + stride * row] for each of the n rows. */
export function addToRows(
  scores: Float64Array,
  output: number,
  stride: number,
  rows: Uint32Array,
  row: number,
  n: number,
  value: number,
): void {
  const wasm = isInHeap(scores) && isInHeap(rows) ? kernels() : null;
  if (wasm) wasm.addToRows(scores.byteOffset + 8 * output, stride, rows.byteOffset + 4 * row, n, value);
  else plain.addToRows(scores, output, stride, rows, row, n, value);
}

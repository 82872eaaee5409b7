/**
 * Maps values to bins, and sorts values to find bins: a kernel if the arrays are in the heap, plain otherwise, with bit-identical results.
 */
import { isInHeap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/bins.ts";

export interface BinKernels {
  binColumn(...[values, stride, n, edges, half, missing, step, into]: readonly number[]): number;
  sortFloats(values: number, n: number, spare: number, tallies: number): void;
}

/**
 * Adds `step` times the bin of values[value + i * stride] to into[at + 8 * i], for n values. The bin is the number of edges below the value,
 * of which there are 2 * half - 1 with infinities at the end, or `missing` where the value is not a number. Returns how many are
 * not.
 */
export function binColumn(
  values: Float32Array,
  value: number,
  stride: number,
  n: number,
  edges: Float32Array,
  half: number,
  missing: number,
  step: number,
  into: Uint8Array,
  at: number,
): number {
  const wasm = isInHeap(values) && isInHeap(edges) && isInHeap(into) ? kernels() : null;
  if (!wasm) return plain.binColumn(values, value, stride, n, edges, half, missing, step, into, at);
  const [from, to] = [values.byteOffset + 4 * value, into.byteOffset + at];
  return wasm.binColumn(from, stride, n, edges.byteOffset, half, missing, step, to);
}

/** Sorts n values, none of them NaN, with scratch for as many in `spare` and for 6144 words in `tallies`. */
export function sortFloats(values: Float32Array, n: number, spare: Float32Array, tallies: Uint32Array): void {
  const wasm = isInHeap(values) && isInHeap(spare) && isInHeap(tallies) ? kernels() : null;
  if (wasm) wasm.sortFloats(values.byteOffset, n, spare.byteOffset, tallies.byteOffset);
  else plain.sortFloats(values.subarray(0, n));
}

/** Loops over vectors: compiled where the arrays lie in the heap, plain otherwise, with the same bits. */
import { kernelsOver } from "./kernels.ts";
import * as plain from "./plain/vectors.ts";

export interface VectorKernels {
  dot(a: number, b: number, n: number): number;
}

/** Sum of a[i] * b[i]. */
export function dot(a: Float64Array, b: Float64Array): number {
  const wasm = kernelsOver(a, b);
  return wasm ? wasm.dot(a.byteOffset, b.byteOffset, a.length) : plain.dot(a, b);
}

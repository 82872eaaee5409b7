/**
 * Linear classifiers with squared hinge loss, ½ ‖w‖² + C Σ max(0, 1 - y w·x)², by dual coordinate descent with shrinking (Hsieh, Chang,
 * Lin, Keerthi and Sundararajan 2008, A Dual Coordinate Descent Method for Large-scale Linear SVM, algorithm 3). A kernel if the arrays are in
 * the heap, plain otherwise, with bit-identical results.
 */
import { isInHeap } from "./heap.ts";
import { kernelsFor } from "./kernels.ts";
import type { HingeSettings, HingeState, SparseRows } from "./plain/hinge.ts";
import * as plain from "./plain/hinge.ts";

export { addRow, type HingeSettings, type HingeState, rowProduct, type SparseRows } from "./plain/hinge.ts";

type Address = number;

export interface HingeKernels {
  solveHinge(
    ...args: [
      ...[count: number, begin: Address, end: Address, indices: Address, values: Address],
      ...[signs: Address, alpha: Address, squares: Address, order: Address, w: Address, bias: Address],
      ...[diagonal: number, tolerance: number, passes: number, draws: number],
    ]
  ): number;
}

/** Improves alpha and w, which must agree (w = Σ alpha y x), until no violation is above the tolerance. Returns the number of passes. */
export function solveHinge(rows: SparseRows, state: HingeState, settings: HingeSettings, seed: number): number {
  const { count, begin, end, indices, values } = rows;
  const { signs, alpha, squares, order, w, bias } = state;
  const wasm = [signs, alpha, squares, order, w].every(isInHeap) ? kernelsFor(begin, end, indices, values) : null;
  if (!wasm) return plain.solveHinge(rows, state, settings, seed);
  return wasm.solveHinge(
    ...([count, begin.byteOffset, end.byteOffset, indices.byteOffset, values.byteOffset] as const),
    ...([signs.byteOffset, alpha.byteOffset, squares.byteOffset, order.byteOffset, w.byteOffset] as const),
    ...([w.byteOffset + 8 * bias, 0.5 / settings.cost, settings.tolerance, settings.passes, seed | 0 || 1] as const),
  );
}

/**
 * The classifiers of hinge.ts for many classes of the same few rows. The products of all pairs of rows are computed once, and the value of the
 * classifier for each row is kept up to date instead of the weights: a visit of a row that does not move takes constant time, and a move one line
 * of products. Float32, except for the dual variables. A kernel if the arrays are in the heap, plain otherwise, with bit-identical results.
 */
import { isInHeap } from "./heap.ts";
import { kernelsFor } from "./kernels.ts";
import type { GramState, Postings } from "./plain/gram-hinge.ts";
import * as plain from "./plain/gram-hinge.ts";
import type { HingeSettings, SparseRows } from "./plain/hinge.ts";

export type { GramState, Postings } from "./plain/gram-hinge.ts";

type Address = number;

export interface GramKernels {
  gramRows(
    ...args: [
      ...[count: number, begin: Address, end: Address, indices: Address, values: Address],
      ...[next: Address, first: Address, others: Address, factors: Address, gram: Address],
    ]
  ): void;
  addGramRow(gram: Address, i: number, count: number, factor: number, margins: Address): void;
  solveGram(
    ...args: [
      ...[count: number, gram: Address, signs: Address, alpha: Address, order: Address, margins: Address],
      ...[diagonal: number, tolerance: number, least: number, passes: number, draws: number],
    ]
  ): number;
}

/**
 * Sets gram to the products of all pairs of rows, line after line, plus 1 for the bias. `first` and `next` of the postings hold where the entries
 * of each feature begin in a list of all; next is moved.
 */
export function gramRows(rows: SparseRows, postings: Postings, gram: Float32Array): void {
  const { count, begin, end, indices, values } = rows;
  const { first, next, others, factors } = postings;
  const inHeap = [first, next, others, factors, gram].every(isInHeap);
  const wasm = inHeap ? kernelsFor(begin, end, indices, values) : null;
  if (!wasm) {
    plain.gramRows(rows, postings, gram);
    return;
  }
  wasm.gramRows(
    ...([count, begin.byteOffset, end.byteOffset, indices.byteOffset, values.byteOffset] as const),
    ...([next.byteOffset, first.byteOffset, others.byteOffset, factors.byteOffset, gram.byteOffset] as const),
  );
}

/** margins += factor * row i of the products; the factor is a float32. */
export function addGramRow(gram: Float32Array, i: number, count: number, factor: number, margins: Float32Array): void {
  const wasm = kernelsFor(gram, margins);
  if (wasm) wasm.addGramRow(gram.byteOffset, i, count, factor, margins.byteOffset);
  else plain.addGramRow(gram, i, count, factor, margins);
}

const SMALL = 0.1; // of the tolerance: smaller violations are left

/** Improves alpha and margins, which must agree, until no violation is above the tolerance. Returns the number of passes. */
export function solveGram(count: number, gram: Float32Array, state: GramState, settings: HingeSettings, seed: number): number {
  const { signs, alpha, order, margins } = state;
  const { cost, tolerance, passes } = settings;
  const least = SMALL * tolerance;
  const wasm = isInHeap(signs) ? kernelsFor(gram, alpha, order, margins) : null;
  if (!wasm) return plain.solveGram(count, gram, state, settings, least, seed);
  return wasm.solveGram(
    ...([count, gram.byteOffset, signs.byteOffset, alpha.byteOffset, order.byteOffset, margins.byteOffset] as const),
    ...([0.5 / cost, tolerance, least, passes, seed | 0 || 1] as const),
  );
}

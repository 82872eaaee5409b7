/** The best threshold of one feature from its histogram: compiled where that is in the heap, plain otherwise, with the same bits. */
import { heap, isInHeap } from "./heap.ts";
import { kernelScratch, kernels } from "./kernels.ts";
import * as plain from "./plain/split.ts";

export interface SplitKernels {
  bestSplit(
    ...[entries, bins, missing, gradient, hessian, l1, l2, minHessian, minScore, counts, minRows, rows, out]: readonly number[]
  ): number;
  unbundleHistogram(entries: number, codes: number, table: number, bins: number, into: number): void;
  bestSplits(
    ...[entries, list, count, gradient, hessian, l1, l2, minHessian, minScore, into, unbundled]: readonly number[]
  ): void;
}

/** A feature to be scanned among others. */
export interface ScannedFeature {
  /** Entry where its histogram begins, from that of the leaf. */
  readonly at: number;
  readonly bins: number;
  readonly missing: boolean;
  /** Of its column, where it shares that. */
  readonly codes: number;
  /** With its bin of each. */
  readonly table?: Uint8Array | undefined;
  /** Entry of the results where its five begin: score or NO_CUT, bin, side of the missing, left gradient and Hessian. */
  readonly to: number;
}

/** The score that stands for "no split": below every other, since a bounded leaf's may be any negative number. */
export const NO_CUT = -Infinity;

/**
 * Makes a function that finds the best splits of these features in the histograms of a leaf, which begin at entry `at`, without row counts.
 * Undefined where there are no kernels.
 */
export function splitScanner(
  features: readonly ScannedFeature[],
): ((entries: Int32Array, at: number, terms: SplitTerms, into: Float64Array) => void) | undefined {
  if (!kernels()) return undefined;
  const [list, unbundled] = [heap.u32(8 * features.length), heap.f64(256 + 3)];
  features.forEach(({ at, bins, missing, codes, table, to }, i) => {
    const whole = bins + (missing ? 1 : 0);
    list.set([8 * at, bins, missing ? 1 : 0, table ? table.byteOffset : 0, codes, whole, 8 * to], 8 * i);
  });
  return (entries, at, { gradient, hessian, l1, l2, minHessian, minScore }, into) => {
    kernels()!.bestSplits(
      ...[entries.byteOffset + 8 * at, list.byteOffset, features.length, gradient, hessian],
      ...[l1, l2, minHessian, minScore, into.byteOffset, unbundled.byteOffset],
    );
  };
}

/** What decides between splits. Sums of gradients and Hessians, and what is compared with them, are in whole units. */
export interface SplitTerms {
  /** Of values; the missing have one more. */
  bins: number;
  missing: boolean;
  /** Of all rows. */
  gradient: number;
  hessian: number;
  l1: number;
  l2: number;
  /** Hessian that a side must have. */
  minHessian: number;
  /** Score that a split must beat. */
  minScore: number;
  /** Rows that a side must have, where counts are known. */
  minRows: number;
  /** Rows in all. */
  rows: number;
}

export interface Split {
  score: number;
  /** Bins up to this one go left. */
  bin: number;
  missingLeft: boolean;
  /** Of the left. */
  gradient: number;
  hessian: number;
}

/** Finds the best split of the histogram at entry `at`. Returns whether there is one, and writes it into `split`. */
export function bestSplit(
  entries: Int32Array,
  at: number,
  terms: SplitTerms,
  counts: Int32Array | undefined,
  split: Split,
): boolean {
  const wasm = isInHeap(entries) && (!counts || isInHeap(counts)) ? kernels() : null;
  if (!wasm) return plain.bestSplit(entries, at, terms, counts, split);
  const { address: out, f64, i32 } = kernelScratch(24);
  const { bins, missing, gradient, hessian, l1, l2, minHessian, minScore, minRows, rows } = terms;
  const [from, tally] = [entries.byteOffset + 8 * at, counts ? counts.byteOffset : 0];
  const away = missing ? 1 : 0;
  if (!wasm.bestSplit(from, bins, away, gradient, hessian, l1, l2, minHessian, minScore, tally, minRows, rows, out)) return false;
  split.score = f64[0]!;
  split.bin = i32[2]!;
  split.missingLeft = i32[3] === 1;
  split.hessian = i32[4]! >>> 0;
  split.gradient = i32[5]!;
  return true;
}

/** Sums the histogram of joint codes at entry `at` into that of one feature, whose bin of a code stands in `table`. */
export function unbundleHistogram(
  entries: Int32Array,
  at: number,
  codes: number,
  table: Uint8Array,
  bins: number,
  into: Int32Array,
): void {
  const wasm = isInHeap(entries) && isInHeap(table) && isInHeap(into) ? kernels() : null;
  if (wasm) wasm.unbundleHistogram(entries.byteOffset + 8 * at, codes, table.byteOffset, bins, into.byteOffset);
  else plain.unbundleHistogram(entries, at, codes, table, bins, into);
}

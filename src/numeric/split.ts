/** The best threshold of one feature from its histogram: compiled where that lies in the heap, plain otherwise, with the same bits. */
import { heap, holds } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/split.ts";

export interface SplitKernels {
  bestCut(
    ...[words, bins, missing, gradient, curvature, l1, l2, least, floor, counts, items, total, out]: readonly number[]
  ): number;
  foldCodes(words: number, codes: number, table: number, bins: number, into: number): void;
  bestCuts(...[words, list, count, gradient, curvature, l1, l2, least, floor, into, folded]: readonly number[]): void;
}

/** A feature to be scanned among others. */
export interface Scanned {
  readonly at: number; // word where its histogram begins, from that of the leaf
  readonly bins: number;
  readonly missing: boolean;
  readonly codes: number; // of its column, where it shares that,
  readonly table?: Uint8Array | undefined; // with its bin of each
  readonly to: number; // entry of the results where its five begin: score or NO_CUT, bin, side of the missing, left gradient and curvature
}

/** The score that stands for "no cut": below every other, since a bounded leaf's may be any negative number. */
export const NO_CUT = -Infinity;

/**
 * Makes a function that finds the best cuts of these features in the histograms of a leaf, which begin at word `at`, where nobody counts rows.
 * Undefined where there are no kernels.
 */
export function cutScanner(
  features: readonly Scanned[],
): ((words: Int32Array, at: number, terms: Terms, into: Float64Array) => void) | undefined {
  if (!kernels()) return undefined;
  const [list, folded] = [heap.u32(8 * features.length), heap.f64(256 + 3)];
  features.forEach(({ at, bins, missing, codes, table, to }, i) => {
    const whole = bins + (missing ? 1 : 0);
    list.set([8 * at, bins, missing ? 1 : 0, table ? table.byteOffset : 0, codes, whole, 8 * to], 8 * i);
  });
  return (words, at, { gradient, curvature, l1, l2, least, floor }, into) => {
    kernels()!.bestCuts(
      ...[words.byteOffset + 8 * at, list.byteOffset, features.length, gradient, curvature],
      ...[l1, l2, least, floor, into.byteOffset, folded.byteOffset],
    );
  };
}

/** What decides between cuts. Sums of gradients and curvatures, and what is compared with them, are in whole units. */
export interface Terms {
  bins: number; // of values; the missing have one more
  missing: boolean;
  gradient: number; // of all rows
  curvature: number;
  l1: number;
  l2: number;
  least: number; // curvature that a side must have
  floor: number; // score that a cut must beat
  items: number; // rows that a side must have, where counts are known
  total: number; // rows in all
}

export interface Cut {
  score: number;
  bin: number; // bins up to this one go left
  missingLeft: boolean;
  gradient: number; // of the left
  curvature: number;
}

let out: Float64Array | undefined;
let ints: Int32Array | undefined;

/** Finds the best cut of the histogram at word `at`. Returns whether there is one, and writes it into `cut`. */
export function bestCut(words: Int32Array, at: number, terms: Terms, counts: Int32Array | undefined, cut: Cut): boolean {
  const wasm = holds(words) && (!counts || holds(counts)) ? kernels() : null;
  if (!wasm) return plain.bestCut(words, at, terms, counts, cut);
  if (!out || !ints) {
    out = heap.f64(3);
    ints = new Int32Array(out.buffer, out.byteOffset, 6);
  }
  const { bins, missing, gradient, curvature, l1, l2, least, floor, items, total } = terms;
  const [from, tally] = [words.byteOffset + 8 * at, counts ? counts.byteOffset : 0];
  const away = missing ? 1 : 0;
  if (!wasm.bestCut(from, bins, away, gradient, curvature, l1, l2, least, floor, tally, items, total, out.byteOffset))
    return false;
  cut.score = out[0]!;
  cut.bin = ints[2]!;
  cut.missingLeft = ints[3] === 1;
  cut.curvature = ints[4]! >>> 0;
  cut.gradient = ints[5]!;
  return true;
}

/** Sums the histogram of joint codes at word `at` into that of one feature, whose bin of a code stands in `table`. */
export function foldCodes(words: Int32Array, at: number, codes: number, table: Uint8Array, bins: number, into: Int32Array): void {
  const wasm = holds(words) && holds(table) && holds(into) ? kernels() : null;
  if (wasm) wasm.foldCodes(words.byteOffset + 8 * at, codes, table.byteOffset, bins, into.byteOffset);
  else plain.foldCodes(words, at, codes, table, bins, into);
}

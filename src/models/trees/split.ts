/**
 * The best split of a leaf by one feature. Sums are whole numbers in units of the round (see quantize.ts); the score of a leaf with
 * gradient G and Hessian H is G² / (H + l2), with G drawn towards zero by l1, and a split gains what its sides score above the whole.
 *
 * Plain features go through the kernel of numeric/split.ts. Categories are put in the order of their G / (H + smoothing), in which the best
 * split into two sets is a split of the order (Fisher 1958). Constraints clip the values of leaves, so that their scores are -(2 G w + (H +
 * l2) w²) at the clipped w, and refuse splits whose sides stand in the wrong order.
 */
import type { Split, SplitTerms } from "../../numeric/split.ts";

export interface Bounds {
  /** Of the leaf's value, in units of gradient over Hessian. */
  readonly low: number;
  readonly high: number;
}

export const FREE: Bounds = { low: -Infinity, high: Infinity };

/** A split of the leaf, with the bins that go left where those are not the first ones. */
export interface SplitChoice extends Split {
  /** By bin of a categorical feature, 1: goes left. */
  left?: Uint8Array;
}

const SMOOTHING = 10; // rows of mean Hessian that a category borrows from the whole

/** What draws the values of leaves towards zero. */
export type Regularization = Pick<SplitTerms, "l1" | "l2">;

const softThreshold = (gradient: number, l1: number) => Math.max(Math.abs(gradient) - l1, 0) * Math.sign(gradient);

/** What a leaf takes, in units of gradient over Hessian: the Newton step, clipped. */
export function stepOf(gradient: number, hessian: number, { l1, l2 }: Regularization, { low, high }: Bounds): number {
  return Math.min(high, Math.max(low, -softThreshold(gradient, l1) / (hessian + l2)));
}

/** The score of a leaf whose value is bounded. */
export function boundedScore(gradient: number, hessian: number, terms: Regularization, bounds: Bounds): number {
  const w = stepOf(gradient, hessian, terms, bounds);
  return -(2 * softThreshold(gradient, terms.l1) * w + (hessian + terms.l2) * w * w);
}

/** The best split where values are bounded: `rise` is 1, -1 or 0 as the score must rise, fall or may do either with the feature. */
export function boundedSplit(
  entries: Int32Array,
  at: number,
  terms: SplitTerms,
  counts: Int32Array | undefined,
  bounds: Bounds,
  rise: number,
  split: SplitChoice,
): boolean {
  const { bins, missing, gradient, hessian, minHessian, minScore, minRows, rows } = terms;
  let best = minScore;
  let found = false;
  for (const missingLeft of missing ? [false, true] : [false]) {
    let hl = missingLeft ? entries[2 * (at + bins)]! >>> 0 : 0;
    let gl = missingLeft ? entries[2 * (at + bins) + 1]! : 0;
    let count = missingLeft && counts ? counts[bins]! : 0;
    for (let b = 0; b < (missing && !missingLeft ? bins : bins - 1); b++) {
      hl += entries[2 * (at + b)]! >>> 0;
      gl += entries[2 * (at + b) + 1]!;
      if (counts) count += counts[b]!;
      const [gr, hr] = [gradient - gl, hessian - hl];
      if (hl < minHessian || hr < minHessian || (counts && (count < minRows || rows - count < minRows))) continue;
      if (rise * (stepOf(gr, hr, terms, bounds) - stepOf(gl, hl, terms, bounds)) < 0) continue;
      const score = boundedScore(gl, hl, terms, bounds) + boundedScore(gr, hr, terms, bounds);
      if (score <= best) continue;
      best = score;
      found = true;
      Object.assign(split, { score, bin: b, missingLeft, gradient: gl, hessian: hl });
    }
  }
  return found;
}

/** The same for categories. Rows without a known one go right. */
export function categoricalSplit(
  entries: Int32Array,
  at: number,
  terms: SplitTerms,
  counts: Int32Array | undefined,
  bounds: Bounds,
  split: SplitChoice,
): boolean {
  const { bins, gradient, hessian, minHessian, minScore, minRows, rows } = terms;
  const mean = (SMOOTHING * hessian) / rows;
  const known: number[] = [];
  for (let b = 0; b < bins; b++) if (entries[2 * (at + b)] !== 0 || entries[2 * (at + b) + 1] !== 0) known.push(b);
  const ratio = (b: number) => entries[2 * (at + b) + 1]! / ((entries[2 * (at + b)]! >>> 0) + mean);
  known.sort((a, b) => ratio(a) - ratio(b) || a - b);
  let best = minScore;
  let found = false;
  for (const order of [known, known.slice().reverse()]) {
    let [gl, hl, count] = [0, 0, 0];
    for (let k = 0; k < order.length; k++) {
      const b = order[k]!;
      hl += entries[2 * (at + b)]! >>> 0;
      gl += entries[2 * (at + b) + 1]!;
      if (counts) count += counts[b]!;
      const [gr, hr] = [gradient - gl, hessian - hl];
      if (hl < minHessian || hr < minHessian || (counts && (count < minRows || rows - count < minRows))) continue;
      const score = boundedScore(gl, hl, terms, bounds) + boundedScore(gr, hr, terms, bounds);
      if (score <= best) continue;
      best = score;
      found = true;
      const left = new Uint8Array(bins + 1);
      for (const one of order.slice(0, k + 1)) left[one] = 1;
      Object.assign(split, { score, bin: k, missingLeft: false, gradient: gl, hessian: hl, left });
    }
  }
  return found;
}

/**
 * Gradients and Hessians as whole numbers, packed in one word of 64 bits: the gradient in the upper half, the Hessian in the lower.
 *
 * Both are scaled by a power of two, chosen each round so that the sum over all rows of their sizes fits its half. Sums over any rows
 * then never overflow, and they are exact: the same whatever the order and the number of threads. On a million rows a mean gradient is
 * about 2,000 units, so that rounding moves the sum over a leaf of 20 by some parts in 10,000, well below the noise of its rows.
 */
import type { Units } from "../../numeric/histogram.ts";

export type { Units };

const GRADIENTS = 2147483647; // the upper half has a sign
const HESSIANS = 4294967295;

/** Units for rows whose sizes have these sums. */
export const unitsFor = (gradients: number, hessians: number, rows: number): Units => ({
  gradient: unit(gradients, GRADIENTS - rows / 2 - 1),
  hessian: unit(hessians, HESSIANS - rows / 2 - 1),
});

/** The largest power of two up to limit / sum. */
function unit(sum: number, limit: number): number {
  let power = 1;
  if (!(sum > 0)) return power;
  while (sum * power * 2 <= limit && power < 2 ** 900) power *= 2;
  while (sum * power > limit) power /= 2;
  return power;
}

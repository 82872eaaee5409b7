/**
 * The gain of a label, 2^l - 1, nothing below label 0, and the DCG of the best possible order: Σ gain / log2(1 + place). There is no ceiling
 * on labels but that of numbers: beyond 2^500 squares of gains would overflow.
 */

import { InputError } from "../../input-error.ts";
import { exp2, log2 } from "../../numeric/functions.ts";
import { scratch } from "./scratch.ts";
import { tierFinder } from "./tiers.ts";

const MOST = 500;

export function gain(label: number): number {
  if (label > MOST) throw new InputError(`2^l of label ${label} is too large: expected labels up to ${MOST}; scale them down`);
  return label > 0 ? exp2(label) - 1 : 0;
}

let discounts = new Float64Array(0);

/** 1 / log2(2 + p) for places p from 0 to n. One table, shared and grown on demand. */
export function discountsTo(n: number): Float64Array {
  if (discounts.length < n) discounts = Float64Array.from({ length: Math.max(128, 2 * n) }, (_, p) => 1 / log2(p + 2));
  return discounts;
}

export interface Gains {
  /** The gain of each item. */
  readonly of: Float64Array;
  readonly sum: number;
  /** DCG of the first `places` items in the best order. */
  readonly ideal: number;
}

/** Makes a function that finds the gains of one list after another in memory of its own. */
export function gainFinder(places = Infinity): (labels: Float32Array) => Gains {
  const find = tierFinder();
  const gains = scratch();
  const found = { of: gains(0), sum: 0, ideal: 0 };
  return (labels) => {
    const { order, starts, count } = find(labels);
    const of = gains(labels.length);
    const discount = discountsTo(labels.length);
    found.of = of;
    found.sum = found.ideal = 0;
    for (let t = 0; t < count; t++) {
      const value = gain(labels[order[starts[t]!]!]!);
      let fraction = 0;
      for (let p = starts[t]!; p < starts[t + 1]!; p++) {
        of[order[p]!] = value;
        if (p < places) fraction += discount[p]!;
      }
      found.sum += value * (starts[t + 1]! - starts[t]!);
      found.ideal += value * fraction;
    }
    return found;
  };
}

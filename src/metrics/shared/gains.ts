/**
 * Gains and discounts: the sum over ranks of gain times discount, as used by DCG and NDCG.
 *
 *   gain      exp: 2^l - 1;  lin: l.  A label below 0 gains nothing.
 *   discount  log2: 1 / log2(1 + place);  letor: 1 at places 1 and 2, then 1 / log2(place);  place: 1 / place.
 *
 * Tied items share the discounts of their places: in expectation each place of a group holds the group's mean gain, so a group gives its
 * mean gain times the discounts of those of its places that count (McSherry and Najork 2008, https://doi.org/10.1007/978-3-540-78646-7_38).
 */
import { exp2, expm1, log2 } from "../../numeric/functions.ts";
import { choice } from "../../part.ts";
import type { TieGroups } from "./ties.ts";

export const gain = choice(["exp", "lin"], "what a label l is worth: 2^l - 1, or l itself", ["gains"]);
export const discount = choice(["log2", "letor", "place"], "1/log2(1 + place), that of the old LETOR tools, or 1/place", [
  "denominator",
]);

export type Gain = (typeof gain)["default"];
export type Discount = (typeof discount)["default"];

export const GAIN_TEXT: Record<Gain, string> = { exp: "gain 2^l - 1", lin: "gain l" };
export const DISCOUNT_TEXT: Record<Discount, string> = {
  log2: "discount 1/log2(1 + rank)",
  letor: "discount 1 at ranks 1 and 2, then 1/log2(rank)",
  place: "discount 1/rank",
};

/** Above this label 2^l is near the largest number there is, and sums of it may pass that. */
export const HIGH_LABEL = 1000;

/** One gain per label, all divided by 2^shift. */
export function gainsOf(labels: Float32Array, gain: Gain, shift = 0): Float64Array {
  const gains = new Float64Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    if (label <= 0) continue;
    if (gain === "lin") gains[i] = label;
    else if (shift > 0) gains[i] = exp2(label - shift);
    else gains[i] = Number.isInteger(label) ? exp2(label) - 1 : expm1(label * Math.LN2);
  }
  return gains;
}

/** The discount of each place, counted from 0, for as many ranks as requested so far. */
export function discounts(kind: Discount): (places: number) => Float64Array {
  let known = new Float64Array(0);
  return (places) => {
    if (known.length < places) {
      known = new Float64Array(Math.max(places, 2 * known.length));
      for (let place = 0; place < known.length; place++) known[place] = discountAt(kind, place + 1);
    }
    return known;
  };
}

function discountAt(kind: Discount, rank: number): number {
  if (kind === "place") return 1 / rank;
  if (kind === "letor") return rank <= 2 ? 1 : 1 / log2(rank);
  return 1 / log2(1 + rank);
}

/** Gain times discount summed over the first `depth` places, expected over tied items. */
export function discounted({ order, ends }: TieGroups, gains: Float64Array, factors: Float64Array, depth: number): number {
  let sum = 0;
  for (let group = 0, from = 0; from < depth; from = ends[group++]!) {
    const to = ends[group]!;
    let gained = 0;
    for (let place = from; place < to; place++) gained += gains[order[place]!]!;
    if (gained === 0) continue;
    let factor = 0;
    for (let place = from; place < to && place < depth; place++) factor += factors[place]!;
    sum += (gained / (to - from)) * factor;
  }
  return sum;
}

/** The same for the best order there is. */
export function idealOf(gains: Float64Array, factors: Float64Array, depth: number): number {
  const sorted = gains.slice().sort();
  let sum = 0;
  for (let place = 0; place < depth; place++) sum += sorted[gains.length - 1 - place]! * factors[place]!;
  return sum;
}

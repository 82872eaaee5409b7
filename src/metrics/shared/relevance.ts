/** Graded labels read as relevant or not: an item is relevant when its label is at least `rel`. Places that count: the first `k`. */
import { integer, real } from "../../part.ts";

export const rel = real(1, "least label that counts as relevant");
export const k = integer(Infinity, "cutoff: number of ranks that count");

/** The smallest label above a round number, such as 0.5, is described by that number. */
export function relevanceText(least: number): string {
  const below = least - 2 ** -24;
  return String(below).length < String(least).length - 4
    ? `relevant is a label above ${below}`
    : `relevant is label ${least} or more`;
}
export const cutoffText = (places: number) => (places === Infinity ? "over all ranks" : `over the first ${rankText(places)}`);
const rankText = (places: number) => (places === 1 ? "rank" : `${places} ranks`);

/** Relevant items in the whole list. */
export function relevantIn(labels: Float32Array, least: number): number {
  let count = 0;
  for (let i = 0; i < labels.length; i++) if (labels[i]! >= least) count++;
  return count;
}

/** Relevant items among those at places from to to. */
export function relevantAt(order: Uint32Array, labels: Float32Array, least: number, from: number, to: number): number {
  let count = 0;
  for (let place = from; place < to; place++) if (labels[order[place]!]! >= least) count++;
  return count;
}

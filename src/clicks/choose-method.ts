/**
 * Chooses between estimates of position bias by the likelihood of clicks that they did not see: a fifth of the impressions of each query is held out, each method is
 * fitted to the others, and predicts the held-out clicks from the propensities and the relevance (C + r) / (E + 1) of documents (see click-data.ts). Under
 * a cascade, the probability that an entry was examined depends on the clicks above it.
 *
 * A method takes the place of one before it in the given order if it is better by two standard errors of the difference, over impressions.
 */
import { log } from "../numeric/functions.ts";
import { examinedGivenClicksAbove } from "./cascade.ts";
import type { ClickLog } from "./click-log.ts";
import type { Exposures } from "./exposures.ts";

/** What a method says of a part of a log. */
export interface FittedBias {
  /** By position. */
  readonly propensities: Float64Array;
  /** Cascade, by entry of the part it was fitted to. */
  readonly entries?: Float64Array;
  readonly proceed?: number;
  readonly afterClick?: number;
}

const EVERY = 5; // of so many impressions of a query, one is held out
const ERRORS = 2;
const [LEAST, MOST] = [1e-6, 1 - 1e-6]; // probability of a click

/** The impressions to fit with and those held out; the same names in both. */
export function splitLog(all: ClickLog): { fitted: ClickLog; heldOut: ClickLog } {
  const seen = new Uint32Array(all.queries.length);
  const isHeldOut = Uint8Array.from(all.query, (q) => ((q + seen[q]!++) % EVERY === 0 ? 1 : 0));
  return { fitted: part(all, isHeldOut, 0), heldOut: part(all, isHeldOut, 1) };
}

function part({ queries, documents, positions, ...all }: ClickLog, mark: Uint8Array, wanted: number): ClickLog {
  const impressions = Array.from(mark.keys()).filter((i) => mark[i] === wanted);
  const starts = new Uint32Array(impressions.length + 1);
  impressions.forEach((i, at) => {
    starts[at + 1] = starts[at]! + all.starts[i + 1]! - all.starts[i]!;
  });
  const entries = new Uint32Array(starts.at(-1)!);
  impressions.forEach((i, at) => {
    for (let e = all.starts[i]!; e < all.starts[i + 1]!; e++) entries[starts[at]! + e - all.starts[i]!] = e;
  });
  return {
    ...{ queries, documents, positions, starts, query: Uint32Array.from(impressions, (i) => all.query[i]!) },
    ...{ document: entries.map((e) => all.document[e]!), position: entries.map((e) => all.position[e]!) },
    clicked: Uint8Array.from(entries, (e) => all.clicked[e]!),
  };
}

/** By held-out impression: the log-likelihood of its clicks. Documents that the method did not see have the mean relevance. */
export function heldOutLikelihood(fitted: ClickLog, counts: Exposures, bias: FittedBias, heldOut: ClickLog): Float64Array {
  const [clicks, examined] = [new Float64Array(counts.query.length), new Float64Array(counts.query.length)];
  for (let e = 0; e < counts.entryOf.length; e++) {
    clicks[counts.entryOf[e]!]! += fitted.clicked[e]!;
    examined[counts.entryOf[e]!]! += bias.entries ? bias.entries[e]! : bias.propensities[fitted.position[e]!]!;
  }
  const sum = (all: Float64Array) => all.reduce((total, one) => total + one, 0);
  const mean = sum(clicks) / sum(examined);
  const places = new Map<number, number>(); // query and document to place
  const keyOf = (q: number, d: number) => q * fitted.documents.length + d;
  for (let d = 0; d < counts.query.length; d++) places.set(keyOf(counts.query[d]!, counts.document[d]!), d);
  const relevance = new Float64Array(heldOut.document.length);
  for (let i = 0; i < heldOut.query.length; i++)
    for (let e = heldOut.starts[i]!; e < heldOut.starts[i + 1]!; e++) {
      const d = places.get(keyOf(heldOut.query[i]!, heldOut.document[e]!));
      relevance[e] = Math.min(d === undefined ? mean : (clicks[d]! + mean) / (examined[d]! + 1), MOST);
    }
  const { proceed, afterClick } = bias;
  const chances =
    proceed !== undefined && afterClick !== undefined
      ? examinedGivenClicksAbove(heldOut, relevance, proceed, afterClick)
      : Float64Array.from(heldOut.position, (k) => bias.propensities[k]!);
  return Float64Array.from(heldOut.query, (_, i) => {
    let total = 0;
    for (let e = heldOut.starts[i]!; e < heldOut.starts[i + 1]!; e++) {
      const p = Math.min(Math.max(chances[e]! * relevance[e]!, LEAST), MOST);
      total += log(heldOut.clicked[e] === 1 ? p : 1 - p);
    }
    return total;
  });
}

/** The place of the likelihoods to be preferred. */
export function preferred(likelihoods: readonly Float64Array[]): number {
  let best = 0;
  for (let at = 1; at < likelihoods.length; at++) {
    const differences = likelihoods[at]!.map((one, i) => one - likelihoods[best]![i]!);
    const n = differences.length;
    const mean = differences.reduce((total, one) => total + one, 0) / n;
    const square = differences.reduce((total, one) => total + (one - mean) ** 2, 0);
    if (n > 1 && mean > ERRORS * Math.sqrt(square / (n - 1) / n)) best = at;
  }
  return best;
}

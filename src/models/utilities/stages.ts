/** Ballots as the sequence of Plackett-Luce choices: items from the best tier to the worst, and the end of each tier. */
import { descending } from "../../numeric/order.ts";
import { tierHessianSize } from "../../numeric/tier-hessian.ts";
import type { Dataset } from "../../types.ts";

export interface Stages {
  /** In the item set. */
  readonly items: number;
  /** List q owns entries starts[q] to starts[q + 1]. */
  readonly starts: Uint32Array;
  /** Items, the best first. */
  readonly order: Uint32Array;
  /** The entry after the last of each tier. */
  readonly ends: Uint32Array;
  /** List q owns tiers tiers[q] to tiers[q + 1]. */
  readonly tiers: Uint32Array;
  /** Of the lists. */
  readonly weights: Float64Array;
  /** The sum of the weights. */
  readonly total: number;
  /** How often an item is the only one of its tier, and not in the last, in lists that are not tied. */
  readonly wins: Float64Array;
  /** 1 for lists in which some tier above the last holds several items. */
  readonly tiedLists: Uint8Array;
  /** Some tier above the last holds several items. */
  readonly tied: boolean;
  readonly longest: number;
  /** Numbers that the second derivatives of the tiers of several items above the last take. */
  readonly squareSum: number;
  /** For each tier, the sum over those before it. */
  readonly squareAt: Float64Array;
}

export function stagesOf({ starts, labels, items, listWeights }: Dataset, count: number): Stages {
  const lists = starts.length - 1;
  const order = new Uint32Array(labels.length);
  const ends = new Uint32Array(labels.length);
  const tiers = new Uint32Array(lists + 1);
  const weights = Float64Array.from({ length: lists }, (_, q) => (listWeights ? listWeights[q]! : 1));
  const tiedLists = new Uint8Array(lists);
  let [tier, longest] = [0, 0];
  for (let q = 0; q < lists; q++) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    longest = Math.max(longest, to - from);
    const mine = labels.subarray(from, to);
    const places = falls(mine) ? undefined : descending(mine);
    for (let p = 0; p < mine.length; p++) {
      const at = places ? places[p]! : p;
      order[from + p] = items![from + at]!;
      const next = p + 1 < mine.length ? mine[places ? places[p + 1]! : p + 1] : Number.NaN;
      if (mine[at] === next) continue;
      const single = tier === tiers[q]! ? p === 0 : ends[tier - 1] === from + p;
      ends[tier++] = from + p + 1;
      if (!single && p + 1 < mine.length) tiedLists[q] = 1;
    }
    tiers[q + 1] = tier;
  }
  const found = { items: count, starts, order, ends: ends.slice(0, tier), tiers, tiedLists, longest };
  return { ...found, ...squaresOf(found), ...weighted(found, weights), tied: tiedLists.includes(1) };
}

/** Where the second derivatives of each tier of several items are. */
function squaresOf({ starts, ends, tiers }: Pick<Stages, "starts" | "ends" | "tiers">): Pick<Stages, "squareAt" | "squareSum"> {
  const squareAt = new Float64Array(ends.length);
  let squareSum = 0;
  for (let q = 0; q + 1 < starts.length; q++) {
    for (let t = tiers[q]!, from = starts[q]!; t < tiers[q + 1]!; from = ends[t++]!) {
      squareAt[t] = squareSum;
      const size = ends[t]! - from;
      if (size > 1 && t + 1 < tiers[q + 1]!) squareSum += tierHessianSize(size);
    }
  }
  return { squareAt, squareSum };
}

/** What follows from the weights. */
function weighted(
  { items, starts, order, tiers, tiedLists }: Pick<Stages, "items" | "starts" | "order" | "tiers" | "tiedLists">,
  weights: Float64Array,
): Pick<Stages, "weights" | "wins" | "total"> {
  const wins = new Float64Array(items);
  for (let q = 0; q + 1 < starts.length; q++) {
    if (tiedLists[q] === 1) continue;
    const last = starts[q]! + tiers[q + 1]! - tiers[q]! - 1;
    for (let p = starts[q]!; p < last; p++) wins[order[p]!] = wins[order[p]!]! + weights[q]!;
  }
  return { weights, wins, total: weights.reduce((sum, weight) => sum + weight, 0) };
}

/** One list of every `step`. */
export function sampledStages(stages: Stages, step: number): Stages {
  const chosen = Array.from({ length: Math.ceil(stages.weights.length / step) }, (_, k) => k * step);
  const [starts, tiers] = [new Uint32Array(chosen.length + 1), new Uint32Array(chosen.length + 1)];
  chosen.forEach((q, k) => {
    starts[k + 1] = starts[k]! + stages.starts[q + 1]! - stages.starts[q]!;
    tiers[k + 1] = tiers[k]! + stages.tiers[q + 1]! - stages.tiers[q]!;
  });
  const [order, ends] = [new Uint32Array(starts.at(-1)!), new Uint32Array(tiers.at(-1)!)];
  chosen.forEach((q, k) => {
    const [from, first] = [stages.starts[q]!, stages.tiers[q]!];
    order.set(stages.order.subarray(from, stages.starts[q + 1]!), starts[k]!);
    for (let t = first; t < stages.tiers[q + 1]!; t++) ends[tiers[k]! + t - first] = stages.ends[t]! - from + starts[k]!;
  });
  const tiedLists = Uint8Array.from(chosen, (q) => stages.tiedLists[q]!);
  const found = { items: stages.items, starts, order, ends, tiers, tiedLists, longest: stages.longest };
  const weights = Float64Array.from(chosen, (q) => stages.weights[q]!);
  return { ...found, ...squaresOf(found), ...weighted(found, weights), tied: tiedLists.includes(1) };
}

/** The same ballots with other weights, some of which may be 0. */
export const withWeights = (stages: Stages, weights: Float64Array): Stages => ({ ...stages, ...weighted(stages, weights) });

function falls(labels: Float32Array): boolean {
  for (let i = 1; i < labels.length; i++) if (labels[i]! > labels[i - 1]!) return false;
  return true;
}

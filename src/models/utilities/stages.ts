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
  /** How often an item is the only one of its tier, and not in the last. */
  readonly wins: Float64Array;
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
  const wins = new Float64Array(count);
  let [tier, longest, tied] = [0, 0, false];
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
      if (p + 1 === mine.length) continue;
      if (single) wins[order[from + p]!] = wins[order[from + p]!]! + weights[q]!;
      else tied = true;
    }
    tiers[q + 1] = tier;
  }
  const squareAt = new Float64Array(tier);
  let squareSum = 0;
  for (let q = 0; q < lists; q++) {
    for (let t = tiers[q]!, from = starts[q]!; t < tiers[q + 1]!; from = ends[t++]!) {
      squareAt[t] = squareSum;
      const size = ends[t]! - from;
      if (size > 1 && t + 1 < tiers[q + 1]!) squareSum += tierHessianSize(size);
    }
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    items: count,
    starts,
    order,
    ends: ends.slice(0, tier),
    tiers,
    weights,
    total,
    wins,
    tied,
    longest,
    squareSum,
    squareAt,
  };
}

/** The same ballots with other weights, some of which may be 0. */
export function withWeights(stages: Stages, weights: Float64Array): Stages {
  const { starts, order, ends, tiers } = stages;
  const wins = new Float64Array(stages.items);
  for (let q = 0; q + 1 < starts.length; q++) {
    for (let t = tiers[q]!, from = starts[q]!; t + 1 < tiers[q + 1]!; from = ends[t++]!)
      if (ends[t]! === from + 1) wins[order[from]!] = wins[order[from]!]! + weights[q]!;
  }
  return { ...stages, weights, wins, total: weights.reduce((sum, weight) => sum + weight, 0) };
}

function falls(labels: Float32Array): boolean {
  for (let i = 1; i < labels.length; i++) if (labels[i]! > labels[i - 1]!) return false;
  return true;
}

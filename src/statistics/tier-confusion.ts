/**
 * Where the items of each tier land. In the ideal order of a list the items of the best label fill the first ranks, those of the next the
 * ranks after, and so on: every rank belongs to a tier. Row t, column u of the matrix counts the items of tier t on ranks of tier u, so
 * that a perfect order gives a diagonal. The second table counts by groups of ranks instead. Items with tied scores share their ranks.
 * Empty lists and lists whose items all fall into one tier carry no information and are left out.
 */
import { descending } from "../numeric/order.ts";
import type { Dataset } from "../types.ts";

export interface TierConfusion {
  /** Best first. */
  readonly tiers: readonly Range[];
  /** By tier of the item, then tier of the place. */
  readonly counts: readonly Float64Array[];
  /** Of places, from 1. */
  readonly groups: readonly Range[];
  /** By tier of the item, then group of places. */
  readonly places: readonly Float64Array[];
  readonly lists: number;
  readonly leftOut: number;
}

/** From and to, both included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const GROUPS: readonly Range[] = [
  { from: 1, to: 1 },
  { from: 2, to: 3 },
  { from: 4, to: 5 },
  { from: 6, to: 10 },
  { from: 11, to: 20 },
  { from: 21, to: Infinity },
];

/** Labels of more kinds than `most` are taken together, neighbors with neighbors, so that each tier has about as many items. */
export function tierConfusion(scores: Float64Array, { starts, labels }: Dataset, most = 6): TierConfusion {
  const tiers = tiersOf(labels, most);
  const tierOf = (label: number) => tiers.findIndex(({ from, to }) => label >= from && label <= to);
  const longest = starts.reduce((size, start, q) => (q === 0 ? 0 : Math.max(size, start - starts[q - 1]!)), 0);
  const groups = GROUPS.filter(({ from }) => from <= longest);
  const counts = tiers.map(() => new Float64Array(tiers.length));
  const places = tiers.map(() => new Float64Array(groups.length));
  let leftOut = 0;
  for (let q = 0; q + 1 < starts.length; q++) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const tier = Uint8Array.from(labels.subarray(from, to), tierOf);
    const owner = tier.slice().sort();
    if (owner.length === 0 || owner[0] === owner.at(-1)) {
      leftOut++;
      continue;
    }
    const mine = scores.subarray(from, to);
    const order = descending(mine);
    for (let first = 0, end = 0; first < order.length; first = end) {
      for (end = first + 1; end < order.length && mine[order[end]!] === mine[order[first]!]; ) end++; // NaN equals nothing, not even itself
      const fraction = 1 / (end - first);
      for (let item = first; item < end; item++)
        for (let place = first; place < end; place++) {
          const t = tier[order[item]!]!;
          counts[t]![owner[place]!]! += fraction;
          places[t]![groups.findIndex((group) => place + 1 <= group.to)]! += fraction;
        }
    }
  }
  return { tiers, counts, groups, places, lists: starts.length - 1 - leftOut, leftOut };
}

function tiersOf(labels: Float32Array, most: number): Range[] {
  const sizes = new Map<number, number>();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  const kinds = [...sizes].sort(([a], [b]) => b - a);
  if (kinds.length <= most) return kinds.map(([label]) => ({ from: label, to: label }));
  const tiers: { from: number; to: number; size: number }[] = [];
  let left = labels.length;
  for (const [label, size] of kinds) {
    const last = tiers.at(-1);
    if (last && (tiers.length === most || last.size < left / (most - tiers.length + 1))) {
      last.from = label;
      last.size += size;
    } else {
      if (last) left -= last.size;
      tiers.push({ from: label, to: label, size });
    }
  }
  return tiers.map(({ from, to }) => ({ from, to }));
}

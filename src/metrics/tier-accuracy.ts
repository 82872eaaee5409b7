/**
 * How many items land in their tier: the order is cut into tiers of the true sizes, and an item is right when the places of its own tier
 * hold it. With the labels sorted as l(1) >= ... >= l(n), the share of places p whose item has label l(p).
 *
 * Over tied scores: a group of n items with a_t of tier t, on places of which b_t are of tier t, has Σ a_t b_t / n right in expectation,
 * Σ min(a_t, b_t) at best and max(0, max_t a_t + b_t - n) at worst (Hall's theorem: fewer places than that are free of their own tier).
 */
import { metricPart } from "./shared/metric-part.ts";
import type { TieGroups } from "./shared/ties.ts";

type Right = (items: readonly number[], places: readonly number[], size: number) => number;

const expected: Right = (items, places, size) => sum(items.map((count, t) => count * places[t]!)) / size;
const best: Right = (items, places) => sum(items.map((count, t) => Math.min(count, places[t]!)));
const worst: Right = (items, places, size) => Math.max(0, ...items.map((count, t) => count + places[t]! - size));

/** Share of items that the order puts into their tier; `tier-accuracy` on the command line. */
export const tierAccuracy = metricPart("tier-accuracy", "share of items that the order puts into their tier", {}, () => ({
  description: "the order cut into tiers of the true sizes, share of items in their own",
  requires: "two different labels",
  value: (list, labels) => fraction(list, labels, expected),
  extreme: (list, labels, which) => fraction(list, labels, which === "best" ? best : worst),
}));

function fraction({ order, ends, ranked }: TieGroups, labels: Float32Array, right: Right): number {
  const n = labels.length;
  const ideal = labels.slice().sort().reverse();
  if (n === 0 || ideal[0] === ideal[n - 1]) return Number.NaN;
  let found = 0;
  for (let group = 0, from = 0; from < ranked; from = ends[group++]!) {
    const to = ends[group]!;
    const tiers = new Map<number, [number, number]>(); // items and places of a label
    const count = (label: number, which: 0 | 1) => {
      const pair = tiers.get(label) ?? [0, 0];
      pair[which]++;
      tiers.set(label, pair);
    };
    for (let place = from; place < to; place++) {
      count(labels[order[place]!]!, 0);
      count(ideal[place]!, 1);
    }
    const pairs = [...tiers.values()];
    found += right(
      pairs.map(([items]) => items),
      pairs.map(([, places]) => places),
      to - from,
    );
  }
  return found / n;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

import { relevantAt } from "./relevance.ts";
import type { TieGroups } from "./ties.ts";

/** Relevant items among the first k places, expected over tied items: of a group that crosses the cutoff, in proportion. */
export function hits({ order, ends, ranked }: TieGroups, labels: Float32Array, least: number, k: number): number {
  const depth = Math.min(k, ranked);
  let count = 0;
  for (let group = 0, from = 0; from < depth; from = ends[group++]!) {
    const to = ends[group]!;
    const relevant = relevantAt(order, labels, least, from, to);
    count += to <= depth ? relevant : (relevant * (depth - from)) / (to - from);
  }
  return count;
}

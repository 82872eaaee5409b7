/** How many pairs an objective has to look at in a list, for objectives whose time grows with them. */
import { InputError, quote } from "../input-error.ts";
import type { Dataset, Objective } from "../types.ts";

/** Pairs of one list at most: at 10^8 pairs per second, a round takes three hours for that list alone. */
const MOST = 1e12;

/** Refuses lists of which an objective that looks at every pair would not finish a single round. */
export function checkPairs(
  { spec, quadratic }: Pick<Objective, "spec" | "quadratic">,
  { starts, labels, names, shard }: Dataset,
): void {
  if (!quadratic) return;
  for (let q = 0; q + 1 < starts.length; q++) {
    const items = starts[q + 1]! - starts[q]!;
    if ((items * (items - 1)) / 2 <= MOST) continue;
    const pairs = pairsOf(labels.subarray(starts[q]!, starts[q + 1]!), quadratic);
    if (pairs <= MOST) continue;
    const list = names.lists?.[q];
    throw new InputError(
      `objective ${spec} looks at every pair of a list, and ${list === undefined ? `list ${(shard?.list ?? 0) + q + 1}` : `list ${quote(list)}`} has ${items} items and ${pairs.toPrecision(2)} pairs, which would take hours for each round; use an objective whose time grows with the items, such as softmax or lambdarank, or shorter lists`,
    );
  }
}

/** The number of pairs of different labels, or of all. */
export function pairsOf(labels: Float32Array, which: "all" | "different"): number {
  const all = (labels.length * (labels.length - 1)) / 2;
  if (which === "all") return all;
  const counts = new Map<number, number>();
  for (let i = 0; i < labels.length; i++) counts.set(labels[i]!, (counts.get(labels[i]!) ?? 0) + 1);
  return [...counts.values()].reduce((left, count) => left - (count * (count - 1)) / 2, all);
}

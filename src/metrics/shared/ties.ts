/**
 * The order of a list by score, and the treatment of tied scores.
 *
 * `expected` keeps tied items together as a group, and a metric takes its mean over all orders of each group. Every other rule settles an
 * order, so that each group holds one item: `order` as the items came, `docno` by descending document id as trec_eval does, `best` and
 * `worst` by label. Sorting tied items by label is truly best, and the reverse truly worst: exchanging two neighbors so that the higher
 * label comes first never lowers any metric here, and any order is reached from any other by such exchanges or their reverses.
 *
 * An item with score -Infinity is not ranked: it has no place, but counts among what could have been found, as a relevant document that a
 * run file does not list.
 */
import { InputError } from "../../input-error.ts";
import { descending } from "../../numeric/order.ts";
import { choice } from "../../part.ts";

export const ties = choice(
  ["expected", "order", "worst", "best", "docno"],
  "tied scores: mean over their orders, order of the data, least or greatest value, or descending document id",
);

export type Ties = (typeof ties)["default"];

/** Group g of tied items stands at places ends[g - 1] to ends[g] (the first at 0), `order` says which items; `ranked` items have a place. */
export interface TieGroups {
  readonly order: Uint32Array;
  readonly ends: Uint32Array;
  readonly ranked: number;
}

export function tieGroups(scores: Float64Array, labels: Float32Array, rule: Ties, ids?: readonly string[]): TieGroups {
  const order = descending(scores);
  const n = order.length;
  let ranked = n;
  while (ranked > 0 && scores[order[ranked - 1]!] === -Infinity) ranked--;
  const less = comparison(rule, labels, ids);
  const ends = new Uint32Array(n);
  let groups = 0;
  for (let from = 0, to = 0; from < n; from = to) {
    const score = scores[order[from]!];
    for (to = from + 1; to < n && scores[order[to]!] === score; ) to++;
    if (less && to - from > 1) order.subarray(from, to).sort(less);
    if (rule === "expected") ends[groups++] = to;
    else for (let place = from; place < to; ) ends[groups++] = ++place;
  }
  return { order, ends: ends.subarray(0, groups), ranked };
}

/** How tied items are sorted, or nothing where they stay as they came. */
function comparison(rule: Ties, labels: Float32Array, ids?: readonly string[]) {
  switch (rule) {
    case "expected":
    case "order":
      return undefined;
    case "best":
      return (a: number, b: number) => labels[b]! - labels[a]! || a - b;
    case "worst":
      return (a: number, b: number) => labels[a]! - labels[b]! || a - b;
    case "docno":
      if (!ids) throw new InputError("ties=docno needs document ids and this data has none; use ties=order or ties=expected");
      return (a: number, b: number) => (ids[a]! > ids[b]! ? -1 : ids[a]! < ids[b]! ? 1 : a - b);
  }
}

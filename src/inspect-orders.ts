/**
 * Features that order nearly all pairs of items as the labels do. A list of many items is rarely without a mistake, so that lists in perfect order
 * do not show it. Features of documents that rank well order four of five pairs.
 */
import { pairsOf } from "./data/pair-counts.ts";
import type { FoundOrder } from "./inspect.ts";
import { descending } from "./numeric/order.ts";
import { pairOrder } from "./numeric/pair-order.ts";
import type { Dataset } from "./types.ts";

const NEARLY_ALL = 0.95; // of pairs of items with different labels
const [LEAST_LISTS, LEAST_PAIRS] = [20, 200];
const LONG = 3; // pairs of a list, on average: a good feature may order most lists of two

/** A function that looks for such an order among the values of a feature, of which NaN are left out. */
export function nearOrders(data: Dataset): (values: Float64Array) => FoundOrder | undefined {
  const { starts, labels } = data;
  const lists: { readonly from: number; readonly labels: Float32Array }[] = [];
  let most = 0; // pairs of items with different labels
  for (let list = 0; list + 1 < starts.length; list++) {
    const from = starts[list]!;
    const own = labels.subarray(from, starts[list + 1]!);
    const pairs = pairsOf(own, "different");
    if (pairs > 0) lists.push({ from, labels: own });
    most += pairs;
  }
  return (values) => {
    const counts = { ascending: 0, descending: 0, pairs: 0, lists: 0 }; // ties are half in order
    for (const { from, labels: own } of lists) {
      const { same, opposite, tied } = ordersOf(values.subarray(from, from + own.length), own);
      const pairs = same + opposite + tied;
      if (pairs === 0) continue;
      counts.ascending += same + tied / 2;
      counts.descending += opposite + tied / 2;
      counts.pairs += pairs;
      counts.lists++;
      const wrong = counts.pairs - Math.max(counts.ascending, counts.descending);
      if (wrong > (1 - NEARLY_ALL) * most) return undefined;
    }
    if (counts.lists < LEAST_LISTS || counts.pairs < Math.max(LEAST_PAIRS, LONG * counts.lists)) return undefined;
    const way = counts.ascending > counts.descending ? "ascending" : "descending";
    const share = counts[way] / counts.pairs;
    return share < NEARLY_ALL ? undefined : { way, what: `${percent(share)} of the pairs of items with different labels` };
  };
}

/** Never 100 %: some pair is in the wrong order. */
const percent = (share: number) => `${Math.min(99.9, Math.floor(1000 * share) / 10)} %`;

/** The pairs of items of a list with different labels, as far as both have a value. */
function ordersOf(values: Float64Array, labels: Float32Array): { same: number; opposite: number; tied: number } {
  const known = Uint32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]!));
  const own = Float64Array.from(known, (row) => values[row]!);
  const order = descending(own);
  const ends: number[] = [];
  order.forEach((place, at) => void (own[place] !== own[order[at + 1]!] && ends.push(at + 1)));
  const placed = Float32Array.from(order, (place) => labels[known[place]!]!);
  const { same, opposite } = pairOrder(placed, ends);
  return { same, opposite, tied: pairsOf(placed, "different") - same - opposite };
}

/** The verb that puts the items of each list in order, best first. */
import { score } from "./evaluate.ts";
import { descending } from "./numeric/order.ts";
import type { Dataset, Model } from "./types.ts";

export interface Ranked {
  readonly list: string; // its id
  readonly items: readonly RankedItem[];
}

export interface RankedItem {
  readonly id: string; // of the document, or its place in the list from 1 where the data name none
  readonly rank: number; // from 1
  readonly score: number;
  readonly label: number;
}

/** Lists one after another, so that only one is held at a time. Equal scores keep the order of the data. */
export function* rank(model: Model, data: Dataset, top = Infinity): Generator<Ranked> {
  const scores = score(model, data);
  const { starts, labels, items: numbers, names } = data;
  for (let q = 0; q + 1 < starts.length; q++) {
    const from = starts[q]!;
    const order = descending(scores.subarray(from, starts[q + 1]!));
    const items = Array.from(order.subarray(0, Math.min(order.length, top)), (at, place) => ({
      id: names.entries?.[from + at] || (numbers && names.items?.[numbers[from + at]!]) || String(at + 1),
      rank: place + 1,
      score: scores[from + at]!,
      label: labels[from + at]!,
    }));
    yield { list: names.lists?.[q] ?? String(q + 1), items };
  }
}

/** The verb that puts the items of each list in order, best first. */
import { checkItems, type ItemOptions, isDataset } from "./data/items.ts";
import { entryName, listName } from "./data/names.ts";
import { subset } from "./data/subset.ts";
import { score } from "./evaluate.ts";
import { Mistake } from "./mistake.ts";
import { descending } from "./numeric/order.ts";
import type { Dataset, Model } from "./types.ts";

/** A list in the order of the model. */
export interface Ranked {
  readonly list: string; // its id
  readonly items: readonly RankedItem[];
}

/** An item in its place. */
export interface RankedItem {
  readonly id: string; // of the document, or its place in the list from 1 where the data name none
  readonly rank: number; // from 1
  readonly score: number;
  readonly label: number;
}

/** An item of one list in its place: the object that was given, with its score. */
export interface RankedObject<T> {
  readonly item: T;
  /** From 1. */
  readonly rank: number;
  readonly score: number;
}

/** How the items of one list are ranked. */
export interface RankOptions<T> extends ItemOptions<T> {
  /** How many of the best items are wanted. Default: all. */
  readonly top?: number;
}

/**
 * Ranks the lists of a dataset, one after another, so that only one is held at a time; `top` limits each list. Equal scores keep the order of
 * the data.
 */
export function rank(model: Model, data: Dataset, top?: number): Generator<Ranked>;
/**
 * Ranks the items of one list and gives them back, best first. An item is an object with the model's features as properties, or a vector of
 * numbers; `features` tells where else they are.
 *
 * @example
 * for (const { item, score } of rank(model, candidates, { top: 10 })) console.log(item.title, score);
 */
export function rank<T>(model: Model, items: Iterable<T>, options?: RankOptions<T>): RankedObject<T>[];
export function rank<T>(
  model: Model,
  what: Dataset | Iterable<T>,
  options: number | RankOptions<T> = {},
): Generator<Ranked> | RankedObject<T>[] {
  const top = typeof options === "number" ? options : (options.top ?? Infinity);
  if (!(top > 0)) throw new Mistake(`rank: expected top to be a number above 0, got ${top}`);
  if (isDataset(what)) return rankLists(model, what, top);
  checkItems(what);
  const all = Array.isArray(what) ? (what as T[]) : [...what];
  const scores = score(model, all, typeof options === "number" ? {} : options);
  return Array.from(descending(scores).subarray(0, Math.min(all.length, top)), (at, place) => ({
    item: all[at]!,
    rank: place + 1,
    score: scores[at]!,
  }));
}

function* rankLists(model: Model, data: Dataset, top: number): Generator<Ranked> {
  if (data.catalogue !== undefined && model.top) return yield* rankCatalogue(model, data, Math.min(top, data.catalogue));
  for (const { list, items } of rankScores(score(model, data), data, top)) yield { list, items };
}

/** The same for scores that came from anywhere, with the places of the items in their list. */
export function* rankScores(scores: Float64Array, data: Dataset, top = Infinity): Generator<Ranked & { order: Uint32Array }> {
  const { starts, labels } = data;
  for (let q = 0; q + 1 < starts.length; q++) {
    const from = starts[q]!;
    const order = descending(scores.subarray(from, starts[q + 1]!));
    const items = Array.from(order.subarray(0, Math.min(order.length, top)), (at, place) => ({
      id: entryName(data, q, from + at),
      rank: place + 1,
      score: scores[from + at]!,
      label: labels[from + at]!,
    }));
    yield { list: listName(data, q), items, order };
  }
}

const CHUNK = 1024; // lists at a time, so that the best places of all are never held

function* rankCatalogue(model: Model, data: Dataset, k: number): Generator<Ranked> {
  const lists = data.starts.length - 1;
  for (let from = 0; from < lists; from += CHUNK) {
    const part = subset(
      data,
      Uint32Array.from({ length: Math.min(CHUNK, lists - from) }, (_, i) => from + i),
    );
    const { items, scores } = model.top!(part, k);
    for (let q = 0; q + 1 < part.starts.length; q++) {
      const judged = new Map<number, number>();
      for (let i = part.starts[q]!; i < part.starts[q + 1]!; i++) judged.set(part.items![i]!, part.labels[i]!);
      yield {
        list: part.names.lists?.[q] ?? String(from + q + 1),
        items: Array.from(items.subarray(q * k, (q + 1) * k), (item, place) => ({
          id: model.catalogue?.names?.[item] ?? String(item),
          rank: place + 1,
          score: scores[q * k + place]!,
          label: judged.get(item) ?? 0,
        })),
      };
    }
  }
}

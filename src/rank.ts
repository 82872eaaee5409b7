/** Ranks the items of each list, best first. */
import { check, checkData, checkOptions, checkScores, isDataset, type Kinds, wholeFrom } from "./arguments.ts";
import { type AlignOptions, alignKinds } from "./data/align.ts";
import { checkItems, type ItemOptions, itemKinds } from "./data/items.ts";
import { entryName, listName } from "./data/names.ts";
import { subset } from "./data/subset.ts";
import { aligned, score } from "./evaluate.ts";
import { descending } from "./numeric/order.ts";
import type { Dataset, Model } from "./types.ts";

/** A list in the order of the model. */
export interface Ranked {
  /** Id of the list. */
  readonly list: string;
  /** The items, best first. */
  readonly items: readonly RankedItem[];
}

/** An item in its place. */
export interface RankedItem {
  /** Id of the document, or its number in the list from 1 if the data have no ids. */
  readonly id: string;
  /** Rank, from 1. */
  readonly rank: number;
  /** Score of the item. */
  readonly score: number;
  /** Label of the item in the data; absent where these have none. */
  readonly label?: number;
}

/** An item of one list in its place: the object that was given, with its score. */
export interface RankedObject<T> {
  /** The item as it was given. */
  readonly item: T;
  /** Rank, from 1. */
  readonly rank: number;
  /** The model's score. */
  readonly score: number;
}

/** What of an order is wanted. */
export interface RankOptions extends AlignOptions {
  /** Only the first places of each list. Default: all. */
  readonly top?: number;
}

/** How the items of one list are ranked. */
export interface RankItemsOptions<T> extends ItemOptions<T> {
  /** How many of the best items are wanted. Default: all. */
  readonly top?: number;
}

const places = wholeFrom(1, true);
export const rankKinds: Kinds<RankOptions> = { ...alignKinds, top: places };

/**
 * Ranks the lists of a dataset, one after another, so that only one is held at a time, after `align` has fitted the data to the columns of the
 * model. Equal scores keep the order of the data. A number instead of options is `top`.
 */
export function rank(model: Model, data: Dataset, options?: number | RankOptions): Generator<Ranked>;
/**
 * Ranks the items of one list and gives them back, best first. An item is an object with the model's features as properties, or a vector of
 * numbers, or the name of an item for a model of utilities; `features` says where else features are.
 *
 * @example
 * for (const { item, score } of rank(model, candidates, { top: 10 })) console.log(item.title, score);
 */
export function rank<T>(model: Model, items: Iterable<T>, options?: number | RankItemsOptions<T>): RankedObject<T>[];
export function rank<T>(
  model: Model,
  what: Dataset | Iterable<T>,
  options: number | RankOptions | RankItemsOptions<T> = {},
): Generator<Ranked> | RankedObject<T>[] {
  const given = typeof options === "number" ? { top: options } : options;
  if (isDataset(what)) {
    checkOptions("rank", given as RankOptions, rankKinds);
    const { top = Infinity, ...how } = given as RankOptions;
    return ranked(model, aligned("rank", model, what, how), top);
  }
  checkItems("rank", what);
  checkOptions("rank", given as RankItemsOptions<T>, { ...itemKinds, top: places });
  const { top = Infinity, ...how } = given as RankItemsOptions<T>;
  const all = Array.isArray(what) ? (what as T[]) : [...what];
  const scores = score(model, all, how);
  return Array.from(descending(scores).subarray(0, Math.min(all.length, top)), (at, place) => ({
    item: all[at]!,
    rank: place + 1,
    score: scores[at]!,
  }));
}

function* ranked(model: Model, data: Dataset, top: number): Generator<Ranked> {
  if (data.labelSpaceSize !== undefined && model.top) return yield* rankLabels(model, data, Math.min(top, data.labelSpaceSize));
  for (const { list, items } of rankScores(score(model, data), data, top)) yield { list, items };
}

/** The same for scores that came from anywhere, with the places of the items in their list. */
export function rankScores(scores: Float64Array, data: Dataset, top = Infinity): Generator<Ranked & { order: Uint32Array }> {
  checkData("rankScores", data);
  checkScores("rankScores", scores, data);
  check("rankScores, the number of places", top, places);
  return inOrder(scores, data, top);
}

function* inOrder(scores: Float64Array, data: Dataset, top: number): Generator<Ranked & { order: Uint32Array }> {
  const { starts, labels, unlabelled } = data;
  for (let q = 0; q + 1 < starts.length; q++) {
    const from = starts[q]!;
    const order = descending(scores.subarray(from, starts[q + 1]!));
    const items = Array.from(order.subarray(0, Math.min(order.length, top)), (at, place) => ({
      id: entryName(data, q, from + at),
      rank: place + 1,
      score: scores[from + at]!,
      ...(!unlabelled && { label: labels[from + at]! }),
    }));
    yield { list: listName(data, q), items, order };
  }
}

const CHUNK = 1024; // lists at a time, so that the best places of all are never held

function* rankLabels(model: Model, data: Dataset, k: number): Generator<Ranked> {
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
          id: model.labelSpace?.names?.[item] ?? String(item),
          rank: place + 1,
          score: scores[q * k + place]!,
          label: judged.get(item) ?? 0,
        })),
      };
    }
  }
}

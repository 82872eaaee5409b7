/**
 * The items of one list as a model sees them, from objects or vectors that are already in memory: what one request to rank needs.
 *
 * A model whose features have names reads them from each object by name and ignores all other properties; one whose features are numbered
 * takes vectors. A property that is null or NaN is a missing value; one that is not there at all is an error.
 */
import { type Kinds, someFunction } from "../arguments.ts";
import { describeValue, InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import type { ColumnEncoding, Columns, Dataset } from "../types.ts";
import { encodeValue, widthOf } from "./table/encode.ts";
import { otherUnit } from "./table/other-unit.ts";
import { encodeSet } from "./table/sets.ts";

/** Where the features of an item are, unless they are its own properties or the item is itself a vector. */
export interface ItemOptions<T> {
  /** The features of an item: a vector in the order of the model's columns, or an object with the names of its features. */
  readonly features?: (item: T, index: number) => ArrayLike<number> | object;
}

export const itemKinds: Kinds<ItemOptions<unknown>> = { features: someFunction };

/** Refuses what is neither a dataset nor items. */
export function checkItems(who: string, items: unknown): asserts items is Iterable<unknown> {
  if (typeof items !== "object" || items === null || !(Symbol.iterator in items))
    throw new InputError(`${who}: expected a dataset, or an array or another iterable of items, got ${describeValue(items)}`);
}

/** One list of the given items, without labels. */
export function itemList<T>(items: Iterable<T>, columns: Columns, { features }: ItemOptions<T> = {}): Dataset {
  const all = Array.isArray(items) ? (items as readonly T[]) : [...items];
  const { count, names, base, encoding } = columns;
  const values = new Float32Array(all.length * count);
  all.forEach((item, i) => {
    fill(values.subarray(i * count, (i + 1) * count), features ? features(item, i) : item, i + 1, columns);
  });
  return {
    starts: Uint32Array.of(0, all.length),
    labels: new Float32Array(all.length),
    features: { kind: "dense", rows: all.length, columns: count, values },
    base,
    names: { ...(names && { features: names }), ...(encoding && { encoding }) },
  };
}

/** One list of items that a model knows by name, such as those of ballots. */
export function namedList(items: Iterable<unknown>): Dataset {
  const names = Array.from(items, (item, i) => {
    if (typeof item !== "string")
      throw new InputError(
        `item ${i + 1}: the model knows its items by name, so an item must be a text, got ${quote(String(item))}`,
      );
    return item;
  });
  const entries = names.length;
  return {
    starts: Uint32Array.of(0, entries),
    labels: new Float32Array(entries),
    features: { kind: "dense", rows: entries, columns: 0, values: new Float32Array(0) },
    items: Uint32Array.from(names.keys()),
    base: 1,
    names: { items: names },
  };
}

function fill(row: Float32Array, item: unknown, number: number, { count, names, encoding }: Columns): void {
  const where = `item ${number}`;
  if (Array.isArray(item) || (ArrayBuffer.isView(item) && "length" in item)) {
    const vector = item as ArrayLike<unknown>;
    if (vector.length !== count) throw new InputError(`${where}: expected ${count} features, got ${vector.length}`);
    for (let f = 0; f < count; f++) row[f] = cell(vector[f], where, names?.[f] ?? String(f + 1));
    return;
  }
  if (typeof item !== "object" || item === null)
    throw new InputError(`item ${number}: expected an object or a vector of ${count} features, got ${quote(String(item))}`);
  if (!names)
    throw new InputError(
      `item ${number}: the model numbers its features, so an item must be a vector of ${count} numbers, got an object`,
    );
  const given = item as Record<string, unknown>;
  if (encoding) {
    fillEncoded(row, given, where, encoding);
    return;
  }
  for (let f = 0; f < count; f++) {
    const name = names[f]!;
    const value = given[name];
    if (value === undefined && !(name in given)) throw lacks(where, name, given);
    row[f] = cell(value, where, name);
  }
}

/** The features of an object with the columns of the table that the model was trained on; `where` begins messages. */
export function fillEncoded(
  row: Float32Array,
  item: Readonly<Record<string, unknown>>,
  where: string,
  encoding: readonly ColumnEncoding[],
): void {
  let at = 0;
  for (const column of encoding) {
    const { name, kind } = column;
    if (kind === "none") continue;
    const value = item[name];
    if (value === undefined && !(name in item)) throw lacks(where, name, item);
    if (kind === "number" && typeof value !== "string") row[at] = cell(value, where, name);
    else if (kind === "set") encodeSet(column, value, row, at, `${where}, feature ${quote(name)}`);
    else if (!encodeValue(column, value, row, at) && kind !== "category") {
      const unit = typeof value === "string" ? otherUnit(column, value) : undefined;
      throw new InputError(`${where}, feature ${quote(name)}: ${unit ?? `expected a ${kind}, got ${quote(String(value))}`}`);
    }
    at += widthOf(column);
  }
}

const lacks = (where: string, name: string, item: object) =>
  new InputError(
    `${where} lacks the feature ${quote(name)} (null stands for a missing value); ${suggest(name, Object.keys(item))}`,
  );

function cell(value: unknown, where: string, name: string): number {
  const held =
    typeof value === "number"
      ? value
      : value === null || value === undefined
        ? Number.NaN
        : typeof value === "boolean" || typeof value === "bigint"
          ? Number(value)
          : undefined;
  if (held === undefined || Math.abs(Math.fround(held)) === Number.POSITIVE_INFINITY)
    throw new InputError(`${where}, feature ${quote(name)}: expected a finite number, got ${quote(String(value))}`);
  return held + 0; // -0 becomes 0, as in data that are read
}

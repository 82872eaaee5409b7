/**
 * What if the features of some items were others: the order of a list before and after changes. All items of a list are scored again, since
 * features within the list may depend on each other.
 */
import { check, checkOptions, type Kinds, required, someText, wholeFrom } from "./arguments.ts";
import type { AlignOptions } from "./data/align.ts";
import { denseCopy } from "./data/dense-copy.ts";
import { subset } from "./data/subset.ts";
import { truthOf } from "./data/table/cell-text.ts";
import { encodeValue, widthOf } from "./data/table/encode.ts";
import { encodeSet } from "./data/table/sets.ts";
import { aligned } from "./evaluate.ts";
import { describeValue, InputError, quote } from "./input-error.ts";
import { columnName } from "./models/shared/columns.ts";
import { descending } from "./numeric/order.ts";
import { suggest } from "./part.ts";
import type { ColumnEncoding, Columns, Dataset, Model } from "./types.ts";

/** A change of one feature: value becomes `factor` * value + `add`; `set` gives it a value, NaN a missing one. */
export interface FeatureChange {
  /** Name of the feature, or its number as the data count, or for `set` the name of a column of words. */
  readonly feature: string;
  /** The new value: a number, or what a cell of the table would have, such as "red", "yes", true, "2024-03-01" or ["new", "sale"]; NaN: missing. */
  readonly set?: number | string | boolean | Date | readonly string[];
  /** What the value is multiplied by, before `add`. Default: 1. */
  readonly factor?: number;
  /** What is added to the value. Default: 0. */
  readonly add?: number;
  /** Indices of the items in the list, from 0. Default: all. */
  readonly items?: readonly number[];
}

/** Score and rank of an item. */
export interface Place {
  /** Rank in the list, from 1. */
  readonly rank: number;
  /** Score of the item. */
  readonly score: number;
}

/** An item before and after the changes. */
export interface ItemMove {
  /** Index of the item in the list, from 0. */
  readonly index: number;
  /** With the features of the data. */
  readonly before: Place;
  /** With the changed features. */
  readonly after: Place;
}

const finite = { wanted: "a finite number", fits: Number.isFinite };
const changeKinds: Kinds<FeatureChange> = {
  feature: required(someText),
  set: {
    wanted: "a number, a text, a boolean, a date or an array of texts",
    fits: (value) =>
      ["number", "string", "boolean"].includes(typeof value) ||
      value instanceof Date ||
      (Array.isArray(value) && value.every((one) => typeof one === "string")),
  },
  ...{ factor: finite, add: finite },
  items: { wanted: "an array of indices of items", fits: (value) => Array.isArray(value) && value.every(wholeFrom(0).fits) },
};

/**
 * The items of one list in their new order, with rank and score before and after the changes, which are made one after another. The data are
 * fitted to the columns of the model by `align`. Values of the data are not changed, and changed values are rounded to 32 bits as data are.
 *
 * @example
 * for (const { index, before, after } of whatIf(model, data, 0, [{ feature: "price", set: 9 }])) console.log(index, before.rank, after.rank);
 */
export function whatIf(
  model: Model,
  data: Dataset,
  list: number,
  changes: readonly FeatureChange[],
  options: AlignOptions = {},
): ItemMove[] {
  const fitted = aligned("whatIf", model, data, options);
  check("whatIf, the list", list, wholeFrom(0));
  if (list + 1 >= fitted.starts.length)
    throw new InputError(`whatIf, the list: there are ${fitted.starts.length - 1} lists, counted from 0, got ${list}`);
  if (fitted.labelSpaceSize !== undefined || model.columns.count === 0)
    throw new InputError("whatIf: the items of the data have no features of their own that could be changed");
  if (!Array.isArray(changes) || changes.length === 0)
    throw new InputError(`whatIf: expected an array of changes, got ${describeValue(changes)}`);
  const one = subset(fitted, Uint32Array.of(list));
  const features = denseCopy(one.features);
  for (const change of changes) {
    checkOptions("whatIf, a change", change, changeKinds);
    apply(features.values, features.rows, model.columns, change);
  }
  const [before, after] = [placesOf(model, one), placesOf(model, { ...one, features })];
  return Array.from(before, (place, index) => ({ index, before: place, after: after[index]! })).sort(
    (a, b) => a.after.rank - b.after.rank,
  );
}

/** The column of a feature. */
export function columnOf(columns: Columns, name: string): number {
  const all = Array.from({ length: columns.count }, (_, c) => columnName(columns, c));
  const found = all.indexOf(name);
  if (found < 0) throw new InputError(`the model has no feature ${quote(name)}; ${suggest(name, all)}`);
  return found;
}

/** What a change may name: features, and columns of the table that become features. */
export function namesIn(columns: Columns): string[] {
  const features = Array.from({ length: columns.count }, (_, c) => columnName(columns, c));
  return [...new Set([...features, ...(columns.encoding ?? []).flatMap((one) => (widthOf(one) > 0 ? one.name : []))])];
}

/** What a value makes of a feature, or of all features of a column of words, by column. Words mean what they mean in a table. */
export function cellsOf(
  columns: Columns,
  name: string,
  value: NonNullable<FeatureChange["set"]>,
): readonly (readonly [column: number, value: number])[] {
  const all = Array.from({ length: columns.count }, (_, c) => columnName(columns, c));
  const found = all.indexOf(name);
  if (typeof value === "number" && found >= 0) return [[found, value]];
  let first = 0;
  for (const encoding of columns.encoding ?? []) {
    const width = widthOf(encoding);
    if (encoding.name === name && width > 0) return encodedCells(encoding, first, value);
    first += width;
  }
  if (found >= 0) return encodedCells({ name, kind: "number" }, found, value);
  throw new InputError(`the model has no feature ${quote(name)}; ${suggest(name, namesIn(columns))}`);
}

const WANTED = {
  number: "a number",
  boolean: "yes or no",
  date: "a date such as 2024-03-01",
  time: "a time such as 1:02:03.4",
} as const;

function encodedCells(encoding: ColumnEncoding, first: number, value: NonNullable<FeatureChange["set"]>): [number, number][] {
  const row = new Float32Array(widthOf(encoding));
  if (encoding.kind === "set") {
    const [strange] = encodeSet(encoding, value, row, 0);
    if (strange === undefined) return Array.from(row, (one, c) => [first + c, one]);
    throw new InputError(`the arrays of column ${quote(encoding.name)} have no ${quote(strange)}; ${suggest(strange, encoding.categories!)}`); // biome-ignore format: one line
  }
  const truth = encoding.kind === "number" && typeof value === "string" ? truthOf(value.trim()) : undefined;
  if (encodeValue(encoding, truth ?? value, row, 0)) return Array.from(row, (one, c) => [first + c, one]);
  const { name, kind, categories = [] } = encoding;
  const shown = value instanceof Date ? value.toISOString() : String(value);
  if (kind === "category") throw new InputError(`the column ${quote(name)} has no category ${quote(shown)}; ${suggest(shown, categories)}`); // biome-ignore format: one line
  throw new InputError(`expected ${WANTED[kind as keyof typeof WANTED]} for ${name}, got ${quote(shown)}`);
}

function apply(
  values: Float32Array,
  rows: number,
  columns: Columns,
  { feature, set, factor = 1, add = 0, items }: FeatureChange,
) {
  const cells = set === undefined ? [[columnOf(columns, feature), undefined] as const] : cellsOf(columns, feature, set);
  for (const row of items ?? Array.from({ length: rows }, (_, i) => i)) {
    if (row >= rows) throw new InputError(`whatIf, a change of ${quote(feature)}: the list has ${rows} items, got item ${row}`);
    for (const [c, value] of cells) {
      const at = row * columns.count + c;
      values[at] = value ?? values[at]! * factor + add;
      if (Math.abs(values[at]!) === Infinity)
        throw new InputError(`whatIf, a change of ${quote(feature)}: the new value is beyond the range of 32-bit numbers`);
    }
  }
}

function placesOf(model: Model, data: Dataset): Place[] {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  const ranks = new Uint32Array(scores.length);
  descending(scores).forEach((index, place) => {
    ranks[index] = place + 1;
  });
  return Array.from(scores, (score, index) => ({ rank: ranks[index]!, score }));
}

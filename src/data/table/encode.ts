/**
 * Features from the columns of a table, by an encoding that was decided before: by the training data for themselves, and by the model for all data
 * that it scores. See `ColumnEncoding` for what becomes of each kind.
 */
import { describeValue, InputError, quote } from "../../input-error.ts";
import type { ColumnEncoding, Columns } from "../../types.ts";
import { DAY, dateOf, epochSeconds, isMissingWord, numeralOf, truthOf } from "./cell-text.ts";
import { plainText } from "./marks.ts";
import { type Meanings, meaningsOf, type Segment } from "./profile.ts";
import { encodeSet, encodeSets } from "./sets.ts";
import { MISSING_BOOLEAN, MISSING_TEXT, type TextColumn } from "./source-table.ts";
import { dateText, isDate, textAt } from "./texts.ts";
import { timeForm, timeOf, timeText } from "./times.ts";

/** How the columns of a table become the features of a model; undefined where these are numbered. */
export const encodingOf = ({ encoding, names }: Columns): readonly ColumnEncoding[] | undefined =>
  encoding ?? names?.map((name) => ({ name, kind: "number" }));

/** The names of the features that columns become, in their order. */
export function featureNames(encoding: readonly ColumnEncoding[]): string[] {
  const names = encoding.flatMap((column) => featuresOf(column));
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new InputError(`two features would be called ${quote(name)}; rename a column of the table`);
    seen.add(name);
  }
  return names;
}

function featuresOf({ name, kind, categories }: ColumnEncoding): readonly string[] {
  if (kind === "category" || kind === "set") return categories!.map((one) => `${name}=${one}`);
  return kind === "none" ? [] : [name];
}

/** The columns that features were made of, each once; a feature of no category is its own column. */
export function columnsOfFeatures(features: readonly string[], encoding: readonly ColumnEncoding[] = []): string[] {
  const columns = new Map(encoding.flatMap((column) => featuresOf(column).map((feature) => [feature, column.name])));
  return [...new Set(features.map((feature) => columns.get(feature) ?? feature))];
}

/** Whether the column is one of numbers as they are. */
export const isPlain = ({ kind, decimal, unit }: ColumnEncoding): boolean =>
  kind === "number" && decimal === undefined && unit === undefined;

/** How many features a column becomes. */
export const widthOf = ({ kind, categories }: ColumnEncoding): number =>
  kind === "category" || kind === "set" ? categories!.length : kind === "none" ? 0 : 1;

/** Cells that an encoding does not know, such as a category that the training data lacked. */
export interface UnknownCells {
  count: number;
  /** The row of the first. */
  first: number;
  readonly texts: Set<string>;
}

/** The rows of a column: values with NaN for missing ones, or for a category its number and -1 where there is none; for a set the number among `sets`. */
export interface EncodedColumn {
  readonly values: Float64Array | Int32Array;
  readonly missing: number;
  readonly unknown: UnknownCells;
  /** By number, the places of elements. */
  readonly sets?: readonly ReadonlySet<number>[];
}

/** What a cell becomes, by kind of cell; NaN is missing, undefined is unknown. */
interface Meaning {
  number(value: number): number | undefined;
  boolean(value: boolean): number | undefined;
  /** Of seconds. */
  date(value: number): number | undefined;
  time(value: number): number | undefined;
  word(text: string): number | undefined;
}

const EXAMPLES = 3;

const EARLIER = 20 * 365 * DAY;

/** Whether a number of seconds is no time since 1970, but a serial number of Excel or a date such as 20240105: 20 years before the first day and more. */
export const isFarBefore = (seconds: number, origin: number): boolean => seconds < origin - EARLIER;

function meaningOf({ kind, categories, origin = 0, order, start, assumed }: ColumnEncoding): Meaning {
  if (kind === "category") {
    const numbers = new Map(categories!.map((one, number) => [one, number]));
    const find = (text: string) => numbers.get(text);
    return { number: (value) => find(String(value + 0)), boolean: (value) => find(String(value)), date: (value) => find(dateText(value)), time: (value) => find(timeText(value)), word: find }; // biome-ignore format: one line each
  }
  const days = (seconds: number | undefined) => (seconds !== undefined && isDate(seconds) ? (seconds - origin) / DAY : undefined);
  if (kind === "date")
    return { number: (value) => (isFarBefore(epochSeconds(value), origin) ? undefined : days(epochSeconds(value))), boolean: () => undefined, date: days, time: () => undefined, word: (text) => days(dateOf(text, order)) }; // biome-ignore format: one line
  if (kind === "time")
    return { number: (value) => value, boolean: () => undefined, date: () => undefined, time: (value) => value, word: (text) => (assumed && timeForm(text) === "all" ? undefined : timeOf(text, start)) }; // biome-ignore format: one line
  const asNumber = (value: boolean) => (value ? 1 : 0);
  if (kind === "boolean")
    return {
      number: (value) => (value === 0 || value === 1 ? value : undefined),
      boolean: asNumber,
      date: () => undefined,
      time: () => undefined,
      word(text) {
        const truth = truthOf(text);
        return truth === undefined ? undefined : asNumber(truth);
      },
    };
  return { number: (value) => value, boolean: asNumber, date: () => undefined, time: (value) => value, word: () => undefined };
}

/** Encodes all rows of a column, `rows` in number. */
export function encodeColumn(
  encoding: ColumnEncoding,
  segments: Iterable<Segment>,
  rows: number,
  missingWords: readonly string[] = [],
): EncodedColumn {
  if (encoding.kind === "set") return encodeSets(encoding, segments, rows, missingWords);
  const isCategory = encoding.kind === "category";
  const values = isCategory ? new Int32Array(rows) : new Float64Array(rows);
  const none = isCategory ? -1 : Number.NaN;
  const meaning = meaningOf(encoding);
  const unknown: UnknownCells = { count: 0, first: 0, texts: new Set() };
  let [at, missing] = [0, 0];
  const put = (value: number | undefined, shown: () => string) => {
    if (value === undefined) {
      if (unknown.count++ === 0) unknown.first = at;
      if (unknown.texts.size < EXAMPLES) unknown.texts.add(shown());
    } else if (Number.isNaN(value)) missing++;
    values[at++] = value === undefined || Number.isNaN(value) ? none : value;
  };
  for (const { column } of segments) {
    if (column.kind === "text") {
      const { numbers, missing: gone } = meaningsOf(column.dictionary, missingWords);
      const known = column.dictionary.map((entry, code) =>
        gone[code] ? Number.NaN : Number.isNaN(numbers[code]!) ? meaning.word(entry.trim()) : meaning.number(numbers[code]!),
      );
      for (const code of column.codes)
        put(code === MISSING_TEXT ? Number.NaN : known[code], () => column.dictionary[code]!.trim());
    } else if (column.kind === "boolean")
      for (const value of column.values)
        put(value === MISSING_BOOLEAN ? Number.NaN : meaning.boolean(value === 1), () => String(value === 1));
    else if (column.kind === "number" && encoding.kind === "number") {
      values.set(column.values, at);
      at += column.values.length;
      for (let row = 0; row < column.values.length; row++) if (Number.isNaN(column.values[row]!)) missing++;
    } else {
      const { kind } = column;
      for (let row = 0; row < column.values.length; row++) {
        const value = column.values[row]!;
        const held = Number.isNaN(value) ? value : meaning[kind](value);
        put(held, () => textAt(column, row));
      }
    }
  }
  return { values, missing, unknown };
}

/** The different values of a column as names of categories: numbers as they are written shortest, so 7, 7.0 and 07 are one. */
export function categoryTexts(segments: Iterable<Segment>, missingWords: readonly string[]): Set<string> {
  const texts = new Set<string>();
  for (const { column } of segments) {
    if (column.kind === "text") textsIn(column, meaningsOf(column.dictionary, missingWords), texts);
    else if (column.kind === "boolean") {
      for (const value of column.values) if (value !== MISSING_BOOLEAN) texts.add(String(value === 1));
    } else
      for (const value of column.values)
        if (!Number.isNaN(value)) texts.add(column.kind === "date" ? dateText(value) : column.kind === "time" ? timeText(value) : String(value + 0)); // biome-ignore format: one choice
  }
  return texts;
}

function textsIn({ codes, dictionary }: TextColumn, { numbers, missing }: Meanings, into: Set<string>): void {
  for (const code of new Set(codes)) {
    if (code === MISSING_TEXT || missing[code]) continue;
    into.add(Number.isNaN(numbers[code]!) ? dictionary[code]!.trim() : String(numbers[code]! + 0));
  }
}

/** The numbers of a column. */
export function* numbersIn(segments: Iterable<Segment>, missingWords: readonly string[]): Generator<number> {
  for (const { column } of segments) {
    if (column.kind === "number") yield* Array.prototype.filter.call(column.values, (value: number) => !Number.isNaN(value));
    else if (column.kind === "text") {
      const { numbers, missing } = meaningsOf(column.dictionary, missingWords);
      for (const code of new Set(column.codes))
        if (code !== MISSING_TEXT && !missing[code] && !Number.isNaN(numbers[code]!)) yield numbers[code]!;
    }
  }
}

/**
 * Writes the features of one value of an object, such as an item of a request, into `row` from `at` on. A value that is missing or unknown is 0 in
 * all features of a category and NaN otherwise; false where it is unknown, or has elements that are.
 */
export function encodeValue(encoding: ColumnEncoding, value: unknown, row: Float32Array, at: number): boolean {
  const width = widthOf(encoding);
  if (width === 0) return true;
  if (encoding.kind === "set") return encodeSet(encoding, value, row, at).length === 0;
  const written = typeof value === "string" && !isPlain(encoding) ? plainText(value, encoding) : value;
  const found = valueIn(meaningOf(encoding), written);
  const isCategory = encoding.kind === "category";
  if (isCategory) row.fill(0, at, at + width);
  if (isCategory && found !== undefined && !Number.isNaN(found)) row[at + found] = 1;
  else if (!isCategory) row[at] = found === undefined ? Number.NaN : found + 0;
  return found !== undefined;
}

function valueIn(meaning: Meaning, value: unknown): number | undefined {
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === "number" || typeof value === "bigint")
    return Number.isNaN(value) ? Number.NaN : meaning.number(Number(value));
  if (typeof value === "boolean") return meaning.boolean(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? Number.NaN : meaning.date(value.getTime() / 1000);
  if (typeof value !== "string")
    throw new InputError(`expected a number, a text, a boolean or a date, got ${describeValue(value)}`);
  const text = value.trim();
  if (isMissingWord(text)) return Number.NaN;
  const number = numeralOf(text);
  return number === undefined ? meaning.word(text) : meaning.number(number);
}

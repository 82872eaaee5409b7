/**
 * Items of a JSON request as rows of a matrix with the columns of a model. Values are rounded to float32 and -0 becomes 0, as the library's
 * `rank` does; null is a missing value. In objects, named features that are left out are missing values, and numbered ones have the value that
 * files give to features that they leave out: 0, or missing where the model was trained so. For a model that was trained on a table with words,
 * objects have the columns of that table, and values are encoded as those of the table were. A text that means nothing in its column is an error,
 * except for a category that the training data lacked, which is none of the known ones and is told in a warning. So are features that the model
 * does not know (unknown-names.ts); those of numbered models are an error.
 */

import type { UnknownFeatures } from "../../data/align.ts";
import { encodeValue, widthOf } from "../../data/table/encode.ts";
import { otherUnit } from "../../data/table/other-unit.ts";
import { encodeSet } from "../../data/table/sets.ts";
import { describeValue, InputError, quote } from "../../input-error.ts";
import type { ColumnEncoding, Columns } from "../../types.ts";
import { type UnknownNames, unknownFeature } from "./unknown-names.ts";

export type Cell = number | boolean | string | null;
export type FeatureObject = Readonly<Record<string, Cell>>;

/** How rows are read, for one model. */
export interface RowReader {
  /** Writes the features of an item; `where` begins messages, such as "items[3]". */
  write(item: FeatureObject | readonly Cell[], into: Float32Array, at: number, where: string): void;
  /** After the last item: notes what no item had; `where` begins messages. */
  finish(where: string): void;
}

export interface RowReaderOptions {
  readonly columns: Columns;
  /** Value of numbered features that an object leaves out. */
  readonly absent: number;
  /** What features are that the model does not know; undefined: an error where they are numbered, else ignored and noted. */
  readonly unknownFeatures?: UnknownFeatures | undefined;
  /** Where names that the model does not know are noted. */
  readonly unknown?: UnknownNames | undefined;
}

export function rowReader({ columns, absent, unknownFeatures, unknown }: RowReaderOptions): RowReader {
  const { count, base, names, encoding } = columns;
  const encoders = encoding && encodersOf(encoding, unknown);
  const places = names && new Map(names.map((name, c) => [name, c]));
  const columnOf = (name: string): number | undefined => {
    if (places) return places.get(name);
    const number = /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) - base : -1;
    return number >= 0 && number < count ? number : undefined;
  };
  const seen = new Uint8Array(count); // 1 for a feature that some item has
  const isError = unknownFeatures === "error" || (unknownFeatures === undefined && !names);
  const nameOf = (c: number) => names?.[c] ?? String(base + c);
  return {
    write(item, into, at, where) {
      if (Array.isArray(item)) {
        const row = item as readonly Cell[];
        if (row.length !== count) throw new InputError(`${where}: expected ${count} features, got ${row.length}`);
        seen.fill(1);
        for (let c = 0; c < count; c++)
          into[at + c] = cell(
            row[c]!,
            () => `${where}[${c}]`,
            () => nameOf(c),
          );
        return;
      }
      into.fill(names ? Number.NaN : absent, at, at + count);
      if (encoders) for (const encoder of encoders.values()) encoder.write(null, into, at, where);
      let others: string[] | undefined;
      const entries = Object.entries(item as FeatureObject);
      for (const [name, value] of entries) {
        const encoder = encoders?.get(name);
        if (encoder?.width === 0) continue; // a column that training left out
        if (encoder) {
          encoder.write(value, into, at, where);
          seen.fill(1, encoder.first, encoder.first + encoder.width);
          continue;
        }
        const c = columnOf(name);
        if (c !== undefined) {
          seen[c] = 1;
          into[at + c] = cell(
            value,
            () => where,
            () => name,
          );
        } else if (isError) throw unknownFeature(where, name, columns);
        else (others ??= []).push(name);
      }
      if (others && unknownFeatures === undefined)
        unknown?.features(others, entries.length - others.length, (name) => Object.hasOwn(item, name), where);
    },
    finish: (where) => unknown?.finish(seen, where),
  };
}

/** Writes the features of a column of the table, `width` from number `first` on. */
interface Encoder {
  readonly first: number;
  readonly width: number;
  write(value: Cell, into: Float32Array, at: number, where: string): void;
}

const WANTED = {
  number: "a number",
  date: "a date such as 2024-03-01",
  time: "a time such as 1:02:03.4, or a number of seconds",
  boolean: "true or false (or 1, 0, yes, no)",
} as const;

/** By column of the table. */
function encodersOf(encoding: readonly ColumnEncoding[], unknown: UnknownNames | undefined): ReadonlyMap<string, Encoder> {
  let next = 0;
  return new Map(
    encoding.map((column) => {
      const [first, width] = [next, widthOf(column)];
      next += width;
      const { name, kind } = column;
      const write: Encoder["write"] = (value, into, at, where) => {
        if (kind === "set") {
          const what = `${where}: feature ${quote(name)}`;
          for (const one of encodeSet(column, value, into, at + first, what)) unknown?.category(name, one);
          return;
        }
        if (encodeValue(column, single(value, where, name), into, at + first)) {
          if (kind === "number" && typeof value === "string" && Math.abs(into[at + first]!) === Number.POSITIVE_INFINITY)
            throw new InputError(`${where}: feature ${quote(name)} is ${quote(value)}, which is beyond 32-bit floats`);
          return;
        }
        if (kind === "category") unknown?.category(name, value);
        else if (kind !== "none") {
          const unit = typeof value === "string" ? otherUnit(column, value) : undefined;
          throw new InputError(
            `${where}: feature ${quote(name)} must be ${WANTED[kind]}, got ${describeValue(value)}${unit === undefined ? "" : ` (${unit})`}`,
          );
        }
      };
      return [name, { first, width, write }];
    }),
  );
}

/** A value that may be encoded: no array or object, and no number beyond 32-bit floats. */
function single(value: Cell, where: string, name: string): Cell {
  if (typeof value === "number" || typeof value === "object") cell(value, () => where, () => name); // biome-ignore format: a check
  return value;
}

function cell(value: Cell, where: () => string, name: () => string): number {
  if (typeof value === "number") {
    if (Math.abs(Math.fround(value)) !== Number.POSITIVE_INFINITY) return value + 0;
    throw new InputError(`${where()}: feature ${quote(name())} is ${value}, which is beyond 32-bit floats`);
  }
  if (typeof value === "string")
    throw new InputError(`${where()}: feature ${quote(name())} must be a number, got the text ${quote(value)}`);
  if (typeof value === "object" && value !== null)
    throw new InputError(`${where()}: feature ${quote(name())} must be a number, got ${describeValue(value)}`);
  return value === null ? Number.NaN : Number(value);
}

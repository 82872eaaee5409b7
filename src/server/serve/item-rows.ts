/**
 * Items of a JSON request as rows of a matrix with the columns of a model. Values are rounded to float32 and -0 becomes 0, as the library's
 * `rank` does; null is a missing value. In objects, named features that are left out are missing values, and numbered ones have the value that
 * files give to features that they leave out: 0, or missing where the model was trained so. For a model that was trained on a table with words,
 * objects have the columns of that table, and values are encoded as those of the table were. A text that means nothing in its column is an error,
 * except for a category that the training data lacked, which is none of the known ones and is told in a warning.
 */
import { encodeValue, widthOf } from "../../data/table/encode.ts";
import { describeValue, InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import type { ColumnEncoding, Columns } from "../../types.ts";

export type Cell = number | boolean | string | null;
export type FeatureObject = Readonly<Record<string, Cell>>;

/** How rows are read, for one model. */
export interface RowReader {
  /** Writes the features of an item; `where` begins messages, such as "items[3]". */
  write(item: FeatureObject | readonly Cell[], into: Float32Array, at: number, where: string): void;
}

export interface RowReaderOptions {
  readonly columns: Columns;
  /** Value of numbered features that an object leaves out. */
  readonly absent: number;
  /** Whether features that the model does not know are ignored. */
  readonly ignoreUnknown: boolean;
  /** Where categories that the model does not know are counted. */
  readonly unknown?: UnknownCategories | undefined;
}

const EXAMPLES = 3;

/** Categories of a request that the training data lacked, by column. */
export class UnknownCategories {
  readonly #columns = new Map<string, { count: number; readonly texts: Set<string> }>();

  add(column: string, value: Cell): void {
    const held = this.#columns.get(column) ?? { count: 0, texts: new Set<string>() };
    this.#columns.set(column, held);
    held.count++;
    if (held.texts.size < EXAMPLES) held.texts.add(String(value).trim());
  }

  /** A line for each column. */
  warnings(): string[] {
    return [...this.#columns].map(([column, { count, texts }]) => {
      const some = [...texts].map((text) => quote(text)).join(", ");
      return `column ${quote(column)}: ${count} ${count === 1 ? "value" : "values"} (${some}${count > texts.size ? ", ..." : ""}) of categories that the model does not know, read as none of them`;
    });
  }
}

export function rowReader({ columns, absent, ignoreUnknown, unknown }: RowReaderOptions): RowReader {
  const { count, base, names, encoding } = columns;
  const encoders = encoding && encodersOf(encoding, unknown);
  const places = names && new Map(names.map((name, c) => [name, c]));
  const columnOf = (name: string): number | undefined => {
    if (places) return places.get(name);
    const number = /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) - base : -1;
    return number >= 0 && number < count ? number : undefined;
  };
  const known = () => (names ? suggestions(names) : () => `it knows ${count === 0 ? "none" : `${base} to ${base + count - 1}`}`);
  const nameOf = (c: number) => names?.[c] ?? String(base + c);
  return {
    write(item, into, at, where) {
      if (Array.isArray(item)) {
        const row = item as readonly Cell[];
        if (row.length !== count) throw new InputError(`${where}: expected ${count} features, got ${row.length}`);
        for (let c = 0; c < count; c++)
          into[at + c] = cell(
            row[c]!,
            () => `${where}[${c}]`,
            () => nameOf(c),
          );
        return;
      }
      into.fill(names ? Number.NaN : absent, at, at + count);
      if (encoders) for (const encode of encoders.values()) encode(null, into, at, where);
      for (const [name, value] of Object.entries(item as FeatureObject)) {
        const encode = encoders?.get(name);
        if (encode) {
          encode(finite(value, where, name), into, at, where);
          continue;
        }
        const c = columnOf(name);
        if (c !== undefined)
          into[at + c] = cell(
            value,
            () => where,
            () => name,
          );
        else if (!ignoreUnknown)
          throw new InputError(
            `${where}: the model does not know the feature ${quote(name)}; ${known()(name)} ("unknown": "ignore" leaves it out)`,
          );
      }
    },
  };
}

type Encode = (value: Cell, into: Float32Array, at: number, where: string) => void;

const WANTED = {
  number: "a number",
  date: "a date such as 2024-03-01",
  time: "a time such as 1:02:03.4, or a number of seconds",
  boolean: "true or false (or 1, 0, yes, no)",
} as const;

/** By column of the table: writes the features of a value. */
function encodersOf(encoding: readonly ColumnEncoding[], unknown: UnknownCategories | undefined): ReadonlyMap<string, Encode> {
  let next = 0;
  return new Map(
    encoding.map((column) => {
      const first = next;
      next += widthOf(column);
      const { name, kind } = column;
      const encode: Encode = (value, into, at, where) => {
        if (encodeValue(column, value, into, at + first)) {
          if (kind === "number" && typeof value === "string" && Math.abs(into[at + first]!) === Number.POSITIVE_INFINITY)
            throw new InputError(`${where}: feature ${quote(name)} is ${quote(value)}, which is beyond 32-bit floats`);
          return;
        }
        if (kind === "category") unknown?.add(name, value);
        else if (kind !== "none")
          throw new InputError(`${where}: feature ${quote(name)} must be ${WANTED[kind]}, got ${describeValue(value)}`);
      };
      return [name, encode];
    }),
  );
}

function finite(value: Cell, where: string, name: string): Cell {
  if (typeof value === "number") cell(value, () => where, () => name); // biome-ignore format: a check
  return value;
}

const suggestions = (names: readonly string[]) => (name: string) => suggest(name, names);

function cell(value: Cell, where: () => string, name: () => string): number {
  if (typeof value === "number") {
    if (Math.abs(Math.fround(value)) !== Number.POSITIVE_INFINITY) return value + 0;
    throw new InputError(`${where()}: feature ${quote(name())} is ${value}, which is beyond 32-bit floats`);
  }
  if (typeof value === "string")
    throw new InputError(`${where()}: feature ${quote(name())} must be a number, got the text ${quote(value)}`);
  return value === null ? Number.NaN : Number(value);
}

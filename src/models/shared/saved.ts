/**
 * Validated access to the fields of a saved model: each function returns a value of the expected type or reports what is wrong with the
 * file.
 */
import { featureNames } from "../../data/table/encode.ts";
import { InputError, quote } from "../../input-error.ts";
import type { ColumnEncoding, Columns, LabelSpace, OutputReduction, SavedModel } from "../../types.ts";

/** Feature numbers of data files are no larger either. */
const MOST_FEATURES = 2 ** 31;

type Fields = Readonly<Record<string, unknown>>;

const wrong = (key: string, wanted: string, value: unknown) =>
  new InputError(`the model file is damaged: ${key} should be ${wanted}, and is ${quote(JSON.stringify(value) ?? "absent")}`);

export function savedNumber(saved: Fields, key: string): number {
  const value = saved[key];
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(key, "a number", value);
  return value;
}

export function savedChoice<W extends string>(saved: Fields, key: string, words: readonly W[]): W {
  const value = words.find((word) => word === saved[key]);
  if (value === undefined) throw wrong(key, `one of ${words.join(", ")}`, saved[key]);
  return value;
}

export function savedText(saved: Fields, key: string): string {
  const value = saved[key];
  if (typeof value !== "string") throw wrong(key, "a text", value);
  return value;
}

/** The columns of a model. */
export function savedColumns(saved: Fields, key: string): Columns {
  const { count, base, names, encoding } = savedObject(saved, key);
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0 || count > MOST_FEATURES)
    throw wrong(`${key}.count`, `a whole number up to ${MOST_FEATURES}`, count);
  if (base !== 0 && base !== 1) throw wrong(`${key}.base`, "0 or 1", base);
  if (names === undefined) return { count, base };
  if (!Array.isArray(names) || names.length !== count || !names.every((name) => typeof name === "string"))
    throw wrong(`${key}.names`, `a list of ${count} names`, names);
  if (encoding === undefined) return { count, base, names };
  const columns = savedEncoding(encoding, `${key}.encoding`);
  const made = featureNames(columns);
  if (made.length !== count || made.some((name, c) => name !== names[c]))
    throw wrong(`${key}.encoding`, "columns that make the features of the model", encoding);
  return { count, base, names, encoding: columns };
}

const KINDS = ["number", "boolean", "date", "time", "category", "set", "none"] as const;

function savedEncoding(value: unknown, key: string): ColumnEncoding[] {
  if (!Array.isArray(value)) throw wrong(key, "a list of columns", value);
  return value.map((one: unknown, c): ColumnEncoding => {
    const column = savedObject({ column: one }, "column");
    const [name, kind] = [savedText(column, "name"), savedChoice(column, "kind", KINDS)];
    const { categories } = column;
    if (kind === "date") {
      const order = column.order === undefined ? {} : { order: savedChoice(column, "order", ["dmy", "mdy"]) };
      return { name, kind, origin: savedNumber(column, "origin"), ...order };
    }
    const written = {
      ...(column.decimal !== undefined && { decimal: savedChoice(column, "decimal", [".", ","]) }),
      ...(column.unit !== undefined && { unit: savedText(column, "unit") }),
    };
    if (kind === "time") {
      const start = column.start === undefined ? {} : { start: savedChoice(column, "start", ["hours", "minutes"]) };
      return { name, kind, ...start, ...(column.assumed === true && { assumed: true }), ...written };
    }
    if (kind !== "category" && kind !== "set") return { name, kind, ...written };
    if (!Array.isArray(categories) || !categories.every((text) => typeof text === "string"))
      throw wrong(`${key}[${c}].categories`, "a list of names", categories);
    return { name, kind, categories, ...written };
  });
}

/** A list of numbers, of the given length where one is wanted. Numbers in shared memory (see shared-form.ts) are taken as they are. */
export function savedNumbers(saved: Fields, key: string, length?: number): Float64Array {
  const value = saved[key];
  if (value instanceof Float64Array && (length === undefined || value.length === length)) return value;
  const fits = Array.isArray(value) && value.every((one) => typeof one === "number" && Number.isFinite(one));
  if (!fits || (length !== undefined && value.length !== length))
    throw wrong(key, `a list of ${length ?? ""} numbers`.replace("  ", " "), value);
  return Float64Array.from(value);
}

/** Numbers by name; none where there is no such entry. */
export function savedNamedNumbers(saved: Fields, key: string): Record<string, number> {
  const value = saved[key] === undefined ? {} : savedObject(saved, key);
  return Object.fromEntries(Object.keys(value).map((name) => [name, savedNumber(value, name)]));
}

export function savedObject(saved: Fields, key: string): Fields {
  const value = saved[key];
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(key, "an object", value);
  return value as Fields;
}

export function savedModel(saved: Fields, key: string): SavedModel {
  const value = savedObject(saved, key);
  if (typeof value.id !== "string") throw wrong(`${key}.id`, "a name", value.id);
  return value as SavedModel;
}

/** How several outputs become one score, where the file says so. */
export function savedReduction(saved: Fields, key: string): OutputReduction | undefined {
  if (saved[key] === undefined) return undefined;
  const reduction = savedObject(saved, key);
  const values = [...savedNumbers(reduction, "values")];
  if (values.length === 0) throw wrong(`${key}.values`, "a list of one number or more", values);
  return { kind: savedChoice(reduction, "kind", ["expected"]), values };
}

const LONG = 1 << 14;

/** Long lists stay as they are, and make the model file a binary one; short ones are written as text. */
export const writable = <A extends Float32Array | Uint32Array | Uint8Array>(values: A): A | number[] =>
  values.length > LONG ? values : [...values];

/** Float32 numbers, however the file kept them. */
export function savedFloats(saved: Fields, key: string, length: number): Float32Array {
  const value = saved[key];
  if (value instanceof Float32Array) {
    if (value.length !== length) throw wrong(key, `a list of ${length} numbers`, `a list of ${value.length}`);
    return value;
  }
  return Float32Array.from(savedNumbers(saved, key, length));
}

/** Whole numbers of at least 0, however the file kept them. */
export function savedIntegers(saved: Fields, key: string, length?: number): Uint32Array {
  const value = saved[key];
  const given = value instanceof Uint32Array ? value : Uint32Array.from(savedNumbers(saved, key));
  if (length !== undefined && given.length !== length)
    throw wrong(key, `a list of ${length} numbers`, `a list of ${given.length}`);
  return given;
}

export const saveLabelSpace = ({ count, names, frequency }: LabelSpace): SavedModel => ({
  id: "catalogue",
  count,
  ...(names ? { names } : {}),
  lists: frequency.lists,
  counts: writable(frequency.counts),
});

export function savedLabelSpace(saved: Fields, key: string): LabelSpace | undefined {
  if (saved[key] === undefined) return undefined;
  const value = savedObject(saved, key);
  const [count, names] = [savedNumber(value, "count"), value.names];
  if (names !== undefined && !(Array.isArray(names) && names.length === count && names.every((one) => typeof one === "string")))
    throw wrong(`${key}.names`, `a list of ${count} names`, names);
  const frequency = { lists: savedNumber(value, "lists"), counts: savedIntegers(value, "counts", count) };
  return { count, frequency, ...(names ? { names: names as string[] } : {}) };
}

/** Reading what a model file holds: each function gives a value of the wanted kind or says what is wrong with the file. */
import { Mistake, quote } from "../../mistake.ts";
import type { Catalogue, Fold, SavedModel } from "../../types.ts";

type Fields = Readonly<Record<string, unknown>>;

const wrong = (key: string, wanted: string, value: unknown) =>
  new Mistake(`the model file is damaged: ${key} should be ${wanted}, and is ${quote(JSON.stringify(value) ?? "absent")}`);

export function aNumber(saved: Fields, key: string): number {
  const value = saved[key];
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(key, "a number", value);
  return value;
}

export function aWord<W extends string>(saved: Fields, key: string, words: readonly W[]): W {
  const value = words.find((word) => word === saved[key]);
  if (value === undefined) throw wrong(key, `one of ${words.join(", ")}`, saved[key]);
  return value;
}

/** A list of numbers, of the given length where one is wanted. */
export function numbers(saved: Fields, key: string, length?: number): Float64Array {
  const value = saved[key];
  const fits = Array.isArray(value) && value.every((one) => typeof one === "number" && Number.isFinite(one));
  if (!fits || (length !== undefined && value.length !== length))
    throw wrong(key, `a list of ${length ?? ""} numbers`.replace("  ", " "), value);
  return Float64Array.from(value);
}

/** Numbers by name; none where there is no such entry. */
export function namedNumbers(saved: Fields, key: string): Record<string, number> {
  const value = saved[key] === undefined ? {} : anObject(saved, key);
  return Object.fromEntries(Object.keys(value).map((name) => [name, aNumber(value, name)]));
}

export function anObject(saved: Fields, key: string): Fields {
  const value = saved[key];
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(key, "an object", value);
  return value as Fields;
}

export function aModel(saved: Fields, key: string): SavedModel {
  const value = anObject(saved, key);
  if (typeof value.id !== "string") throw wrong(`${key}.id`, "a name", value.id);
  return value as SavedModel;
}

/** How several outputs become one score, where the file says so. */
export function aFold(saved: Fields, key: string): Fold | undefined {
  if (saved[key] === undefined) return undefined;
  const fold = anObject(saved, key);
  const values = [...numbers(fold, "values")];
  if (values.length === 0) throw wrong(`${key}.values`, "a list of one number or more", values);
  return { kind: aWord(fold, "kind", ["expected"]), values };
}

const LONG = 1 << 14;

/** Long lists stay as they are, and make the model file a binary one; short ones are written as text. */
export const writable = <A extends Float32Array | Uint32Array>(values: A): A | number[] =>
  values.length > LONG ? values : [...values];

/** Float32 numbers, however the file kept them. */
export function floats(saved: Fields, key: string, length: number): Float32Array {
  const value = saved[key];
  if (value instanceof Float32Array) {
    if (value.length !== length) throw wrong(key, `a list of ${length} numbers`, `a list of ${value.length}`);
    return value;
  }
  return Float32Array.from(numbers(saved, key, length));
}

/** Whole numbers of at least 0, however the file kept them. */
export function wholeNumbers(saved: Fields, key: string, length?: number): Uint32Array {
  const value = saved[key];
  const given = value instanceof Uint32Array ? value : Uint32Array.from(numbers(saved, key));
  if (length !== undefined && given.length !== length)
    throw wrong(key, `a list of ${length} numbers`, `a list of ${given.length}`);
  return given;
}

export const saveCatalogue = ({ count, names, popular }: Catalogue): SavedModel => ({
  id: "catalogue",
  count,
  ...(names ? { names } : {}),
  lists: popular.lists,
  counts: writable(popular.counts),
});

export function aCatalogue(saved: Fields, key: string): Catalogue | undefined {
  if (saved[key] === undefined) return undefined;
  const value = anObject(saved, key);
  const [count, names] = [aNumber(value, "count"), value.names];
  if (names !== undefined && !(Array.isArray(names) && names.length === count && names.every((one) => typeof one === "string")))
    throw wrong(`${key}.names`, `a list of ${count} names`, names);
  const popular = { lists: aNumber(value, "lists"), counts: wholeNumbers(value, "counts", count) };
  return { count, popular, ...(names ? { names: names as string[] } : {}) };
}

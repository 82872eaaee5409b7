/**
 * A saved model whose long lists of numbers lie in shared memory: threads that `revive` it have views of the same numbers instead of a copy
 * each. Only for passing a model from thread to thread; files hold the form that `save` gives.
 */
import type { SavedModel } from "../types.ts";
import { treeColumns } from "./trees/file.ts";

type NumbersType =
  | Float32ArrayConstructor
  | Float64ArrayConstructor
  | Int32ArrayConstructor
  | Uint32ArrayConstructor
  | Uint8ArrayConstructor;

const LONG = 64; // shorter lists are copied

/** By kind of model: the types in which its reader takes lists as they are. All others are float64. */
const columnsOf: Readonly<Record<string, (saved: SavedModel) => Readonly<Record<string, NumbersType>>>> = { trees: treeColumns };

/** The same model with its long lists in shared memory. */
export function sharedForm<T>(value: T, type: NumbersType = Float64Array): T {
  if (value instanceof Float32Array) return shared(value, Float32Array) as T;
  if (value instanceof Uint32Array) return shared(value, Uint32Array) as T;
  if (value instanceof Uint8Array) return shared(value, Uint8Array) as T;
  if (Array.isArray(value)) {
    if (value.length >= LONG && value.every((one) => typeof one === "number")) return shared(value as number[], type) as T;
    return value.some((one) => typeof one === "object" && one !== null) ? (value.map((one) => sharedForm(one)) as T) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const { id } = value as { id?: unknown };
  const types = typeof id === "string" && Object.hasOwn(columnsOf, id) ? columnsOf[id]!(value as unknown as SavedModel) : {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sharedForm(one, types[key])])) as T;
}

function shared(values: ArrayLike<number>, Type: NumbersType) {
  const Over = Type as new (buffer: SharedArrayBuffer) => { set(values: ArrayLike<number>): void };
  const into = new Over(new SharedArrayBuffer(values.length * Type.BYTES_PER_ELEMENT));
  into.set(values);
  return into;
}

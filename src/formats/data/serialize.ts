/**
 * Serializes plain data with typed arrays: the data become JSON and the arrays bytes. A long list of strings becomes one UTF-8 array and
 * the length of each string.
 */
import type { NumericArray } from "../../numeric/heap.ts";

const kinds = { f64: Float64Array, f32: Float32Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const;
export type SerializedKind = keyof typeof kinds;

export const bytesOf = (kind: SerializedKind, length: number) => kinds[kind].BYTES_PER_ELEMENT * length;
export const newArray = (kind: SerializedKind, length: number): NumericArray => new kinds[kind](length);

export interface SerializedArray {
  readonly kind: SerializedKind;
  readonly array: NumericArray;
}

const ARRAY = "$array";
const TEXTS = "$texts";
const NAN = "$nan";

/** JSON-ready data, and the arrays that it speaks of by their places in a list. */
export function serialize(root: unknown): { plain: unknown; arrays: SerializedArray[] } {
  const arrays: SerializedArray[] = [];
  const put = (array: NumericArray) => {
    const kind = (Object.keys(kinds) as SerializedKind[]).find((name) => array instanceof kinds[name]);
    if (!kind) throw new Error("an array of a kind that is not packed");
    return arrays.push({ kind, array }) - 1;
  };
  const visit = (value: unknown): unknown => {
    if (typeof value === "number" && Number.isNaN(value)) return { [NAN]: true };
    if (typeof value !== "object" || value === null) return value;
    if (ArrayBuffer.isView(value)) return { [ARRAY]: put(value as NumericArray) };
    if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, visit(entry)]));
    if (value.length < 16 || !value.every((entry) => typeof entry === "string")) return value.map(visit);
    const lengths = Uint32Array.from(value, (text: string) => text.length);
    return { [TEXTS]: [put(lengths), put(new TextEncoder().encode(value.join("")))] };
  };
  return { plain: visit(root), arrays };
}

/** What was packed. */
export function deserialize(root: unknown, arrays: readonly NumericArray[]): unknown {
  const visit = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(visit);
    if (NAN in value) return Number.NaN;
    if (ARRAY in value) return arrays[value[ARRAY] as number];
    if (TEXTS in value) {
      const [lengths, bytes] = (value[TEXTS] as number[]).map((place) => arrays[place]!);
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes as Uint8Array<ArrayBuffer>);
      let end = 0;
      return Array.from(lengths as Uint32Array, (length) => text.slice(end, (end += length)));
    }
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, visit(entry)]));
  };
  return visit(root);
}

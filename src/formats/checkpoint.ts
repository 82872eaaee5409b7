/**
 * The bytes of a checkpoint: a line of JSON with the arrays taken out, the arrays as they lie in memory, and a digest of all that.
 *
 *   tierwise checkpoint 1 000000000448⏎     the version, and the number of bytes up to the first array
 *   {...}⏎                                  the state; {"$array": [kind, first byte, length]} is an array, {"$number": "NaN"} a number
 *                                           that JSON lacks
 *   arrays                                  little-endian, each from a multiple of 64 bytes
 *   tierwise digest 0123456789abcdef⏎       as in large model files
 *
 * JSON writes a number so that reading it gives the same bits, with the exceptions named above. Nothing here opens files.
 */
import { InputError } from "../input-error.ts";
import { digester } from "../numeric/digest.ts";
import type { ArrayTypes, Snapshot } from "../types.ts";
import { LINE, sealOf, sealText } from "./models/binary.ts";

const BEGINS = "tierwise checkpoint 1 ";
const DIGITS = 12;
const FIRST = BEGINS.length + DIGITS + 1; // bytes of the first line

type Long = ArrayTypes[keyof ArrayTypes];
const KINDS: { readonly [K in keyof ArrayTypes]: new (buffer: ArrayBufferLike, at: number, length: number) => ArrayTypes[K] } = {
  ...{ f64: Float64Array, f32: Float32Array, u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array },
  ...{ u32: Uint32Array, i32: Int32Array, u64: BigUint64Array, i64: BigInt64Array },
};

const kindOf = (array: Long) => (Object.keys(KINDS) as (keyof ArrayTypes)[]).find((kind) => array instanceof KINDS[kind])!;

/** Numbers that JSON has no text for, or loses the sign of. */
const isSpecial = (value: unknown): value is number =>
  typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0));

const aligned = (bytes: number) => Math.ceil(bytes / LINE) * LINE;

/** The state as bytes, which other threads can read where there is shared memory. */
export function encodeCheckpoint(state: Snapshot): Uint8Array {
  const arrays: { readonly array: Long; readonly at: number }[] = [];
  let end = 0; // from the end of the head
  const text = JSON.stringify(state, (_, value: unknown) => {
    if (isSpecial(value)) return { $number: Object.is(value, -0) ? "-0" : String(value) };
    if (!ArrayBuffer.isView(value)) return value;
    const array = value as Long;
    arrays.push({ array, at: end });
    const place = [kindOf(array), end, array.length];
    end += aligned(array.byteLength);
    return { $array: place };
  });
  const json = new TextEncoder().encode(`${text}\n`);
  const head = aligned(FIRST + json.length);
  const bytes = allocate(head + end + LINE);
  bytes.set(new TextEncoder().encode(`${BEGINS}${String(head).padStart(DIGITS, "0")}\n`));
  bytes.set(json, FIRST);
  for (const { array, at } of arrays) bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), head + at);
  const sum = digester();
  sum.add(bytes.subarray(0, head + end));
  bytes.set(new TextEncoder().encode(sealText(sum.text())), head + end);
  return bytes;
}

/** Zeros, in shared memory where there is any. */
const allocate = (length: number): Uint8Array =>
  new Uint8Array(typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(length) : new SharedArrayBuffer(length));

/** A copy in memory that threads share and that arrays of 64 bits can lie in, wherever the bytes came from. */
export function sharedCopy(bytes: Uint8Array): Uint8Array {
  const copy = allocate(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The state of such bytes, whose arrays are views of them; an `InputError` where they are damaged, which begins with `path`. */
export function decodeCheckpoint(bytes: Uint8Array, path: string): Snapshot {
  const damaged = (why: string) => new InputError(`${path}: the checkpoint is damaged: ${why}`);
  const head = headLength(bytes);
  const body = bytes.length - LINE;
  if (head === undefined || body < head) throw damaged("it is no checkpoint of this version, or its end is missing");
  const sum = digester();
  sum.add(bytes.subarray(0, body));
  if (sealOf(bytes.slice(body)) !== sum.text()) throw damaged("its content does not match the digest at its end");
  const text = new TextDecoder().decode(bytes.slice(FIRST, head)).replace(/\0+$/, "");
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if ("$number" in value) return Number(value.$number);
    if (!("$array" in value)) return value;
    const [kind, at, length] = value.$array as [keyof ArrayTypes, number, number];
    return new KINDS[kind](bytes.buffer, bytes.byteOffset + head + at, length);
  }) as Snapshot;
}

function headLength(bytes: Uint8Array): number | undefined {
  const line = new TextDecoder().decode(bytes.slice(0, FIRST));
  const digits = line.startsWith(BEGINS) ? line.slice(BEGINS.length, -1) : "";
  return /^\d{12}$/.test(digits) && line.endsWith("\n") ? Number(digits) : undefined;
}

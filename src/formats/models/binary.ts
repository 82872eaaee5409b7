/**
 * The file format of large models: a JSON header with the same contents as the file of a small model, followed by the long arrays in
 * binary, little-endian.
 *
 * The head begins with a fixed text that gives its own length, and ends with a newline, filled up with blanks so that the numbers begin at a
 * multiple of 64 bytes. A list stands in it as {"array": number of bytes from the end of the head, "kind": "f32", "u32" or "u8", "length": ...}.
 * The last 64 bytes are "tierwise digest ", a digest of all bytes before them, blanks and a newline, so that any damage is noticed. Files
 * of before had none and end with their numbers. The same training gives the same bytes.
 */
import { InputError } from "../../input-error.ts";
import { digester } from "../../numeric/digest.ts";
import { type ModelFile, modelRecord, parseRecord, type ReadModelOptions } from "./native.ts";

/** Bytes to whose multiples numbers and the end of the file are aligned. */
export const LINE = 64;
const BEGINS = '{"format":"tierwise model","bytes":"';
const DIGITS = 12;

/** Bytes needed to recognize such a file and the length of its head. */
export const ENOUGH = BEGINS.length + DIGITS;

const KINDS = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array };
type Kind = keyof typeof KINDS;
type Long = InstanceType<(typeof KINDS)[Kind]>;
interface Place {
  readonly array: number;
  readonly kind: Kind;
  readonly length: number;
}

const kindOf = (value: unknown) => (Object.keys(KINDS) as Kind[]).find((kind) => value instanceof KINDS[kind]);
const padded = (bytes: number) => Math.ceil(bytes / LINE) * LINE;
const isPlace = (value: unknown): value is Place =>
  typeof value === "object" && value !== null && "array" in value && "kind" in value;

/** The pieces of the file, in order, or undefined for a model that has no long lists and is better written as text. */
export function binaryParts(file: ModelFile): Uint8Array[] | undefined {
  const arrays: Long[] = [];
  let end = 0;
  const text = JSON.stringify(modelRecord(file), (_, value: unknown) => {
    const kind = kindOf(value);
    if (!kind) return value;
    const array = value as Long;
    arrays.push(array);
    const place: Place = { array: end, kind, length: array.length };
    end += padded(array.byteLength);
    return place;
  });
  if (arrays.length === 0) return undefined;
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1)
    throw new InputError("large models can only be written on little-endian machines");
  const rest = `",${text.slice(text.indexOf(",") + 1)}`; // after the format
  const encoder = new TextEncoder();
  const bytes = BEGINS.length + DIGITS + encoder.encode(rest).length;
  const size = padded(bytes + 1);
  const head = encoder.encode(`${BEGINS}${String(size).padStart(DIGITS, "0")}${rest}${" ".repeat(size - bytes - 1)}\n`);
  const pieces: Uint8Array[] = [head];
  for (const array of arrays) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const whole = bytes.length - (bytes.length % LINE);
    if (whole > 0) pieces.push(bytes.subarray(0, whole));
    if (whole === bytes.length) continue;
    const last = new Uint8Array(LINE);
    last.set(bytes.subarray(whole));
    pieces.push(last);
  }
  const sum = digester();
  for (const piece of pieces) sum.add(piece);
  return [...pieces, encoder.encode(sealText(sum.text()))];
}

/** The last bytes of a file whose other bytes have this digest. */
export const sealText = (digest: string): string => `${`tierwise digest ${digest}`.padEnd(LINE - 1)}\n`;

/** The digest in the last bytes of a file, or undefined if there is none. */
export function sealOf(last: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(last);
  const found = /^tierwise digest ([0-9a-f]{16})/.exec(text)?.[1];
  return found !== undefined && text === sealText(found) ? found : undefined;
}

/** The length of the head when these first bytes of a file are of this kind, else undefined. */
export function headLength(first: Uint8Array): number | undefined {
  const text = new TextDecoder().decode(first.subarray(0, ENOUGH));
  const length = text.startsWith(BEGINS) ? text.slice(BEGINS.length) : "";
  return /^\d{12}$/.test(length) ? Number(length) : undefined;
}

/** The model of a file of `size` bytes without its last line; `read` fills bytes with what begins at an offset. */
export function parseBinary(
  head: string,
  start: number,
  size: number,
  read: (into: Uint8Array, at: number) => void,
  path: string,
  options: ReadModelOptions,
): ModelFile {
  const truncated = () => new InputError(`${path}: the model file is truncated: it has ${size} bytes and should have more`);
  if (start > size) throw truncated();
  let end = start;
  const found = parseRecord(head, path, options, (_, value: unknown) => {
    if (!isPlace(value)) return value;
    const { array, kind, length } = value;
    const fits = [array, length].every((one) => Number.isSafeInteger(one) && one >= 0) && Object.hasOwn(KINDS, kind);
    if (!fits) throw new InputError(`${path}: the model file is damaged: it says ${JSON.stringify(value)} of a list of numbers`);
    const bytes = KINDS[kind].BYTES_PER_ELEMENT * length;
    if (start + array + bytes > size) throw truncated();
    end = Math.max(end, start + array + padded(bytes));
    const into = new KINDS[kind](length);
    read(new Uint8Array(into.buffer), start + array);
    return into;
  });
  if (end > size) throw truncated();
  if (end < size)
    throw new InputError(`${path}: the model file is damaged: it has ${size} bytes of content and should have ${end}`);
  return found;
}

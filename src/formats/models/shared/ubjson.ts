/** Reads and writes the subset of Universal Binary JSON (https://ubjson.org) that XGBoost models use. Typed number arrays are read as Float64Array. */
import { InputError } from "../../../input-error.ts";

const DEEPEST = 64;

/** The value in the bytes; numbers of 64 bits become ordinary ones. */
export function ubjsonOf(bytes: Uint8Array, path: string): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  let at = 0;
  const wrong = (what: string, where = at) => new InputError(`${path}: byte ${where}: ${what}`);
  const take = (size: number): number => {
    if (!(size >= 0 && at + size <= bytes.length)) throw wrong("the file ends too early (cut off, perhaps)", bytes.length);
    at += size;
    return at - size;
  };
  const marker = () => String.fromCharCode(bytes[take(1)]!);
  const sizes: Readonly<Record<string, number>> = { i: 1, U: 1, I: 2, l: 4, L: 8, d: 4, D: 8 };
  const number = (type: string): number => {
    const size = sizes[type];
    if (size === undefined) throw wrong(`expected a number, got the marker ${JSON.stringify(type)}`, at - 1);
    const from = take(size);
    if (type === "i") return view.getInt8(from);
    if (type === "U") return view.getUint8(from);
    if (type === "I") return view.getInt16(from);
    if (type === "l") return view.getInt32(from);
    if (type === "L") return Number(view.getBigInt64(from));
    return type === "d" ? view.getFloat32(from) : view.getFloat64(from);
  };
  const length = (): number => {
    const count = number(marker());
    if (!Number.isSafeInteger(count) || count < 0) throw wrong(`a length of ${count}`);
    return count;
  };
  const text = (): string => {
    const size = length();
    const from = take(size);
    return decoder.decode(bytes.subarray(from, from + size));
  };
  const value = (type: string, depth: number): unknown => {
    if (depth > DEEPEST) throw wrong(`more than ${DEEPEST} values inside each other`);
    if (type === "{") return object(depth);
    if (type === "[") return list(depth);
    if (type === "S") return text();
    if (type === "C") return String.fromCharCode(bytes[take(1)]!);
    if (type === "T" || type === "F") return type === "T";
    if (type === "Z") return null;
    return number(type);
  };
  const object = (depth: number): Record<string, unknown> => {
    const fields = Object.create(null) as Record<string, unknown>;
    for (;;) {
      if (at >= bytes.length) throw wrong("the file ends inside an object (cut off, perhaps)");
      if (bytes[at] === 0x7d) break; // }
      const key = text();
      fields[key] = value(marker(), depth + 1);
    }
    at++;
    return { ...fields };
  };
  const list = (depth: number): unknown => {
    let type = "";
    if (bytes[at] === 0x24) {
      at++;
      type = marker();
      if (bytes[at] !== 0x23) throw wrong("a list with a type and without a length");
    }
    if (bytes[at] === 0x23) {
      at++;
      const count = length();
      if (["Z", "N", "T", "F"].includes(type)) throw wrong(`a list of ${count} values that take no space`);
      const size = sizes[type] ?? 1;
      if (count * size > bytes.length - at) throw wrong(`a list of ${count} values, and the file ends before (cut off, perhaps)`);
      if (sizes[type] !== undefined) {
        const numbers = new Float64Array(count);
        for (let i = 0; i < count; i++) numbers[i] = number(type);
        return numbers;
      }
      return Array.from({ length: count }, () => value(type === "" ? marker() : type, depth + 1));
    }
    const values: unknown[] = [];
    for (;;) {
      if (at >= bytes.length) throw wrong("the file ends inside a list (cut off, perhaps)");
      if (bytes[at] === 0x5d) break; // ]
      values.push(value(marker(), depth + 1));
    }
    at++;
    return values;
  };
  const root = value(marker(), 0);
  if (at < bytes.length) throw wrong("the model ends here, and more follows");
  return root;
}

/** Encodes strings, arrays, objects, Float32Array, Int32Array, Uint8Array and BigInt64Array; plain numbers are written as int32. */
export function ubjsonBytes(root: unknown): Uint8Array {
  let bytes = new Uint8Array(1 << 16);
  let view = new DataView(bytes.buffer);
  let at = 0;
  const encoder = new TextEncoder();
  const grow = (size: number): number => {
    if (at + size > bytes.length) {
      const more = new Uint8Array(2 * (at + size));
      more.set(bytes);
      [bytes, view] = [more, new DataView(more.buffer)];
    }
    at += size;
    return at - size;
  };
  const mark = (text: string) => {
    for (const letter of text) {
      const place = grow(1); // first, as it may move the bytes
      bytes[place] = letter.charCodeAt(0);
    }
  };
  const size = (count: number) => {
    mark("L");
    const place = grow(8);
    view.setBigInt64(place, BigInt(count));
  };
  const word = (text: string) => {
    const letters = encoder.encode(text);
    size(letters.length);
    const place = grow(letters.length);
    bytes.set(letters, place);
  };
  const write = (value: unknown): void => {
    if (typeof value === "string") {
      mark("S");
      word(value);
    } else if (typeof value === "number") {
      mark("l");
      const place = grow(4);
      view.setInt32(place, value);
    } else if (ArrayBuffer.isView(value)) typed(value as Typed);
    else if (Array.isArray(value)) {
      mark("[#");
      size(value.length);
      value.forEach(write);
    } else {
      mark("{");
      for (const [key, one] of Object.entries(value as object)) {
        word(key);
        write(one);
      }
      mark("}");
    }
  };
  const typed = (values: Typed): void => {
    mark(
      values instanceof Float32Array
        ? "[$d#"
        : values instanceof Int32Array
          ? "[$l#"
          : values instanceof Uint8Array
            ? "[$U#"
            : "[$L#",
    );
    size(values.length);
    for (const one of values) {
      const place = grow(typeof one === "bigint" ? 8 : values instanceof Uint8Array ? 1 : 4);
      if (typeof one === "bigint") view.setBigInt64(place, one);
      else if (values instanceof Float32Array) view.setFloat32(place, one);
      else if (values instanceof Int32Array) view.setInt32(place, one);
      else view.setUint8(place, one);
    }
  };
  write(root);
  return bytes.slice(0, at);
}

type Typed = Float32Array | Int32Array | Uint8Array | BigInt64Array;

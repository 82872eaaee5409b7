/** Protocol buffers as far as ONNX needs them: https://protobuf.dev/programming-guides/encoding. Messages are written field by field. */
import { InputError } from "../../../input-error.ts";

const encoder = new TextEncoder();

/** Bytes that grow. */
export class Message {
  #bytes = new Uint8Array(256);
  #at = 0;

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  #reserve(size: number): number {
    if (this.#at + size > this.#bytes.length) {
      const more = new Uint8Array(2 * (this.#at + size));
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#at += size;
    return this.#at - size;
  }

  /** Seven bits to a byte, the lowest first. Negative numbers are 64 bits long. */
  #varint(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    do {
      const seven = Number(rest & 127n);
      rest >>= 7n;
      const at = this.#reserve(1); // first, as it may move the bytes
      this.#bytes[at] = rest > 0n ? seven | 128 : seven;
    } while (rest > 0n);
  }

  /** A whole number. */
  int(field: number, value: number): this {
    this.#varint(field << 3);
    this.#varint(value);
    return this;
  }

  float(field: number, value: number): this {
    this.#varint((field << 3) | 5);
    const at = this.#reserve(4);
    new DataView(this.#bytes.buffer).setFloat32(at, value, true);
    return this;
  }

  /** A text, bytes, or a message. */
  put(field: number, value: string | Uint8Array | Message): this {
    const content = typeof value === "string" ? encoder.encode(value) : value instanceof Message ? value.bytes() : value;
    this.#varint((field << 3) | 2);
    this.#varint(content.length);
    const at = this.#reserve(content.length);
    this.#bytes.set(content, at);
    return this;
  }

  /** Whole numbers side by side. */
  ints(field: number, values: Iterable<number>): this {
    const packed = new Message();
    for (const value of values) packed.#varint(value);
    return this.put(field, packed);
  }

  floats(field: number, values: ArrayLike<number>): this {
    const packed = Float32Array.from(values);
    return this.put(field, new Uint8Array(packed.buffer));
  }
}

/** The fields of a message that was read: numbers of varints and fixed fields, bytes of the others, in the order of the file. */
export type Fields = ReadonlyMap<number, readonly (number | Uint8Array)[]>;

/** The fields of the message in the bytes, which begin where the whole file does in its buffer: places of errors are those of the buffer. */
export function fieldsOf(bytes: Uint8Array, path: string): Fields {
  const fields = new Map<number, (number | Uint8Array)[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const wrong = (what: string) => new InputError(`${path}: byte ${bytes.byteOffset + at}: ${what}`);
  const need = (size: number) => {
    if (at + size > bytes.length) throw wrong("the file ends too early (cut off, perhaps)");
    at += size;
    return at - size;
  };
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[need(1)]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
    throw wrong("a number of more than 64 bits");
  };
  while (at < bytes.length) {
    const key = varint();
    const [field, kind] = [Math.floor(key / 8), key & 7];
    if (field < 1) throw wrong("expected a field of a protocol buffer");
    let value: number | Uint8Array;
    if (kind === 0) value = varint();
    else if (kind === 1) value = view.getFloat64(need(8), true);
    else if (kind === 5) value = view.getFloat32(need(4), true);
    else if (kind === 2) {
      const size = varint();
      if (size < 0) throw wrong("a length below 0");
      const from = need(size);
      value = bytes.subarray(from, from + size);
    } else throw wrong("expected a field of a protocol buffer");
    if (!fields.has(field)) fields.set(field, []);
    fields.get(field)!.push(value);
  }
  return fields;
}

/** Whole numbers of a field, packed or one by one. */
export function intsOf(fields: Fields, field: number, path: string): number[] {
  const all: number[] = [];
  for (const value of fields.get(field) ?? []) {
    if (typeof value === "number") {
      all.push(value);
      continue;
    }
    let [rest, shift] = [0n, 0n];
    for (const byte of value) {
      rest |= BigInt(byte & 127) << shift;
      shift += 7n;
      if (shift > 70n) throw new InputError(`${path}: byte ${value.byteOffset}: a number of more than 64 bits`);
      if (byte >= 128) continue;
      all.push(Number(BigInt.asIntN(64, rest)));
      [rest, shift] = [0n, 0n];
    }
    if (shift > 0n) throw new InputError(`${path}: byte ${value.byteOffset}: a list of numbers is cut off`);
  }
  return all;
}

/** Floats or doubles of a field, packed or one by one. */
export function floatsOf(fields: Fields, field: number, path: string, Type: Floats = Float32Array): number[] {
  return (fields.get(field) ?? []).flatMap((value) => {
    if (typeof value === "number") return [value];
    if (value.length % Type.BYTES_PER_ELEMENT !== 0)
      throw new InputError(`${path}: byte ${value.byteOffset}: a list of numbers is cut off`);
    return Array.from(new Type(value.slice().buffer));
  });
}

type Floats = Float32ArrayConstructor | Float64ArrayConstructor;

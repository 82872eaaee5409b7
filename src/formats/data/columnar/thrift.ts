/**
 * The compact protocol of Thrift, in which the metadata of Parquet are written: structs by the numbers of their fields. What is not there, or nested too deeply, is a
 * RangeError. https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */

/** A value: numbers and truth values, texts as bytes, lists and structs. */
export type ThriftValue = number | boolean | Uint8Array | readonly ThriftValue[] | ThriftStruct;

/** Values by the number of their field. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

const DEEPEST = 16;
const [STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, STRUCT] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];

export class ThriftReader {
  private readonly bytes: Uint8Array;
  /** Where the next value begins. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  struct(depth = 0): ThriftStruct {
    if (depth > DEEPEST) throw new RangeError("structs are nested too deeply");
    const found = new Map<number, ThriftValue>();
    for (let field = 0; ; ) {
      const head = this.byte();
      const kind = head & 15;
      if (kind === STOP) return found;
      field = head >> 4 ? field + (head >> 4) : this.whole();
      found.set(field, kind === TRUE || kind === FALSE ? kind === TRUE : this.value(kind, depth + 1));
    }
  }

  /** A number of 7 bits in each byte, low ones first. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError("a number has too many bytes");
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("the metadata end early");
    return byte;
  }

  private whole(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  private value(kind: number, depth: number): ThriftValue {
    switch (kind) {
      case TRUE: // in a list
      case FALSE:
        return this.byte() === TRUE;
      case BYTE:
        return this.byte();
      case I16:
      case I32:
      case I64:
        return this.whole();
      case DOUBLE:
        return new DataView(this.take(8).slice().buffer).getFloat64(0, true);
      case BINARY:
        return this.take(this.varint());
      case LIST:
      case SET:
        return this.list(depth);
      case STRUCT:
        return this.struct(depth);
      default:
        throw new RangeError("a value is of an unknown kind");
    }
  }

  private list(depth: number): ThriftValue[] {
    if (depth > DEEPEST) throw new RangeError("lists are nested too deeply");
    const head = this.byte();
    const size = head >> 4 === 15 ? this.varint() : head >> 4;
    const found: ThriftValue[] = [];
    while (found.length < size) found.push(this.value(head & 15, depth + 1)); // each takes a byte at least
    return found;
  }

  private take(length: number): Uint8Array {
    if (!(length <= this.bytes.length - this.at)) throw new RangeError("the metadata end early");
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** The field of a struct as a number; undefined where it is none. */
export const numberAt = (struct: ThriftStruct, field: number): number | undefined => {
  const value = struct.get(field);
  return typeof value === "number" ? value : undefined;
};

/** The field of a struct as a struct. */
export const structAt = (struct: ThriftStruct, field: number): ThriftStruct | undefined => {
  const value = struct.get(field);
  return value instanceof Map ? value : undefined;
};

/** The structs of a list; none where the field is absent. */
export const structsAt = (struct: ThriftStruct, field: number): readonly ThriftStruct[] => {
  const value = struct.get(field);
  return Array.isArray(value) ? value.filter((one): one is ThriftStruct => one instanceof Map) : [];
};

/** The bytes of a field. */
export const bytesAt = (struct: ThriftStruct, field: number): Uint8Array | undefined => {
  const value = struct.get(field);
  return value instanceof Uint8Array ? value : undefined;
};

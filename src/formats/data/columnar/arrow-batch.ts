/**
 * The columns of an Arrow record batch: which of its buffers belong to which field, each checked against the number of its values, so that what follows
 * can read them without checks. https://arrow.apache.org/docs/format/Columnar.html#buffer-listing-for-each-layout
 */
import type { ArrowField, ArrowType } from "./arrow-schema.ts";
import type { FlatTables } from "./flat-tables.ts";

/** Numbers of one width; those of 64 bits are bigints. */
export type ArrowNumbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** Values of a field. */
export interface ArrowColumn {
  readonly type: ArrowType;
  readonly length: number;
  /** A bit for each row, 1 where there is a value; without it all rows have one. */
  readonly validity?: Uint8Array;
  /** Numbers; codes where there is a dictionary; views; bytes of texts; bits of booleans. */
  readonly values: ArrowNumbers;
  /** Where rows begin in `values` or in the child, and where the last ends: ascending, within bounds. */
  readonly offsets?: Int32Array | Float64Array;
  /** Bytes that views are in. */
  readonly buffers?: readonly Uint8Array[];
  readonly children: readonly (readonly [name: string, column: ArrowColumn])[];
  readonly dictionary?: ArrowDictionary;
}

/** The values of a dictionary: the first `length` of the parts together, to which later messages may append others. */
export interface ArrowDictionary {
  readonly parts: ArrowColumn[];
  readonly length: number;
}

export interface ArrowBatch {
  readonly rows: number;
  readonly columns: readonly ArrowColumn[];
}

/** What one file may hold altogether. */
export class FileLimits {
  private rows: number;
  private nulls: number;

  constructor(bytes: number) {
    this.rows = 8 * bytes; // no column but that of nulls has more than one for each bit
    this.nulls = 64 * bytes;
  }

  takeRows(count: number): void {
    if (!(count >= 0 && (this.rows -= count) >= 0)) throw new RangeError("there are more rows than the file can hold");
  }

  /** Nulls take no bytes: without a limit a short file could have any number of them. */
  takeNulls(count: number): void {
    if ((this.nulls -= count) < 0) throw new RangeError("there are more nulls than belong to a file of this size");
  }
}

interface Source {
  readonly body: Uint8Array;
  readonly limits: FileLimits;
  readonly dictionaries: ReadonlyMap<number, ArrowDictionary>;
}

/** Reads the batch at a place of a message. */
export function batchOf(fields: readonly ArrowField[], tables: FlatTables, table: number, source: Source): ArrowBatch {
  const rows = tables.long(table, 0);
  source.limits.takeRows(rows);
  const reader = new BatchReader(tables, table, source);
  const columns = fields.map((field) => reader.column(field));
  for (const { length } of columns)
    if (length !== rows) throw new RangeError("a column has not as many values as its batch has rows");
  reader.end();
  return { rows, columns };
}

/** Takes the nodes and buffers of a batch in the order of its fields. */
class BatchReader {
  private readonly tables: FlatTables;
  private readonly source: Source;
  private readonly nodes: readonly number[];
  private readonly buffers: readonly number[];
  private readonly counts: readonly number[]; // of buffers of views
  private node = 0;
  private buffer = 0;
  private count = 0;
  private last = 0; // end of the buffer before

  constructor(tables: FlatTables, table: number, source: Source) {
    this.tables = tables;
    this.source = source;
    this.nodes = tables.entries(table, 1, 16);
    this.buffers = tables.entries(table, 2, 16);
    this.counts = tables.entries(table, 4, 8);
  }

  end(): void {
    if (this.node !== this.nodes.length || this.buffer !== this.buffers.length)
      throw new RangeError("a batch has more columns than the schema");
  }

  column({ type, children, dictionary }: ArrowField): ArrowColumn {
    const place = this.nodes[this.node++];
    if (place === undefined) throw new RangeError("a batch has fewer columns than the schema");
    const [length, nulls] = [this.tables.longAt(place), this.tables.longAt(place + 8)];
    if (!(length >= 0 && nulls >= 0 && nulls <= length)) throw new RangeError("a column has an impossible number of values");
    if (dictionary) {
      const known = this.source.dictionaries.get(dictionary.id);
      if (!known) throw new RangeError("a column has no dictionary");
      const base = { type, length, ...this.validity(length, nulls), children: [], dictionary: known };
      return { ...base, values: this.numbers(dictionary.index, length) };
    }
    if (type.kind === "null") {
      this.source.limits.takeNulls(length);
      return { type, length, values: new Uint8Array(0), children: [] };
    }
    const base = { type, length, ...this.validity(length, nulls) };
    if (type.kind !== "list" && type.kind !== "fixed-list" && type.kind !== "struct")
      return { ...base, ...this.values(type, length), children: [] };
    const offsets = type.kind === "list" ? this.offsets(type.offsetBits, length) : undefined;
    const inner = children.map((child) => [child.name, this.column(child)] as const);
    for (const [, child] of inner) {
      const wanted = type.kind === "struct" ? length : type.kind === "fixed-list" ? length * type.size : offsets!.at(-1)!;
      if (type.kind === "list" ? child.length < wanted : child.length !== wanted)
        throw new RangeError("a nested column has the wrong number of values");
    }
    return { ...base, ...(offsets && { offsets }), values: new Uint8Array(0), children: inner };
  }

  /** The next buffer. Buffers lie one behind another, so that all of them together are no longer than the body. */
  private next(): Uint8Array {
    const place = this.buffers[this.buffer++];
    if (place === undefined) throw new RangeError("a batch has too few buffers");
    const [offset, length] = [this.tables.longAt(place), this.tables.longAt(place + 8)];
    if (length === 0) return new Uint8Array(0);
    if (!(length > 0 && offset >= this.last && offset + length <= this.source.body.length))
      throw new RangeError("a buffer is not where it should be");
    this.last = offset + length;
    return this.source.body.subarray(offset, offset + length);
  }

  private validity(length: number, nulls: number): { readonly validity?: Uint8Array } {
    const bits = this.next();
    if (nulls === 0) return {};
    if (bits.length < Math.ceil(length / 8)) throw new RangeError("a buffer is too short for its values");
    return { validity: bits };
  }

  private values(type: ArrowType, length: number): Pick<ArrowColumn, "values" | "offsets" | "buffers"> {
    switch (type.kind) {
      case "bool":
        return { values: long(this.next(), Math.ceil(length / 8)) };
      case "text":
      case "bytes": {
        const offsets = this.offsets(type.offsetBits, length);
        return { offsets, values: long(this.next(), offsets.at(-1)!) };
      }
      case "text-view":
      case "bytes-view": {
        const values = long(this.next(), 16 * length);
        const place = this.counts[this.count++];
        const count = place === undefined ? 0 : this.tables.longAt(place);
        if (!(count >= 0 && this.buffer + count <= this.buffers.length)) throw new RangeError("a batch has too few buffers");
        return { values, buffers: Array.from({ length: count }, () => this.next()) };
      }
      case "fixed-bytes":
        return { values: long(this.next(), type.size * length) };
      case "decimal":
        return { values: aligned(Uint32Array, this.next(), (type.bits / 32) * length) };
      default:
        return { values: this.numbers(type, length) };
    }
  }

  private numbers(type: ArrowType, length: number): ArrowNumbers {
    return aligned(arrayOf(type), this.next(), length);
  }

  private offsets(bits: 32 | 64, rows: number): Int32Array | Float64Array {
    const bytes = this.next();
    if (rows === 0) return new Int32Array(1); // of which some writers leave out the only one
    const offsets =
      bits === 32 ? aligned(Int32Array, bytes, rows + 1) : Float64Array.from(aligned(BigInt64Array, bytes, rows + 1), Number);
    let before = 0;
    for (const offset of offsets) {
      if (offset < before) throw new RangeError("values begin before those of the row above");
      before = offset;
    }
    return offsets;
  }
}

function long(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length < length) throw new RangeError("a buffer is too short for its values");
  return bytes;
}

interface ArrayType<A> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset: number, length: number): A;
}

/** The bytes as numbers, copied where they do not begin at a multiple of their size. */
function aligned<A>(Type: ArrayType<A>, bytes: Uint8Array, length: number): A {
  const size = Type.BYTES_PER_ELEMENT * length;
  long(bytes, size);
  if (bytes.byteOffset % Type.BYTES_PER_ELEMENT === 0) return new Type(bytes.buffer, bytes.byteOffset, length);
  return new Type(bytes.slice(0, size).buffer, 0, length);
}

function arrayOf(type: ArrowType): ArrayType<ArrowNumbers> {
  if (type.kind === "int") {
    if (type.signed) return { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array }[type.bits];
    return { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array }[type.bits];
  }
  if (type.kind === "float") return { 16: Uint16Array, 32: Float32Array, 64: Float64Array }[type.bits];
  return "bits" in type && type.bits === 32 ? Int32Array : BigInt64Array;
}

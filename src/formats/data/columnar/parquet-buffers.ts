/** Buffers that collect the values of a column of a Parquet file, page by page: numbers, and texts by dictionary. What is damaged is a RangeError. */
import { MISSING_TEXT, type TableColumn } from "../../../data/table/source-table.ts";
import type { FlatKind } from "./parquet-metadata.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

type Numbers = Float32Array | Float64Array | Int32Array;

/** Takes the values of a column; those of a page come without the missing ones, which `spread` puts between them. */
export interface ColumnBuffer {
  readonly rows: number;
  /** Rows of the pages before. */
  filled: number;
  dictionary(bytes: Uint8Array, count: number): void;
  plain(bytes: Uint8Array, count: number): void;
  coded(places: Int32Array): void;
  spread(levels: Uint8Array, present: number): void;
  column(): TableColumn;
}

export class NumberBuffer implements ColumnBuffer {
  readonly rows: number;
  filled = 0;
  private readonly kind: Exclude<FlatKind, "text">;
  private values: Numbers;
  private entries: Numbers = new Float32Array(0);

  constructor(kind: Exclude<FlatKind, "text">, rows: number) {
    this.rows = rows;
    this.kind = kind;
    this.values = this.empty(rows);
  }

  dictionary(bytes: Uint8Array, count: number): void {
    if (!(count >= 0 && count <= bytes.length)) throw new RangeError("a dictionary ends early");
    this.entries = this.empty(count);
    this.read(bytes, this.entries, 0, count);
  }

  plain(bytes: Uint8Array, count: number): void {
    this.read(bytes, this.values, this.filled, count);
  }

  coded(places: Int32Array): void {
    const { entries, values, filled } = this;
    const size = entries.length;
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      if (place >= size) throw new RangeError("a value is not in the dictionary");
      values[filled + i] = entries[place]!;
    }
  }

  spread(levels: Uint8Array, present: number): void {
    if (this.values instanceof Int32Array) this.values = Float64Array.from(this.values);
    const { values, filled } = this;
    for (let row = levels.length - 1, from = present; row >= 0; row--)
      values[filled + row] = levels[row] === 1 ? values[filled + --from]! : Number.NaN;
  }

  column(): TableColumn {
    return { kind: "number", values: this.values };
  }

  private empty(length: number): Numbers {
    if (this.kind === "float") return new Float32Array(length);
    return this.kind === "int32" ? new Int32Array(length) : new Float64Array(length);
  }

  private read(bytes: Uint8Array, into: Numbers, from: number, count: number): void {
    const width = this.kind === "float" || this.kind === "int32" ? 4 : 8;
    if (count * width > bytes.length) throw new RangeError("values end early");
    if (this.kind === "int64") readLongs(bytes, into, from, count);
    else if (this.kind === "int32" && into instanceof Float64Array)
      into.set(new Int32Array(bytes.slice(0, 4 * count).buffer), from);
    else new Uint8Array(into.buffer, from * width, count * width).set(bytes.subarray(0, count * width));
  }
}

/** Whole numbers of 64 bits, as far as a double holds them: one that it does not may be an id, of which no digit may be lost. */
function readLongs(bytes: Uint8Array, into: Numbers, from: number, count: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < count; i++) {
    const value = view.getInt32(8 * i + 4, true) * 2 ** 32 + view.getUint32(8 * i, true);
    if (!Number.isSafeInteger(value)) throw new RangeError("a number is too large");
    into[from + i] = value;
  }
}

export class TextBuffer implements ColumnBuffer {
  readonly rows: number;
  filled = 0;
  private readonly codes: Int32Array;
  private readonly all: string[] = [];
  private readonly places = new Map<string, number>();
  private entries = new Int32Array(0);

  constructor(rows: number) {
    this.rows = rows;
    this.codes = new Int32Array(rows);
  }

  dictionary(bytes: Uint8Array, count: number): void {
    if (!(count >= 0 && 4 * count <= bytes.length)) throw new RangeError("a dictionary ends early");
    this.entries = new Int32Array(count);
    this.read(bytes, this.entries, 0, count);
  }

  plain(bytes: Uint8Array, count: number): void {
    this.read(bytes, this.codes, this.filled, count);
  }

  coded(places: Int32Array): void {
    places.forEach((place, i) => {
      if (place >= this.entries.length) throw new RangeError("a value is not in the dictionary");
      this.codes[this.filled + i] = this.entries[place]!;
    });
  }

  spread(levels: Uint8Array, present: number): void {
    for (let row = levels.length - 1, from = present; row >= 0; row--)
      this.codes[this.filled + row] = levels[row] === 1 ? this.codes[this.filled + --from]! : MISSING_TEXT;
  }

  column(): TableColumn {
    return { kind: "text", codes: this.codes, dictionary: this.all };
  }

  private read(bytes: Uint8Array, into: Int32Array, from: number, count: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0, at = 0; i < count; i++) {
      const length = view.getUint32(at, true);
      if (length > bytes.length - at - 4) throw new RangeError("a text ends early");
      const text = textOf(bytes.subarray(at + 4, at + 4 + length));
      let place = this.places.get(text);
      if (place === undefined) {
        place = this.all.push(text) - 1;
        this.places.set(text, place);
      }
      into[from + i] = place;
      at += 4 + length;
    }
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new RangeError("bytes are no text");
  }
}

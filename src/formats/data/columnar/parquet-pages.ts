/**
 * The values of a column of a Parquet file without nested columns, page by page: plain values and dictionaries, of the first and second version of pages. What is damaged
 * or written in another way is a RangeError. https://github.com/apache/parquet-format/blob/master/Encodings.md
 */
import { MISSING_TEXT, type TableColumn } from "../../../data/table/source-table.ts";
import type { ColumnChunk, FlatColumn, FlatKind } from "./parquet-metadata.ts";
import { unsnappy } from "./snappy.ts";
import { numberAt, structAt, ThriftReader, type ThriftStruct } from "./thrift.ts";

const [DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_2] = [0, 2, 3];
const [PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY] = [0, 2, 8];
const WIDEST = 24; // bits of a place in a dictionary
const MOST_PER_BYTE = 24; // bytes that one of Snappy can become
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

type Numbers = Float32Array | Float64Array | Int32Array;

/** Memory that pages use one after another. */
export class PageScratch {
  private buffers: ArrayBuffer[] = [];

  bytes(size: number): Uint8Array {
    return new Uint8Array(this.buffer(0, size), 0, size);
  }

  places(count: number): Int32Array {
    return new Int32Array(this.buffer(1, 4 * count), 0, count);
  }

  words(count: number): Int32Array {
    return new Int32Array(this.buffer(2, 4 * count), 0, count);
  }

  private buffer(at: number, size: number): ArrayBuffer {
    const known = this.buffers[at];
    if (known && known.byteLength >= size) return known;
    return (this.buffers[at] = new ArrayBuffer(4 * Math.ceil((1.5 * size) / 4)));
  }
}

/** The column of a row group. */
export function readChunk(
  { kind, isOptional }: FlatColumn,
  { bytes, isCompressed }: ColumnChunk,
  rows: number,
  scratch: PageScratch,
): TableColumn {
  const target = kind === "text" ? new Texts(rows) : new NumberTarget(kind, rows);
  for (let at = 0; target.filled < rows; ) {
    const reader = new ThriftReader(bytes, at);
    const header = reader.struct();
    const [type, size, stored] = [numberAt(header, 1), numberAt(header, 2) ?? -1, numberAt(header, 3) ?? -1];
    if (!(stored >= 0 && size >= 0 && stored <= bytes.length - reader.at)) throw new RangeError("a page ends early");
    const body = bytes.subarray(reader.at, reader.at + stored);
    at = reader.at + stored;
    if (type === DICTIONARY_PAGE) {
      const count = numberAt(structAt(header, 7) ?? header, 1) ?? -1;
      target.dictionary(isCompressed ? decompressed(body, size, scratch) : body, count);
    } else if (type === DATA_PAGE)
      addPage(target, header, isCompressed ? decompressed(body, size, scratch) : body, isOptional, scratch);
    else if (type === DATA_PAGE_2) addPage2(target, header, body, size, isCompressed, isOptional, scratch);
    else throw new RangeError("a page is of an unknown kind");
  }
  return target.column();
}

function decompressed(bytes: Uint8Array, size: number, scratch: PageScratch): Uint8Array {
  if (size > MOST_PER_BYTE * bytes.length + 64) throw new RangeError("a page is larger than its bytes can tell");
  const out = scratch.bytes(size);
  if (size > 0) unsnappy(bytes, out);
  return out;
}

function addPage(target: Target, header: ThriftStruct, body: Uint8Array, isOptional: boolean, scratch: PageScratch): void {
  const about = structAt(header, 5) ?? header;
  const [count, encoding] = [countOf(numberAt(about, 1), target), numberAt(about, 2) ?? -1];
  if (!isOptional) {
    addValues(target, body, encoding, count, undefined, scratch);
    return;
  }
  const length = new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(0, true);
  if (length > body.length - 4) throw new RangeError("levels end early");
  addValues(target, body.subarray(4 + length), encoding, count, levelsOf(body.subarray(4, 4 + length), count, scratch), scratch);
}

function addPage2(
  target: Target,
  header: ThriftStruct,
  body: Uint8Array,
  size: number,
  isCompressed: boolean,
  isOptional: boolean,
  scratch: PageScratch,
): void {
  const about = structAt(header, 8) ?? header;
  const [count, encoding] = [countOf(numberAt(about, 1), target), numberAt(about, 4) ?? -1];
  const [levels, repeats] = [numberAt(about, 5) ?? -1, numberAt(about, 6) ?? -1];
  if (repeats !== 0 || !(levels >= 0 && levels <= Math.min(body.length, size))) throw new RangeError("levels end early");
  const [stored, plainSize] = [body.subarray(levels), size - levels];
  const values = isCompressed && about.get(7) !== false ? decompressed(stored, plainSize, scratch) : stored;
  const present = isOptional ? levelsOf(body.subarray(0, levels), count, scratch) : undefined;
  addValues(target, values, encoding, count, present, scratch);
}

function countOf(count: number | undefined, { rows, filled }: Target): number {
  if (!(count !== undefined && count >= 0 && count <= rows - filled))
    throw new RangeError("a page has more values than there are rows");
  return count;
}

/** By row of a page, 1 where there is a value; undefined: everywhere. */
function levelsOf(bytes: Uint8Array, count: number, scratch: PageScratch): Uint8Array | undefined {
  const levels = new Uint8Array(count);
  readRuns(bytes, 1, levels, count, scratch);
  return levels.includes(0) ? levels : undefined;
}

function addValues(
  target: Target,
  bytes: Uint8Array,
  encoding: number,
  count: number,
  levels: Uint8Array | undefined,
  scratch: PageScratch,
): void {
  const present = levels ? levels.reduce((sum, one) => sum + one, 0) : count;
  if (encoding === PLAIN) target.plain(bytes, present);
  else if (encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY) {
    const places = scratch.places(present);
    if (present > 0) readRuns(bytes.subarray(1), bytes[0] ?? WIDEST + 1, places, present, scratch);
    target.coded(places);
  } else throw new RangeError("values are encoded in a way that is not read here");
  if (levels) target.spread(levels, present);
  target.filled += count;
}

/** Runs of equal values and of packed ones, the hybrid of run lengths and bits. */
function readRuns(bytes: Uint8Array, width: number, out: Uint8Array | Int32Array, count: number, scratch: PageScratch): void {
  if (width > WIDEST) throw new RangeError("places are too wide");
  const reader = new ThriftReader(bytes);
  for (let done = 0; done < count; ) {
    const head = reader.varint();
    const size = Math.floor(head / 2);
    let at = reader.at;
    if (head % 2 === 0) {
      let value = 0;
      for (let i = 0; i < width; i += 8) value |= (bytes[at++] ?? 0) << i;
      if (size === 0 || at > bytes.length) throw new RangeError("a run ends early");
      out.fill(value, done, Math.min(count, done + size));
      done += size;
    } else {
      const stop = Math.min(count, done + 8 * size);
      if (size === 0 || Math.ceil(((stop - done) * width) / 8) > bytes.length - at) throw new RangeError("a run ends early");
      unpack(bytes.subarray(at, at + size * width), scratch.words(((size * width) >> 2) + 2), width, out, done, stop);
      done = stop;
      at = reader.at + size * width;
    }
    reader.at = at;
  }
}

/** Values of `width` bits, one behind another from the lowest bit on. */
function unpack(
  bytes: Uint8Array,
  words: Int32Array,
  width: number,
  out: Uint8Array | Int32Array,
  from: number,
  to: number,
): void {
  new Uint8Array(words.buffer).set(bytes);
  const mask = (1 << width) - 1;
  for (let i = from, bit = 0; i < to; i++, bit += width) {
    const [at, shift] = [bit >>> 5, bit & 31];
    let value = words[at]! >>> shift;
    if (shift + width > 32) value |= words[at + 1]! << (32 - shift);
    out[i] = value & mask;
  }
}

/** What takes the values of a column; those of a page come without the missing ones, which `spread` puts between them. */
interface Target {
  readonly rows: number;
  /** Rows of the pages before. */
  filled: number;
  dictionary(bytes: Uint8Array, count: number): void;
  plain(bytes: Uint8Array, count: number): void;
  coded(places: Int32Array): void;
  spread(levels: Uint8Array, present: number): void;
  column(): TableColumn;
}

class NumberTarget implements Target {
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

class Texts implements Target {
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

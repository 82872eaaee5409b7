/**
 * The values of a column of a Parquet file without nested columns, page by page: plain values and dictionaries, of the first and second version of pages. What is damaged
 * or written in another way is a RangeError. https://github.com/apache/parquet-format/blob/master/Encodings.md
 */
import type { TableColumn } from "../../../data/table/source-table.ts";
import { type ColumnBuffer, NumberBuffer, TextBuffer } from "./parquet-buffers.ts";
import type { ColumnChunk, FlatColumn } from "./parquet-metadata.ts";
import { unsnappy } from "./snappy.ts";
import { numberAt, structAt, ThriftReader, type ThriftStruct } from "./thrift.ts";

const [DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_2] = [0, 2, 3];
const [PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY] = [0, 2, 8];
const WIDEST = 24; // bits of a place in a dictionary
const MOST_PER_BYTE = 24; // bytes that one of Snappy can become

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
  const target = kind === "text" ? new TextBuffer(rows) : new NumberBuffer(kind, rows);
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

function addPage(target: ColumnBuffer, header: ThriftStruct, body: Uint8Array, isOptional: boolean, scratch: PageScratch): void {
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
  target: ColumnBuffer,
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

function countOf(count: number | undefined, { rows, filled }: ColumnBuffer): number {
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
  target: ColumnBuffer,
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

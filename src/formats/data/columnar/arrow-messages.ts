/**
 * The messages of Arrow IPC, of the file format and of the stream format: a schema, dictionaries and record batches. Nothing in them is believed
 * before it is checked, and the time is in proportion to the bytes, whatever these are.
 * https://github.com/apache/arrow/blob/main/format/Message.fbs, File.fbs
 */
import { InputError } from "../../../input-error.ts";
import { type ArrowBatch, type ArrowDictionary, batchOf, FileLimits } from "./arrow-batch.ts";
import { type ArrowField, fieldsOf } from "./arrow-schema.ts";
import { FlatTables } from "./flat-tables.ts";

const MARK = 0xffffffff; // before the length of a message, since version 0.15
const [SCHEMA, DICTIONARY, BATCH] = [1, 2, 3]; // kinds of headers
const OLDEST = 3; // version of the metadata, called V4

export interface ArrowMessages {
  readonly fields: readonly ArrowField[];
  readonly batches: readonly ArrowBatch[];
}

/** Reads a stream. Bytes after its end are left alone, and it may end without a mark of its end. */
export const readStream = (file: string, bytes: Uint8Array): ArrowMessages =>
  refusing(file, () => {
    const reader = new MessageReader(file, bytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; ) {
      const start = at + (view.getUint32(at, true) === MARK ? 8 : 4);
      const length = view.getUint32(start - 4, true);
      if (length === 0) break;
      at = reader.message(start, start + length, bytes.length);
    }
    return reader.result();
  });

const END = 10; // bytes of a file after its footer: the length of that, and the magic
const BLOCK = 24; // bytes of the place of a message

/** Reads a file, whose footer says where messages are. */
export const readFile = (file: string, bytes: Uint8Array): ArrowMessages =>
  refusing(file, () => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = bytes.length - END;
    const length = view.getInt32(end, true);
    if (!(length > 0 && length <= end)) throw new RangeError("the footer is longer than the file");
    const footer = new FlatTables(bytes.subarray(end - length, end));
    const root = footer.root();
    const reader = new MessageReader(file, bytes, fieldsOf(file, footer, tableIn(footer, root, 1)));
    let left = bytes.length; // messages do not overlap
    for (const block of [...footer.entries(root, 2, BLOCK), ...footer.entries(root, 3, BLOCK)]) {
      const [offset, header, body] = [footer.longAt(block), footer.intAt(block + 8), footer.longAt(block + 16)];
      if (!(offset >= 0 && header > 0 && body >= 0 && offset + header + body <= end && (left -= header + body) >= 0))
        throw new RangeError("a message is not where it should be");
      const start = offset + (view.getUint32(offset, true) === MARK ? 8 : 4);
      reader.message(start, offset + header, offset + header + body);
    }
    return reader.result();
  });

function refusing<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(`${file}: the Arrow data are damaged or truncated (${error.message})`);
  }
}

function tableIn(tables: FlatTables, table: number, slot: number): number {
  const found = tables.table(table, slot);
  if (found === 0) throw new RangeError("a message is empty");
  return found;
}

class MessageReader {
  private readonly file: string;
  private readonly bytes: Uint8Array;
  private fields?: readonly ArrowField[];
  private readonly limits: FileLimits;
  private readonly dictionaries = new Map<number, ArrowDictionary>();
  private readonly batches: ArrowBatch[] = [];
  private encoded?: Map<number, ArrowField>; // fields with dictionaries, by id

  constructor(file: string, bytes: Uint8Array, fields?: readonly ArrowField[]) {
    this.file = file;
    this.bytes = bytes;
    if (fields) this.fields = fields;
    this.limits = new FileLimits(bytes.length);
  }

  /** Reads a message, whose body follows and ends before `most`; where it ends. */
  message(start: number, end: number, most: number): number {
    if (!(start < end && end <= most)) throw new RangeError("a message ends early");
    const tables = new FlatTables(this.bytes.subarray(start, end));
    const root = tables.root();
    const [version, kind, length] = [tables.short(root, 0), tables.byte(root, 1), tables.long(root, 3)];
    if (!(length >= 0 && end + length <= most)) throw new RangeError("the body of a message ends early");
    if (version < OLDEST) throw new InputError(`${this.file}: the Arrow data are older than version 0.8; write them again`);
    const header = tableIn(tables, root, 2);
    const body = this.bytes.subarray(end, end + length);
    if (kind === SCHEMA) {
      if (this.fields) throw new RangeError("there are two schemas");
      this.fields = fieldsOf(this.file, tables, header);
    } else if (kind === BATCH) this.batches.push(this.batch(this.known(), tables, header, body));
    else if (kind === DICTIONARY) this.dictionary(tables, header, body);
    else throw new RangeError("a message is of an unknown kind");
    return end + length;
  }

  result(): ArrowMessages {
    return { fields: this.known(), batches: this.batches };
  }

  private known(): readonly ArrowField[] {
    if (!this.fields) throw new RangeError("there is no schema");
    return this.fields;
  }

  private batch(fields: readonly ArrowField[], tables: FlatTables, header: number, body: Uint8Array): ArrowBatch {
    if (tables.table(header, 3) !== 0)
      throw new InputError(
        `${this.file}: the Arrow data are compressed, which is not supported; write them without compression, or as Parquet`,
      );
    return batchOf(fields, tables, header, { body, limits: this.limits, dictionaries: this.dictionaries });
  }

  /** Values of a dictionary, in place of those that it had or, if the message says so, after them. */
  private dictionary(tables: FlatTables, header: number, body: Uint8Array): void {
    const id = tables.long(header, 0);
    this.encoded ??= fieldsById(this.known());
    const field = this.encoded.get(id);
    if (!field) throw new RangeError("no column has a dictionary that there is");
    const { dictionary: _, ...values } = field;
    const column = this.batch([values], tables, tableIn(tables, header, 1), body).columns[0]!;
    const before = tables.byte(header, 2) !== 0 ? this.dictionaries.get(id) : undefined;
    if (before) before.parts.push(column);
    this.dictionaries.set(id, { parts: before?.parts ?? [column], length: (before?.length ?? 0) + column.length });
  }
}

/** Fields with dictionaries, by the ids of these. */
function fieldsById(fields: readonly ArrowField[], found = new Map<number, ArrowField>()): Map<number, ArrowField> {
  for (const field of fields) {
    if (field.dictionary && !found.has(field.dictionary.id)) found.set(field.dictionary.id, field);
    fieldsById(field.children, found);
  }
  return found;
}

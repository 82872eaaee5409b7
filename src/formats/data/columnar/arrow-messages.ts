/**
 * Checks the messages of an Arrow IPC stream before they are read: apache-arrow believes every count in them, and would go on for hours where a
 * damaged one is large. The layout is that of https://github.com/apache/arrow/tree/main/format (Message.fbs, Schema.fbs) in FlatBuffers.
 */
import { InputError } from "../../../input-error.ts";

const MARK = 0xffffffff; // before the length of a message
const [SCHEMA, DICTIONARY, BATCH] = [1, 2, 3]; // kinds of headers
const DEEPEST = 64; // levels of nested fields

/** The tables of one message. Reads beyond its end throw a RangeError. */
class Message {
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  root(): number {
    return this.view.getUint32(0, true);
  }

  /** Where a member of a table is; 0: it has none. */
  member(table: number, slot: number): number {
    const layout = table - this.view.getInt32(table, true);
    const at = 4 + 2 * slot;
    const offset = at < this.view.getUint16(layout, true) ? this.view.getUint16(layout + at, true) : 0;
    return offset === 0 ? 0 : table + offset;
  }

  byte(table: number, slot: number): number {
    const at = this.member(table, slot);
    return at === 0 ? 0 : this.view.getUint8(at);
  }

  long(table: number, slot: number): number {
    const at = this.member(table, slot);
    return at === 0 ? 0 : this.longAt(at);
  }

  longAt(at: number): number {
    return Number(this.view.getBigInt64(at, true));
  }

  intAt(at: number): number {
    return this.view.getInt32(at, true);
  }

  table(table: number, slot: number): number {
    const at = this.member(table, slot);
    return at === 0 ? 0 : at + this.view.getUint32(at, true);
  }

  /** The places of the entries of a list of tables, or of `size` bytes each. */
  entries(table: number, slot: number, size = 4): number[] {
    const list = this.table(table, slot);
    const count = list === 0 ? 0 : this.view.getUint32(list, true);
    if (count * size > this.view.byteLength) throw new RangeError("a list is longer than its message");
    return Array.from({ length: count }, (_, i) => list + 4 + i * size);
  }

  follow(entry: number): number {
    return entry + this.view.getUint32(entry, true);
  }
}

/** Refuses a stream whose messages end early, or count more than they can hold. */
export const checkStream = (file: string, bytes: Uint8Array): void =>
  refusing(file, () => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; ) {
      const start = at + (view.getUint32(at, true) === MARK ? 8 : 4);
      const length = view.getUint32(start - 4, true);
      if (length === 0) return;
      if (start + length > bytes.length) throw new RangeError("a message ends early");
      const body = checkMessage(new Message(bytes.subarray(start, start + length)), 8 * bytes.length);
      at = start + length + body;
      if (!(body >= 0 && at <= bytes.length)) throw new RangeError("the body of a message ends early");
    }
  });

const END = 10; // bytes of a file after its footer: the length of that, and the magic

/** The same for a file, whose footer tells where messages are. */
export const checkFile = (file: string, bytes: Uint8Array): void =>
  refusing(file, () => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = bytes.length - END;
    const length = view.getInt32(end, true);
    if (!(length > 0 && length <= end)) throw new RangeError("the footer is longer than the file");
    const footer = new Message(bytes.subarray(end - length, end));
    const root = footer.root();
    checkFields(footer, footer.table(root, 1), 1, 0);
    for (const block of [...footer.entries(root, 2, 24), ...footer.entries(root, 3, 24)]) {
      const [offset, header, body] = [footer.longAt(block), footer.intAt(block + 8), footer.longAt(block + 16)];
      if (!(offset >= 0 && header > 0 && body >= 0 && offset + header + body <= bytes.length))
        throw new RangeError("a message is beyond the end");
      const start = offset + (view.getUint32(offset, true) === MARK ? 8 : 4);
      checkMessage(new Message(bytes.subarray(start, offset + header)), 8 * bytes.length);
    }
  });

function refusing(file: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(`${file}: the Arrow data are damaged or truncated (${error.message})`);
  }
}

/** The number of bytes after the message. */
function checkMessage(message: Message, mostRows: number): number {
  const root = message.root();
  const [kind, header] = [message.byte(root, 1), message.table(root, 2)];
  if (kind === SCHEMA) checkFields(message, header, 1, 0);
  else if (kind === DICTIONARY) checkBatch(message, message.table(header, 1), mostRows);
  else if (kind === BATCH) checkBatch(message, header, mostRows);
  message.entries(root, 4);
  return message.long(root, 3);
}

function checkFields(message: Message, table: number, slot: number, depth: number): void {
  if (depth > DEEPEST) throw new RangeError("fields are nested too deeply");
  message.entries(table, slot + 1); // metadata
  for (const entry of message.entries(table, slot)) checkFields(message, message.follow(entry), 5, depth + 1);
}

function checkBatch(message: Message, table: number, mostRows: number): void {
  const rows = message.long(table, 0);
  if (!(rows >= 0 && rows <= mostRows)) throw new RangeError("a batch has more rows than the file can hold");
  message.entries(table, 2, 16); // buffers
  message.entries(table, 4, 8); // buffers of views
  for (const node of message.entries(table, 1, 16)) {
    const length = message.longAt(node);
    if (!(length >= 0 && length <= mostRows)) throw new RangeError("a column has more values than the file can hold");
  }
}

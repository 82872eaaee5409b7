/**
 * Tables of FlatBuffers, in which Arrow writes its metadata, read with every place checked: what lies outside the bytes is a RangeError. Tables may be
 * met more than once through damaged offsets, so readers of trees of them bound how many they follow.
 * https://flatbuffers.dev/internals
 */
export class FlatTables {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get size(): number {
    return this.bytes.length;
  }

  /** The place of the first table. */
  root(): number {
    return this.view.getUint32(0, true);
  }

  /** The place of a member of a table; 0: it has none. */
  private member(table: number, slot: number): number {
    const layout = table - this.view.getInt32(table, true);
    const at = 4 + 2 * slot;
    const offset = at < this.view.getUint16(layout, true) ? this.view.getUint16(layout + at, true) : 0;
    return offset === 0 ? 0 : table + offset;
  }

  byte(table: number, slot: number, absent = 0): number {
    const at = this.member(table, slot);
    return at === 0 ? absent : this.view.getUint8(at);
  }

  short(table: number, slot: number, absent = 0): number {
    const at = this.member(table, slot);
    return at === 0 ? absent : this.view.getInt16(at, true);
  }

  int(table: number, slot: number, absent = 0): number {
    const at = this.member(table, slot);
    return at === 0 ? absent : this.view.getInt32(at, true);
  }

  /** A 64-bit integer; those beyond 2^53 are no count of anything in a file. */
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

  /** The place of a table or list that is a member; 0: it has none. */
  table(table: number, slot: number): number {
    const at = this.member(table, slot);
    return at === 0 ? 0 : this.follow(at);
  }

  /** The bytes of a text. */
  text(table: number, slot: number): Uint8Array {
    const at = this.table(table, slot);
    if (at === 0) return new Uint8Array(0);
    const length = this.view.getUint32(at, true);
    if (at + 4 + length > this.size) throw new RangeError("a name is longer than its message");
    return this.bytes.subarray(at + 4, at + 4 + length);
  }

  /** The places of the entries of a list, of `size` bytes each. */
  entries(table: number, slot: number, size: number): number[] {
    const list = this.table(table, slot);
    const count = list === 0 ? 0 : this.view.getUint32(list, true);
    if (list + 4 + count * size > this.size) throw new RangeError("a list is longer than its message");
    return Array.from({ length: count }, (_, i) => list + 4 + i * size);
  }

  /** The place that an entry of a list of tables leads to. */
  follow(entry: number): number {
    return entry + this.view.getUint32(entry, true);
  }
}

/**
 * Numbers for the texts of a file, found by their bytes, so that a name which comes a million times is decoded once. Spaces around a text do
 * not count: `a` and ` a` have one number.
 */
export class ByteTexts {
  /** By number. */
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly decoder = new TextDecoder();
  private pool = new Uint8Array(1 << 14); // the bytes of all spellings, one after another
  private poolSize = 0;
  private ends: number[] = [0]; // spelling s owns bytes ends[s] to ends[s + 1]
  private readonly numberOf: number[] = []; // by spelling
  private readonly hashes: number[] = [];
  private slots = new Int32Array(1024).fill(-1);

  /** The number of the text in bytes from `from` to `to`, counted from 0 in the order in which texts first come. */
  of(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let s = this.slots[slot]!; s >= 0; s = this.slots[slot]!) {
      if (this.hashes[s] === hash && this.equals(s, bytes, from, to)) return this.numberOf[s]!;
      slot = (slot + 1) & mask;
    }
    return this.add(hash, slot, bytes.subarray(from, to));
  }

  private equals(spelling: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.ends[spelling]!;
    if (this.ends[spelling + 1]! - start !== to - from) return false;
    const { pool } = this;
    for (let i = from, at = start; i < to; i++, at++) if (bytes[i] !== pool[at]) return false;
    return true;
  }

  private add(hash: number, slot: number, spelling: Uint8Array): number {
    const text = this.decoder.decode(spelling).trim();
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.texts.push(text);
      this.numbers.set(text, number);
    }
    if (this.poolSize + spelling.length > this.pool.length) {
      const larger = new Uint8Array(2 * (this.poolSize + spelling.length));
      larger.set(this.pool.subarray(0, this.poolSize));
      this.pool = larger;
    }
    this.pool.set(spelling, this.poolSize);
    this.poolSize += spelling.length;
    this.slots[slot] = this.numberOf.length;
    this.ends.push(this.poolSize);
    this.numberOf.push(number);
    this.hashes.push(hash);
    if (2 * this.numberOf.length > this.slots.length) this.rehash();
    return number;
  }

  private rehash(): void {
    this.slots = new Int32Array(4 * this.slots.length).fill(-1);
    const mask = this.slots.length - 1;
    for (let s = 0; s < this.hashes.length; s++) {
      let slot = this.hashes[s]! & mask;
      while (this.slots[slot]! >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = s;
    }
  }
}

/** Finds the cells of a line without quotes: cell c owns bytes starts[c] to starts[c + 1] - 1. Returns the number of cells. */
export function splitCells(bytes: Uint8Array, from: number, to: number, delimiter: number, starts: Uint32Array): number {
  let count = 0;
  starts[0] = from;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte === 34) return -1; // a quote
    if (byte !== delimiter) continue;
    if (++count >= starts.length - 1) return -1;
    starts[count] = i + 1;
  }
  starts[count + 1] = to + 1;
  return count + 1;
}

/** A whole number of at most 15 digits; NaN where the bytes are anything else. */
export function wholeAt(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 15 || to === from) return Number.NaN;
  let value = 0;
  for (let i = from; i < to; i++) {
    const digit = bytes[i]! - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = 10 * value + digit;
  }
  return value;
}

/**
 * Where a table of separated text can be cut, so that processes read parts of it: after the list of the first row that begins at a given byte or after
 * it. Every process finds the same cuts, and no list is cut.
 *
 * A newline between quotes ends no row, so whether a byte stands between quotes must be known: by the number of quotes before it, which processes
 * count in parts of the file and add up.
 */
import { readSync } from "node:fs";
import { asText } from "../../numeric/numeral.ts";
import type { TableHead } from "./csv.ts";
import { Cells } from "./csv-cells.ts";

const CHUNK = 1 << 20;
const [NEWLINE, QUOTE, HASH, RETURN, BLANK] = [10, 34, 35, 13, 32];

/** The number of quotes from one byte of a file to another. */
export function quotesIn(file: number, from: number, to: number): number {
  const bytes = new Uint8Array(Math.max(0, Math.min(CHUNK, to - from)));
  let count = 0;
  for (let at = from; at < to; ) {
    const got = readSync(file, bytes, 0, Math.min(CHUNK, to - at), at);
    if (got === 0) break;
    const chunk = bytes.subarray(0, got);
    for (let p = chunk.indexOf(QUOTE); p >= 0; p = chunk.indexOf(QUOTE, p + 1)) count++;
    at += got;
  }
  return count;
}

/** The byte where the lists of the next part begin, at `at` or after it; `open` says whether `at` stands between quotes. */
export function cutTableAt(file: number, size: number, at: number, open: boolean, head: TableHead): number {
  if (at <= head.end) return head.end;
  if (at >= size) return size;
  const listOf = listReader(head);
  const within = !isBreak(file, at - 1) || open; // `at` stands within a row, which belongs to the part before
  let list: string | undefined;
  for (const { start, bytes } of recordsFrom(file, size, at, open)) {
    const found = start === at && within ? undefined : listOf(bytes);
    if (found === undefined) continue; // the end of a row, a comment or a blank line
    if (list !== undefined && found !== list) return start;
    list = found;
  }
  return size;
}

/** Whether a byte is a newline. */
function isBreak(file: number, at: number): boolean {
  const byte = new Uint8Array(1);
  readSync(file, byte, 0, 1, at);
  return byte[0] === NEWLINE;
}

/** The records from a byte on; the first may be the end of one. */
function* recordsFrom(file: number, size: number, at: number, isOpen: boolean): Generator<{ start: number; bytes: Uint8Array }> {
  let [start, open, held] = [at, isOpen, new Uint8Array(0)];
  for (let from = at; from < size; ) {
    const chunk = new Uint8Array(Math.min(CHUNK, size - from));
    const got = readSync(file, chunk, 0, chunk.length, from);
    if (got === 0) break;
    let begun = 0;
    for (let p = 0; p < got; p++) {
      if (chunk[p] === QUOTE) open = !open;
      else if (chunk[p] === NEWLINE && !open) {
        yield { start, bytes: joined(held, chunk.subarray(begun, p)) };
        held = new Uint8Array(0);
        begun = p + 1;
        start = from + begun;
      }
    }
    held = joined(held, chunk.subarray(begun, got));
    from += got;
  }
  if (held.length > 0) yield { start, bytes: held };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Finds the list that a record names; undefined for what is no row. */
function listReader({ delimiter, columns, qid }: TableHead): (bytes: Uint8Array) => string | undefined {
  const cells = new Cells(delimiter, () => {
    throw new NoRow();
  });
  cells.escapes = delimiter === BLANK;
  return (bytes) => {
    const to = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    if (asText(bytes, 0, Math.min(to, 256)).trim() === "") return undefined;
    const ended = joined(bytes.subarray(0, to), Uint8Array.of(NEWLINE));
    try {
      const count = cells.split(ended, 0, to);
      if (count !== columns) return count < columns || bytes[0] === HASH ? undefined : cells.name(ended, qid + count - columns);
      return cells.name(ended, qid);
    } catch (error) {
      if (error instanceof NoRow) return undefined; // reading the part finds what is wrong
      throw error;
    }
  };
}

class NoRow extends Error {}

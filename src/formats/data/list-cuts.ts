/**
 * Where a text of SVMlight rows can be cut, so that processes read parts of it: at the first row, from a given byte on, whose list is another than that of
 * the row before. Every process finds the same cuts, and no list is cut.
 */
import { readSync } from "node:fs";

const NEWLINE = 10;
const WINDOW = 1 << 16; // bytes read at once

/** The list that a row names; undefined for blank lines, comments and rows without a list. */
const listOf = (line: string): string | undefined => /^[^#]*?\sqid:([^\s#]+)/.exec(line)?.[1];

/** The byte where the lists of the next part begin: at `at` or after it. */
export function cutAt(file: number, size: number, at: number): number {
  if (at <= 0) return 0;
  if (at >= size) return size;
  let list: string | undefined;
  // The row before: the last one with a list that begins before `at`.
  for (let back = WINDOW; list === undefined; back *= 2) {
    const from = Math.max(0, at - back);
    const lines = textOf(file, from, at).split("\n");
    if (from > 0) lines.shift(); // may be the end of a row
    const { text, next } = rest(file, size, at);
    lines.push(`${lines.pop() ?? ""}${text}`);
    for (const line of lines) list = listOf(line) ?? list;
    if (list !== undefined) return firstOther(file, size, next, list);
    if (from === 0) return firstOther(file, size, next, undefined);
  }
  return size;
}

/** What is left of the line that the byte before `at` belongs to; nothing where that ends it. */
function rest(file: number, size: number, at: number): { text: string; next: number } {
  if (textOf(file, at - 1, at) === "\n") return { text: "", next: at };
  let text = "";
  for (let from = at; from < size; from += WINDOW) {
    const bytes = bytesOf(file, from, Math.min(size, from + WINDOW));
    const end = bytes.indexOf(NEWLINE);
    text += decode(end < 0 ? bytes : bytes.subarray(0, end));
    if (end >= 0) return { text, next: from + end + 1 };
  }
  return { text, next: size };
}

/** Where the first row of another list begins, from the beginning of a line on. */
function firstOther(file: number, size: number, from: number, list: string | undefined): number {
  let start = from;
  while (start < size) {
    const { text, next } = lineAt(file, size, start);
    const found = listOf(text);
    if (found !== undefined && found !== list) return start;
    start = next;
  }
  return size;
}

function lineAt(file: number, size: number, start: number): { text: string; next: number } {
  let text = "";
  for (let from = start; from < size; from += WINDOW) {
    const bytes = bytesOf(file, from, Math.min(size, from + WINDOW));
    const end = bytes.indexOf(NEWLINE);
    text += decode(end < 0 ? bytes : bytes.subarray(0, end));
    if (end >= 0) return { text, next: from + end + 1 };
  }
  return { text, next: size };
}

function bytesOf(file: number, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from);
  let have = 0;
  while (have < bytes.length) {
    const got = readSync(file, bytes, have, bytes.length - have, from + have);
    if (got === 0) break;
    have += got;
  }
  return bytes.subarray(0, have);
}

const decode = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
const textOf = (file: number, from: number, to: number) => decode(bytesOf(file, from, to));

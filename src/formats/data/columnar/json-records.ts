/**
 * The texts of the records of JSON Lines, and of one array of records, `[{"qid": "a"}, ...]`, as pandas (`to_json(orient="records")`) and many
 * services write them. An array is cut into its elements without being parsed as a whole, so it takes no more memory than lines do.
 */
import { InputError } from "../../../input-error.ts";

/** One record, not yet parsed, with the line on which it begins; `where` begins a message about it. */
export interface JsonRecord {
  readonly text: string;
  readonly line: number;
  readonly where: string;
}

const [OPEN, CLOSE, OPEN_BRACE, CLOSE_BRACE, COMMA, QUOTE, BACKSLASH, NEWLINE] = [91, 93, 123, 125, 44, 34, 92, 10];
const decoder = new TextDecoder("utf-8", { fatal: true });
const isBlank = (byte: number | undefined) => byte === 32 || byte === 9 || byte === 13 || byte === NEWLINE;

/** Where the content begins, after a byte order mark and blanks. */
function begin(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (isBlank(bytes[at])) at++;
  return at;
}

/** Whether the bytes, which may be the first of a file, are those of an array rather than of lines. */
export const isArray = (bytes: Uint8Array): boolean => bytes[begin(bytes)] === OPEN;

/** The records of a file. */
export const recordsOf = (file: string, bytes: Uint8Array): Generator<JsonRecord> =>
  isArray(bytes) ? elementsOf(file, bytes) : linesOf(file, bytes);

/** The text of the first record of an array; undefined where its end is not among the bytes. */
export function firstElement(bytes: Uint8Array): string | undefined {
  const from = begin(bytes) + 1;
  const { end } = elementEnd(bytes, from);
  return end < bytes.length ? new TextDecoder().decode(bytes.subarray(from, end)) : undefined;
}

/** The part of the first bytes of a file that has whole records only, as a file of its own. */
export function wholeRecords(head: Uint8Array): Uint8Array {
  if (!isArray(head)) return head.subarray(0, head.lastIndexOf(NEWLINE) + 1);
  let last = 0; // end of an element
  for (let at = begin(head) + 1; at < head.length; ) {
    const { end } = elementEnd(head, at);
    if (end >= head.length) break;
    last = end;
    at = head[end] === CLOSE ? head.length : end + 1;
  }
  if (last === 0) return head.subarray(0, 0);
  const part = head.slice(0, last + 1);
  part[last] = CLOSE;
  return part;
}

/** The lines that are not blank. */
function* linesOf(file: string, bytes: Uint8Array): Generator<JsonRecord> {
  for (let [from, line] = [0, 1]; from < bytes.length; line++) {
    const end = bytes.indexOf(NEWLINE, from);
    const to = end < 0 ? bytes.length : end;
    const text = decoded(bytes.subarray(from, to), `${file}:${line}`);
    from = to + 1;
    if (text.trim() !== "") yield { text, line, where: `${file}:${line}` };
  }
}

/** The elements of an array. */
function* elementsOf(file: string, bytes: Uint8Array): Generator<JsonRecord> {
  let at = begin(bytes);
  let line = 1 + newlines(bytes, at);
  for (let number = 1; ; number++) {
    at++; // after the bracket or comma
    for (; isBlank(bytes[at]); at++) if (bytes[at] === NEWLINE) line++;
    const where = `${file}:${line}, record ${number}`;
    const { end, lines } = elementEnd(bytes, at);
    if (end >= bytes.length) throw new InputError(`${where}: the array has no end (]); the file may be incomplete`);
    const text = decoded(bytes.subarray(at, end), where);
    if (text !== "") yield { text, line, where };
    else if (number > 1 || bytes[end] !== CLOSE) throw new InputError(`${where}: expected an object, got ${bytes[end] === CLOSE ? "]" : "a comma"}`); // biome-ignore format: one line
    line += lines;
    at = end;
    if (bytes[end] === CLOSE) break;
  }
  for (at++; at < bytes.length; at++)
    if (!isBlank(bytes[at]))
      throw new InputError(`${file}:${1 + newlines(bytes, at)}: expected the end of the file after the array of records`);
}

/** Where the element that begins at `from` ends: the comma or bracket after it, or the end of the bytes; and the newlines within. */
function elementEnd(bytes: Uint8Array, from: number): { end: number; lines: number } {
  let [depth, lines, inText] = [0, 0, false];
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN || byte === OPEN_BRACE) depth++;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE)) break;
    else if (byte === CLOSE || byte === CLOSE_BRACE) depth--;
    else if (byte === NEWLINE) lines++;
  }
  return { end: Math.min(at, bytes.length), lines };
}

/** The number of newlines before a place. */
function newlines(bytes: Uint8Array, before: number): number {
  let count = 0;
  for (let at = 0; at < before; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}

function decoded(bytes: Uint8Array, where: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InputError(`${where}: the text is not UTF-8`);
  }
}

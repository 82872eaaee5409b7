/** The cells of a record of separated text, and the delimiter between them. */
import { fromSpreadsheet } from "../../data/names.ts";
import { quote } from "../../input-error.ts";
import { asText } from "../../numeric/numeral.ts";
import { windows1252Text } from "./unicode.ts";

const [QUOTE, BACKSLASH, NEWLINE] = [34, 92, 10];

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Where the cells of a record begin and end. */
export class Cells {
  froms = new Uint32Array(0);
  tos = new Uint32Array(0);
  /** 0: not known yet. */
  delimiter: number;
  /** Whether a quote after a backslash is a part of the text, as R writes it. */
  escapes = false;
  /** Whether some text was not UTF-8. */
  hasOtherEncoding = false;
  private readonly fail: (text: string) => never;

  constructor(delimiter: number, fail: (text: string) => never) {
    this.delimiter = delimiter;
    this.fail = fail;
  }

  /** Finds the cells of a record, and gives their number. */
  split(bytes: Uint8Array, from: number, to: number): number {
    const stop = this.delimiter;
    let count = 0;
    for (let p = from; ; p++) {
      const start = p;
      if (bytes[p] === QUOTE) p = this.closingQuote(bytes, p, to);
      else while (p < to && bytes[p] !== stop) p++;
      if (count === this.froms.length) {
        this.froms = doubled(this.froms);
        this.tos = doubled(this.tos);
      }
      this.froms[count] = start;
      this.tos[count++] = Math.min(p, to);
      if (p >= to) return count;
    }
  }

  /** The delimiter after a cell in quotes, or the end of the record. */
  private closingQuote(bytes: Uint8Array, p: number, to: number): number {
    const before = this.escapes ? BACKSLASH : QUOTE;
    for (p++; p < to && (bytes[p] !== QUOTE || bytes[p + 1] === QUOTE); p++)
      if (bytes[p] === QUOTE || (bytes[p] === before && bytes[p + 1] === QUOTE)) p++;
    p++;
    while (p < to && bytes[p] === 32 && this.delimiter !== 32) p++;
    if (p < to && bytes[p] !== this.delimiter)
      this.fail(`expected a delimiter after a closing quote, got ${quote(asText(bytes, p, Math.min(to, p + 20)))}`);
    return p;
  }

  /** The text of a cell, without quotes and blanks around it. */
  text(bytes: Uint8Array, column: number): string {
    const text = this.decoded(bytes, this.froms[column]!, this.tos[column]!).trim();
    if (!text.startsWith('"')) return text;
    const inner = text.slice(1, -1).replaceAll('""', '"').trim();
    return this.escapes ? inner.replaceAll('\\"', '"') : inner;
  }

  /** UTF-8, or Windows-1252 where it is none: the spreadsheets of half of Europe save CSV in it. */
  decoded(bytes: Uint8Array, from: number, to: number): string {
    const text = asText(bytes, from, to);
    if (!text.includes("\ufffd") || isUtf8(bytes.slice(from, to))) return text;
    this.hasOtherEncoding = true;
    return windows1252Text(bytes.subarray(from, to));
  }

  /** The name in a cell, without the apostrophe of text that a spreadsheet would take for a formula. */
  name(bytes: Uint8Array, column: number): string {
    return fromSpreadsheet(this.text(bytes, column));
  }
}

/** Whether some quote stands after a backslash. */
export function hasEscapedQuote(bytes: Uint8Array): boolean {
  let at = bytes.indexOf(BACKSLASH);
  while (at >= 0 && bytes[at + 1] !== QUOTE) at = bytes.indexOf(BACKSLASH, at + 1);
  return at >= 0;
}

/** Where the lines of a text end, if quotes after a backslash do not open or close; `rest` is where one begins that goes on after it, or -1. */
export function escapedLines(bytes: Uint8Array, from: number, to: number): { ends: number[]; rest: number } {
  const ends: number[] = [];
  let [open, start] = [false, from];
  for (let p = from; p <= to; p++)
    if (bytes[p] === QUOTE && bytes[p - 1] !== BACKSLASH) open = !open;
    else if (!open && (p === to || bytes[p] === NEWLINE)) {
      ends.push(p);
      start = p + 1;
    }
  return { ends, rest: start > to ? -1 : start };
}

function doubled(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const into = new Uint32Array(Math.max(16, from.length * 2));
  into.set(from);
  return into;
}

/** Delimiters that are looked for, the most usual first. */
const DELIMITERS = [",", ";", "\t", "|"].map((one) => one.charCodeAt(0));

/** The delimiter that stands most often outside quotes; a comma when none does. */
export function sniff(bytes: Uint8Array, from: number, to: number): number {
  const counts = new Map(DELIMITERS.map((one) => [one, 0]));
  let open = false;
  for (let p = from; p < to; p++) {
    if (bytes[p] === QUOTE) open = !open;
    else if (!open && counts.has(bytes[p]!)) counts.set(bytes[p]!, counts.get(bytes[p]!)! + 1);
  }
  const [delimiter, count] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
  return count === 0 && isBlankSeparated(new TextDecoder().decode(bytes.subarray(from, to))) ? BLANK : delimiter;
}

/** Whether a header is words with a blank between, in quotes or three and more that are no numbers, as R's write.table writes it. */
export const isBlankSeparated = (header: string): boolean =>
  /^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")+\s*$/.test(header) ||
  (/^[\p{L}_.][\p{L}\d_.-]*(?: [\p{L}_.][\p{L}\d_.-]*){2,}\s*$/u.test(header) && !/(^| )(nan|inf|infinity)( |$)/i.test(header));

const [BLANK, COMMA, ZERO, NINE] = [32, 44, 48, 57];

/** The delimiter of a row of data: commas that all stand between digits are decimal ones where another delimiter occurs too. */
export function sniffRow(bytes: Uint8Array, from: number, to: number): number {
  const isDigit = (byte: number | undefined) => byte !== undefined && byte >= ZERO && byte <= NINE;
  const row = bytes.slice(from, to);
  if (
    row.every((byte, p) => byte !== COMMA || (isDigit(row[p - 1]) && isDigit(row[p + 1]))) &&
    sniff(row, 0, row.length) === COMMA
  ) {
    const others = row.filter((byte) => byte !== COMMA);
    const other = sniff(others, 0, others.length);
    if (others.includes(other)) return other;
  }
  return sniff(bytes, from, to);
}

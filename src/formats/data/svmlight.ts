/**
 * SVMlight and LETOR text: `<label>[:weight] [qid:<id>] <number>:<value> ... [# comment]`, a row per line.
 *
 * Blank lines and lines with only a comment are skipped. A qid is any word. Features may stand in any order but not twice. `NULL` is a
 * missing value. The comment is the document's id: X where it holds `docid = X`, else its first word when that is a plain word, else all.
 * Labels, weights and values are finite, also as 32-bit floats. Feature numbers end at 2^31 - 1.
 */
import { type Builder, UNASSIGNED } from "../../data/builder.ts";
import { InputError, quote } from "../../input-error.ts";
import type { Heap } from "../../numeric/heap.ts";
import { asText, numeral, readNumeral } from "../../numeric/numeral.ts";
import type { RowFormat } from "./format.ts";
import { type LineBuffer, lineBuffer } from "./line-buffer.ts";
import { emptySummary, type Parser, type ParseSummary, TOO_LARGE } from "./parse-summary.ts";

export interface SvmlightOptions {
  readonly indexBase?: 0 | 1 | "auto";
  /** Optional: a row may begin with its qid, and its label is then 0. */
  readonly labels?: "required" | "optional";
  /** About how many bytes there are, in this file and those after it. */
  readonly size?: number;
}

/** Parses windows of bytes that begin with a line and end after a newline. */
export interface RowParser {
  readonly summary: ParseSummary;
  /** So far. */
  readonly lines: number;
  /** Of the rows so far, at least 1. */
  readonly bytes: number;
  rows(bytes: Uint8Array, from: number, to: number): void;
}

/** A row that begins like one: its label, perhaps with a weight, then a qid, a feature, a comment or nothing. */
const ROW = /^\s*(qid:|[+-]?[\d.]+(e[+-]?\d+)?(:\S+)?\s*($|#|\s(qid|\d+):))/i;

export const svmlight: RowFormat<"svmlight"> = {
  id: "svmlight",
  about: "SVMlight or LETOR rows: label qid:id index:value ... # document id",
  extensions: [".svm", ".svmlight", ".libsvm", ".letor"],
  options: ["absent", "indexBase", "tiers"],
  tiers: "labels",
  kind: "rows",
  features: "numbered",
  sniff: (line) => ROW.test(line),
  parser: (file, builder, { scratch, ...options }) => parser(file, builder, scratch, options),
};

const NEWLINE = 10;
const COLON = 58;
const HASH = 35;
const LARGEST = 2 ** 31 - 1;

/** Space, tab, carriage return, newline and their like. */
const isBlank = (byte: number) => byte === 32 || (byte <= 13 && byte >= 9);

function parser(file: string, builder: Builder, heap: Heap, options: SvmlightOptions): Parser & LineBuffer {
  const { cells } = builder;
  const { size } = options;
  const rows = svmlightRows(file, builder, options);
  const { summary } = rows;
  // A tenth more than the rows so far suggest, because rows differ in length; memory that stays unused costs nothing.
  if (size !== undefined) cells.expected = () => Math.ceil((size / rows.bytes) * summary.rows * 1.1) + 1000;
  const buffer = lineBuffer(rows.rows, () => `${file}:${rows.lines + 1}`, heap);
  return {
    summary,
    ...buffer,
    end() {
      buffer.end();
      cells.seal();
      summary.highest = cells.highestHere;
    },
  };
}

/** Parses rows after `before` lines, which another may have read. */
export function svmlightRows(file: string, builder: Builder, options: SvmlightOptions = {}, before = 0): RowParser {
  const { indexBase = 1, labels = "required" } = options;
  const { cells } = builder;
  const least = indexBase === 1 ? 1 : 0;
  const summary = emptySummary("qid");
  let line = before;
  let parsed = 1; // bytes
  let list = UNASSIGNED;
  let lastQid = new Uint8Array(0);

  const fail = (text: string): never => {
    throw new InputError(`${file}:${line}: ${text}`);
  };
  const word = (bytes: Uint8Array, from: number) => {
    let to = from;
    while (!isBlank(bytes[to]!) && to - from < 80) to++;
    return quote(asText(bytes, from, to));
  };
  const whole = (bytes: Uint8Array, from: number) =>
    quote(asText(bytes, from, Math.min(bytes.indexOf(NEWLINE, from), from + 80)).trim());

  /** A finite number that a blank, a comment or `also` follows. */
  const finite = (bytes: Uint8Array, at: number, what: string, also: number): number => {
    const value = readNumeral(bytes, at);
    const after = bytes[numeral.end]!;
    if (Number.isNaN(value) || !(isBlank(after) || after === HASH || after === also))
      fail(`expected ${what} as a finite number, got ${word(bytes, at)}`);
    if (!(value < TOO_LARGE && value > -TOO_LARGE)) fail(`${what} ${word(bytes, at)} is too large for a 32-bit float`);
    return value;
  };

  const listAt = (bytes: Uint8Array, from: number, to: number): number => {
    let same = to - from === lastQid.length && list !== UNASSIGNED;
    for (let i = 0; same && i < lastQid.length; i++) same = bytes[from + i] === lastQid[i];
    if (same) return list;
    lastQid = bytes.slice(from, to);
    list = builder.list(asText(bytes, from, to));
    return list;
  };

  /** Parses the line that begins at `from` and gives where the next begins. */
  const row = (bytes: Uint8Array, from: number): number => {
    line++;
    let p = from;
    if (line === 1 && bytes[p] === 0xef && bytes[p + 1] === 0xbb && bytes[p + 2] === 0xbf) p += 3;
    p = afterBlanks(bytes, p);
    if (bytes[p] === NEWLINE) return p + 1;
    if (bytes[p] === HASH) return bytes.indexOf(NEWLINE, p) + 1;

    let label = 0;
    let weight = 1;
    let weighted = false;
    if (isQid(bytes, p)) {
      if (labels === "required") fail(`expected "label qid:id number:value ...", got ${whole(bytes, p)} (no label)`);
      summary.unlabelled++;
      weighted = summary.weighted;
    } else {
      label = finite(bytes, p, "the label", COLON);
      p = numeral.end;
      if (bytes[p] === COLON) {
        weight = finite(bytes, p + 1, "the weight", HASH);
        if (weight < 0) fail(`expected a weight of at least 0, got ${word(bytes, p + 1)}`);
        p = numeral.end;
        weighted = true;
      }
    }

    let qid = UNASSIGNED;
    let id = "";
    for (;;) {
      p = afterBlanks(bytes, p);
      if ((bytes[p]! ^ 48) < 10) p = afterBlanks(bytes, cells.read(bytes, p, least));
      if (bytes[p] === NEWLINE) break;
      // What the kernel does not parse is handled here: rare cases and errors.
      const start = p;
      let number = 0;
      let digit = bytes[p]! ^ 48;
      for (; digit < 10; digit = bytes[++p]! ^ 48) number = number * 10 + digit;
      if (p > start && bytes[p] === COLON) {
        if (number < least)
          fail(`feature number 0, but features are numbered from 1; --index-base 0 reads files with features numbered from 0`);
        if (number > LARGEST) fail(`expected a feature number up to ${LARGEST}, got ${word(bytes, start)}`);
        const value = readNumeral(bytes, ++p);
        const end = numeral.end;
        const after = bytes[end]!;
        if (value < TOO_LARGE && value > -TOO_LARGE && (isBlank(after) || after === HASH)) {
          cells.add(number, value);
          p = end;
        } else if (isNull(bytes, p)) {
          cells.add(number, Number.NaN);
          summary.missing++;
          p += 4;
        } else finite(bytes, p, `the value of feature ${number}`, HASH);
      } else if (bytes[start] === HASH) {
        p = bytes.indexOf(NEWLINE, start);
        id = documentId(asText(bytes, start + 1, p));
        break;
      } else if (isQid(bytes, start)) {
        if (qid !== UNASSIGNED) fail("the row has two qids");
        for (p = start + 4; !isBlank(bytes[p]!) && bytes[p] !== HASH; ) p++;
        if (p === start + 4) fail("expected a word after qid:, got nothing");
        qid = listAt(bytes, start + 4, p);
      } else fail(`expected number:value, got ${word(bytes, start)}`);
    }

    const grouped = qid !== UNASSIGNED;
    if (summary.rows === 0) {
      summary.grouped = grouped;
      summary.weighted = weighted;
    } else if (grouped !== summary.grouped)
      fail(grouped ? "this row has a qid, but rows before it have none" : "this row has no qid, but rows before it have one");
    else if (weighted !== summary.weighted)
      fail(
        weighted
          ? `${whole(bytes, from)} reads as label:weight, but rows before it have no weight; is the label missing?`
          : "this row has no weight, but rows before it have label:weight",
      );
    summary.rows++;
    const twice = builder.row(qid, label, weight, id);
    if (twice >= 0) fail(`feature ${twice} is given twice`);
    return p + 1;
  };

  return {
    summary,
    get lines() {
      return line;
    },
    get bytes() {
      return parsed;
    },
    rows(bytes, from, to) {
      const before = parsed;
      for (let p = from; p < to; parsed = before + p - from) p = row(bytes, p);
    },
  };
}

/** The first byte that is no blank, or the newline. */
function afterBlanks(bytes: Uint8Array, p: number): number {
  while (isBlank(bytes[p]!) && bytes[p] !== NEWLINE) p++;
  return p;
}

/** The bytes of "qid:". */
function isQid(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 113 && bytes[at + 1] === 105 && bytes[at + 2] === 100 && bytes[at + 3] === COLON;
}

/** The bytes of "NULL", then the end of the word. */
function isNull(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 78 || bytes[at + 1] !== 85 || bytes[at + 2] !== 76 || bytes[at + 3] !== 76) return false;
  return isBlank(bytes[at + 4]!) || bytes[at + 4] === HASH;
}

export function documentId(comment: string): string {
  const named = /\bdocid\s*=\s*(\S+)/i.exec(comment);
  if (named) return named[1]!;
  const text = comment.trim();
  const first = /^[\w.:/-]+(?=\s|$)/.exec(text);
  return first ? first[0] : text;
}

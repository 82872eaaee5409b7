/**
 * SVMlight and LETOR text: `<label>[:weight] [qid:<id>] <number>:<value> ... [# comment]`, a row per line.
 *
 * Blank lines and lines with only a comment are skipped. A qid is any word. Features may stand in any order but not twice. `NULL`, `NaN`,
 * `NA` and the like are missing values. The comment is the document's id: X where it holds `docid = X`, else its first word when that is a plain word, else all.
 * Labels, weights and values are finite, also as 32-bit floats. Feature numbers end at 2^31 - 1.
 */
import { type Builder, UNASSIGNED } from "../../data/builder.ts";
import { isMissingWord } from "../../data/table/cell-text.ts";
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

const LONGEST_WORD = 4; // for a missing value

/** A row that begins like one: its label, perhaps with a weight, then a qid, a feature, a comment or nothing. */
const ROW = /^\s*(qid:|[+-]?[\d.]+(e[+-]?\d+)?(:\S+)?\s*($|#|\s(qid|\d+):))/i;

export const svmlight: RowFormat<"svmlight"> = {
  id: "svmlight",
  about: "SVMlight or LETOR rows: label qid:id index:value ... # document id",
  extensions: [".svm", ".svmlight", ".libsvm", ".letor"],
  options: ["absent", "indexBase", "tiers", "joinLists"],
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
export const svmlightRows = (file: string, builder: Builder, options: SvmlightOptions = {}, before = 0): RowParser =>
  new SvmlightRows(file, builder, options, before);

class SvmlightRows implements RowParser {
  readonly summary = emptySummary("qid");
  lines: number;
  bytes = 1;
  private readonly file: string;
  private readonly builder: Builder;
  private readonly labels: "required" | "optional";
  /** The least feature number. */
  private readonly least: number;
  private list = UNASSIGNED;
  private lastQid = new Uint8Array(0);
  // Of the row at hand:
  private label = 0;
  private weight = 1;
  private weighted = false;
  private qid = UNASSIGNED;
  private id = "";

  constructor(file: string, builder: Builder, { indexBase = 1, labels = "required" }: SvmlightOptions, before: number) {
    this.file = file;
    this.builder = builder;
    this.labels = labels;
    this.least = indexBase === 1 ? 1 : 0;
    this.lines = before;
  }

  readonly rows = (bytes: Uint8Array, from: number, to: number): void => {
    const before = this.bytes;
    for (let p = from; p < to; this.bytes = before + p - from) p = this.row(bytes, p);
  };

  /** Parses the line that begins at `from` and gives where the next begins. */
  private row(bytes: Uint8Array, from: number): number {
    this.lines++;
    let p = from;
    if (this.lines === 1 && bytes[p] === 0xef && bytes[p + 1] === 0xbb && bytes[p + 2] === 0xbf) p += 3;
    p = afterBlanks(bytes, p);
    if (bytes[p] === NEWLINE) return p + 1;
    if (bytes[p] === HASH) return bytes.indexOf(NEWLINE, p) + 1;
    p = this.readLabel(bytes, p);
    p = this.readFeatures(bytes, p);
    this.checkUniform(bytes, from);
    this.summary.rows++;
    const twice = this.builder.row(this.qid, this.label, this.weight, this.id);
    if (twice >= 0) this.fail(`feature ${twice} is given twice`);
    return p + 1;
  }

  /** The label and its weight, unless the row begins with its qid; where they end. */
  private readLabel(bytes: Uint8Array, p: number): number {
    this.label = 0;
    this.weight = 1;
    this.weighted = false;
    if (isQid(bytes, p)) {
      if (this.labels === "required") this.fail(`expected "label qid:id number:value ...", got ${lineText(bytes, p)} (no label)`);
      this.summary.unlabelled++;
      this.weighted = this.summary.weighted;
      return p;
    }
    this.label = this.finite(bytes, p, "the label", COLON);
    p = numeral.end;
    if (bytes[p] !== COLON) return p;
    this.weight = this.finite(bytes, p + 1, "the weight", HASH);
    if (this.weight < 0) this.fail(`expected a weight of at least 0, got ${word(bytes, p + 1)}`);
    this.weighted = true;
    return numeral.end;
  }

  /** The qid, features and comment; the newline that ends them. */
  private readFeatures(bytes: Uint8Array, p: number): number {
    const { cells } = this.builder;
    this.qid = UNASSIGNED;
    this.id = "";
    for (;;) {
      p = afterBlanks(bytes, p);
      if ((bytes[p]! ^ 48) < 10) p = afterBlanks(bytes, cells.read(bytes, p, this.least));
      if (bytes[p] === NEWLINE) return p;
      // What the kernel does not parse is handled here: rare cases and errors.
      if (bytes[p] === HASH) {
        const end = bytes.indexOf(NEWLINE, p);
        this.id = documentId(asText(bytes, p + 1, end));
        return end;
      }
      p = isQid(bytes, p) ? this.readQid(bytes, p + 4) : this.readFeature(bytes, p);
    }
  }

  /** A feature that the kernel left; where it ends. */
  private readFeature(bytes: Uint8Array, start: number): number {
    const { cells } = this.builder;
    let p = start;
    let number = 0;
    let digit = bytes[p]! ^ 48;
    for (; digit < 10; digit = bytes[++p]! ^ 48) number = number * 10 + digit;
    if (p === start || bytes[p] !== COLON) this.fail(`expected number:value, got ${word(bytes, start)}`);
    if (number < this.least)
      this.fail(`feature number 0, but features are numbered from 1; --index-base 0 reads files with features numbered from 0`);
    if (number > LARGEST) this.fail(`expected a feature number up to ${LARGEST}, got ${word(bytes, start)}`);
    const value = readNumeral(bytes, ++p);
    const end = numeral.end;
    const after = bytes[end]!;
    if (value < TOO_LARGE && value > -TOO_LARGE && (isBlank(after) || after === HASH)) {
      cells.add(number, value);
      return end;
    }
    const missing = missingEnd(bytes, p);
    if (missing < 0) this.finite(bytes, p, `the value of feature ${number}`, HASH); // which fails
    cells.add(number, Number.NaN);
    this.summary.missing++;
    return missing;
  }

  /** The word of a qid; where it ends. Rows of a list mostly follow each other, so it is compared with the one before. */
  private readQid(bytes: Uint8Array, from: number): number {
    if (this.qid !== UNASSIGNED) this.fail("the row has two qids");
    let to = from;
    while (!isBlank(bytes[to]!) && bytes[to] !== HASH) to++;
    if (to === from) this.fail("expected a word after qid:, got nothing");
    const { lastQid } = this;
    let same = to - from === lastQid.length && this.list !== UNASSIGNED;
    for (let i = 0; same && i < lastQid.length; i++) same = bytes[from + i] === lastQid[i];
    if (!same) {
      this.lastQid = bytes.slice(from, to);
      this.list = this.builder.list(asText(bytes, from, to));
    }
    this.qid = this.list;
    return to;
  }

  /** Either all rows have a qid or none does, and the same for weights. */
  private checkUniform(bytes: Uint8Array, from: number): void {
    const { summary, weighted } = this;
    const grouped = this.qid !== UNASSIGNED;
    if (summary.rows === 0) {
      summary.grouped = grouped;
      summary.weighted = weighted;
    } else if (grouped !== summary.grouped)
      this.fail(
        grouped ? "this row has a qid, but rows before it have none" : "this row has no qid, but rows before it have one",
      );
    else if (weighted !== summary.weighted)
      this.fail(
        weighted
          ? `${lineText(bytes, from)} reads as label:weight, but rows before it have no weight; is the label missing?`
          : "this row has no weight, but rows before it have label:weight",
      );
  }

  /** A finite number that a blank, a comment or `also` follows. */
  private finite(bytes: Uint8Array, at: number, what: string, also: number): number {
    const value = readNumeral(bytes, at);
    const after = bytes[numeral.end]!;
    if (Number.isNaN(value) || !(isBlank(after) || after === HASH || after === also))
      this.fail(
        isDrawn(bytes, at)
          ? "this looks like what psql prints; write CSV instead: \\copy (select ...) to 'rows.csv' csv header"
          : `expected ${what} as a finite number, got ${word(bytes, at)}`,
      );
    if (!(value < TOO_LARGE && value > -TOO_LARGE)) this.fail(`${what} ${word(bytes, at)} is too large for a 32-bit float`);
    return value;
  }

  private fail(text: string): never {
    throw new InputError(`${this.file}:${this.lines}: ${text}`);
  }
}

/** Whether a line begins or contains what psql draws around cells: borders, numbers of records, and lines of Unicode. */
function isDrawn(bytes: Uint8Array, from: number): boolean {
  let to = from;
  while (to - from < 400 && bytes[to] !== 10 && bytes[to] !== undefined) to++;
  return /^(\+-{2,}|-\[ RECORD \d+ \])|[│─┼]/.test(asText(bytes, from, to));
}

/** The word at a place, for an error. */
function word(bytes: Uint8Array, from: number): string {
  let to = from;
  while (!isBlank(bytes[to]!) && to - from < 80) to++;
  return quote(asText(bytes, from, to));
}

/** The rest of a line, for an error. */
const lineText = (bytes: Uint8Array, from: number) =>
  quote(asText(bytes, from, Math.min(bytes.indexOf(NEWLINE, from), from + 80)).trim());

/** The first byte that is no blank, or the newline. */
function afterBlanks(bytes: Uint8Array, p: number): number {
  while (isBlank(bytes[p]!) && bytes[p] !== NEWLINE) p++;
  return p;
}

/** The bytes of "qid:". */
function isQid(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 113 && bytes[at + 1] === 105 && bytes[at + 2] === 100 && bytes[at + 3] === COLON;
}

/** Where a word for a missing value, such as NULL, NaN or nan, ends, or -1. */
function missingEnd(bytes: Uint8Array, at: number): number {
  if ((bytes[at]! ^ 48) < 10) return -1; // a digit, so a number that is wrong otherwise
  let to = at;
  while (!isBlank(bytes[to]!) && bytes[to] !== HASH && to - at <= LONGEST_WORD) to++;
  return to > at && to - at <= LONGEST_WORD && isMissingWord(asText(bytes, at, to)) ? to : -1;
}

export function documentId(comment: string): string {
  const named = /\bdocid\s*=\s*(\S+)/i.exec(comment);
  if (named) return named[1]!;
  const text = comment.trim();
  const first = /^[\w.:/-]+(?=\s|$)/.exec(text);
  return first ? first[0] : text;
}

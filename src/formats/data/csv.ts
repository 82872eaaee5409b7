/**
 * Tables with a header: CSV (RFC 4180: quotes, doubled quotes and newlines inside them) and TSV, as bytes. The delimiter is the one of
 * comma, semicolon and tab that the header holds most of, unless it is given. An empty cell, NA, NULL and null are missing values.
 */
import { type Builder, UNASSIGNED } from "../../data/builder.ts";
import { fromSpreadsheet } from "../../data/names.ts";
import { InputError, quote } from "../../input-error.ts";
import { asText, numeral, readNumeral } from "../../numeric/numeral.ts";
import { suggest } from "../../part.ts";
import { assignRoles, type Roles } from "./columns.ts";
import type { RowContext, RowFormat } from "./format.ts";
import { lines } from "./lines.ts";
import { counted, emptySummary, type Parser, TOO_LARGE } from "./parse-summary.ts";
import { groupFileHint } from "./side-files.ts";

const shared = {
  options: ["label", "qid", "weight", "id", "ignore", "tiers"],
  tiers: "labels",
  kind: "rows",
  features: "named",
} as const;

export const csv: RowFormat<"csv"> = {
  id: "csv",
  about: "a table with a header, cells between commas or semicolons",
  extensions: [".csv"],
  ...shared,
  sniff: (line) => /[,;\t]/.test(line),
  parser: (file, builder, context) => parser(file, builder, context),
};

export const tsv: RowFormat<"tsv"> = {
  id: "tsv",
  about: "a table with a header, cells between tabs",
  extensions: [".tsv", ".tab"],
  ...shared,
  parser: (file, builder, context) => parser(file, builder, context, "\t"),
};

const QUOTE = 34;
const MOST_COLUMNS = 1 << 20; // names beyond that would take gigabytes
const MISSING = new Set(["", "NA", "NULL", "null"]);

/** Without a delimiter, that of the header is used. */
function parser(file: string, builder: Builder, options: RowContext, given?: string): Parser {
  const table = new Table(file, builder, options, given?.charCodeAt(0) ?? 0);
  const splitter = lines(
    (bytes, from, to) => table.record(bytes, from, to),
    () => `${file}:${table.next}`,
    { quotes: true },
  );
  return { summary: table.summary, push: splitter.push, end: splitter.end };
}

class Table {
  readonly summary = emptySummary("");
  /** The line after the last record. */
  next = 1;
  private line = 0; // of the start of the record
  private readonly file: string;
  private readonly builder: Builder;
  private readonly options: RowContext;
  private readonly cells: Cells;
  /** Of columns; undefined before the header. */
  private names: string[] | undefined;
  private roles!: Roles;
  /** The feature that a column holds, or -1. */
  private numbers!: Int32Array;
  private lastQid: string | undefined;
  private list = UNASSIGNED;

  constructor(file: string, builder: Builder, options: RowContext, delimiter: number) {
    this.file = file;
    this.builder = builder;
    this.options = options;
    this.cells = new Cells(delimiter, (text) => this.fail(text));
  }

  record(bytes: Uint8Array, from: number, to: number): void {
    this.line = this.next;
    for (let p = bytes.indexOf(10, from); ; p = bytes.indexOf(10, p + 1)) {
      this.next++;
      if (p >= to) break;
    }
    if (to > from && bytes[to - 1] === 13) to--;
    let blank = true;
    for (let p = from; blank && p < to; p++) blank = bytes[p] === 32;
    if (blank) return;
    if (this.names) this.row(bytes, from, to, this.names);
    else this.header(bytes, from, to);
  }

  private header(bytes: Uint8Array, from: number, to: number): void {
    const { options, cells } = this;
    if (bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) from += 3;
    cells.delimiter ||= sniff(bytes, from, to);
    const count = cells.split(bytes, from, to);
    if (count > MOST_COLUMNS)
      this.fail(
        `the header has ${count} columns, and a table can have ${MOST_COLUMNS}; write wide data as SVMlight, where features have numbers`,
      );
    const names = Array.from({ length: count }, (_, column) => cells.name(bytes, column));
    if (options.scorer?.numbered)
      this.fail(
        "the model knows its features by number, but the columns of a table have names; use data with numbered features, or train on a table",
      );
    this.roles = assignRoles(`${this.file}:${this.line}`, names, options);
    if (this.roles.qid < 0 && !options.grouped) this.fail(noLists(this.file, names, this.roles));
    const features = this.roles.features.map((column) => names[column]!);
    this.summarize(names, features);
    this.numbers = this.featureNumbers(count, features);
    this.names = names;
  }

  /** What the summary says of the columns. */
  private summarize(names: readonly string[], features: readonly string[]): void {
    const { summary, roles } = this;
    summary.notices.push(...roles.notices);
    if (roles.qid >= 0) summary.lists = `column ${quote(names[roles.qid]!)}`;
    for (const role of ["label", "weight", "id"] as const)
      if (roles[role] >= 0) summary.details.push(`${role} ${quote(names[roles[role]]!)}`);
    summary.details.push(`${counted(features.length, "feature")}${this.options.label ? "" : fewOf(features)}`);
    summary.grouped = roles.qid >= 0;
    summary.weighted = roles.weight >= 0;
  }

  /** By column: its feature, as the first of the files numbers them, which must have the same. */
  private featureNumbers(columns: number, features: readonly string[]): Int32Array {
    const { builder } = this;
    builder.features ??= [...features];
    const place = new Map(builder.features.map((name, number) => [name, number]));
    const strange = features.find((name) => !place.has(name));
    if (strange !== undefined) this.fail(`the column ${quote(strange)} is not in the preceding files`);
    const have = new Set(features);
    const lacking = builder.features.find((name) => !have.has(name));
    if (lacking !== undefined) this.fail(`the column ${quote(lacking)} of the preceding files is missing here`);
    const numbers = new Int32Array(columns).fill(-1);
    this.roles.features.forEach((column, i) => {
      numbers[column] = place.get(features[i]!)!;
    });
    return numbers;
  }

  private row(bytes: Uint8Array, from: number, to: number, names: readonly string[]): void {
    const { summary, builder, options, roles, numbers, cells } = this;
    const count = cells.split(bytes, from, to);
    if (count !== names.length) this.fail(`expected ${names.length} cells as in the header, got ${count}`);
    for (let column = 0; column < count; column++) {
      if (numbers[column]! < 0) continue;
      const value = this.number(bytes, column);
      if (Number.isNaN(value)) summary.missing++;
      else builder.cells.add(numbers[column]!, value);
    }
    let label = roles.label < 0 ? Number.NaN : this.number(bytes, roles.label);
    if (Number.isNaN(label) && options.missingLabels !== "leave-out") {
      if (options.labels !== "optional") this.fail(`column ${quote(names[roles.label]!)}: the label is missing`);
      summary.unlabelled++;
      label = 0;
    }
    const weight = roles.weight < 0 ? 1 : this.number(bytes, roles.weight);
    if (!(weight >= 0)) this.fail(`expected a weight of at least 0, got ${quote(cells.text(bytes, roles.weight))}`);
    if (roles.qid >= 0) {
      const qid = cells.name(bytes, roles.qid);
      if (qid === "") this.fail(`column ${quote(names[roles.qid]!)}: the qid is missing`);
      if (qid !== this.lastQid) this.list = builder.list((this.lastQid = qid));
    }
    summary.rows++;
    builder.row(this.list, label, weight, roles.id < 0 ? "" : cells.name(bytes, roles.id));
  }

  /** The number in a cell, NaN for a missing one. */
  private number(bytes: Uint8Array, column: number): number {
    const { cells } = this;
    const value = readNumeral(bytes, cells.froms[column]!);
    if (numeral.end === cells.tos[column]! && value < TOO_LARGE && value > -TOO_LARGE) return value;
    const text = cells.text(bytes, column);
    if (MISSING.has(text)) return Number.NaN;
    const again = readNumeral(ENCODER.encode(text), 0); // blanks or quotes around it
    const name = this.names![column]!;
    if (Number.isNaN(again) || numeral.end !== text.length) {
      const hint = this.numbers[column]! < 0 ? "" : wayOut(name, this.roles.id < 0 && isWord(text));
      this.fail(`column ${quote(name)}: expected a finite number, got ${quote(text)}${hint}`);
    }
    if (!(again < TOO_LARGE && again > -TOO_LARGE))
      this.fail(`column ${quote(name)}: ${quote(text)} is too large for a 32-bit float`);
    return again;
  }

  private fail(text: string): never {
    throw new InputError(`${this.file}:${this.line}: ${text}`);
  }
}

/** Where the cells of a record begin and end. */
class Cells {
  froms = new Uint32Array(0);
  tos = new Uint32Array(0);
  /** 0: not known yet. */
  delimiter: number;
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
    for (p++; p < to && (bytes[p] !== QUOTE || bytes[p + 1] === QUOTE); p++) if (bytes[p] === QUOTE) p++;
    p++;
    while (p < to && bytes[p] === 32) p++;
    if (p < to && bytes[p] !== this.delimiter)
      this.fail(`expected a delimiter after a closing quote, got ${quote(asText(bytes, p, Math.min(to, p + 20)))}`);
    return p;
  }

  /** The text of a cell, without quotes and blanks around it. */
  text(bytes: Uint8Array, column: number): string {
    const text = asText(bytes, this.froms[column]!, this.tos[column]!).trim();
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
  }

  /** The name in a cell, without the apostrophe of text that a spreadsheet would take for a formula. */
  name(bytes: Uint8Array, column: number): string {
    return fromSpreadsheet(this.text(bytes, column));
  }
}

const FEW = 6;

/** The first few names, and how many more. */
function fewOf(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > FEW ? ` and ${names.length - FEW} more` : "";
  return ` (${names.slice(0, FEW).map((name) => (/^[\w.-]+$/.test(name) ? name : quote(name))).join(", ")}${more})`; // biome-ignore format: one chain
}

const ENCODER = new TextEncoder();

/** Whether a cell could name an item, and is not a number written in a way that is not read. */
const isWord = (text: string) => /\p{L}/u.test(text) && !/^[+-]?(nan|inf|infinity|0x[\da-f]+)$/i.test(text);

function wayOut(name: string, item: boolean): string {
  const word = /^[\w.-]+$/.test(name) ? name : quote(name);
  return `; --ignore ${word} drops the column${item ? `, --id ${word} uses it as the item id` : ""}`;
}

/** Columns that have no part yet come first in question. */
function noLists(file: string, names: readonly string[], { features }: Roles): string {
  const free = features.length > 0 ? features.map((column) => names[column]!) : names.filter((name) => name !== "");
  return `no qid column; choose the column that identifies the list with --qid NAME: ${suggest("qid", free)} (or ${groupFileHint(file)})`;
}

function doubled(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const into = new Uint32Array(Math.max(16, from.length * 2));
  into.set(from);
  return into;
}

/** The delimiter that stands most often outside quotes; a comma when none does. */
export function sniff(bytes: Uint8Array, from: number, to: number): number {
  const counts = new Map([[44, 0], [59, 0], [9, 0]]); // biome-ignore format: pairs
  let open = false;
  for (let p = from; p < to; p++) {
    if (bytes[p] === QUOTE) open = !open;
    else if (!open && counts.has(bytes[p]!)) counts.set(bytes[p]!, counts.get(bytes[p]!)! + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

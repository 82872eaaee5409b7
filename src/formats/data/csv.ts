/**
 * Tables with a header: CSV (RFC 4180: quotes, doubled quotes and newlines inside them) and TSV, as bytes. The delimiter is the one of
 * comma, semicolon and tab that the header holds most of, unless it is given. An empty cell, NA, NULL and null are missing values.
 */
import { type Builder, UNASSIGNED } from "../../data/builder.ts";
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
const MISSING = new Set(["", "NA", "NULL", "null"]);

/** Without a delimiter, that of the header is used. */
function parser(file: string, builder: Builder, options: RowContext, given?: string): Parser {
  const summary = emptySummary("");
  let delimiter = given?.charCodeAt(0) ?? 0;
  let line = 0; // of the start of the record
  let next = 1;
  let names: string[] | undefined;
  let roles: Roles;
  let numbers: Int32Array; // the feature that a column holds, or -1
  let froms = new Uint32Array(0);
  let tos = new Uint32Array(0);
  let lastQid: string | undefined;
  let list = UNASSIGNED;

  const fail = (text: string): never => {
    throw new InputError(`${file}:${line}: ${text}`);
  };

  /** Finds where each cell begins and ends, and gives their number. */
  const split = (bytes: Uint8Array, from: number, to: number): number => {
    const stop = delimiter;
    let count = 0;
    for (let p = from; ; p++) {
      const start = p;
      if (bytes[p] === QUOTE) {
        for (p++; p < to && (bytes[p] !== QUOTE || bytes[p + 1] === QUOTE); p++) if (bytes[p] === QUOTE) p++;
        p++;
        while (p < to && bytes[p] === 32) p++;
        if (p < to && bytes[p] !== stop)
          fail(`expected a delimiter after a closing quote, got ${quote(asText(bytes, p, Math.min(to, p + 20)))}`);
      } else while (p < to && bytes[p] !== stop) p++;
      if (count === froms.length) {
        froms = doubled(froms);
        tos = doubled(tos);
      }
      froms[count] = start;
      tos[count++] = Math.min(p, to);
      if (p >= to) return count;
    }
  };
  const cell = (bytes: Uint8Array, column: number): string => {
    const text = asText(bytes, froms[column]!, tos[column]!).trim();
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
  };

  const header = (bytes: Uint8Array, from: number, to: number): void => {
    if (bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) from += 3;
    delimiter ||= sniff(bytes, from, to);
    const count = split(bytes, from, to);
    const found = Array.from({ length: count }, (_, column) => cell(bytes, column));
    if (options.scorer?.numbered)
      fail(
        "the model knows its features by number, but the columns of a table have names; use data with numbered features, or train on a table",
      );
    roles = assignRoles(`${file}:${line}`, found, options);
    summary.notices.push(...roles.notices);
    if (roles.qid < 0 && !options.grouped) fail(noLists(file, found, roles));
    if (roles.qid >= 0) summary.lists = `column ${quote(found[roles.qid]!)}`;
    for (const role of ["label", "weight", "id"] as const)
      if (roles[role] >= 0) summary.details.push(`${role} ${quote(found[roles[role]]!)}`);
    const features = roles.features.map((column) => found[column]!);
    summary.details.push(`${counted(features.length, "feature")}${options.label ? "" : fewOf(features)}`);
    summary.grouped = roles.qid >= 0;
    summary.weighted = roles.weight >= 0;
    numbers = new Int32Array(count).fill(-1);
    builder.features ??= features;
    const place = new Map(builder.features.map((name, number) => [name, number]));
    const strange = features.find((name) => !place.has(name));
    if (strange !== undefined) fail(`the column ${quote(strange)} is not in the preceding files`);
    const have = new Set(features);
    const lacking = builder.features.find((name) => !have.has(name));
    if (lacking !== undefined) fail(`the column ${quote(lacking)} of the preceding files is missing here`);
    roles.features.forEach((column, i) => {
      numbers[column] = place.get(features[i]!)!;
    });
    names = found;
  };

  /** The number in a cell, NaN for a missing one. */
  const number = (bytes: Uint8Array, column: number): number => {
    const to = tos[column]!;
    const value = readNumeral(bytes, froms[column]!);
    if (numeral.end === to && value < TOO_LARGE && value > -TOO_LARGE) return value;
    const text = cell(bytes, column);
    if (MISSING.has(text)) return Number.NaN;
    const again = readNumeral(ENCODER.encode(text), 0); // blanks or quotes around it
    const name = quote(names![column]!);
    if (Number.isNaN(again) || numeral.end !== text.length)
      fail(
        `column ${name}: expected a finite number, got ${quote(text)}${numbers[column]! < 0 ? "" : wayOut(names![column]!, roles.id < 0 && isWord(text))}`,
      );
    if (!(again < TOO_LARGE && again > -TOO_LARGE)) fail(`column ${name}: ${quote(text)} is too large for a 32-bit float`);
    return again;
  };

  const row = (bytes: Uint8Array, from: number, to: number): void => {
    const count = split(bytes, from, to);
    if (count !== names!.length) fail(`expected ${names!.length} cells as in the header, got ${count}`);
    for (let column = 0; column < count; column++) {
      if (numbers[column]! < 0) continue;
      const value = number(bytes, column);
      if (Number.isNaN(value)) summary.missing++;
      else builder.cells.add(numbers[column]!, value);
    }
    let label = roles.label < 0 ? Number.NaN : number(bytes, roles.label);
    if (Number.isNaN(label) && options.missingLabels !== "leave-out") {
      if (options.labels !== "optional") fail(`column ${quote(names![roles.label]!)}: the label is missing`);
      summary.unlabelled++;
      label = 0;
    }
    const weight = roles.weight < 0 ? 1 : number(bytes, roles.weight);
    if (!(weight >= 0)) fail(`expected a weight of at least 0, got ${quote(cell(bytes, roles.weight))}`);
    if (roles.qid >= 0) {
      const qid = cell(bytes, roles.qid);
      if (qid === "") fail(`column ${quote(names![roles.qid]!)}: the qid is missing`);
      if (qid !== lastQid) list = builder.list((lastQid = qid));
    }
    summary.rows++;
    builder.row(list, label, weight, roles.id < 0 ? "" : cell(bytes, roles.id));
  };

  const record = (bytes: Uint8Array, from: number, to: number): void => {
    line = next;
    for (let p = bytes.indexOf(10, from); ; p = bytes.indexOf(10, p + 1)) {
      next++;
      if (p >= to) break;
    }
    if (to > from && bytes[to - 1] === 13) to--;
    let blank = true;
    for (let p = from; blank && p < to; p++) blank = bytes[p] === 32;
    if (blank) return;
    if (names) row(bytes, from, to);
    else header(bytes, from, to);
  };

  const splitter = lines(record, () => `${file}:${next}`, { quotes: true });
  return { summary, push: splitter.push, end: splitter.end };
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

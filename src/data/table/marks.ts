/**
 * Numbers that are written with groups of thousands or as amounts: "1.039", "1,040,039", "12 345,50", "210,88 €", "3 %". Whether a point or comma
 * before three digits is a decimal mark follows from all rows of the column, then from the other columns; without evidence it is a decimal mark.
 */
import { quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { commaNumeralOf, groupedNumeralOf, isMissingWord, numeralOf } from "./cell-text.ts";
import { MISSING_TEXT, type SourceTable, type TableColumn, type TextColumn } from "./source-table.ts";

export type DecimalMark = "." | ",";

const POINT_GROUP = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const COMMA_GROUP = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const [POINT_GROUPS, COMMA_GROUPS] = [/^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}$/, /^[+-]?[1-9]\d{0,2}(?:,\d{3}){2,}$/];
const OTHER_GROUPS = /^[+-]?[1-9]\d{0,2}(['’\u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:([.,])\d+)?$/;
const UNIT_FIRST = /^([+-]?)\s*(\p{Sc})\s*(\S.*)$/u;
const UNIT_LAST = /^(.*[\d.,])\s*(\p{Sc}|%)$/u;

/** Whether a text has a point before exactly three digits: a decimal mark, or one between thousands. */
export const isPointGroup = (text: string): boolean => POINT_GROUP.test(text);
/** The same for a comma. */
export const isCommaGroup = (text: string): boolean => COMMA_GROUP.test(text);

/** How the numbers of a column are written. */
export interface Writing {
  readonly decimal: DecimalMark | undefined;
  /** Whether a comma before other than three digits is a decimal mark, as it is where the separator is no comma. */
  readonly commas: boolean;
  /** A currency sign or percent at all cells. */
  readonly unit?: string | undefined;
}

/** The number that a text writes, or undefined. */
function writtenNumber(text: string, { decimal, commas }: Writing): number | undefined {
  const plain = numeralOf(text);
  if (plain !== undefined) return decimal === "," && isPointGroup(text) ? Number(text.replace(".", "")) : plain;
  if (isCommaGroup(text) && (decimal === "." || (decimal === undefined && !commas))) return Number(text.replace(",", ""));
  const comma = commas || decimal === "," ? commaNumeralOf(text) : undefined;
  if (comma !== undefined) return comma;
  const grouped = groupedNumeralOf(text);
  if (grouped !== undefined) return grouped;
  if (POINT_GROUPS.test(text)) return Number(text.replaceAll(".", ""));
  if (COMMA_GROUPS.test(text)) return Number(text.replaceAll(",", ""));
  return OTHER_GROUPS.test(text) ? Number(text.replace(/['’\u00a0\u2009\u202f]/g, "").replace(",", ".")) : undefined;
}

/** The number of a cell with its currency sign or percent, or undefined. */
function amountOf(text: string): { readonly unit: string; readonly number: string } | undefined {
  const first = UNIT_FIRST.exec(text);
  if (first) return { unit: first[2]!, number: `${first[1]}${first[3]}` };
  const last = UNIT_LAST.exec(text);
  return last ? { unit: last[2]!, number: last[1]!.trim() } : undefined;
}

/** What the cells of a column say of how its numbers are written. */
export interface WritingEvidence {
  /** Cells with a decimal point or comma beyond doubt. */
  readonly points: boolean;
  readonly decimalCommas: boolean;
  /** The first cell with a point or comma that may stand between thousands. */
  readonly pointGroup: string | undefined;
  readonly commaGroup: string | undefined;
  /** The first cell with groups beyond doubt. */
  readonly groups: string | undefined;
  readonly unit: string | undefined;
}

/** The columns of one name in all tables. */
export interface WrittenColumn {
  readonly column: TableColumn;
  /** The source is separated text, where numbers are text too. */
  readonly isText: boolean;
  readonly commas: boolean;
}

const MOSTLY = 0.9;

/** Goes through all rows of a column; undefined where it is no column of numbers. */
export function evidenceOf(columns: readonly WrittenColumn[], missingWords: readonly string[]): WritingEvidence | undefined {
  const found = { points: false, decimalCommas: false, pointGroup: undefined as string | undefined, commaGroup: undefined as string | undefined, groups: undefined as string | undefined }; // biome-ignore format: one value
  const unit = unitOf(columns, missingWords);
  let [numbers, words] = [0, 0];
  for (const { column, isText, commas } of columns) {
    if (column.kind === "number") {
      for (const value of column.values) if (!Number.isNaN(value)) numbers++;
      if (isText) found.points ||= column.values.some((value) => !Number.isNaN(value) && !Number.isInteger(value));
    } else if (column.kind === "text") {
      const counts = countsOf(column);
      column.dictionary.forEach((entry, code) => {
        const cell = entry.trim();
        if (counts[code] === 0 || isMissingWord(cell, missingWords)) return;
        const text = unit === undefined ? cell : amountOf(cell)!.number;
        const value = writtenNumber(text, { decimal: undefined, commas });
        if (value === undefined) words += counts[code]!;
        else {
          numbers += counts[code]!;
          note(found, text, value, commas);
        }
      });
    }
  }
  return numbers > 0 && numbers >= MOSTLY * (numbers + words) ? { ...found, unit } : undefined;
}

type Found = { -readonly [K in Exclude<keyof WritingEvidence, "unit">]: WritingEvidence[K] };

function note(found: Found, text: string, value: number, commas: boolean): void {
  if (isPointGroup(text)) found.pointGroup ??= text;
  else if (numeralOf(text) !== undefined) found.points ||= !Number.isInteger(value);
  else if (isCommaGroup(text)) {
    if (commas) found.commaGroup ??= text;
    else found.groups ??= text;
  } else if (commas && commaNumeralOf(text) !== undefined) found.decimalCommas = true;
  else {
    found.groups ??= text;
    const mark = OTHER_GROUPS.test(text) ? OTHER_GROUPS.exec(text)![2] : groupedNumeralOf(text) !== undefined ? (text.lastIndexOf(",") > text.lastIndexOf(".") ? "," : ".") : text.includes(".") ? "," : "."; // biome-ignore format: one choice
    if (mark === ",") found.decimalCommas = true;
    else if (mark === ".") found.points = true;
  }
}

/** The currency sign or percent that all filled cells of a column have. */
function unitOf(columns: readonly WrittenColumn[], missingWords: readonly string[]): string | undefined {
  let unit: string | undefined;
  for (const { column, commas } of columns) {
    if (column.kind === "number") {
      if (column.values.some((value) => !Number.isNaN(value))) return undefined;
    } else if (column.kind !== "text") return undefined;
    else {
      const counts = countsOf(column);
      for (const [code, entry] of column.dictionary.entries()) {
        const text = entry.trim();
        if (counts[code] === 0 || isMissingWord(text, missingWords)) continue;
        const amount = amountOf(text);
        unit ??= amount?.unit;
        if (!amount || amount.unit !== unit || writtenNumber(amount.number, { decimal: undefined, commas: true }) === undefined)
          return undefined;
        if (writtenNumber(amount.number, { decimal: undefined, commas }) === undefined) return undefined;
      }
    }
  }
  return unit;
}

function countsOf({ codes, dictionary }: TextColumn): Uint32Array {
  const counts = new Uint32Array(dictionary.length);
  for (const code of codes) if (code !== MISSING_TEXT) counts[code]!++;
  return counts;
}

/** The decimal mark that evidence shows, unless it shows both. */
export const decimalOf = ({
  points,
  decimalCommas,
}: Pick<WritingEvidence, "points" | "decimalCommas">): DecimalMark | undefined =>
  points === decimalCommas ? undefined : points ? "." : ",";

/** The text of a value that is scored alone, with a number in plain digits if the column of the model is one of such numbers. */
export const plainText = (text: string, { decimal, unit }: Pick<ColumnEncoding, "decimal" | "unit">): string =>
  decimal === undefined && unit === undefined ? text : inPlainDigits(text, { decimal, unit, commas: decimal === "," });

/** The text, with a number in plain digits. */
function inPlainDigits(entry: string, writing: Writing): string {
  const cell = entry.trim();
  const amount = writing.unit === undefined ? undefined : amountOf(cell);
  const text = amount?.unit === writing.unit ? (amount?.number ?? cell) : cell;
  if (text === cell && numeralOf(text) !== undefined && !(writing.decimal === "," && isPointGroup(text))) return entry;
  const value = writtenNumber(text, writing);
  return value === undefined ? entry : String(value + 0);
}

/** The column with its numbers in plain digits. */
function plainColumn(column: TableColumn, writing: Writing): TableColumn {
  if (column.kind !== "text") return column;
  const dictionary = column.dictionary.map((entry) => inPlainDigits(entry, writing));
  return dictionary.every((entry, code) => entry === column.dictionary[code]) ? column : { ...column, dictionary };
}

/** What a model remembers of how the numbers of a column are written: nothing where they are decimals in plain digits. */
export function remembered(
  evidence: WritingEvidence,
  { decimal, unit }: Pick<Writing, "decimal" | "unit">,
): Pick<ColumnEncoding, "decimal" | "unit"> {
  const { pointGroup, commaGroup, groups } = evidence;
  const isGrouped = groups ?? unit ?? (decimal === "," ? pointGroup : decimal === "." ? commaGroup : undefined);
  const mark = isGrouped === undefined ? undefined : decimal;
  return { ...(mark !== undefined && { decimal: mark }), ...(unit !== undefined && { unit }) };
}

/** A line for users about how a column of numbers was read, where that is not obvious. */
export function writingNotice(name: string, evidence: WritingEvidence, writing: Writing): string | undefined {
  const { pointGroup, commaGroup, groups, unit } = evidence;
  const { decimal } = writing;
  const column = `column ${quote(name)}`;
  const grouped = groups ?? (decimal === "," ? pointGroup : decimal === "." ? commaGroup : undefined);
  const amounts = unit === undefined ? "" : ` with ${unit}`;
  if (grouped !== undefined)
    return `${column}: numbers${amounts} with groups of thousands, such as ${quote(grouped)}, read as ${writtenNumber(grouped, writing)}`;
  const open = decimal === undefined && !(evidence.points || evidence.decimalCommas) ? (pointGroup ?? commaGroup) : undefined;
  if (open === undefined) return unit === undefined ? undefined : `${column}: numbers${amounts}`;
  const [mark, other, sign] = pointGroup === undefined ? ["comma", ".", ","] : ["point", ",", "."];
  return `${column}: numbers${amounts} such as ${quote(open)} are read as decimals; --decimal "${other}" reads the ${mark} as one between thousands, and --decimal "${sign}" confirms decimals`;
}

/** How the numbers of columns are written, and what says so. */
export type Writings = ReadonlyMap<
  string,
  {
    readonly writing: Omit<Writing, "commas">;
    readonly evidence: WritingEvidence | undefined;
    /** Where a model knows the column as one of other numbers, a line that says what is done. */
    readonly contradiction?: string | undefined;
  }
>;

/** How numbers are written in the columns that `names` has, in all tables. Cells that show a decimal mark outweigh what a model knows. */
export function writingsOf(
  tables: readonly SourceTable[],
  names: readonly string[],
  {
    decimal = "auto",
    missingValues = [],
  }: { decimal?: DecimalMark | "auto" | undefined; missingValues?: readonly string[] | undefined },
  known: readonly ColumnEncoding[] = [],
): Writings {
  const evidence = names.map((name) => evidenceOf(writtenColumns(tables, name), missingValues));
  const all = evidence.filter((one) => one !== undefined);
  const [points, decimalCommas] = [all.some((one) => one.points), all.some((one) => one.decimalCommas)];
  const ofModel = new Set(known.flatMap((column) => column.decimal ?? []));
  const ofTables = points || decimalCommas || ofModel.size !== 1 ? decimalOf({ points, decimalCommas }) : [...ofModel][0];
  return new Map(
    names.map((name, at) => {
      const [one, trained] = [evidence[at], known.find((column) => column.name === name)];
      const own = one && (one.points || one.decimalCommas) ? { mark: decimalOf(one) } : undefined;
      const mark = decimal !== "auto" ? decimal : (own?.mark ?? trained?.decimal ?? (own ? own.mark : ofTables));
      const writing = { decimal: mark, unit: trained?.unit ?? one?.unit };
      const contradiction = trained && contradictionOf(trained, writing, one, writtenColumns(tables, name));
      return [name, { writing, evidence: one, contradiction }];
    }),
  );
}

/** A line about numbers that are written otherwise than those that a model was trained on. */
function contradictionOf(
  trained: ColumnEncoding,
  { decimal, unit }: Omit<Writing, "commas">,
  evidence: WritingEvidence | undefined,
  columns: readonly WrittenColumn[],
): string | undefined {
  if (trained.kind !== "number") return undefined;
  const column = `column ${quote(trained.name)}`;
  const bare = trained.unit === undefined ? undefined : columns.map(firstWithoutUnit).find((one) => one !== undefined);
  if (bare !== undefined) return `${column}: numbers without ${unit}, which those of the training data have: ${bare} is read as ${bare} ${unit}`; // biome-ignore format: one line
  if (!evidence) return undefined;
  if (trained.unit === undefined && unit !== undefined)
    return `${column}: numbers with ${unit}, which those of the training data lack: 1 ${unit} is read as 1`;
  if (trained.decimal === undefined || decimal === undefined || decimal === trained.decimal) return undefined;
  const names = { ".": "points", ",": "commas" } as const;
  const open = decimal === "." ? evidence.pointGroup : evidence.commaGroup;
  const read = open === undefined ? "" : `, so ${quote(open)} is read as ${writtenNumber(open, { decimal, commas: true })}`;
  return `${column}: decimal ${names[decimal]}, where the training data has decimal ${names[trained.decimal]}${read}`;
}

/** The first number of a column that has no sign after or before it. */
function firstWithoutUnit({ column }: WrittenColumn): string | undefined {
  if (column.kind === "number") {
    const value = column.values.find((one) => !Number.isNaN(one));
    return value === undefined ? undefined : String(value);
  }
  if (column.kind !== "text") return undefined;
  const counts = countsOf(column);
  return column.dictionary.find((entry, code) => counts[code]! > 0 && numeralOf(entry.trim()) !== undefined)?.trim();
}

const writtenColumns = (tables: readonly SourceTable[], name: string): WrittenColumn[] =>
  tables.flatMap((table) => {
    const at = table.columns.indexOf(name);
    const { separator } = table;
    if (at < 0) return [];
    return table.batches.map(({ columns }) => ({
      column: columns[at]!,
      isText: separator !== undefined,
      commas: hasCommas(table),
    }));
  });

/** Whether commas may be decimal marks in the table. */
export const hasCommas = ({ separator }: SourceTable): boolean => separator !== undefined && separator !== ",";

/** The table with the numbers of columns in plain digits. */
export function withPlainNumbers(table: SourceTable, writings: Writings): SourceTable {
  const commas = hasCommas(table);
  const how = table.columns.map((name) => writings.get(name)?.writing);
  const batches = table.batches.map(({ rows, columns }) => ({
    rows,
    columns: columns.map((column, c) => (how[c] ? plainColumn(column, { ...how[c], commas }) : column)),
  }));
  return { ...table, batches };
}

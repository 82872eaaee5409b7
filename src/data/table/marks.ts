/**
 * Numbers that are written with groups of thousands or as amounts: "1.039", "1,040,039", "12 345,50", "210,88 €", "3 %", "5 EUR", "(1,234.50)", "3,20-". Whether a point or comma
 * before three digits is a decimal mark follows from all rows of the column, then from the other columns; without evidence it is a decimal mark.
 * Long, because signs, units and marks of one column are decided together, from the same counts.
 */
import { quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { commaNumeralOf, groupedNumeralOf, isMissingWord, numeralOf } from "./cell-text.ts";
import { MISSING_TEXT, type SourceTable, type TableColumn, type TextColumn } from "./source-table.ts";
import { timeMark } from "./times.ts";

export type DecimalMark = "." | ",";

const POINT_GROUP = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const COMMA_GROUP = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const [POINT_GROUPS, COMMA_GROUPS] = [/^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}$/, /^[+-]?[1-9]\d{0,2}(?:,\d{3}){2,}$/];
const OTHER_GROUPS = /^[+-]?[1-9]\d{0,2}(['’\u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:([.,])\d+)?$/;
const CODES = "EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|RUB|UAH|INR|BRL|MXN|CAD|AUD|NZD|ZAR|KRW|SGD|HKD|ILS";
const UNIT_FIRST = new RegExp(`^([+-]?)\\s*(\\p{Sc}|(?:${CODES})(?=\\s))\\s*(\\S.*)$`, "u");
// Capital letters need a blank before them, as "17A" is no amount.
const UNIT_LAST = new RegExp(
  `^(?!0\\d)(.*[\\d.,])(?:\\s*(\\p{Sc}|%|${CODES}|[\\p{Ll}°]\\p{L}{0,3}[²³]?)|\\s+(\\p{L}{1,4}[²³]?))$`,
  "u",
);
/** An amount below zero as accountants write it, or with the sign last as SAP does. */
const NEGATIVE = /^(?:\(\s*([^()+-]+?)\s*\)|([\d.,'’\u00a0\u2009\u202f]*\d)\s?-)$/;

/** Whether a text has a point before exactly three digits: a decimal mark, or one between thousands. */
export const isPointGroup = (text: string): boolean => POINT_GROUP.test(text);
/** The same for a comma. */
export const isCommaGroup = (text: string): boolean => COMMA_GROUP.test(text);

/** How the numbers of a column are written. */
export interface Writing {
  readonly decimal: DecimalMark | undefined;
  /** Whether a comma before other than three digits is a decimal mark, as it is where the separator is no comma. */
  readonly commas: boolean;
  /** A currency sign, percent or unit at all cells. */
  readonly unit?: string | undefined;
  /** Whether (3) and 3- are -3. */
  readonly negatives?: boolean | undefined;
}

/** The number that a text writes, or undefined. */
function writtenNumber(text: string, writing: Writing): number | undefined {
  const { decimal, commas } = writing;
  const negative = writing.negatives ? digitsOf(text) : text;
  if (negative !== text) {
    const value = writtenNumber(negative, { decimal, commas });
    return value === undefined ? undefined : 0 - value;
  }
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

/** What is negative in (3) or 3-; other texts as they are. */
function digitsOf(text: string): string {
  const found = NEGATIVE.exec(text);
  return found ? (found[1] ?? found[2])! : text;
}

/** The number of a cell with its currency sign, percent or unit, or undefined. */
export function amountOf(text: string): { readonly unit: string; readonly number: string } | undefined {
  const inner = digitsOf(text);
  if (inner !== text && text.endsWith(")")) {
    const amount = amountOf(inner);
    return amount && { ...amount, number: `(${amount.number})` };
  }
  const first = UNIT_FIRST.exec(text);
  if (first) return { unit: first[2]!, number: `${first[1]}${first[3]}` };
  const last = UNIT_LAST.exec(text);
  return last ? { unit: (last[2] ?? last[3])!, number: last[1]!.trim() } : undefined;
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
  /** The first cell such as (3) or 3-, which are negative. */
  readonly negative: string | undefined;
  /** The first cell with a decimal comma between cells that commas separate. */
  readonly quotedComma: string | undefined;
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
  const found = { points: false, decimalCommas: false, pointGroup: undefined as string | undefined, commaGroup: undefined as string | undefined, groups: undefined as string | undefined, negative: undefined as string | undefined }; // biome-ignore format: one value
  const unit = unitOf(columns, missingWords);
  let [numbers, words, brackets] = [0, 0, 0];
  for (const { column, isText, commas } of columns) {
    if (column.kind === "number") {
      for (const value of column.values) if (!Number.isNaN(value)) numbers++;
      if (isText) found.points ||= column.values.some((value) => !Number.isNaN(value) && !Number.isInteger(value));
    } else if (column.kind === "text") {
      const counts = countsOf(column);
      column.dictionary.forEach((entry, code) => {
        const cell = entry.trim();
        if (counts[code] === 0 || isMissingWord(cell, missingWords)) return;
        const shown = unit === undefined ? cell : amountOf(cell)!.number;
        const text = digitsOf(shown);
        const value = writtenNumber(text, { decimal: undefined, commas });
        if (value === undefined) words += counts[code]!;
        else {
          numbers += counts[code]!;
          note(found, text, value, commas);
          if (text !== shown) found.negative ??= cell;
          if (text !== shown && shown.endsWith(")")) brackets += counts[code]!;
        }
      });
    }
  }
  // Numbers that are all in brackets may be references or footnotes.
  if (numbers === brackets || numbers < MOSTLY * (numbers + words)) return undefined;
  return { ...found, quotedComma: undefined, unit };
}

/**
 * What the cells of a column between commas say if commas are decimal marks there, as in CSV of Google Sheets in German: undefined unless all of its
 * cells are such numbers.
 */
function quotedCommas(columns: readonly WrittenColumn[], missingWords: readonly string[]): WritingEvidence | undefined {
  const cells = columns.flatMap(({ column }) => (column.kind === "text" ? filled(column, missingWords) : []));
  const first = cells.find((cell) => commaNumeralOf(cell) !== undefined && !isCommaGroup(cell));
  if (first === undefined || cells.some((cell) => writtenNumber(digitsOf(cell), { decimal: ",", commas: true }) === undefined))
    return undefined;
  const found = evidenceOf(withCommas(columns), missingWords);
  return found && { ...found, quotedComma: first };
}

const withCommas = (columns: readonly WrittenColumn[]): WrittenColumn[] => columns.map((column) => ({ ...column, commas: true }));

/** The different texts of a column that are no missing values. */
function filled(column: TextColumn, missingWords: readonly string[]): string[] {
  const counts = countsOf(column);
  return column.dictionary.flatMap((entry, code) => {
    const text = entry.trim();
    return counts[code] === 0 || isMissingWord(text, missingWords) ? [] : [text];
  });
}

type Found = { -readonly [K in Exclude<keyof WritingEvidence, "unit" | "quotedComma">]: WritingEvidence[K] };

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
        if (!amount || amount.unit !== unit) return undefined;
        const either = [true, commas].every(
          (one) => writtenNumber(amount.number, { decimal: undefined, commas: one, negatives: true }) !== undefined,
        );
        if (!either) return undefined;
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
  decimal === undefined && unit === undefined
    ? text
    : inPlainDigits(text, { decimal, unit, commas: decimal === ",", negatives: true });

/** The text, with a number in plain digits. */
function inPlainDigits(entry: string, writing: Writing): string {
  const cell = entry.trim();
  const amount = writing.unit === undefined ? undefined : amountOf(cell);
  const text = amount?.unit === writing.unit ? (amount?.number ?? cell) : cell;
  if (text === cell && numeralOf(text) !== undefined && !(writing.decimal === "," && isPointGroup(text))) return entry;
  const value = writtenNumber(text, writing);
  if (value === undefined) return entry;
  return `${text.startsWith("+") ? "+" : ""}${value + 0}`;
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
  const { pointGroup, commaGroup, groups, negative, quotedComma } = evidence;
  const isGrouped =
    groups ?? unit ?? negative ?? quotedComma ?? (decimal === "," ? pointGroup : decimal === "." ? commaGroup : undefined);
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
  const { negative, quotedComma } = evidence;
  if (negative !== undefined) {
    const bare = unit === undefined ? negative : amountOf(negative)!.number;
    return `${column}: numbers${amounts}, such as ${quote(negative)}, read as ${writtenNumber(bare, { ...writing, negatives: true })}`;
  }
  if (quotedComma !== undefined && decimal === ",")
    return `${column}: numbers${amounts} with decimal commas, such as ${quote(quotedComma)}, read as ${writtenNumber(quotedComma, writing)}`;
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
    /** The decimal mark that the times of the column show, such as 1:02,5. */
    readonly timed?: DecimalMark | undefined;
    /** Where a column is none of numbers only because of how its numbers are written: what would make it one. */
    readonly advice?: string | undefined;
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
  const found = names.map((name) => evidenceOf(writtenColumns(tables, name), missingValues));
  const isAuto = decimal === "auto" && !found.some((one) => one?.points);
  const open = names.map((name, at) =>
    found[at] && !found[at].groups ? undefined : quotedCommas(commaColumns(tables, name), missingValues),
  );
  const isQuoted = isAuto && open.some((one) => one && !one.points) && !open.some((one) => one?.points);
  const evidence = found.map((one, at) =>
    isQuoted ? (open[at] ?? (one && evidenceOf(withCommas(commaColumns(tables, names[at]!)), missingValues))) : one,
  );
  const all = evidence.filter((one) => one !== undefined);
  const [points, decimalCommas] = [all.some((one) => one.points), all.some((one) => one.decimalCommas)];
  const ofModel = new Set(known.flatMap((column) => (column.kind === "time" ? [] : (column.decimal ?? []))));
  const ofTables = points || decimalCommas || ofModel.size !== 1 ? decimalOf({ points, decimalCommas }) : [...ofModel][0];
  return new Map(
    names.map((name, at) => {
      const [one, trained] = [evidence[at], known.find((column) => column.name === name)];
      const own = one && (one.points || one.decimalCommas) ? { mark: decimalOf(one) } : undefined;
      const timed = decimalOfTimes(writtenColumns(tables, name), missingValues);
      const mark = decimal !== "auto" ? decimal : (timed ?? own?.mark ?? trained?.decimal ?? (own ? own.mark : ofTables));
      const negatives = one?.negative !== undefined || trained?.kind === "number";
      const writing = { decimal: mark, unit: trained?.unit ?? one?.unit, negatives };
      const contradiction = trained && contradictionOf(trained, writing, one, writtenColumns(tables, name));
      const comma = one ? undefined : open[at]?.quotedComma;
      const advice = one ? undefined : comma === undefined ? mixedUnits(writtenColumns(tables, name), missingValues) : `cells such as ${quote(comma)} are numbers with --decimal ,`; // biome-ignore format: one line
      return [name, { writing, evidence: one, contradiction, advice, timed }];
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

/** The decimal mark that all times of a column show, in which numbers of seconds among them are written too. */
function decimalOfTimes(columns: readonly WrittenColumn[], missingWords: readonly string[]): DecimalMark | undefined {
  const marks = columns.flatMap(({ column }) => (column.kind === "text" ? filled(column, missingWords).flatMap((cell) => timeMark(cell) ?? []) : [])); // biome-ignore format: one chain
  return marks.every((mark) => mark === marks[0]) ? marks[0] : undefined;
}

/** The first number of a column that has no sign after or before it. */
function firstWithoutUnit({ column }: WrittenColumn): string | undefined {
  if (column.kind === "number") {
    const value = column.values.find((one) => !Number.isNaN(one));
    return value === undefined ? undefined : String(value);
  }
  if (column.kind !== "text") return undefined;
  const counts = countsOf(column);
  return column.dictionary
    .find((entry, code) => counts[code]! > 0 && (numeralOf(entry.trim()) !== undefined || isNumber(entry.trim())))
    ?.trim();
}

/** Whether a cell is a number without a sign or unit, whichever mark its decimals have. */
const isNumber = (text: string) => writtenNumber(text, { decimal: undefined, commas: true, negatives: true }) !== undefined;

/** The column in tables whose cells stand between commas; none where another separates them. */
const commaColumns = (tables: readonly SourceTable[], name: string): WrittenColumn[] =>
  tables.every(({ separator }) => separator === ",") ? writtenColumns(tables, name) : [];

/** What to do with a column of numbers of which some have a sign or unit, or another one. */
function mixedUnits(columns: readonly WrittenColumn[], missingWords: readonly string[]): string | undefined {
  const cells = columns.flatMap(({ column }) => (column.kind === "text" ? filled(column, missingWords) : []));
  const units = new Map<string, string>(); // examples
  for (const cell of cells) {
    const amount = isNumber(cell) ? { unit: "", number: cell } : amountOf(cell);
    if (!amount || !isNumber(amount.number)) return undefined;
    if (!units.has(amount.unit)) units.set(amount.unit, cell);
  }
  const [one, other] = [...units.values()];
  return other === undefined ? undefined : `cells such as ${quote(one!)} and ${quote(other)} become numbers where all have the same sign or unit, or none`; // biome-ignore format: one line
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

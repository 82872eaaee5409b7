/**
 * Makes rows of a dataset from tables that came as columns: assigns roles, decides kinds over all tables (or takes those of a model), and adds the
 * rows of each table to the builder.
 */
import { counted } from "../../counted.ts";
import { type Builder, UNASSIGNED } from "../../data/builder.ts";
import { areTierLetters, gradedLabels, LETTERS_NOTICE, notInOrder, orderAdvice, TIER_LETTERS } from "../../data/label-order.ts";
import { areTruths, epochSeconds, ordersOf } from "../../data/table/cell-text.ts";
import { type Decision, dateColumn, decide, MOSTLY, openOrder, rowOf } from "../../data/table/decide.ts";
import { type EncodedColumn, encodeColumn, featureNames, isFarBefore, numbersIn, widthOf } from "../../data/table/encode.ts";
import { hasCommas, remembered, type Writings, withPlainNumbers, writingNotice, writingsOf } from "../../data/table/marks.ts";
import { type ColumnProfile, profileOf, type Segment } from "../../data/table/profile.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { dateText, rowsIn, segmentsOf, textsOf, withoutNumbers } from "../../data/table/texts.ts";
import { InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import type { ColumnEncoding } from "../../types.ts";
import { assignRoles, checkNeeded, isOneList, joinedKey, type Roles } from "./columns.ts";
import { noLists, oneList, summarizeColumns } from "./csv.ts";
import { missingLabel, missingQid, tooLarge } from "./csv-direct.ts";
import type { RowContext } from "./format.ts";
import { type ParseSummary, TOO_LARGE } from "./parse-summary.ts";

/** A table with what its columns are for. */
export interface RoledTable {
  readonly table: SourceTable;
  readonly roles: Roles;
  readonly context: RowContext;
  readonly summary: ParseSummary;
}

/** Assigns roles to the columns of a table. */
export function withRoles(table: SourceTable, context: RowContext, summary: ParseSummary): RoledTable {
  const { name, columns } = table;
  if (context.scorer?.numbered)
    throw new InputError(
      `${name}: the model knows its features by number, but the columns of a table have names; use data with numbered features, or train on a table`,
    );
  const roles = assignRoles(`${name}:1`, columns, context);
  if (roles.qid < 0 && !context.grouped && !isOneList(roles, context))
    throw new InputError(`${name}:1: ${noLists(name, columns, roles)}`);
  return { table, roles, context, summary };
}

/** What the columns of all tables become. */
export interface Columns {
  readonly encoding: readonly ColumnEncoding[];
  /** What was decided, where no model says it. */
  readonly decisions: readonly Decision[];
  /** What a user should know of the columns. */
  readonly notices: readonly string[];
}

/** The tables with their numbers in plain digits, and how these were written. */
export function plainTables(tables: readonly RoledTable[]): { tables: readonly RoledTable[]; writings: Writings } {
  const [{ context }] = tables as readonly [RoledTable];
  const names = new Set<string>();
  for (const { table, roles } of tables)
    for (const column of [...roles.features, roles.label, roles.weight]) if (column >= 0) names.add(table.columns[column]!);
  const sources = tables.map(({ table }) => table);
  const writings = writingsOf(sources, [...names], context, context.scorer?.encoding);
  return { tables: tables.map((one) => ({ ...one, table: withPlainNumbers(one.table, writings) })), writings };
}

/** The notice of how the numbers of a column are written. */
function noticeOf(name: string, writings: Writings, commas: boolean): string | undefined {
  const { writing, evidence, contradiction } = writings.get(name) ?? {};
  return contradiction ?? (writing && evidence && writingNotice(name, evidence, { ...writing, commas }));
}

/** What a model remembers of how the numbers of a column are written. */
function writtenAs(name: string, writings: Writings): Pick<ColumnEncoding, "decimal" | "unit"> {
  const { writing, evidence } = writings.get(name) ?? {};
  return writing && evidence ? remembered(evidence, writing) : {};
}

/** Decides what the features are, over all tables; columns that were joined, over the rows of their table, in which an item is once. */
export function decideColumns(
  tables: readonly RoledTable[],
  writings: Writings,
  joined: ReadonlyMap<string, SourceTable> = new Map(),
): Columns {
  const [first] = tables as readonly [RoledTable];
  const commas = hasCommas(first.table);
  const written = (chosen: readonly string[]) => chosen.flatMap((name) => noticeOf(name, writings, commas) ?? []);
  const others = [first.roles.label, first.roles.weight].flatMap((at) => (at < 0 ? [] : [first.table.columns[at]!]));
  const { scorer, ...options } = first.context;
  const names = featureColumns(first);
  if (scorer?.encoding) {
    const notices = written([...others, ...scorer.encoding.map(({ name }) => name)]);
    return { encoding: scorer.encoding, decisions: [], notices };
  }
  for (const other of tables.slice(1)) sameColumns(names, other);
  for (const [option, given] of [["--date-columns", options.dateColumns], ["--categories", options.categories]] as const) // biome-ignore format: pairs
    for (const text of given ?? []) {
      const name = option === "--date-columns" && !first.table.columns.includes(text) ? dateColumn(text).name : text;
      if (!first.table.columns.includes(name))
        throw new InputError(
          `${first.table.name}:1: no column is called ${quote(name)} (${option}); ${suggest(
            name,
            first.table.columns.filter((one) => one !== ""),
          )}`,
        );
    }
  const sides = new Map([...new Set(joined.values())].map((side) => [side, withPlainNumbers(side, writings)]));
  const decisions = names.map((name) => {
    const segments = tables.flatMap(({ table }) => segmentsOf(table, table.columns.indexOf(name)));
    const side = sides.get(joined.get(name)!);
    if (!side) return decide(name, segments, options);
    const own = decide(name, segmentsOf(withoutNumbers(side, options.missingValues ?? []), side.columns.indexOf(name)), options);
    if (own.encoding.kind !== "category") return own;
    return decide(name, segments, { ...options, categories: [...(options.categories ?? []), name] });
  });
  const encoding = decisions.map(({ encoding: one }) =>
    one.kind === "number" || one.kind === "category" ? { ...one, ...writtenAs(one.name, writings) } : one,
  );
  const notices = decisions.flatMap(({ encoding: { name, kind }, notice }) => {
    const { advice } = writings.get(name) ?? {};
    const more = advice === undefined || kind === "number" || options.categories?.includes(name) ? "" : `; ${advice}`;
    return [...(kind === "number" ? written([name]) : []), ...(notice === undefined ? [] : [`${notice}${more}`])];
  });
  return { encoding, decisions, notices: [...written(others), ...notices] };
}

const featureColumns = ({ table, roles }: RoledTable) => roles.features.map((column) => table.columns[column]!);

function sameColumns(wanted: readonly string[], other: RoledTable): void {
  const have = featureColumns(other);
  const strange = have.find((name) => !wanted.includes(name));
  if (strange !== undefined)
    throw new InputError(`${other.table.name}:1: the column ${quote(strange)} is not in the preceding files`);
  const lacking = wanted.find((name) => !have.includes(name));
  if (lacking !== undefined)
    throw new InputError(`${other.table.name}:1: the column ${quote(lacking)} of the preceding files is missing here`);
}

/** Adds the rows of a table to the builder. */
export function addRows(builder: Builder, roled: RoledTable, columns: Columns): void {
  const { table, roles, context, summary } = roled;
  const named = featureNames(columns.encoding);
  builder.features ??= named;
  const rows = rowsIn(table);
  const features = encodeFeatures(roled, columns, rows);
  summarizeColumns(summary, table.columns, roles, named, context.label === "");
  const label = roles.label < 0 ? undefined : numbersOf(roled, roles.label, rows);
  const weight = roles.weight < 0 ? undefined : numbersOf(roled, roles.weight, rows);
  const lists = roles.keys.map((key) => textsOf(table, key));
  const ids = roles.id < 0 ? undefined : textsOf(table, roles.id);
  const where = table.where ?? ((row: number) => `${table.name}, row ${row + 1}`);
  const fail = (row: number, text: string): never => {
    throw new InputError(`${where(row)}: ${text}`);
  };
  const isOne = !context.grouped && isOneList(roles, context);
  if (isOne) oneList(summary);
  let [last, list]: [string | undefined, number] = [undefined, isOne ? builder.list("1") : UNASSIGNED];
  for (let row = 0; row < rows; row++) {
    for (const feature of features) addCells(builder, feature, row, fail);
    let grade = label ? label[row]! : Number.NaN;
    if (Number.isNaN(grade) && context.missingLabels !== "leave-out") {
      if (context.labels !== "optional") fail(row, missingLabel(table.columns[roles.label]!));
      summary.unlabelled++;
      grade = 0;
    }
    if (!(Math.abs(grade) < TOO_LARGE) && !Number.isNaN(grade)) fail(row, tooLarge(table.columns[roles.label]!, String(grade)));
    const mass = weight ? weight[row]! : 1;
    if (!(mass >= 0)) fail(row, `expected a weight of at least 0, got ${quote(Number.isNaN(mass) ? "" : String(mass))}`);
    if (!(mass < TOO_LARGE)) fail(row, tooLarge(table.columns[roles.weight]!, String(mass)));
    const parts = lists.map((texts) => texts[row]!);
    const lacking = parts.indexOf("");
    if (lacking >= 0) fail(row, missingQid(table.columns[roles.keys[lacking]!]!));
    const name = parts.length === 0 ? undefined : joinedKey(parts);
    if (name !== undefined && name !== last) list = builder.list((last = name));
    builder.row(list, grade, mass, ids?.[row] ?? "");
  }
  summary.rows = rows;
}

/** A column with the numbers of its features, which follow one another. */
interface Feature extends EncodedColumn {
  readonly encoding: ColumnEncoding;
  readonly first: number;
  readonly width: number;
}

function addCells(builder: Builder, feature: Feature, row: number, fail: (row: number, text: string) => never): void {
  const { encoding, values, first, width } = feature;
  const value = values[row]!;
  if (encoding.kind === "category") for (let c = 0; c < width; c++) builder.cells.add(first + c, c === value ? 1 : 0);
  else if (!Number.isNaN(value)) {
    if (!(value < TOO_LARGE && value > -TOO_LARGE)) fail(row, tooLarge(encoding.name, String(value)));
    builder.cells.add(first, value);
  }
}

function encodeFeatures({ table, roles, context, summary }: RoledTable, { encoding, decisions }: Columns, rows: number) {
  const isOfModel = decisions.length === 0;
  if (isOfModel) checkNeeded(table.name, table.columns, roles, context);
  const features: Feature[] = [];
  let first = 0;
  for (const column of encoding) {
    const width = widthOf(column);
    if (width === 0) continue;
    const place = table.columns.indexOf(column.name);
    const segments = segmentsOf(table, place);
    const truths = isOfModel && column.kind === "number" && areBooleans(profileOf(segments, context.missingValues));
    if (truths) summary.notices.push(`column ${quote(column.name)}: booleans, read as 1 and 0`);
    const known = isOfModel && column.kind === "date" ? { ...column, ...orderOf(column, segments, context) } : column;
    if (isOfModel && column.kind === "date") summary.notices.push(...timeNotices(column, segments, context));
    const encoded = encodeColumn(truths ? { ...column, kind: "boolean" } : known, segments, rows, context.missingValues);
    if (isOfModel) reportUnknown(known, encoded, rows, table, summary);
    summary.missing += encoded.missing;
    features.push({ ...encoded, encoding: column, first, width });
    first += width;
  }
  return features;
}

/** What comes first in dates such as 3/4/2024 of data to score: as said, or as in the training data, or if these had none such, as the rows show. */
function orderOf(column: ColumnEncoding, segments: readonly Segment[], { dateColumns, missingValues }: RowContext) {
  const said = (dateColumns ?? []).map(dateColumn).find(({ name }) => name === column.name)?.order;
  const order = said ?? column.order ?? openOrder(column.name, profileOf(segments, missingValues));
  return order && { order };
}

/** What numbers in a column of dates mean: a line about their days, or an error where these are far from those of the training data. */
function timeNotices({ name, origin = 0 }: ColumnEncoding, segments: readonly Segment[], { missingValues = [] }: RowContext) {
  const { numbers } = profileOf(segments, missingValues);
  let [low, high] = [Infinity, -Infinity];
  for (const segment of segments)
    for (const value of numbersIn([segment], missingValues)) {
      const seconds = epochSeconds(value);
      if (isFarBefore(seconds, origin))
        throw new InputError(
          `${segment.where(segment.first + rowOf(segment.column, value))}: column ${quote(name)}: the number ${value} is ${dayText(seconds)} as a time since 1970, and the dates of the training data begin on ${dayText(origin)}; write dates such as 2024-03-01, or --missing-values ${value} reads it as a missing value`,
        );
      [low, high] = [Math.min(low, seconds), Math.max(high, seconds)];
    }
  if (numbers === 0) return [];
  return [
    `column ${quote(name)}: ${counted(numbers, "number")} read as times since 1970, from ${dayText(low)} to ${dayText(high)}`,
  ];
}

const dayText = (seconds: number) => dateText(seconds).replace(/T.*/, "");

/** Whether cells are words for truth values, perhaps with 0 and 1 among them. */
const areBooleans = ({ words, others, dates }: ColumnProfile) => others + dates === 0 && areTruths(words.keys());

/** Cells that mean nothing to the model: a notice, or an error where a column of numbers or dates is something else. */
function reportUnknown(
  column: ColumnEncoding,
  { unknown, missing }: EncodedColumn,
  rows: number,
  table: SourceTable,
  summary: ParseSummary,
): void {
  if (unknown.count === 0) return;
  const some = [...unknown.texts].map((text) => quote(text)).join(", ");
  const cells = `${unknown.count} ${unknown.count === 1 ? "cell" : "cells"} (${some}${unknown.count > unknown.texts.size ? ", ..." : ""})`;
  if (column.kind === "category") {
    summary.notices.push(
      `column ${quote(column.name)}: ${cells} of categories that the model does not know, read as none of them`,
    );
    return;
  }
  const isOtherOrder = column.order !== undefined && ordersOf(unknown.texts)?.includes(column.order) === false;
  if (isOtherOrder || rows - missing - unknown.count < MOSTLY * (rows - missing))
    throw new InputError(
      `${(table.where ?? (() => table.name))(unknown.first)}: column ${quote(column.name)}: expected a ${column.kind === "number" ? "finite number" : column.kind}, got ${quote([...unknown.texts][0]!)}; the column has ${column.kind}s${column.order ? ` with the ${column.order === "dmy" ? "day" : "month"} first` : ""} in the training data (--missing-values WORD,... reads words as missing values)`,
    );
  summary.notices.push(`column ${quote(column.name)}: ${cells} that are no ${column.kind}s, read as missing values`);
}

/** A word as a shell takes it. */
const quoteWord = (word: string) => (/^[\w.,/-]+$/.test(word) ? word : `'${word}'`);

/** The numbers of a column that must have them: a label or a weight. Words for truth values are 1 and 0; labels may be words in an order. */
function numbersOf(roled: RoledTable, column: number, rows: number): Float64Array {
  const { table, context, roles, summary } = roled;
  const segments = segmentsOf(table, column);
  const profile: ColumnProfile = profileOf(segments, context.missingValues);
  const name = table.columns[column]!;
  const isTruth = profile.others === 0 && areTruths(profile.words.keys());
  const [word] = profile.words;
  const isLabel = column === roles.label;
  if (isLabel) {
    const { labelOrder = [] } = context;
    const letters = labelOrder.length === 0 && !isTruth && isOfLetters(profile);
    if (letters) summary.notices.push(`label ${quote(name)}: ${LETTERS_NOTICE}`);
    if (letters || labelOrder.length > 0) {
      summary.labelWords = true;
      const where = table.where ?? ((row: number) => `${table.name}, row ${row + 1}`);
      return gradedLabels(
        textsOf(table, column),
        letters ? TIER_LETTERS : labelOrder,
        context.missingValues ?? [],
        (row, text) => {
          throw new InputError(`${where(row)}: column ${quote(name)}: ${notInOrder(text, labelOrder)}`);
        },
      );
    }
  }
  if (word && !isTruth)
    throw new InputError(
      `${word[1].where()}: column ${quote(name)}: expected a finite number, got ${quote(word[0])}${isLabel ? `; ${labelAdvice(profile, table, column)}` : ""}`,
    );
  if (profile.dates > 0) throw new InputError(`${table.name}: column ${quote(name)}: expected numbers, got dates`);
  const kind = word ? "boolean" : "number";
  return encodeColumn({ name, kind }, segments, rows, context.missingValues).values as Float64Array;
}

const isOfLetters = ({ words, numbers, booleans, dates }: ColumnProfile) =>
  numbers + booleans + dates === 0 && areTierLetters(words.keys());

/** What to do about labels that are words: a few of them may stand for no label, and most of them never do. */
function labelAdvice({ words, wordCells, rows, missing }: ColumnProfile, table: SourceTable, column: number): string {
  const sets = [...words.keys()].filter((word) => /[^;|][;|][^;|]/.test(word));
  if (sets.length > 0)
    return `${quote(sets[0]!)} looks like a set of labels: write such data as Mulan's ARFF or in the format of the Extreme Classification Repository, or pass them to labelSets in code (tierwise list formats)`;
  const few = wordCells * 2 < rows - missing && ![...words.keys()].some((word) => /\d/.test(word));
  if (!few) return orderAdvice(new Set(textsOf(table, column).filter((text) => text !== "")));
  return `if that means no label, --missing-values ${quoteWord([...words.keys()].slice(0, 12).join(","))} --tiers ratings leaves such rows out`;
}

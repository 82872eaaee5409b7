/**
 * Makes rows of a dataset from tables that came as columns: decides kinds over all tables (or takes those of a model), and adds the rows of each table
 * to the builder.
 */
import { type Builder, UNASSIGNED } from "../../data/builder.ts";
import { LAST } from "../../data/label-words.ts";
import { dateColumn, decide } from "../../data/table/decide.ts";
import { timeColumn } from "../../data/table/decide-times.ts";
import { featureNames } from "../../data/table/encode.ts";
import { hasCommas, remembered, type Writings, withPlainNumbers, writingNotice, writingsOf } from "../../data/table/marks.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { rowsIn, segmentsOf, textsOf, withoutNumbers } from "../../data/table/texts.ts";
import { InputError, quote } from "../../input-error.ts";
import { suggest } from "../../part.ts";
import type { ColumnEncoding } from "../../types.ts";
import { isOneList, joinedKey } from "./columns.ts";
import { oneList, summarizeColumns } from "./csv.ts";
import { missingLabel, missingQid, tooLarge } from "./csv-direct.ts";
import { TOO_LARGE } from "./parse-summary.ts";
import type { Columns, RoledTable } from "./roled-table.ts";
import { encodeFeatures, type Feature } from "./table-features.ts";
import { labelsOf, labelTimes, numbersOf } from "./table-labels.ts";

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
function writtenAs({ name, kind }: ColumnEncoding, writings: Writings): Pick<ColumnEncoding, "decimal" | "unit"> {
  const { writing, evidence, timed } = writings.get(name) ?? {};
  if (kind === "time") return timed === "," ? { decimal: timed } : {};
  return (kind === "number" || kind === "category") && writing && evidence ? remembered(evidence, writing) : {};
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
  const labels = labelTimes(tables);
  const label = labels && { label: labels.encoding };
  const ofLabels = labels?.notice && first.context.labels === "required" ? [labels.notice] : [];
  const names = featureColumns(first);
  if (scorer?.encoding) {
    const notices = [...ofLabels, ...written([...others, ...scorer.encoding.map(({ name }) => name)])];
    return { encoding: scorer.encoding, ...label, decisions: [], notices };
  }
  for (const other of tables.slice(1)) sameColumns(names, other);
  const byName = (text: string) => ({ text, name: text });
  for (const [
    option,
    given,
    named,
  ] of [["--date-columns", options.dateColumns, dateColumn], ["--time-columns", options.timeColumns, timeColumn], ["--categories", options.categories, byName]] as const) // biome-ignore format: options
    for (const text of given ?? []) {
      const name = first.table.columns.includes(text) ? text : named(text).name;
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
    if (own.encoding.kind !== "category" && own.encoding.kind !== "set") return own;
    return decide(name, segments, { ...options, categories: [...(options.categories ?? []), name] });
  });
  const encoding = decisions.map(({ encoding: one }) => ({ ...one, ...writtenAs(one, writings) }));
  const notices = decisions.flatMap(({ encoding: { name, kind }, notice }) => {
    const { advice } = writings.get(name) ?? {};
    const more =
      advice === undefined || kind === "number" || kind === "time" || options.categories?.includes(name) ? "" : `; ${advice}`;
    return [...(kind === "number" ? written([name]) : []), ...(notice === undefined ? [] : [`${notice}${more}`])];
  });
  return { encoding, ...label, decisions, notices: [...ofLabels, ...written(others), ...notices] };
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
  const label = roles.label < 0 ? undefined : labelsOf(roled, rows, columns.label);
  const weight = roles.weight < 0 ? undefined : numbersOf(roled, roles.weight, rows, context.missingValues);
  const lists = roles.keys.map((key) => textsOf(table, key));
  const ids = roles.id < 0 ? undefined : textsOf(table, roles.id);
  const where = table.where ?? ((row: number) => `${table.name}, row ${row + 1}`);
  const fail = (row: number, text: string): never => {
    throw new InputError(`${where(row)}: ${text}`);
  };
  const gradeOf = (row: number) => {
    const grade = label ? label.values[row]! : Number.NaN;
    if (Number.isNaN(grade) && context.missingLabels !== "leave-out") {
      if (context.labels !== "optional") fail(row, missingLabel(table.columns[roles.label]!));
      summary.unlabelled++;
      return 0;
    }
    if (!(Math.abs(grade) < TOO_LARGE) && !Number.isNaN(grade)) fail(row, tooLarge(table.columns[roles.label]!, String(grade)));
    return grade;
  };
  const isOne = !context.grouped && isOneList(roles, context);
  if (isOne) oneList(summary);
  let [last, list]: [string | undefined, number] = [undefined, isOne ? builder.list("1") : UNASSIGNED];
  for (let row = 0; row < rows; row++) {
    for (const feature of features) addCells(builder, feature, row, fail);
    const word = label?.words?.[row];
    const isLeftOut = word !== undefined && word !== LAST && context.labels !== "optional";
    const grade = word === LAST || isLeftOut ? word : gradeOf(row);
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

function addCells(builder: Builder, feature: Feature, row: number, fail: (row: number, text: string) => never): void {
  const { encoding, values, first, width } = feature;
  const value = values[row]!;
  if (encoding.kind === "set") {
    if (value >= 0) for (let c = 0; c < width; c++) builder.cells.add(first + c, feature.sets![value]!.has(c) ? 1 : 0);
  } else if (encoding.kind === "category") for (let c = 0; c < width; c++) builder.cells.add(first + c, c === value ? 1 : 0);
  else if (!Number.isNaN(value)) {
    if (!(value < TOO_LARGE && value > -TOO_LARGE)) fail(row, tooLarge(encoding.name, String(value)));
    builder.cells.add(first, value);
  }
}

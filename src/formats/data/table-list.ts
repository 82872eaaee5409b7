/** The tables of a dataset that came as columns: joins side tables, and makes their rows when all are there. */
import { counted } from "../../counted.ts";
import type { Builder } from "../../data/builder.ts";
import { TIER_LETTERS } from "../../data/label-order.ts";
import { isMissingWord } from "../../data/table/cell-text.ts";
import { categoryTexts } from "../../data/table/encode.ts";
import { join, wholeKey } from "../../data/table/join.ts";
import { profileOf } from "../../data/table/profile.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { segmentsOf, textAt, textsOf, withoutNumbers } from "../../data/table/texts.ts";
import { InputError, quote } from "../../input-error.ts";
import type { ColumnEncoding } from "../../types.ts";
import { hasColumn } from "./columns.ts";
import type { SideFiles } from "./dataset-reader.ts";
import type { RowContext } from "./format.ts";
import { withNestedTexts } from "./nested-texts.ts";
import { emptySummary, type ParseSummary } from "./parse-summary.ts";
import { type Columns, type RoledTable, withRoles } from "./roled-table.ts";
import type { RowFile } from "./row-reader.ts";
import { wordsBeside } from "./table-labels.ts";
import { addRows, decideColumns, plainTables } from "./table-rows.ts";

/** What a column of a table is. */
export interface ColumnSummary {
  /** Name of the column. */
  readonly column: string;
  /** What it is for. */
  readonly role: "label" | "list" | "item" | "weight" | "feature" | "left out";
  /** What its values are. */
  readonly kind: "number" | "boolean" | "date" | "time" | "category" | "set" | "text";
  /** Number of different values; of arrays, of different elements. */
  readonly distinct: number;
  /** Number of rows without a value. */
  readonly missing: number;
  /** Some value, as text. */
  readonly example: string;
  /** Of labels that are words, the words in their order, the best first: the last is the label 0. */
  readonly order?: readonly string[];
}

/** What was made of the tables. */
export interface BuiltTables {
  readonly encoding: readonly ColumnEncoding[];
  /** What labels are, where they are times. */
  readonly label?: ColumnEncoding | undefined;
  readonly notices: readonly string[];
  /** What each column is. It looks at all values, so it takes a while. */
  readonly describe: () => readonly ColumnSummary[];
}

interface Waiting {
  readonly roled: RoledTable;
  readonly sides: SideFiles;
}

export class TableList {
  private readonly waiting: Waiting[] = [];
  private readonly sides = new Map<"items" | "lists", SourceTable>();
  /** The side table that a column came from. */
  private readonly joinedColumns = new Map<string, SourceTable>();

  get count(): number {
    return this.waiting.length;
  }

  addSide(role: "items" | "lists", table: SourceTable): void {
    this.sides.set(role, table);
  }

  add(table: SourceTable, context: RowContext, sides: SideFiles): void {
    const summary = emptySummary("");
    const flat = withNestedTexts(table, context);
    summary.notices.push(...(flat.notices ?? []));
    const joined = withoutNumbers(this.joined(flat, context, summary), context.missingValues ?? []);
    this.waiting.push({ roled: withRoles(joined, context, summary), sides });
  }

  /** Adds the rows of all tables to the builder; `close` is called after each. Undefined where there are no tables. */
  build(builder: Builder, close: (file: RowFile, summary: ParseSummary) => void): BuiltTables | undefined {
    if (this.waiting.length === 0) return undefined;
    const { tables, writings } = plainTables(this.waiting.map(({ roled }) => roled));
    const columns = decideColumns(tables, writings, this.joinedColumns);
    for (const [at, roled] of tables.entries()) {
      const { sides } = this.waiting[at]!;
      builder.beginSection(roled.context.joinLists);
      const file = { name: roled.table.name, sides, named: true, row: builder.rows, list: builder.lists };
      addRows(builder, roled, columns);
      close(file, roled.summary);
    }
    const notices = columns.notices;
    return { encoding: columns.encoding, label: columns.label, notices, describe: () => summariesOf(tables, columns) };
  }

  /** The table with the columns of side tables. */
  private joined(table: SourceTable, context: RowContext, summary: ParseSummary): SourceTable {
    let found = table;
    const { ignore = [] } = context;
    const own = { ...context, ignore: ignore.filter((name) => hasColumn(table.columns, name)) };
    for (const [role, given] of this.sides) {
      const all = withNestedTexts(given, context);
      if (all !== given) summary.notices.push(...(all.notices ?? []));
      this.sides.set(role, all);
      const { roles } = withRoles(table, own, emptySummary(""));
      const isDouble = (name: string) => ignore.includes(name) && found.columns.includes(name);
      const side = { ...all, columns: all.columns.map((name) => (isDouble(name) ? "" : name)) };
      const key = role === "items" ? roles.id : roles.qid;
      const noun = role === "items" ? "item" : "list";
      if (role === "lists" && roles.keys.length > 1)
        throw new InputError(`${table.name}: --lists finds rows by one column, and --list names ${roles.keys.length}; name one`);
      if (key < 0)
        throw new InputError(`${table.name}: --${role} needs the column of the ${noun}; choose it with --${noun} NAME`);
      const sideKey = keyColumn(side.columns, table.columns[key]!);
      const { table: wider, added, matches, asNumber, lacking } = join(found, key, side, sideKey);
      found = wider;
      const [first] = lacking;
      if (!matches && first !== undefined) throw new InputError(noMatch(noun, table, key, side, sideKey, first));
      for (const name of added) this.joinedColumns.set(name, side);
      if (asNumber)
        summary.notices.push(
          `${noun}s are found in ${side.name} as numbers: ${quote(asNumber[0])} is taken as ${quote(asNumber[1])} there`,
        );
      if (first !== undefined)
        summary.notices.push(
          `${counted(lacking.size, noun)} not in ${side.name}, such as ${quote(first)}: their features are missing`,
        );
    }
    return found;
  }
}

/** Why a side table is of no use: none of its keys is in the data. */
function noMatch(noun: string, table: SourceTable, key: number, side: SourceTable, sideKey: number, example: string): string {
  const wanted = new Set(
    textsOf(table, key)
      .filter((text) => text !== "")
      .map(wholeKey),
  );
  const better = side.columns.findIndex((name, c) => name !== "" && c !== sideKey && textsOf(side, c).some((text) => wanted.has(wholeKey(text)))); // biome-ignore format: one condition
  const name = quote(table.columns[key]!);
  const way =
    better < 0
      ? "check that both hold the same names"
      : `its column ${quote(side.columns[better]!)} does; call it ${name}, or put it first`;
  const other = textsOf(side, sideKey).find((text) => text !== "");
  return `${side.name}: no ${noun} of ${table.name} is in it: the column ${name} there has values such as ${quote(example)}, and ${quote(side.columns[sideKey]!)}, by which rows are found here, such as ${quote(other ?? "")}; ${way}`;
}

/** The column by which rows of a side table are found: that of the same name as in the data, or the first. */
export const keyColumn = (columns: readonly string[], name: string): number => Math.max(0, columns.indexOf(name));

function summariesOf(tables: readonly RoledTable[], { encoding, label }: Columns): ColumnSummary[] {
  const [first] = tables as readonly [RoledTable];
  const { table, roles, context } = first;
  const decided = new Map([...encoding, ...(label ? [label] : [])].map((one) => [one.name, one]));
  return table.columns.map((column, at) => {
    const segments = tables.flatMap((one) => {
      const place = one.table.columns.indexOf(column);
      return place < 0 ? [] : segmentsOf(one.table, place);
    });
    const words = at === roles.label ? wordsBeside(context) : context.missingValues;
    const profile = profileOf(segments, words);
    const kind = decided.get(column)?.kind;
    const role = at === roles.label ? "label" : roles.keys.includes(at) ? "list" : at === roles.id ? "item" : at === roles.weight ? "weight" : kind === undefined || kind === "none" ? "left out" : "feature"; // biome-ignore format: a table
    const values = kind === undefined || kind === "none" ? (profile.words.size > 0 ? "text" : profile.booleans > 0 ? "boolean" : profile.dates > 0 ? "date" : profile.times > 0 ? "time" : "number") : kind; // biome-ignore format: a table
    return {
      ...{ column: column === "" ? `(column ${at + 1})` : column, role, kind: values },
      distinct:
        role === "list" || role === "item"
          ? distinctNames(tables, column)
          : kind === "set"
            ? decided.get(column)!.categories!.length
            : categoryTexts(segments, context.missingValues ?? []).size,
      missing: profile.missing,
      example: exampleOf(table, at, context.missingValues),
      ...(role === "label" && orderOfLabels(first)),
    };
  });
}

/** The order of labels that are words. */
function orderOfLabels({ context, summary }: RoledTable): Pick<ColumnSummary, "order"> {
  const { labelOrder = [], labelLast = [] } = context;
  if (!summary.labelWords || labelLast.length > 0) return {};
  return { order: labelOrder.length > 0 ? labelOrder : TIER_LETTERS };
}

/** How many different texts a column has: of names, digits beyond those of a number count too. */
function distinctNames(tables: readonly RoledTable[], column: string): number {
  const found = new Set<string>();
  for (const { table } of tables) {
    const at = table.columns.indexOf(column);
    if (at >= 0)
      for (const { rows, columns } of table.batches) for (let row = 0; row < rows; row++) found.add(textAt(columns[at]!, row));
  }
  found.delete("");
  return found.size;
}

/** The first value of a column that is not missing. */
function exampleOf(table: SourceTable, column: number, missingWords: readonly string[] = []): string {
  for (const { rows, columns } of table.batches)
    for (let row = 0; row < rows; row++) {
      const text = textAt(columns[column]!, row);
      if (!isMissingWord(text, missingWords)) return text;
    }
  return "";
}

/**
 * Columns of text whose cells are all JSON objects, as jsonb is in CSV, or arrays of numbers: their members become columns such as `item.price` and
 * `vector.0`, as those of JSON Lines do. Arrays of texts stay cells (`sets.ts`). What has too many different members stays text, and is left out as such.
 */
import { counted } from "../../counted.ts";
import { arrayOf, type Element } from "../../data/table/array-text.ts";
import { isMissingWord } from "../../data/table/cell-text.ts";
import { dateColumn } from "../../data/table/decide.ts";
import { timeColumn } from "../../data/table/decide-times.ts";
import { MISSING_TEXT, type SourceTable, type TableColumn } from "../../data/table/source-table.ts";
import { textsOf } from "../../data/table/texts.ts";
import { InputError, quote } from "../../input-error.ts";
import { NestedColumns } from "./columnar/nested-columns.ts";
import { parsedRecord } from "./columnar/parse-record.ts";
import { columnByDefault, DEFAULT_NAMES, keyNames, type Scorer } from "./columns.ts";
import type { RowContext } from "./format.ts";

const MOST = 1000; // different members of a column
const DEEPEST = 32; // levels of objects

type Nested = Pick<SourceTable, "columns" | "batches" | "notices">;

/** The table with columns of such texts taken apart, but for those that options or usual names give another part. */
export function withNestedTexts(table: SourceTable, context: RowContext): SourceTable {
  const named = namedColumns(table.columns, context);
  const found = new Map<number, Nested>();
  const notices: string[] = [];
  table.columns.forEach((name, column) => {
    if (name === "" || named.has(name) || !mayHaveMembers(name, context.scorer)) return;
    const nested = nestedColumn(table, column, context.missingValues ?? []);
    if (typeof nested === "string") notices.push(nested);
    else if (nested && !nested.columns.some((one) => table.columns.includes(one))) found.set(column, nested);
  });
  if (found.size + notices.length === 0) return table;
  return {
    ...table,
    columns: table.columns.flatMap((name, column) => found.get(column)?.columns ?? [name]),
    batches: table.batches.map(({ rows, columns }, batch) => ({
      rows,
      columns: columns.flatMap((one, column) => found.get(column)?.batches[batch]?.columns ?? [one]),
    })),
    notices: [...(table.notices ?? []), ...[...found.values()].flatMap((one) => one.notices ?? []), ...notices],
  };
}

/** Whether a model knows members of a column rather than the column. */
const mayHaveMembers = (column: string, scorer: Scorer | undefined): boolean =>
  !scorer?.encoding ||
  (scorer.encoding.some(({ name }) => name.startsWith(`${column}.`)) && !scorer.encoding.some(({ name }) => name === column));

/** Whether a model needs columns that may be members of others, of which a reader of numbers knows nothing. */
export const needsMembers = (columns: readonly string[], scorer: Scorer | undefined): boolean =>
  scorer?.encoding?.some(({ name }) => !columns.includes(name) && isMemberOf(columns, name)) ?? false;

/** Whether a name may be that of a member of a column. */
export const isMemberOf = (columns: readonly string[], name: string): boolean =>
  columns.some((column) => column !== "" && name.startsWith(`${column}.`));

function namedColumns(columns: readonly string[], context: RowContext): ReadonlySet<string> {
  const { label, qid = "", weight, id, ignore = [], categories = [], dateColumns = [], timeColumns = [] } = context;
  const byDefault = (role: keyof typeof DEFAULT_NAMES) => columns[columnByDefault(columns, DEFAULT_NAMES[role])] ?? "";
  const lower = new Set(
    [
      ...[
        label || byDefault("label"),
        ...(qid === "" ? [byDefault("qid")] : keyNames(qid, columns)),
        weight ?? "",
        id || byDefault("id"),
      ],
      ...[...ignore, ...categories, ...dateColumns, ...timeColumns],
      ...[...dateColumns.map((text) => dateColumn(text).name), ...timeColumns.map((text) => timeColumn(text).name)],
    ].map((name) => name.toLowerCase()),
  );
  return new Set(columns.filter((name) => lower.has(name.toLowerCase())));
}

/** The columns that the cells of a column become, or a line about what keeps objects from becoming columns; undefined for other texts. */
function nestedColumn(table: SourceTable, column: number, missingValues: readonly string[]): Nested | string | undefined {
  const parts = table.batches.map(({ columns }) => columns[column]!);
  const name = table.columns[column]!;
  if (!parts.some(hasBraces)) return undefined;
  const read = readerOf(parts, missingValues);
  if (!read) return oddCell(table, column, missingValues);
  const collect = (sets: ReadonlySet<string>): NestedColumns => {
    const nested = new NestedColumns({ file: table.name, cells: Infinity, sets, batched: true });
    for (const [batch, part] of parts.entries()) {
      for (let row = 0; row < table.batches[batch]!.rows && nested.size <= MOST; row++) {
        const value =
          part.kind === "text" && part.codes[row] !== MISSING_TEXT ? read(part.dictionary[part.codes[row]!]!) : undefined;
        nested.add(value === undefined ? {} : { [name]: value }, table.name);
      }
      nested.endBatch();
    }
    return nested;
  };
  let nested = collect(new Set());
  if (nested.isLate) nested = collect(nested.sets);
  if (nested.size > MOST) return `column ${quote(name)}: its cells are objects with more than ${MOST} different members, which become no columns`; // biome-ignore format: one line
  const found = nested.finish();
  if (found.columns.length === 0 || found.columns.includes(name)) return undefined;
  const shown = found.columns.slice(0, 3).map((one) => quote(one)).join(", "); // biome-ignore format: one chain
  const more = found.columns.length > 3 ? ` and ${found.columns.length - 3} more` : "";
  return { ...found, notices: [`column ${quote(name)}: its members are columns (${shown}${more})`, ...found.notices] };
}

/** A line about a cell that is none, in a column where half of the cells are JSON objects. */
function oddCell(table: SourceTable, column: number, missingValues: readonly string[]): string | undefined {
  const texts = textsOf(table, column);
  const cells = texts.filter((text) => !isMissingWord(text, missingValues));
  const isOther = (text: string) => !isMissingWord(text, missingValues) && objectOf(text) === undefined;
  const others = cells.filter(isOther).length;
  const filled = cells.filter((text) => Object.keys(objectOf(text) ?? {}).length > 0).length; // {} is an empty array of PostgreSQL
  if (filled * 2 < cells.length) return undefined;
  const row = texts.findIndex(isOther);
  const where = table.where?.(row) ?? `${table.name}, row ${row + 1}`;
  return `column ${quote(table.columns[column]!)}: members of JSON objects become columns where all cells are objects, and ${counted(others, "cell")} ${others === 1 ? "is" : "are"} not, the first at ${where} (${quote(texts[row]!, 40)})`;
}

const hasBraces = (column: TableColumn): boolean =>
  column.kind === "text" && column.dictionary.some((text) => /^\s*[{[]/.test(text));

/** Reads a cell, if all cells of a column are objects, or all are arrays of numbers of which some has two; undefined for others. Missing cells have no value. */
function readerOf(parts: readonly TableColumn[], missingValues: readonly string[]): ((text: string) => unknown) | undefined {
  const isMissing = (text: string) => isMissingWord(text.trim(), missingValues);
  const all = (fits: (text: string) => boolean) =>
    parts.every((part) =>
      part.kind === "text"
        ? usedTexts(part).every((text) => isMissing(text) || fits(text.trim()))
        : part.kind === "number" && part.values.every((value) => Number.isNaN(value)),
    );
  const unlessMissing = (read: (text: string) => unknown) => (text: string) => (isMissing(text) ? undefined : read(text.trim()));
  if (all((text) => objectOf(text) !== undefined)) return unlessMissing(objectOf);
  let longest = 0;
  const fits = (text: string) => {
    const numbers = numbersOf(text);
    longest = Math.max(longest, numbers?.length ?? 0);
    return numbers !== undefined;
  };
  return all(fits) && longest > 1 ? unlessMissing(numbersOf) : undefined;
}

function usedTexts({ codes, dictionary }: TableColumn & { readonly kind: "text" }): string[] {
  const used = new Set(codes);
  return dictionary.filter((_, code) => used.has(code));
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value = parsedRecord("", text);
    return isDeeper(value, DEEPEST) ? undefined : value;
  } catch (error) {
    if (error instanceof InputError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a value has more levels of objects and arrays than `most`. */
const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === "object" && value !== null && (most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1)));

function numbersOf(text: string): readonly Element[] | undefined {
  const array = arrayOf(text);
  return array?.every((value) => typeof value === "number" || value === null) ? array : undefined;
}

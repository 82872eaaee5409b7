/**
 * JSON Lines: an object per line, https://jsonlines.org, or one array of objects. Members of objects within become columns such as `item.price`,
 * those of arrays `vector.0`. A member that a line lacks is missing. Whole numbers that a double cannot hold stay texts, so ids keep their digits.
 */
import type { SourceTable, TableBatch, TableColumn } from "../../../data/table/source-table.ts";
import { InputError, quote } from "../../../input-error.ts";
import { isSplit, orientedRows } from "./json-orients.ts";
import { firstElement, isArray, type JsonRecord, recordsOf } from "./json-records.ts";
import { parsedRecord } from "./parse-record.ts";
import { tableFormat } from "./table-format.ts";
import { type CellValue, columnOf, missingColumn } from "./value-column.ts";

export const jsonLines = tableFormat({
  id: "jsonl",
  about: "JSON Lines: an object per line, or an array of objects; nested members as columns such as item.price",
  extensions: [".jsonl", ".ndjson", ".jsonlines"],
  sniff: (line, text) => (/^\s*\[\s*\{/.test(text) ? isRowOfArray(text) : isRow(line)),
  sharesExtensionsOf: ["tiers"],
  table: readJsonLines,
});

/** The same of the first record of an array. */
function isRowOfArray(text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  return isRow(firstElement(bytes) ?? text.slice(text.indexOf("{")));
}

/** Whether a line is an object with a member that is no list; those of tier lists are lists alone, or have "tiers". */
function isRow(line: string): boolean {
  if (!/^\s*\{\s*"/.test(line)) return false;
  try {
    const row = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return isSplit(row) || (!Object.hasOwn(row, "tiers") && Object.values(row).some((value) => !Array.isArray(value)));
  } catch {
    return /^\s*\{\s*"columns"\s*:\s*\[\s*"|^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*["\d{tfn-]/.test(line); // a line that is longer than what is looked at
  }
}

const ROWS = 16_384; // of a batch
const CELLS = 1 << 22; // of a batch
const SPARSEST = 32; // cells of the whole table for each byte: lines that share less would take far more memory than the file
const MOST = 1 << 20; // columns of a table
const DEEPEST = 64; // levels of nesting

/** The table of the bytes of a file. */
export function readJsonLines(file: string, bytes: Uint8Array): SourceTable {
  const names = new Map<string, number>();
  const batches: { readonly rows: number; readonly columns: ReadonlyMap<number, TableColumn> }[] = [];
  const lineOf: number[] = [];
  let cells = new Map<number, CellValue[]>(); // by column, of the batch at hand
  let rows = 0;
  const notices: string[] = [];
  let [total, held] = [0, 0]; // rows, and cells of all batches

  const checkSize = (count: number, where: string) => {
    if (count > SPARSEST * bytes.length + (1 << 20))
      throw new InputError(
        `${where}: the lines have ${names.size} different members, of which most are missing in each; write such data as SVMlight`,
      );
  };
  const finish = () => {
    const columns = new Map<number, TableColumn>();
    for (const [c, values] of cells) {
      while (values.length < rows) values.push(undefined);
      columns.set(c, columnOf(values));
    }
    batches.push({ rows, columns });
    total += rows;
    held += rows * columns.size;
    checkSize(Math.max(held, total * names.size), file);
    cells = new Map();
    rows = 0;
  };

  for (const { row: members, line, where } of rowsOf(file, bytes, notices)) {
    const row = rows++;
    lineOf.push(line);
    flatten(members, "", 0, where, (name, value) => {
      let column = names.get(name);
      if (column === undefined) {
        if (names.size >= MOST) throw new InputError(`${where}: the table has more than ${MOST} columns`);
        names.set(name, (column = names.size));
      }
      const values = cells.get(column) ?? [];
      if (values.length === 0) cells.set(column, values);
      if (values.length > row) throw new InputError(`${where}: the member ${quote(name)} occurs twice`);
      while (values.length < row) values.push(undefined);
      values.push(value);
    });
    if (rows === ROWS || rows * cells.size > CELLS) finish();
  }
  if (rows > 0) finish();
  const whole = ({ rows: count, columns }: (typeof batches)[number]): TableBatch => {
    const none = missingColumn(count); // one for all that are missing
    return { rows: count, columns: Array.from({ length: names.size }, (_, c) => columns.get(c) ?? none) };
  };
  return {
    name: file,
    columns: [...names.keys()],
    batches: batches.map(whole),
    where: (row) =>
      `${file}:${lineOf[row] ?? row + 1}${isArray(bytes) ? `, record ${row + 1}` : notices.length > 0 ? `, row ${row + 1}` : ""}`,
    notices,
  };
}

/** The rows of a file as objects, each with the line on which it begins; `where` begins a message about it. */
interface JsonRow extends Omit<JsonRecord, "text"> {
  readonly row: Readonly<Record<string, unknown>>;
}

/** All rows: a record each, or those of one object that is a whole table, about which a line is added to `notices`. */
function* rowsOf(file: string, bytes: Uint8Array, notices: string[]): Generator<JsonRow> {
  const records = recordsOf(file, bytes);
  const parsed = ({ text, line, where }: JsonRecord): JsonRow => ({ row: parsedRecord(where, text), line, where });
  const first = records.next();
  if (first.done) return;
  const row = parsed(first.value);
  const second = records.next();
  const table = second.done && !isArray(bytes) ? orientedRows(file, row.row) : undefined;
  if (table) {
    notices.push(table.notice);
    const { line } = row;
    yield* table.rows.map((one, at) => ({ row: one, line, where: `${file}:${line}, row ${at + 1}` }));
    return;
  }
  yield row;
  if (!second.done) yield parsed(second.value);
  for (const record of records) yield parsed(record);
}

/** Calls with every member that is a value. An empty object or array has none. */
function flatten(
  value: unknown,
  name: string,
  depth: number,
  where: string,
  add: (name: string, value: CellValue) => void,
): void {
  if (typeof value !== "object" || value === null) {
    add(name, value as CellValue);
    return;
  }
  if (depth >= DEEPEST) throw new InputError(`${where}: the object has more than ${DEEPEST} levels`);
  for (const [key, inner] of Object.entries(value)) flatten(inner, depth === 0 ? key : `${name}.${key}`, depth + 1, where, add);
}

/**
 * JSON Lines: an object per line, https://jsonlines.org, or one array of objects. Members of objects within become columns such as `item.price`,
 * those of arrays `vector.0`. A member that a line lacks is missing. Whole numbers that a double cannot hold stay texts, so ids keep their digits.
 */
import type { SourceTable, TableBatch, TableColumn } from "../../../data/table/source-table.ts";
import { describeValue, InputError, quote } from "../../../input-error.ts";
import { withExactIntegers } from "../../exact-integers.ts";
import { firstElement, isArray, recordsOf } from "./json-records.ts";
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
    const row = JSON.parse(line) as object;
    return !Object.hasOwn(row, "tiers") && Object.values(row).some((value) => !Array.isArray(value));
  } catch {
    return /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*["\d{tfn-]/.test(line); // a line that is longer than what is looked at
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
  const array = isArray(bytes);
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

  for (const { text, line, where } of recordsOf(file, bytes)) {
    const row = rows++;
    lineOf.push(line);
    flatten(parsed(where, text), "", 0, where, (name, value) => {
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
  if (total === 1) refuseColumns(file, [...names.keys()]);
  const whole = ({ rows: count, columns }: (typeof batches)[number]): TableBatch => {
    const none = missingColumn(count); // one for all that are missing
    return { rows: count, columns: Array.from({ length: names.size }, (_, c) => columns.get(c) ?? none) };
  };
  return {
    name: file,
    columns: [...names.keys()],
    batches: batches.map(whole),
    where: (row) => `${file}:${lineOf[row] ?? row + 1}${array ? `, record ${row + 1}` : ""}`,
  };
}

const BY_COLUMN = /^(.*)\.\d+$/;

/** Refuses one object of columns, which have the rows as members "0", "1" and so on: what `to_json` of pandas writes by default. */
function refuseColumns(file: string, names: readonly string[]): void {
  const columns = new Map<string, number>();
  for (const name of names) {
    const [, column] = BY_COLUMN.exec(name) ?? [];
    if (column === undefined) return;
    columns.set(column, (columns.get(column) ?? 0) + 1);
  }
  if (columns.size < 2 || new Set(columns.values()).size > 1) return;
  throw new InputError(
    `${file}: expected an object for each row, got one with the columns ${[...columns.keys()].slice(0, 3).map((name) => quote(name)).join(", ")}, as pandas writes it by default; write records: to_json(FILE, orient="records", lines=True)`, // biome-ignore format: one line
  );
}

function parsed(where: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(withExactIntegers(text));
  } catch (error) {
    const wayOut = /^\s*\{?\s*$/.test(text) ? "; write each object on a line of its own (jq -c . FILE), or all as one array" : "";
    throw new InputError(`${where}: expected an object as JSON (${String((error as Error).message).slice(0, 100)})${wayOut}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InputError(
      `${where}: expected an object, such as {"qid": "q1", "label": 2, "price": 9}, got ${describeValue(value)}`,
    );
  return value as Readonly<Record<string, unknown>>;
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

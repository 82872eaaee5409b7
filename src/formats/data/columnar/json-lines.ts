/**
 * JSON Lines: an object per line, https://jsonlines.org, or one array of objects, whose members become columns (`nested-columns.ts`). Whole numbers
 * that a double cannot hold stay texts, so ids keep their digits.
 */
import type { SourceTable } from "../../../data/table/source-table.ts";
import { isSplit, orientedRows } from "./json-orients.ts";
import { firstElement, isArray, type JsonRecord, recordsOf } from "./json-records.ts";
import { NestedColumns } from "./nested-columns.ts";
import { parsedRecord } from "./parse-record.ts";
import { tableFormat } from "./table-format.ts";

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

const SPARSEST = 32; // cells of the whole table for each byte: lines that share less would take far more memory than the file

/** The table of the bytes of a file. */
export function readJsonLines(file: string, bytes: Uint8Array, sets: ReadonlySet<string> = new Set()): SourceTable {
  const nested = new NestedColumns({ file, sets, cells: SPARSEST * bytes.length + (1 << 20) });
  const lineOf: number[] = [];
  const notices: string[] = [];
  for (const { row, line, where } of rowsOf(file, bytes, notices)) {
    lineOf.push(line);
    nested.add(row, where);
  }
  if (nested.isLate) return readJsonLines(file, bytes, nested.sets);
  const unit = isArray(bytes) ? "record" : notices.length > 0 ? "row" : undefined;
  const { columns, batches, notices: more } = nested.finish();
  return {
    ...{ name: file, columns, batches, notices: [...notices, ...more] },
    where: (row) => `${file}:${lineOf[row] ?? row + 1}${unit === undefined ? "" : `, ${unit} ${row + 1}`}`,
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

/**
 * Adds the columns of another table to the rows of a table, found by a key, as features of items are to ratings of them. Keys are equal as text, or
 * else as whole numbers: pandas writes 101 as 101.0 where a column has missing cells. "01" and "1" are different keys.
 */
import { InputError, quote } from "../../input-error.ts";
import { MISSING_BOOLEAN, MISSING_TEXT, type SourceTable, type TableColumn } from "./source-table.ts";
import { rowsIn, segmentsOf, textAt, textsOf } from "./texts.ts";

/** A table with further columns, and how many of its rows have none in the other table. */
export interface JoinedTable {
  readonly table: SourceTable;
  /** Names of the columns that were added. */
  readonly added: readonly string[];
  /** Whether any key was found. */
  readonly matches: boolean;
  /** A key that was found only as a number, and how the other table writes it. */
  readonly asNumber?: readonly [string, string];
  /** Keys that the other table lacks. */
  readonly lacking: ReadonlySet<string>;
}

/** A whole number without its decimals: "101" of "101.0". */
export const wholeKey = (text: string): string => text.replace(/^(-?(?:0|[1-9]\d*))\.0+$/, "$1");

/** The rows of `table` with the columns of `side`: `key` and `sideKey` are the columns that must be equal, as text. */
export function join(table: SourceTable, key: number, side: SourceTable, sideKey: number): JoinedTable {
  const places = new Map<string, number>();
  const where = side.where ?? ((row: number) => `${side.name}, row ${row + 1}`);
  const keys = textsOf(side, sideKey);
  keys.forEach((text, row) => {
    if (text === "") throw new InputError(`${where(row)}: column ${quote(side.columns[sideKey]!)}: the name is missing`);
    if (places.has(text)) throw new InputError(`${where(row)}: ${quote(text)} is there twice`);
    places.set(text, row);
  });
  const byNumber = new Map<string, number>(); // -1 for a number of several keys
  for (const [text, row] of places) byNumber.set(wholeKey(text), byNumber.has(wholeKey(text)) ? -1 : row);
  const added = side.columns.flatMap((name, column) => (column === sideKey || name === "" ? [] : [column]));
  const double = added.find((column) => table.columns.includes(side.columns[column]!));
  if (double !== undefined)
    throw new InputError(
      `${side.name}: the column ${quote(side.columns[double]!)} is in ${table.name} too; rename one of the two, or drop it from one`,
    );
  const whole = added.map((column) => merged(side, column));
  const lacking = new Set<string>();
  let matches = false;
  let asNumber: JoinedTable["asNumber"];
  const batches = table.batches.map(({ rows, columns }) => {
    const from = Int32Array.from({ length: rows }, (_, row) => {
      const text = textAt(columns[key]!, row);
      let place = places.get(text);
      if (place === undefined && text !== "") {
        const same = byNumber.get(wholeKey(text)) ?? -1;
        if (same < 0) lacking.add(text);
        else {
          place = same;
          asNumber ??= [text, keys[same]!];
        }
      }
      if (place !== undefined) matches = true;
      return place ?? -1;
    });
    return { rows, columns: [...columns, ...whole.map((column) => gathered(column, from))] };
  });
  const names = added.map((column) => side.columns[column]!);
  const joined = { ...table, columns: [...table.columns, ...names], batches };
  return { table: joined, added: names, matches, lacking, ...(asNumber && { asNumber }) };
}

/** All rows of a column as one: texts where its batches differ in kind. */
function merged(table: SourceTable, column: number): TableColumn {
  const parts = segmentsOf(table, column).map((segment) => segment.column);
  const rows = rowsIn(table);
  const kind = parts.every((part) => part.kind === parts[0]!.kind) ? (parts[0]?.kind ?? "number") : "text";
  if (kind === "text") {
    const places = new Map<string, number>();
    const codes = Int32Array.from(textsOf(table, column), (text) => {
      if (text === "") return MISSING_TEXT;
      if (!places.has(text)) places.set(text, places.size);
      return places.get(text)!;
    });
    return { kind, codes, dictionary: [...places.keys()] };
  }
  const values = kind === "boolean" ? new Uint8Array(rows) : new Float64Array(rows);
  let at = 0;
  for (const part of parts) {
    if (part.kind === "text") continue;
    values.set(part.values, at);
    at += part.values.length;
  }
  return kind === "boolean" ? { kind, values: values as Uint8Array } : { kind, values: values as Float64Array };
}

/** The rows `from` of a column; -1 is a row without values. */
function gathered(column: TableColumn, from: Int32Array): TableColumn {
  if (column.kind === "text") return { ...column, codes: from.map((row) => (row < 0 ? MISSING_TEXT : column.codes[row]!)) };
  if (column.kind === "boolean")
    return { kind: "boolean", values: Uint8Array.from(from, (row) => (row < 0 ? MISSING_BOOLEAN : column.values[row]!)) };
  return { kind: column.kind, values: Float64Array.from(from, (row) => (row < 0 ? Number.NaN : column.values[row]!)) };
}

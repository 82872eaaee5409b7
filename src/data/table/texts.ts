/** The cells of a column as texts, such as names of lists and items. */

import { numeralOf } from "./cell-text.ts";
import type { Segment } from "./profile.ts";
import { MISSING_BOOLEAN, MISSING_TEXT, type SourceTable, type TableColumn } from "./source-table.ts";
import { timeText } from "./times.ts";

/** Whether a JavaScript Date can hold this number of seconds since 1970; DuckDB and PostgreSQL have "infinity" beyond. */
export const isDate = (seconds: number): boolean => Math.abs(seconds) <= 8.64e12;

/** A point in time as ISO 8601; its seconds where a Date cannot hold them. */
export const dateText = (seconds: number): string => (isDate(seconds) ? new Date(seconds * 1000).toISOString() : String(seconds));

/** The text of a cell; "" where it is missing. */
export function textAt(column: TableColumn, row: number): string {
  if (column.kind === "text") {
    const code = column.codes[row]!;
    return code === MISSING_TEXT ? "" : column.dictionary[code]!.trim();
  }
  const value = column.values[row]!;
  if (column.kind === "boolean") return value === MISSING_BOOLEAN ? "" : String(value === 1);
  if (Number.isNaN(value)) return "";
  return column.kind === "date" ? dateText(value) : column.kind === "time" ? timeText(value) : String(value);
}

/** All cells of a column of a table as texts. */
export function textsOf({ batches }: SourceTable, column: number): string[] {
  return batches.flatMap(({ rows, columns }) => Array.from({ length: rows }, (_, row) => textAt(columns[column]!, row)));
}

/** A column of a table by its batches. */
export function segmentsOf(
  { name, batches, where = (row) => `${name}, row ${row + 1}` }: SourceTable,
  column: number,
): Segment[] {
  let first = 0;
  return batches.map(({ rows, columns }) => {
    const segment = { column: columns[column]!, where, first };
    first += rows;
    return segment;
  });
}

/** The table with missing values in the place of numbers that stand for them, such as -999. */
export function withoutNumbers(table: SourceTable, words: readonly string[]): SourceTable {
  const numbers = words.flatMap((word) => numeralOf(word) ?? []);
  if (numbers.length === 0) return table;
  const replaced = (column: TableColumn): TableColumn =>
    column.kind === "number"
      ? { kind: "number", values: Float64Array.from(column.values, (value) => (numbers.includes(value) ? Number.NaN : value)) }
      : column;
  return { ...table, batches: table.batches.map(({ rows, columns }) => ({ rows, columns: columns.map(replaced) })) };
}

export const rowsIn = ({ batches }: SourceTable): number => batches.reduce((sum, { rows }) => sum + rows, 0);

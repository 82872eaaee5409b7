/** A table as the CSV text of the same values, for what the reader of CSV decides: words among numbers, missing labels, errors. */
import { MISSING_BOOLEAN, MISSING_TEXT, type SourceTable, type TableColumn } from "../../../data/table/source-table.ts";
import { timeText } from "../../../data/table/times.ts";

/** The text of a cell; "" where it is missing. */
export function cellText(column: TableColumn, row: number): string {
  if (column.kind === "text") {
    const code = column.codes[row]!;
    return code === MISSING_TEXT ? "" : column.dictionary[code]!;
  }
  const value = column.values[row]!;
  if (column.kind === "boolean") return value === MISSING_BOOLEAN ? "" : value === 1 ? "true" : "false";
  if (Number.isNaN(value)) return "";
  return column.kind === "date" ? dateText(value) : column.kind === "time" ? timeText(value) : String(value);
}

/** Seconds since 1970 as ISO 8601, without a time where it is midnight. */
function dateText(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  if (!(Math.abs(milliseconds) <= 8.64e15)) return String(seconds); // beyond what a Date can hold
  const text = new Date(milliseconds).toISOString();
  return milliseconds % 86_400_000 === 0 ? text.slice(0, 10) : text;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const encoder = new TextEncoder();
const ROWS = 1024; // of a piece of text

/** The header, always in quotes, with the newline after it. */
export const headerText = (columns: readonly string[]): Uint8Array => encoder.encode(`${columns.map(quoted).join(",")}\n`);

/** The rows in pieces; `begun` is told where each row begins: the number of newlines before it, without the header's. */
export function* rowTexts({ batches }: SourceTable, begun: (line: number) => void): Generator<Uint8Array> {
  let line = 0;
  for (const { rows, columns } of batches)
    for (let from = 0; from < rows; from += ROWS) {
      let text = "";
      for (let row = from; row < Math.min(rows, from + ROWS); row++) {
        begun(line);
        const cells = columns.map((column) => {
          const cell = cellText(column, row);
          return column.kind === "text" && cell !== "" ? quoted(cell) : cell;
        });
        const record = cells.join(",") || '""'; // a blank line would be no row
        text += `${record}\n`;
        for (let at = -1; (at = record.indexOf("\n", at + 1)) >= 0; ) line++;
        line++;
      }
      yield encoder.encode(text);
    }
}

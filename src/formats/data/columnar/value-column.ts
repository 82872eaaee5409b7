/** Columns of tables from values of any kind, such as those of JSON. */
import { MISSING_BOOLEAN, MISSING_TEXT, type TableColumn } from "../../../data/table/source-table.ts";

/** A value of a cell; null and undefined are missing. A point in time is a Date. */
export type CellValue = number | boolean | string | Date | null | undefined;

/** The column of some rows. Values of different kinds become texts, as they would stand in a CSV file. */
export function columnOf(values: readonly CellValue[]): TableColumn {
  const kinds = new Set<string>();
  for (const value of values) if (value !== null && value !== undefined) kinds.add(value instanceof Date ? "date" : typeof value);
  const [kind = "number"] = kinds;
  if (kinds.size > 1 || kind === "string") return textColumn(values.map(textOf));
  if (kind === "boolean")
    return {
      kind: "boolean",
      values: Uint8Array.from(values, (value) => (typeof value === "boolean" ? Number(value) : MISSING_BOOLEAN)),
    };
  if (kind === "date")
    return {
      kind: "date",
      values: Float64Array.from(values, (value) => (value instanceof Date ? value.getTime() / 1000 : Number.NaN)),
    };
  return { kind: "number", values: Float64Array.from(values, (value) => (typeof value === "number" ? value : Number.NaN)) };
}

function textOf(value: CellValue): string | undefined {
  if (value === null || value === undefined) return undefined;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Texts by dictionary; undefined is a missing one. */
export function textColumn(texts: readonly (string | undefined)[]): TableColumn {
  const places = new Map<string, number>();
  const codes = Int32Array.from(texts, (text) => {
    if (text === undefined) return MISSING_TEXT;
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, places.size);
    return places.size - 1;
  });
  return { kind: "text", codes, dictionary: [...places.keys()] };
}

/** Decimal numbers as written in digits; as texts where a double cannot hold one, which may be an id. */
export function decimalColumn(digits: readonly (string | undefined)[]): TableColumn {
  const values = Float64Array.from(digits, (text) => (text === undefined ? Number.NaN : Number(text)));
  if (values.every((value) => !(Math.abs(value) > Number.MAX_SAFE_INTEGER))) return { kind: "number", values };
  return textColumn(digits.map((text) => (text?.includes(".") ? text.replace(/\.?0+$/, "") : text)));
}

/** A column without a value. */
export const missingColumn = (rows: number): TableColumn => ({ kind: "number", values: new Float64Array(rows).fill(Number.NaN) });

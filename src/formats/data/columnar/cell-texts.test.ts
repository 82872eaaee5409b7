import { expect, it } from "vitest";
import { MISSING_BOOLEAN, MISSING_TEXT, type TableColumn } from "../../../data/table/source-table.ts";
import { cellText } from "./table-text.ts";

const texts = (column: TableColumn) => Array.from((column.kind === "text" ? column.codes : column.values) as ArrayLike<number>, (_, row) => cellText(column, row)); // biome-ignore format: one line

it("cells as text: words, truth values, numbers, and dates with a time where there is one", () => {
  expect(texts({ kind: "text", codes: Int32Array.of(1, MISSING_TEXT, 0), dictionary: ["a", "b"] })).toEqual(["b", "", "a"]);
  expect(texts({ kind: "boolean", values: Uint8Array.of(1, 0, MISSING_BOOLEAN) })).toEqual(["true", "false", ""]);
  expect(texts({ kind: "number", values: Float64Array.of(0.5, Number.NaN, -3) })).toEqual(["0.5", "", "-3"]);
  const dates = Float64Array.of(0, 86_400.25, -86_400, Number.NaN, 1e14);
  const written = ["1970-01-01", "1970-01-02T00:00:00.250Z", "1969-12-31", "", "100000000000000"];
  expect(texts({ kind: "date", values: dates })).toEqual(written);
});

it("times of day as hours, minutes and seconds", () => {
  const seconds = Float64Array.of(0, 3599, 3600, 12 * 3600 + 30 * 60, 86_399.5, 61.000000001, Number.NaN);
  const written = ["00:00:00", "00:59:59", "01:00:00", "12:30:00", "23:59:59.5", "00:01:01.000000001", ""];
  expect(texts({ kind: "time", values: seconds })).toEqual(written);
});

import { expect, it } from "vitest";
import { parseData } from "../parse.ts";
import { columnOf, decimalColumn } from "./value-column.ts";

it.each([
  ["numbers", [1, null, 2.5, undefined], { kind: "number", values: Float64Array.of(1, Number.NaN, 2.5, Number.NaN) }],
  ["booleans", [true, null, false], { kind: "boolean", values: Uint8Array.of(1, 255, 0) }],
  ["dates", [new Date(5000), undefined], { kind: "date", values: Float64Array.of(5, Number.NaN) }],
  ["texts", ["b", null, "a", "b"], { kind: "text", codes: Int32Array.of(0, -1, 1, 0), dictionary: ["b", "a"] }],
  [
    "values of several kinds",
    [1, "a", null, undefined, true, new Date(0)],
    {
      kind: "text",
      codes: Int32Array.of(0, 1, -1, -1, 2, 3),
      dictionary: ["1", "a", "true", "1970-01-01T00:00:00.000Z"],
    },
  ],
  ["nothing", [null, undefined], { kind: "number", values: Float64Array.of(Number.NaN, Number.NaN) }],
])("a column of %s", (_, values, wanted) => expect(columnOf(values)).toEqual(wanted));

it.each([{}, { labels: "optional" as const }, { columns: true }])("a table without columns is refused, %o", (options) => {
  expect(() => parseData([{ name: "rows.jsonl", content: "{}\n{}\n" }], options)).toThrow("rows.jsonl: the table has no columns");
});

it("labels that are missing, where they may be, are 0", () => {
  const content = '{"qid":1,"label":2,"x":1}\n{"qid":1,"x":2}\n{"qid":1,"label":1,"x":3}\n{"qid":1,"label":null,"x":4}\n';
  const { data } = parseData([{ name: "rows.jsonl", content }], { labels: "optional" });
  expect([...data.labels]).toEqual([2, 0, 1, 0]);
  expect([...data.features.values]).toEqual([1, 2, 3, 4]);
});

it("decimals that a double cannot hold are texts with all digits, and those of their column without zeros at the end", () => {
  expect(decimalColumn(["7.50", undefined, "-2"])).toEqual({ kind: "number", values: Float64Array.of(7.5, Number.NaN, -2) });
  const long = ["1234567890123456789.00", "7.00", undefined, "-0.50", "100"];
  expect(decimalColumn(long)).toEqual({
    ...{ kind: "text", codes: Int32Array.of(0, 1, -1, 2, 3) },
    dictionary: ["1234567890123456789", "7", "-0.5", "100"],
  });
});

import { expect, it } from "vitest";
import { Builder } from "../../../data/builder.ts";
import { emptySummary } from "../parse-summary.ts";
import { addNumberRows } from "./number-rows.ts";

it("numbers go to the builder without a text, and each missing value is counted once", () => {
  const rows = 130; // more than are turned at once
  const column = (value: (row: number) => number) => ({ kind: "number" as const, values: Float64Array.from({ length: rows }, (_, row) => value(row)) }); // biome-ignore format: one line
  const x = (row: number) => (row % 64 === 0 ? Number.NaN : row);
  const columns = [column((row) => Math.floor(row / 10)), column((row) => row % 2), column(x), column((row) => -row)];
  const table = { name: "t", columns: ["qid", "label", "x", "y"], batches: [{ rows, columns }] };
  const roles = { label: 1, qid: 0, keys: [0], weight: -1, id: -1, features: [2, 3], notices: [] };
  const [builder, summary] = [new Builder({ base: 0 }), emptySummary("")];
  builder.features = ["x", "y"];
  expect(addNumberRows(builder, table, roles, { labels: "required", missingLabels: "error" } as never, summary)).toBe(true);
  expect([summary.rows, summary.missing]).toEqual([130, 3]); // rows 0, 64 and 128
  expect([...builder.finish().features.values]).toEqual(Array.from({ length: rows }, (_, row) => [x(row), 0 - row]).flat());
});

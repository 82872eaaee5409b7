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
  const roles = { label: 1, qid: 0, keys: [0], weight: -1, id: -1, features: [2, 3], unknown: [], notices: [] };
  const [builder, summary] = [new Builder({ base: 0 }), emptySummary("")];
  builder.features = ["x", "y"];
  expect(addNumberRows(builder, table, roles, { labels: "required", missingLabels: "error" } as never, summary)).toBe(true);
  expect([summary.rows, summary.missing]).toEqual([130, 3]); // rows 0, 64 and 128
  expect([...builder.finish().features.values]).toEqual(Array.from({ length: rows }, (_, row) => [x(row), 0 - row]).flat());
});

it.each([1, -1])(
  "numbers beyond 2^24, times %s, are noted where a 32-bit float rounds them, and too large ones are left to the reader that says so",
  (sign) => {
    const add = (numbers: readonly number[]) => {
      const column = (values: readonly number[]) => ({ kind: "number" as const, values: Float64Array.from(values) });
      const columns = [
        column(numbers.map(() => 1)),
        column(numbers.map((_, i) => i % 2)),
        column(numbers.map((one) => sign * one)),
      ];
      const table = { name: "t", columns: ["qid", "label", "x"], batches: [{ rows: numbers.length, columns }] };
      const roles = { label: 1, qid: 0, keys: [0], weight: -1, id: -1, features: [2], unknown: [], notices: [] };
      const builder = new Builder({ base: 0 });
      builder.features = ["x"];
      const added = addNumberRows(
        builder,
        table,
        roles,
        { labels: "required", missingLabels: "error" } as never,
        emptySummary(""),
      );
      return { added, rounded: [...builder.cells.rounded.columns] };
    };
    const [exact, odd] = [2 ** 24, 2 ** 24 + 1];
    expect(add([3, exact, exact + 2, 1e30])).toMatchObject({ added: true, rounded: [[0, { count: 1 }]] }); // 1e30
    expect(add([0.1, odd, 5, odd + 2])).toMatchObject({
      ...{
        added: true,
        rounded: [[0, { count: 2, low: Math.min(sign * odd, sign * (odd + 2)), high: Math.max(sign * odd, sign * (odd + 2)) }]],
      },
    });
    expect(add([1, 3.4e38]).added).toBe(true);
    expect(add([1, 3.5e38]).added).toBe(false);
  },
);

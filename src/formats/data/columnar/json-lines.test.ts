import { expect, it } from "vitest";
import { readJsonLines } from "./json-lines.ts";

const table = (...lines: readonly string[]) => readJsonLines("t.jsonl", new TextEncoder().encode(`${lines.join("\n")}\n`));
const sizes = (...lines: readonly string[]) => table(...lines).batches.map(({ rows }) => rows);

it("rows are turned in batches of 16,384, or of about four million cells", () => {
  const line = '{"q":1,"x":2.5}';
  expect(sizes(line)).toEqual([1]);
  expect(sizes(...new Array(16_384).fill(line))).toEqual([16_384]);
  expect(sizes(...new Array(16_385).fill(line))).toEqual([16_384, 1]);
  // 100,000 columns: 41 rows have 4,100,000 cells, and 42 rows have more than 2^22 = 4,194,304.
  const wide = `{${Array.from({ length: 100_000 }, (_, c) => `"c${c}":1`).join(",")}}`;
  const { batches, columns } = table(wide, ...new Array(59).fill('{"c0":3}'));
  expect(batches.map(({ rows }) => rows)).toEqual([42, 18]);
  expect(columns.length).toBe(100_000);
  for (const batch of batches) expect(batch.columns.length).toBe(100_000);
});

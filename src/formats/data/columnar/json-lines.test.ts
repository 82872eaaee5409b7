import { expect, it } from "vitest";
import { textAt } from "../../../data/table/texts.ts";
import { readJsonLines } from "./json-lines.ts";

const table = (...lines: readonly string[]) => readJsonLines("t.jsonl", new TextEncoder().encode(`${lines.join("\n")}\n`));
const sizes = (...lines: readonly string[]) => table(...lines).batches.map(({ rows }) => rows);

it("ids beyond 2^53 keep all digits in each form of a number, and are one where they are equal", () => {
  const ids = [
    "12345678901234567",
    "12345678901234568",
    "12345678901234567.0",
    "1.2345678901234568e16",
    '"12345678901234567"',
    "7",
  ];
  const { batches } = table(...ids.map((id) => `{"docid":${id},"x":${id.replaceAll('"', "")}}`));
  const [docid, x] = batches[0]!.columns;
  expect(Array.from({ length: 6 }, (_, row) => textAt(docid!, row))).toEqual([
    ...["12345678901234567", "12345678901234568", "12345678901234567", "12345678901234568", "12345678901234567", "7"],
  ]);
  expect(x).toMatchObject({ kind: "text" }); // read as numbers where it is a feature
});

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

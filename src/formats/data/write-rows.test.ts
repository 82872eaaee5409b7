/** Data written as a table are read as the same data, with the columns that they were made of. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { clickData } from "../../click-data.ts";
import { clickLog } from "../../clicks/click-log.ts";
import { align } from "../../data/align.ts";
import { encodingOf } from "../../data/table/encode.ts";
import { columnsOf } from "../../models/shared/columns.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset } from "../../types.ts";
import { readData } from "./read.ts";
import { rowsText } from "./write-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-rows-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The data of a table, with features as those of a model where one is given. */
async function read(text: string, model?: Dataset): Promise<Dataset> {
  const path = join(folder, "t.csv");
  writeFileSync(path, text);
  const encoding = model && encodingOf(columnsOf(model));
  const { data } = await readData([path], { labels: "optional", ...(encoding && { scorer: { encoding } }) });
  return model ? align(data, columnsOf(model)).data : data;
}

const WORDS = ["html", "light green", "a,b", 'say "x"', "semi;colon", "=SUM(A1)", "-5 %", "'quoted'", "7", "x=y"];

/** A table of all kinds of columns, with missing cells. */
function table(seed: number): string {
  const draw = random(seed);
  const pick = <T>(from: readonly T[]) => from[Math.floor(draw() * from.length)]!;
  const maybe = (text: string) => (draw() < 0.15 ? "" : text);
  const two = (most: number) => String(Math.floor(draw() * most)).padStart(2, "0");
  const date = () => `20${pick(["19", "20", "24"])}-0${1 + Math.floor(draw() * 9)}-${pick(["01", "15", "28"])}`;
  const time = pick([() => "", () => `T${two(24)}:${two(60)}`, () => ` ${two(24)}:${two(60)}:${two(60)}.${two(100)}+01:00`]);
  const lap = pick([
    () => `${two(30)}:${two(60)}`,
    () => `${Math.floor(draw() * 90)}:${two(60)}.${two(100)}`,
    () => `${two(30)}:${two(60)}:${two(60)}`,
  ]);
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const [yes, no] = pick([["true", "false"], ["yes", "no"], ["T", "F"]] as const); // biome-ignore format: pairs
  const rows = Array.from({ length: 60 }, (_, row) =>
    [
      ...[`q${Math.floor(row / 6)}`, `d${row}`, maybe(String(Math.round(draw() * 1e6) / 1e3))],
      ...[maybe(cell(pick(WORDS))), maybe(draw() < 0.5 ? yes : no), maybe(`${date()}${time()}`), maybe(lap())],
    ].join(","),
  );
  return `query,doc,bm25,type,fresh,listed,lap\n${rows.join("\n")}\n`;
}

const same = (a: Dataset, b: Dataset) => {
  expect(a.features.values.length).toBe(b.features.values.length);
  expect(a.features.values.findIndex((value, i) => !Object.is(value, b.features.values[i]))).toBe(-1);
};

describe("data as a table", () => {
  it("of clicks on random tables are read back with the original columns, to every bit", async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const text = table(seed);
      const original = await read(text);
      expect(original.names.encoding!.map(({ kind }) => kind)).toEqual(["number", "category", "boolean", "date", "time"]);
      const draw = random(seed, 1);
      const log = clickLog(
        Array.from({ length: 60 }, (_, row) => row)
          .filter(() => draw() < 0.9)
          .map((row) => ({
            query: `q${Math.floor(row / 6)}`,
            document: `d${row}`,
            position: (row % 6) + 1,
            clicked: draw() < 0.4,
          })),
      );
      const { data } = clickData(log, original, { by: seed % 2 ? "query" : "impression" });
      const { rows } = rowsText(data);
      expect(rows.split("\n")[0]).toBe("qid,docid,label,bm25,type,fresh,listed,lap");
      const again = await read(rows, original);
      same(again, data);
      expect([...again.labels]).toEqual([...data.labels]);
      // Read on its own it decides for itself, and a model of it takes the original table.
      const alone = await read(rows);
      expect(alone.names.encoding!.map(({ name }) => name)).toEqual(["bm25", "type", "fresh", "listed", "lap"]);
      expect((await read(text, alone)).features.columns).toBe(alone.features.columns);
    }
  });

  it("write dates as briefly as they are exact", async () => {
    const rows = ["2024-03-01", "2024-03-02T17:05Z", "2024-03-02T17:05:09Z", "2024-03-01T00:00:00.25Z", ""];
    const data = await read(`qid,docid,label,when\n${rows.map((when, i) => `q,d${i},${i},${when}`).join("\n")}\n`);
    expect(rowsText(data).rows).toBe(`qid,docid,label,when\n${rows.map((when, i) => `q,d${i},${i},${when}`).join("\n")}\n`);
  });
});

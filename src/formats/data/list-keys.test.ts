/** Lists that several columns identify together. */
import * as arrow from "apache-arrow";
import { describe, expect, it } from "vitest";
import { below, random } from "../../numeric/random.ts";
import { joinedKey, keyNames } from "./columns.ts";
import { parseData } from "./parse.ts";

describe("lists of two columns", () => {
  it("are those of one column with a name for each pair, from CSV, JSON Lines and Arrow", () => {
    const names = ["a", "a,", ",a", "a\\", "a, b", "b", "007", "7"];
    for (let seed = 1; seed <= 20; seed++) {
      const draw = random(seed, 0x1157);
      const isNumbers = seed % 3 === 0; // CSV then goes straight into the matrix, where a list has one column
      const rows = Array.from({ length: 30 }, () => {
        const [round, judge] = isNumbers ? [below(draw, 3), below(draw, 3)] : [names[below(draw, 8)]!, names[below(draw, 8)]!];
        return { round, judge, label: below(draw, 3), x: below(draw, 9) };
      });
      const pairs = rows.map(({ round, judge }) => JSON.stringify([round, judge]));
      const place = [...new Set(pairs)];
      const csv = (table: readonly object[]) =>
        [Object.keys(table[0]!), ...table.map((row) => Object.values(row))]
          .map((cells) => cells.map((cell) => `"${cell}"`).join(","))
          .join("\n");
      const single = csv(rows.map(({ label, x }, at) => ({ key: `k${place.indexOf(pairs[at]!)}`, label, x })));
      const wanted = parseData([{ name: "x.csv", content: single }], { qid: "key" }).data;
      const table = arrow.tableFromJSON(rows);
      const files = [
        { name: "x.csv", content: csv(rows) },
        { name: "x.jsonl", content: rows.map((row) => JSON.stringify(row)).join("\n") },
        { name: "x.arrow", content: arrow.tableToIPC(table, "file") },
      ];
      for (const file of files) {
        const { data, notices } = parseData([file], { qid: "round,judge" });
        expect(notices[0]).toContain('(columns "round", "judge")');
        expect({ ...data, names: { ...data.names, lists: [] } }, file.name).toEqual({ ...wanted, names: { ...wanted.names, lists: [] } }); // biome-ignore format: one line
        expect(data.names.lists).toEqual(place.map((pair) => joinedKey((JSON.parse(pair) as (string | number)[]).map(String))));
      }
    }
  });

  it("have names from which the parts can be told", () => {
    expect(joinedKey(["Round 1", "Ann"])).toBe("Round 1, Ann");
    expect(joinedKey(["a, b", "c"])).toBe("a\\, b, c");
    expect(joinedKey(["a, b"])).toBe("a, b");
    const parts = ["", ",", "\\", ", ", "\\,", "a"];
    const all = parts.flatMap((a) => parts.flatMap((b) => [joinedKey([a, b]), ...parts.map((c) => joinedKey([a, b, c]))]));
    expect(new Set(all).size).toBe(all.length);
    expect(keyNames("a,b", ["x", "A,B"])).toEqual(["a,b"]);
    expect(keyNames("a, b", ["a", "b"])).toEqual(["a", "b"]);
  });

  it("must be there, and be different columns with a value in each row", () => {
    const parse = (content: string, qid: string, more = {}) => parseData([{ name: "x.csv", content }], { qid, ...more });
    const text = "round,judge,label,x\n1,2,0,1\n1,,1,2\n";
    expect(() => parse(text, "round,jduge")).toThrow('x.csv:1: no column is called "jduge" (--qid); did you mean judge?');
    expect(() => parse(text, "round,round")).toThrow('x.csv:1: --qid names the column "round" twice');
    expect(() => parse(text, "round,label", { label: "label" })).toThrow('the column "label" cannot be both');
    expect(() => parse(text, "round,judge")).toThrow(/^x\.csv:3: .*judge/);
  });
});

/** The parts of one table, with lists across files. */
import * as arrow from "apache-arrow";
import { expect, it } from "vitest";
import { below, random } from "../../numeric/random.ts";
import { type MemoryFile, parseData } from "./parse.ts";

const csv = (rows: readonly object[]) =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))].map((cells) => cells.join(",")).join("\n");

it("parts of a table are the whole table with joinLists, and separate lists without", () => {
  for (let seed = 1; seed <= 24; seed++) {
    const draw = random(seed, 0x101);
    const rows = Array.from({ length: 40 }, () => ({
      label: below(draw, 3),
      qid: below(draw, 5),
      x: below(draw, 9),
      ...(seed % 2 === 0 && { color: ["red", "blue"][below(draw, 2)]! }),
      ...(seed % 3 === 0 && { weight: 1 + below(draw, 3) }),
    }));
    const cuts = [0, 1 + below(draw, 15), 20 + below(draw, 15), 40];
    const parts = [1, 2, 3].map((i) => rows.slice(cuts[i - 1], cuts[i]));
    const options = seed % 3 === 0 ? { weight: "weight" } : {};
    const kinds: readonly ((part: typeof rows, i: number) => MemoryFile)[] = [
      (part, i) => ({ name: `${i}.csv`, content: csv(part) }),
      (part, i) => ({ name: `${i}.jsonl`, content: part.map((row) => JSON.stringify(row)).join("\n") }),
      (part, i) => ({ name: `${i}.arrow`, content: arrow.tableToIPC(arrow.tableFromJSON(part), "file") }),
      ...(seed % 6 === 1
        ? [(part: typeof rows, i: number) => ({ name: `${i}.txt`, content: part.map(({ label, qid, x }) => `${label} qid:${qid} 1:${x}`).join("\n") })] // biome-ignore format: one line
        : []),
    ];
    for (const file of kinds) {
      const whole = parseData([file(rows, 0)], options);
      const joined = parseData(parts.map(file), { ...options, joinLists: true });
      expect(joined.data, `seed ${seed}, ${file(rows, 0).name}`).toEqual(whole.data);
      expect(joined.notices.join("\n")).not.toContain("several files");
      const apart = parseData(parts.map(file), options);
      expect(apart.data.starts.length - 1).toBe(parts.reduce((sum, part) => sum + new Set(part.map(({ qid }) => qid)).size, 0));
      expect(apart.notices.join("\n")).toMatch(/occurs? in several files; .*\(--join-lists makes one list/);
    }
  }
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { readParquet } from "parquet-wasm";
import { afterAll, describe, expect, it } from "vitest";
import { rankFormat, rankWriter } from "./rank-output.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-ranked-"));
afterAll(() => rmSync(folder, { recursive: true }));

const lists = [
  { list: "q 1", items: [{ id: "a,b", rank: 1, score: 0.1 + 0.2, label: 2 }, { id: "=c", rank: 2, score: -1e-9, label: 0 }] }, // biome-ignore format: items
  { list: "q2", items: [{ id: "d", rank: 1, score: 3, label: 1 }] },
];

async function written(name: string, format?: string): Promise<Buffer> {
  const path = join(folder, name);
  const writer = await rankWriter(rankFormat(format, path), path, "tag");
  for (const one of lists) await writer.add(one);
  await writer.end();
  return readFileSync(path);
}

describe("rankings", () => {
  it("are written in the format of the ending", async () => {
    expect(String(await written("r.csv"))).toBe(
      `list,rank,item,score\nq 1,1,"a,b",0.30000000000000004\nq 1,2,'=c,-1e-9\nq2,1,d,3\n`,
    );
    expect(String(await written("r.run"))).toBe("q_1 Q0 a,b 1 0.30000000000000004 tag\nq_1 Q0 =c 2 -1e-9 tag\nq2 Q0 d 1 3 tag\n");
    expect(String(await written("r.jsonl"))).toBe(lists.map((one) => `${JSON.stringify(one)}\n`).join(""));
    expect(String(await written("r.txt"))).toMatch(/^q_1 Q0/);
    expect(String(await written("r.txt", "tsv"))).toBe("q 1\t1\ta,b\t0.30000000000000004\nq 1\t2\t'=c\t-1e-9\nq2\t1\td\t3\n");
  });

  it("are read back from Parquet with every bit", async () => {
    const bytes = await written("r.parquet");
    const table = tableFromIPC(readParquet(bytes).intoIPCStream());
    expect(table.toArray().map((row) => ({ ...row.toJSON() }))).toEqual(
      lists.flatMap(({ list, items }) => items.map(({ id, rank, score }) => ({ list, rank, item: id, score }))),
    );
  });

  it("need a format that there is", () => {
    expect(() => rankFormat("xml", undefined)).toThrow('--format: no format is called "xml"');
    expect(rankFormat(undefined, undefined)).toBe("trec");
    expect(rankFormat("csv", "x.parquet")).toBe("csv");
  });
});

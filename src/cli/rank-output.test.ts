import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { tableFromIPC } from "apache-arrow";
import { readParquet } from "parquet-wasm";
import { afterAll, describe, expect, it } from "vitest";
import { probabilityFormat } from "./probability-output.ts";
import { rankFormat, rankLayouts, rankWriter } from "./rank-output.ts";

const folder = mkdtempSync(join(tmpdir(), "tierwise-ranked-"));
afterAll(() => rmSync(folder, { recursive: true }));

const lists = [
  { list: "q 1", items: [{ id: "a,b", rank: 1, score: 0.1 + 0.2, label: 2 }, { id: "=c", rank: 2, score: -1e-9, label: 0 }] }, // biome-ignore format: items
  { list: "q2", items: [{ id: "d", rank: 1, score: 3, label: 1 }] },
];

async function written(name: string, format?: string): Promise<Buffer> {
  const path = join(folder, name);
  const writer = await rankWriter(rankLayouts, rankFormat(format, path), { out: path, tag: "tag" });
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

  it("are gzipped where .gz follows the ending", async () => {
    for (const name of ["r.csv", "r.tsv", "r.jsonl", "r.ndjson", "r.qrels", "r.run", "r.trec", "r.txt", "plain"])
      expect(gunzipSync(await written(`${name}.gz`)), name).toEqual(await written(name));
    expect(gunzipSync(await written("r.GZ", "csv"))).toEqual(await written("r.csv"));
    expect(() => rankFormat(undefined, "r.parquet.gz")).toThrow(
      "--out r.parquet.gz: Parquet is compressed already; leave out .gz",
    );
    expect(() => rankFormat("csv", "r.csv.zst")).toThrow("--out r.csv.zst: files are compressed by gzip only; use .gz");
    expect(() => rankFormat(undefined, "r.csv.zst")).toThrow("use .gz");
  });

  it("need an ending that a format has, or none", () => {
    for (const name of ["r.json", "r.xlsx", "r.json.gz", "r.d/x.html"])
      expect(() => rankFormat(undefined, name), name).toThrow(
        `--out ${name}: no format of rankings has the ending ${/\.[a-z]+(?=(\.gz)?$)/.exec(name)![0]}; there are .csv, .tsv, .jsonl, .ndjson, .parquet, .pq, .qrels, .run, .trec, .txt, or name one with --format (trec, `,
      );
    for (const name of ["run", "r.d/run", "-", "/dev/stdout", "/dev/fd/63", "bm25-0.9", "a.txt", "a.run", "a.TREC"])
      expect(rankFormat(undefined, name), name).toBe("trec");
    expect(rankFormat("jsonl", "r.json")).toBe("jsonl");
    const probabilities = (out: string) => probabilityFormat({ out, within: "3", temperature: "1" });
    const names = ["p", "p.txt", "p.tsv.gz", "p.jsonl", "p.csv.gz", "p.pq"];
    expect(names.map(probabilities)).toEqual(["tsv", "tsv", "tsv", "jsonl", "csv", "parquet"]);
    for (const [name, format] of [["p.run", "trec"], ["p.qrels", "qrels"]] as const) // biome-ignore format: pairs
      expect(() => probabilities(name)).toThrow(
        `--probabilities can be written as tsv, csv, jsonl or parquet, but the format "${format}" cannot contain them`,
      );
    const pipe = join(folder, "pipe.json");
    if (spawnSync("mkfifo", [pipe]).status === 0) expect(rankFormat(undefined, pipe)).toBe("trec");
  });

  const ranked = (list: string, ...ids: string[]) => ({
    list,
    items: ids.map((id, place) => ({ id, rank: place + 1, score: -place, label: 0 })),
  });
  const kept = "csv, jsonl and parquet keep names as they are";

  it("tell of names that the format changes", async () => {
    const renamed = async (format: string) => {
      const writer = await rankWriter(rankLayouts, format, { out: join(folder, "names"), tag: "t", lists: ["q 1", "q2"] });
      for (const one of [ranked("q 1", "a b", "c"), ranked("q2", "a b", "d", "e\tf")]) await writer.add(one);
      return writer.renamed();
    };
    const words = `4 names were changed, such as "q 1" to "q_1", as blanks separate its columns; ${kept}`;
    expect(await renamed("trec")).toBe(`--format trec: ${words}`);
    expect(await renamed("qrels")).toBe(`--format qrels: ${words}`);
    expect(await renamed("tsv")).toMatch(/^--format tsv: 1 name was changed, such as "e\\?.*tf" to "e f", as tabs/);
    for (const format of ["csv", "jsonl", "parquet"]) expect(await renamed(format), format).toBeUndefined();
  });

  it("never give one name to two lists, or to two items of a list", async () => {
    const lists = ["q_1", "x", "q 1"];
    const clash = `the lists "q_1" and "q 1" would both be called "q_1", as blanks separate its columns; ${kept}`;
    await expect(rankWriter(rankLayouts, "trec", { tag: "t", lists })).rejects.toThrow(`--format trec: ${clash}`);
    await rankWriter(rankLayouts, "csv", { tag: "t", lists });
    await rankWriter(rankLayouts, "trec", { tag: "t", lists: ["q_1", "q_1", "q 2", "q 2"] }); // the same name, not two
    const writer = await rankWriter(rankLayouts, "qrels", { out: join(folder, "names"), tag: "t" });
    await writer.add(ranked("q", "a b", "c"));
    await writer.add(ranked("r", "a_b", "c d", "c d"));
    await expect(writer.add(ranked("s", "a_b", "c", "a b"))).rejects.toThrow(
      '--format qrels: in the list "s" the items "a_b" and "a b" would both be called "a_b"',
    );
  });

  it("need a format that there is", () => {
    expect(() => rankFormat("xml", undefined)).toThrow('--format: no format is called "xml"');
    expect(rankFormat(undefined, undefined)).toBe("trec");
    expect(rankFormat("csv", "x.parquet")).toBe("csv");
  });
});

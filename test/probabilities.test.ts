/** `tierwise rank --probabilities` as a user runs it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { tableFromIPC } from "apache-arrow";
import { readParquet } from "parquet-wasm";
import { beforeAll, describe, expect, it } from "vitest";
import type { RankedItemProbabilities } from "../dist/src/index.js";
import { folder, succeed, svmlight, tierwise } from "./cli.ts";

describe("rank --probabilities", () => {
  const cwd = folder({ "train.txt": svmlight(20), "test.txt": svmlight(4) });
  const ask = (...words: string[]) => tierwise(["rank", "m.json", "test.txt", "--probabilities", ...words], { cwd });
  beforeAll(async () => {
    await succeed(["train", "train.txt", "--out", "m.json", "--quiet"], { cwd });
    await succeed(["train", "train.txt", "--objective", "lambdarank", "--out", "lambda.json", "--quiet"], { cwd });
  });

  it("is a table with a head", async () => {
    const { code, out } = await ask("--within", "1,3", "--quiet");
    const [head, ...lines] = out.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(head).toBe("list\trank\titem\tscore\tP(first)\tP(top 1)\tP(top 3)\texpected rank\t90 % of ranks");
    expect(lines).toHaveLength(4 * 6);
    for (const line of lines) {
      const cells = line.split("\t");
      expect(cells[5]).toBe(cells[4]); // the first of one place
      expect(cells[8]).toMatch(/^\d-\d$/);
    }
  });

  it("as JSON sums to what it must, and has the same items as without", async () => {
    const lines = (await ask("--json", "--pairs", "--temperature", "2")).out.trimEnd().split("\n");
    const plain = (await succeed(["rank", "m.json", "test.txt", "--json"], { cwd })).trimEnd().split("\n");
    lines.forEach((line, q) => {
      const { items, above } = JSON.parse(line);
      expect(items.map(({ id }: { id: string }) => id)).toEqual(JSON.parse(plain[q]!).items.map(({ id }: { id: string }) => id));
      const sum = (of: (item: { first: number; within: Record<string, number>; expected: number }) => number) =>
        items.reduce((total: number, item: never) => total + of(item), 0);
      expect(sum(({ first }) => first)).toBeCloseTo(1, 12);
      expect(sum(({ within }) => within["3"]!)).toBeCloseTo(3, 12);
      expect(sum(({ expected }) => expected)).toBeCloseTo(1 + 2 + 3 + 4 + 5 + 6, 12);
      const lead = (items[0].score - items[1].score) / 2;
      expect(above[0][1]).toBeCloseTo(1 / (1 + Math.exp(-lead)), 12);
    });
  });

  it("as CSV and Parquet has what JSON has, to the last digit, with one number in each column", async () => {
    const within = ["--within", "10,3,3,1"]; // each once, in this order
    const { out, err } = await ask(...within, "--format", "csv");
    expect(err).not.toContain("names were changed");
    const [head, ...rows] = out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));
    const top = ["P(top 10)", "P(top 3)", "P(top 1)"];
    expect(head).toEqual([...["list", "rank", "item", "score", "P(first)"], ...top, ...["expected rank", "90 % of ranks from", "90 % of ranks to"]]); // biome-ignore format: one list
    const lists = (await ask(...within, "--json")).out.trimEnd().split("\n").map((line) => JSON.parse(line)); // biome-ignore format: one chain
    const wanted = lists.flatMap(({ list, items }) =>
      items.map(({ id, rank, score, first, within: k, expected, interval }: RankedItemProbabilities) => [
        ...[list, rank, id, score, first, k[10], k[3], k[1], expected, ...interval],
      ]),
    );
    expect(rows).toEqual(wanted.map((row) => row.map(String)));

    expect((await ask(...within, "--out", "p.csv.gz")).out).toBe("");
    expect(String(gunzipSync(readFileSync(join(cwd, "p.csv.gz"))))).toBe(out);
    await ask(...within, "--out", "p.parquet");
    const table = tableFromIPC(readParquet(readFileSync(join(cwd, "p.parquet"))).intoIPCStream());
    expect(table.schema.fields.map(({ name }) => name)).toEqual(head);
    expect(table.toArray().map((row) => Object.values(row.toJSON()))).toEqual(wanted);
  });

  it("between tabs has the chances of k under the name of k", async () => {
    const { out } = await ask("--within", "3,1,3", "--quiet");
    const [head, ...lines] = out
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    expect(head!.slice(4, 7)).toEqual(["P(first)", "P(top 3)", "P(top 1)"]);
    for (const cells of lines) expect(cells[6]).toBe(cells[4]);
  });

  it("names items so that no spreadsheet takes them for formulas, and tells of names that tabs cannot hold", async () => {
    const names = ["=1+2", "+x", "-3", "@sum", 'a "b"', "c, d", "e\nf"];
    const rows = names.map((id, i) => JSON.stringify({ qid: '=cmd|" /C"', id, label: i % 2, a: i, b: (i * 3) % 5 }));
    writeFileSync(join(cwd, "names.jsonl"), rows.join("\n"));
    await succeed(["train", "names.jsonl", "--model", "linear:l2=1", "--out", "names.json", "--quiet"], { cwd });
    const written = (format: string, file = "names.jsonl") =>
      tierwise(["rank", "names.json", file, "--probabilities", "--format", format], { cwd });
    const { out } = await written("csv");
    const cells = new Set(
      out.match(/^"'=cmd\|"" \/C""",\d,("(?:[^"]|"")*"|[^,]*),/gm)!.map((line) => line.replace(/^.*?",\d,/, "")),
    );
    expect(cells).toEqual(new Set(["'=1+2,", "'+x,", "-3,", "'@sum,", '"a ""b""",', '"c, d",', '"e\nf",']));
    const { out: tsv, err } = await written("tsv");
    expect(new Set(tsv.trimEnd().split("\n").slice(1).map((line) => line.split("\t")[2]))).toEqual(new Set(["'=1+2", "'+x", "-3", "'@sum", 'a "b"', "c, d", "e f"])); // biome-ignore format: one set
    expect(err).toContain(
      '--format tsv: 1 name was changed, such as "e\\nf" to "e f", as tabs and line breaks separate its cells',
    );
    writeFileSync(join(cwd, "clash.jsonl"), [...rows, rows[0]!.replace("=1+2", "e f")].join("\n"));
    expect((await written("tsv", "clash.jsonl")).err).toContain('items "e\\nf" and "e f" would both be called "e f"');
  });

  it("says where places are drawn, with what error, and where scores are no log-worths", async () => {
    const { err } = await ask("--exact", "3", "--draws", "400");
    expect(err).toContain("standard errors of up to 0.0250");
    const { err: noted } = await tierwise(["rank", "lambda.json", "test.txt", "--probabilities"], { cwd });
    expect(noted).toMatch(/lambda\.json was trained under lambdarank.*, which is not a likelihood of whole lists/);
    expect((await ask()).err).not.toContain("not a likelihood");
  });

  it.each<[string[], RegExp]>([
    [["--format", "trec"], /the format "trec" cannot contain them/],
    [["--format", "csv", "--pairs"], /--pairs needs --json, because it adds a matrix to each list/],
    [["--pairs"], /--pairs needs --json, because it adds a matrix to each list/],
    [["--temperature", "0"], /--temperature: expected a number above 0, got "0"/],
    [["--within", "3,x"], /--within: expected a whole number of at least 1, got "x"/],
  ])("refuses %j", async (words, message) => {
    const { code, out, err } = await ask(...words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });
});

/** The tables of the papers from files to pages, on small data made here. */
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { folder, main, root, succeed, svmlight, tierwise } from "./cli.ts";

/** Five parts of a data set under the names that the recipes look for. */
function made(name: string, letter: string): string {
  const path = folder();
  mkdirSync(join(path, name));
  const lines = svmlight(40)
    .split("\n")
    .filter((line) => line !== "");
  for (const part of [0, 1, 2, 3, 4])
    writeFileSync(join(path, name, `${letter}${part + 1}.txt`), `${lines.slice(48 * part, 48 * (part + 1)).join("\n")}\n`);
  return path;
}

const data = made("ohsumed", "T");
const words = (out: string, ...more: string[]) => ["papers", "letor", "--data", data, "--out", out, "--threads", "1", ...more];
const cellsIn = (cwd: string, out: string) =>
  readFileSync(join(cwd, out, "cells/letor.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "");

describe("a recipe", () => {
  it("that was interrupted goes on where it stopped, and ends with the same page as one that was not", async () => {
    const cwd = folder();
    const child = spawn(process.execPath, [main, ...words("out")], { cwd, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (/^4 of 15/m.test(text)) child.kill("SIGTERM");
    });
    await new Promise((resolve) => child.on("close", resolve));
    const before = cellsIn(cwd, "out").length;
    expect(before).toBeGreaterThanOrEqual(4);
    expect(before).toBeLessThan(15);
    appendFileSync(join(cwd, "out/cells/letor.jsonl"), '{"key":"cut o'); // a line that was not finished counts as not done

    const result = JSON.parse(await succeed(words("out", "--json", "--quiet"), { cwd }));
    expect(result).toMatchObject({ computed: 15 - before, kept: before, missing: [] });
    const again = JSON.parse(await succeed(words("out", "--json", "--quiet"), { cwd }));
    expect(again).toMatchObject({ computed: 0, kept: 15 });
    const fresh = JSON.parse(await succeed(words("other", "--json", "--quiet"), { cwd }));
    expect(fresh).toMatchObject({ computed: 15, kept: 0 });
    for (const name of ["README.md", "ohsumed.md", "ohsumed.json"])
      expect(readFileSync(join(cwd, "out/letor", name), "utf8")).toBe(readFileSync(join(cwd, "other/letor", name), "utf8"));
    expect(readdirSync(join(cwd, "out/letor")).sort()).toEqual(["README.md", "ohsumed.json", "ohsumed.md"]);
  });

  it("prints above its table the words that make it, and they do", async () => {
    const cwd = folder();
    await succeed(words("out", "--quiet", "--quick"), { cwd });
    const page = readFileSync(join(cwd, "out/letor/ohsumed.md"), "utf8");
    const command = /```\ntierwise (.*)\n```/.exec(page)![1]!.replace("DIR", data).split(" ");
    await succeed([...command, "--out", "again", "--quiet"], { cwd });
    expect(readFileSync(join(cwd, "again/letor/ohsumed.md"), "utf8")).toBe(page);
    expect(page).toMatch(/\| ranksvm, ours \| [01]\.\d{4} \|/);
  });

  it("--fresh computes all again", async () => {
    const cwd = folder();
    const run = async (...more: string[]) =>
      JSON.parse(await succeed(words("out", "--json", "--quiet", "--quick", ...more), { cwd }));
    expect(await run()).toMatchObject({ computed: 3, kept: 0 });
    expect(await run("--fresh")).toMatchObject({ computed: 3, kept: 0 });
    expect(cellsIn(cwd, "out")).toHaveLength(3);
  });

  it("without its data says which files it looks for, where they are to be had, and writes what it can", async () => {
    const cwd = folder();
    const { code, err } = await tierwise(["papers", "letor", "--out", "out"], { cwd });
    expect(code).toBe(0);
    expect(err).toMatch("ohsumed/T1.txt, ohsumed/T2.txt, ohsumed/T3.txt, ohsumed/T4.txt, ohsumed/T5.txt (or the same with .gz)");
    expect(err).toMatch("https://www.microsoft.com");
  });
});

describe("the leaderboard beside other tools", () => {
  const words = (path: string, ...more: string[]) => [
    "papers",
    "leaderboard",
    "--data",
    data,
    "--scores",
    path,
    "--quick",
    "--threads",
    "1",
    "--out",
    "out",
    "--quiet",
    ...more,
  ];

  it.each([
    [
      "damaged",
      "ohsumed-a.json.gz",
      "no gzip",
      /ohsumed-a\.json\.gz: the score file is damaged: incorrect header check; write it again with/,
    ],
    [
      "of other data",
      "mq2008-a.json.gz",
      { data: "mq2009" },
      /mq2008-a\.json\.gz: scores of "mq2009", which is not compared; there are mq2008, /,
    ],
    [
      "of too few folds",
      "ohsumed-a.json.gz",
      { data: "ohsumed" },
      /ohsumed-a\.json\.gz: expected 5 folds of OHSUMED, got 1; write it again with/,
    ],
  ])("a file that is %s is a mistake in a line", async (_, name, content, line) => {
    const fold = { digest: "0", rounds: 1, best: 1, seconds: 1, processor: 1, lists: [[1]] };
    const head = {
      format: "tierwise scores",
      version: 1,
      tool: "T",
      toolVersion: "1",
      objective: "x",
      settings: {},
      folds: [fold],
    };
    const bytes = typeof content === "string" ? content : gzipSync(JSON.stringify({ ...head, ...content }));
    const { code, err } = await tierwise(words(folder({ [name]: bytes }), "--only", "tools"), { cwd: folder() });
    expect(code).toBe(2);
    expect(err).toMatch(line);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});

describe("bench quality", () => {
  it("names what it knows where a data set or a file is not there", () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(root, "scripts/bench.mjs"), "quality", ...args], { encoding: "utf8" });
    const cases: [string[], RegExp][] = [
      [["--sets", "mq2009"], /^--sets: mq2009 is none of mq2008, ohsumed, mq2007-agg, search-folds\n$/],
      [["--sets", "mq2008", "--data", folder()], /^--data: .* has no mq2008\/S1\.txt, .*; from LETOR/],
      [["--sets", "search-folds", "--against", "nobody"], /^--against: .*scores has no search-folds-nobody\.json\.gz\n$/],
    ];
    for (const [args, line] of cases) {
      const { status, stderr } = run(...args);
      expect([status, stderr]).toEqual([2, expect.stringMatching(line)]);
    }
  });
});

describe("the words of the command", () => {
  const cwd = folder();
  it("list the papers, their tables and all data sets", async () => {
    const out = await succeed(["papers"], { cwd });
    for (const name of ["pmop", "plrank", "pl-partition", "letor", "leaderboard", "table-1", "mslr-web30k/Fold1/train.txt"])
      expect(out).toContain(name);
    const result = JSON.parse(await succeed(["papers", "--json"], { cwd }));
    expect(result.map(({ id }: { id: string }) => id)).toContain("plrank");
  });

  it.each([
    [["papers", "plrnk"], 'no paper is called "plrnk"; did you mean plrank?'],
    [["papers", "pmop", "--only", "table-9"], 'pmop has no table or figure "table-9"; did you mean table-1 or table-2?'],
    [["papers", "pmop", "--data", "nowhere"], '--data: there is not a folder "nowhere"'],
    [["papers", "leaderboard", "--scores", "nowhere"], '--scores: there is not a folder "nowhere"'],
  ])("%j is a mistake in a line", async (words, line) => {
    const { code, err } = await tierwise(words, { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(line);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});

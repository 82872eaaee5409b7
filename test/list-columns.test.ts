/** Lists that two columns name are written by these columns, so that results can be merged with the data. */
import { expect, it } from "vitest";
import { readData } from "../dist/src/index.js";
import { folder, succeed } from "./cli.ts";

const judges = ["Müller", "O'Neil, Pat"];
const rows = ["F0", "F1", "F2"].flatMap((race) => judges.flatMap((judge, j) => [0, 1, 2].map((i) => `${race},"${judge}",h${i},${(i + j) % 3},${i * i + j}`))); // biome-ignore format: one table
const cwd = folder({ "a.csv": `race,judge,horse,label,x\n${rows.join("\n")}\n` });
const reading = ["--list", "race,judge", "--item", "horse"];
await succeed(["train", "a.csv", ...reading, "--model", "linear:l2=0.1", "--out", "m.json", "--quiet"], { cwd });
const ranked = (...more: readonly string[]) => succeed(["rank", "m.json", "a.csv", "--quiet", ...more], { cwd });

it("rank writes them in CSV, JSON Lines and Parquet, with and without probabilities", async () => {
  const csv = (await ranked("--format", "csv")).trim().split("\n");
  expect(csv[0]).toBe("race,judge,rank,item,score");
  expect(csv[1]).toMatch(/^F0,Müller,1,h\d,/);
  expect(csv[4]).toMatch(/^F0,"O'Neil, Pat",1,h\d,/);
  expect(await ranked("--format", "csv", "--probabilities")).toMatch(/^race,judge,rank,item,score,P\(first\)/);
  for (const more of [[], ["--probabilities"]]) {
    const [, line] = (await ranked("--format", "jsonl", ...more)).split("\n");
    expect(JSON.parse(line!)).toMatchObject({ list: "F0, O'Neil\\, Pat", race: "F0", judge: "O'Neil, Pat", items: [{ rank: 1 }, {}, {}] }); // biome-ignore format: one claim
  }
  await ranked("--out", "r.parquet");
  const { data } = await readData([`${cwd}/r.parquet`], { qid: "race,judge", id: "item", label: "rank", ballots: "never" });
  expect(data.names.lists).toHaveLength(6);
  expect(data.names.lists![1]).toBe("F0, O'Neil\\, Pat");
});

it("other formats, lists of one column, and columns that would be there twice have one name", async () => {
  expect(await ranked("--format", "tsv")).toMatch(/^F0, Müller\t1\th\d\t/);
  const one = ["rank", "m.json", "a.csv", "--quiet", "--format", "csv", "--list", "race"];
  expect(await succeed(one, { cwd })).toMatch(/^list,rank,item,score\nF0,1,/);
  const there = folder({ "a.csv": `rank,judge,horse,label,x\n${rows.join("\n")}\n` });
  await succeed(["train", "a.csv", "--list", "rank,judge", "--item", "horse", "--model", "linear", "--out", "m.json", "--quiet"], { cwd: there }); // biome-ignore format: one line
  expect(await succeed(["rank", "m.json", "a.csv", "--quiet", "--format", "csv"], { cwd: there })).toMatch(/^list,rank,item,score\n"F0, Müller",1,/); // biome-ignore format: one line
});

it("evaluate has them in its values of lists", async () => {
  const evaluate = ["evaluate", "m.json", "a.csv", "--quiet", "--per-list", "--metrics", "ndcg"];
  expect(await succeed(evaluate, { cwd })).toMatch(/^race +judge +ndcg\n─+ {2}─+ {2}─+\nF0 {4}Müller +\d/);
  const { perList } = JSON.parse(await succeed([...evaluate, "--json"], { cwd }));
  expect(perList[1]).toEqual({ list: "F0, O'Neil\\, Pat", race: "F0", judge: "O'Neil, Pat", metrics: { ndcg: expect.any(Number) } }); // biome-ignore format: one claim
});

/** Queries that are longer than the name of a file may be, in every command that takes --sql. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commands, folder, rows, succeed, tierwise } from "./cli.ts";

const table = `qid,docid,label,a,b,c\n${rows(12)
  .map(({ list, id, label, features }) => `${list},${id},${label},${features.join(",")}\n`)
  .join("")}`;
const battles = "model_a,model_b,winner\na,b,model_a\nb,c,model_b\nc,a,tie\na,b,model_b\nb,c,model_a\nc,a,model_a\n";
const cwd = folder({ "table.csv": table, "battles.csv": battles });
const query = (file: string) => `select * exclude (z) from (select *, '${"x".repeat(5000)}' as z from '${file}')`;

const words: Readonly<Record<string, readonly string[]>> = {
  train: ["--model", "linear:l2=1", "--out", "out.json", "--checkpoint", "checkpoints", "--valid", `sql:${query("table.csv")}`],
  cv: ["--model", "linear:l2=1", "--folds", "3"],
  tune: ["--model", "linear", "--trials", "1"],
  compare: ["one.json", "two.json"],
  "compare-ties": ["--ballots", "always"],
  inspect: [],
  ...Object.fromEntries(["evaluate", "rank", "explain", "importance"].map((verb) => [verb, ["one.json"]])),
  "what-if": ["one.json", "--set", "a=0.5"],
  report: ["one.json", "--out", "report.html"],
  leaderboard: ["--report", "board.html"],
  ratings: [],
  next: [],
};
const ofBattles = ["leaderboard", "ratings", "next"];
const verbs = commands.filter(({ options }) => options.some(({ long }) => long === "--sql")).map((command) => command.name());

beforeAll(async () => {
  for (const [name, l2] of [["one", 1], ["two", 2]] as const) // biome-ignore format: pairs
    await succeed(["train", "table.csv", "--model", `linear:l2=${l2}`, "--out", `${name}.json`, "--quiet"], { cwd });
});

describe("a query longer than the name of a file is no path:", () => {
  it.each(verbs)("%s", async (verb) => {
    const { code, err } = await tierwise([verb, ...words[verb]!, "--sql", query(ofBattles.includes(verb) ? "battles.csv" : "table.csv")], { cwd }); // biome-ignore format: one line
    expect({ code, err }).toMatchObject({ code: 0, err: expect.not.stringContaining("x".repeat(60)) });
  });

  it("--two-round says that it reads files", async () => {
    const trees = ["train", "--model", "trees", "--out", "trees.json", "--two-round", "--sql", query("table.csv")];
    const { code, err } = await tierwise(trees, { cwd });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(/^tierwise: sql:select .{45,60}\.\.\.: reading in two rounds reads files, and this is a query; write its result to a file\n$/) }); // biome-ignore format: one line
  });

  it("reports call the data by the beginning of the query, and have it once in their command", async () => {
    await succeed(["leaderboard", "--report", "battles.html", "--sql", query("battles.csv"), "--quiet"], { cwd });
    expect(readFileSync(join(cwd, "battles.html"), "utf8").match(/x{5000}/g)).toHaveLength(1);
    await succeed(["report", "one.json", "--out", "names.html", "--sql", query("table.csv")], { cwd });
    const page = readFileSync(join(cwd, "names.html"), "utf8");
    expect(page.match(/x{5000}/g)).toHaveLength(1); // in the command that makes the report again
    expect(page).toContain("lists of sql:select * exclude (z) from (select *, &#39;");
  });
});

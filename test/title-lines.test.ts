/** Tables with a title above their header, and --skip-lines, in the commands that read tables. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, rows, succeed, tierwise } from "./cli.ts";

const table = `q,d,label,x,y,z\n${rows(8)
  .map(({ list, id, label, features }) => `${list},${id},${label},${features.join(",")}\n`)
  .join("")}`;
const battles = "model_a,model_b,winner\na,b,model_a\nb,c,model_b\nc,a,tie\na,b,model_b\nb,c,model_a\nc,a,model_a\n";
const log = `query,document,position,clicked\n${Array.from({ length: 200 }, (_, i) => `${i % 5},${i % 3},${1 + (i % 2)},${i % 7 === 0 ? 1 : 0}\n`).join("")}`;
const title = "Report Q1 2025,,,\n,,,\n";
const cwd = folder({
  ...{ "table.csv": table, "titled.csv": title + table, "battles.csv": battles, "titled-battles.csv": title + battles },
  ...{ "log.csv": log, "titled-log.csv": title + log },
});
const columns = ["--qid", "q", "--id", "d", "--label", "label"];
const linear = ["--model", "linear:l2=1", "--quiet"];
const skip = ["--skip-lines", "2"];
const error = async (...words: string[]) => (await tierwise(words, { cwd })).err;

describe("a table with a title", () => {
  it("trains the model of the table without it, whose file does not remember the title", async () => {
    expect(await error("train", "titled.csv", ...columns, ...linear, "--out", "a.json")).toBe(
      'tierwise: titled.csv:1: no column is called "label" (--label); there is Report Q1 2025; line 3 has label, q, d: --skip-lines 2\n',
    );
    await succeed(["train", "titled.csv", ...columns, ...linear, ...skip, "--out", "a.json"], { cwd });
    await succeed(["train", "table.csv", ...columns, ...linear, "--out", "b.json"], { cwd });
    expect(readFileSync(join(cwd, "a.json"), "utf8")).toBe(readFileSync(join(cwd, "b.json"), "utf8"));
    const ranked = await succeed(["rank", "a.json", "table.csv", "--quiet"], { cwd });
    expect(await succeed(["rank", "a.json", "titled.csv", "--quiet", ...skip], { cwd })).toBe(ranked);
    expect(await error("rank", "a.json", "titled.csv")).toMatch(/; line 3 has d, x, y, z: --skip-lines 2\n$/);
  });

  it.each([
    ["inspect", []],
    ["cv", ["--model", "linear:l2=1", "--folds", "2", "--no-valid"]],
    ["compare-ties", ["--ballots", "always"]],
    ["leaderboard", ["--rankings", "--shrinkage", "1"]],
  ])("%s", async (verb, more) => {
    const words = [verb, "titled.csv", ...columns, ...more, "--quiet"];
    expect(await error(...words)).toMatch(/; line 3 has label, q, d: --skip-lines 2\n$/);
    const found = await succeed([...words, ...skip], { cwd });
    expect(found).toBe(await succeed([verb, "table.csv", ...columns, ...more, "--quiet"], { cwd }));
  });

  it.each(["leaderboard", "ratings", "next"])("of battles: %s", async (verb) => {
    expect(await error(verb, "titled-battles.csv")).toMatch(/^tierwise: titled-battles.csv:1: expected the columns winner and loser, or model_a, model_b and winner, got ".*; line 3 has model_a, model_b, winner: --skip-lines 2\n$/); // biome-ignore format: one line
    const found = await succeed([verb, "titled-battles.csv", "--quiet", ...skip], { cwd });
    expect(found).toBe(await succeed([verb, "battles.csv", "--quiet"], { cwd }));
    expect(await error(verb, "battles.csv", "--skip-lines", "x")).toBe(
      'tierwise: --skip-lines: expected a whole number of at least 0, got "x"\n',
    );
  });

  it("of clicks; beside a log, lines of data are not skipped, and beside data, those of a log", async () => {
    expect(await error("clicks", "titled-log.csv")).toMatch(/; line 3 has query, document, position, clicked: --skip-lines 2\n$/);
    const found = await succeed(["clicks", "titled-log.csv", "--quiet", ...skip], { cwd });
    expect(found).toBe(await succeed(["clicks", "log.csv", "--quiet"], { cwd }));
    const named = table.replace("q,d", "query,doc");
    const beside = folder({ "log.csv": log, "titled-log.csv": title + log, "titled.csv": title + named, "table.csv": named });
    const features = ["clicks", "log.csv", "--features", "titled.csv", "--query", "query"];
    expect((await tierwise(features, { cwd: beside })).err).toMatch(/; line 3 has query: remove the lines above it\n$/);
    const train = ["train", "table.csv", "--clicks", "titled-log.csv", "--qid", "query", ...skip, "--out", "a.json"];
    expect((await tierwise(train, { cwd: beside })).err).toMatch(/--skip-lines 2|leave --skip-lines out/); // of the table
    const other = train.filter((word) => !skip.includes(word));
    expect((await tierwise(other, { cwd: beside })).err).toMatch(/; line 3 has query, .*: remove the lines above it\n$/);
  });
});

it("a query has no lines above its header", async () => {
  expect(await error("leaderboard", "sql:select 'a' as winner, 'b' as loser", ...skip)).toBe(
    "tierwise: sql:select 'a' as winner, 'b' as loser: --skip-lines is for lines above the header of a table of text, such as CSV, and this is no text; leave it out\n",
  );
});

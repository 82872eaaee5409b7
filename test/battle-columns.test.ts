/** Tables of battles whose columns have other names, in the commands that read battles. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, root, succeed, tierwise } from "./cli.ts";

const battles = readFileSync(join(root, "examples/arena/battles.csv"), "utf8");
const renamed = (text: string) => text.replace("model_a,model_b,winner", "left,right,result").replaceAll("model_a", "left").replaceAll("model_b", "right"); // biome-ignore format: one line
const cwd = folder({
  ...{ "battles.csv": battles, "renamed.csv": renamed(battles) },
  "renamed.jsonl": renamed(battles).trimEnd().split("\n").slice(1).map((line) => { const [left, right, result] = line.split(","); return `${JSON.stringify({ left, right, result })}\n`; }).join(""), // biome-ignore format: one line
});
const names = ["--first", "left", "--second", "right", "--winner", "result"];

it.each(["leaderboard", "ratings", "next"])("%s reads columns of other names, and says how", async (verb) => {
  const { code, err } = await tierwise([verb, "renamed.csv"], { cwd });
  expect(code).toBe(2);
  expect(err).toMatch(/^tierwise: renamed.csv:1: expected the columns winner and loser, or model_a, model_b and winner, got ".*"; name them with --first, --second and --winner, or with --winner and --loser\n$/); // biome-ignore format: one line
  const wanted = await succeed([verb, "battles.csv", "--quiet"], { cwd });
  for (const file of ["renamed.csv", "renamed.jsonl"])
    expect(await succeed([verb, file, ...names, "--quiet"], { cwd })).toBe(wanted);
  expect((await tierwise([verb, "renamed.csv", ...names, "--loser", "right"], { cwd })).err).toBe(
    "tierwise: --first is for tables whose column --winner says which of two items won, and --loser for tables of a winner and a loser; leave one out\n",
  );
  expect((await tierwise([verb, "renamed.csv", "--winner", ""], { cwd })).err).toBe(
    "tierwise: --winner: expected the name of a column, got an empty one\n",
  );
});

it("earlier battles have the same columns, and rankings have none of them", async () => {
  const since = await succeed(["leaderboard", "renamed.csv", "--since", "renamed.csv", ...names, "--quiet"], { cwd });
  expect(since).toBe(await succeed(["leaderboard", "battles.csv", "--since", "battles.csv", "--quiet"], { cwd }));
  expect((await tierwise(["leaderboard", "renamed.csv", "--rankings", ...names], { cwd })).err).toBe(
    "tierwise: --first is for battles, and --rankings reads rankings\n",
  );
});

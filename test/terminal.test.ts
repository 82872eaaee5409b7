/** Names from files reach neither terminal nor log as commands to a terminal; programs get them as they are. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commandText } from "../src/cli/command-text.ts";
import { folder, rows, succeed, tierwise } from "./cli.ts";

const CONTROL = /[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const EVIL = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u007f";
const cwd = folder({
  "t.csv": [
    `query,doc,label,${EVIL}price,b`,
    ...rows(6).map(({ list, id, label, features: [a, b] }) => `${list}${EVIL},${id}${EVIL},${label},${a},${b}`),
  ].join("\n"),
  "b.orders": `x${EVIL} > y > z\ny > x${EVIL} > z\nz > y > x${EVIL}\nx${EVIL} > z > y\n`,
});
const how = ["--qid", "query", "--id", "doc"];

beforeAll(async () => {
  await succeed(["train", "t.csv", ...how, "--out", "m.json", "--quiet"], { cwd });
  await succeed(["train", "t.csv", ...how, "--out", `${EVIL}r.json`, "--quiet"], { cwd });
  await succeed(["train", "t.csv", ...how, "--model", "trees:rounds=3,min-items=2", "--out", "t.json", "--quiet"], { cwd });
  await succeed(["train", "b.orders", "--out", "u.json", "--quiet"], { cwd });
});

describe("control characters of names", () => {
  it.each<[words: string[], part: string]>([
    [["train", "t.csv", ...how, "--hold-out", "0.3"], "trained"],
    [["evaluate", "m.json", "t.csv", "-q"], "\\u009b31m"],
    [["rank", "m.json", "t.csv"], "Q0"],
    [["rank", "m.json", "t.csv", "--format", "tsv"], "\t1\t"],
    [["rank", "m.json", "t.csv", "--probabilities"], "P(first)"],
    [["show", "m.json"], "\\u001b[2J"],
    [["show", "t.json"], "\\u001b[2J"],
    [["show", "t.json", "--tree", "0"], "price"],
    [["show", "u.json"], "\\u001b[2J"],
    [["explain", "m.json", "t.csv"], "\\u009b31m"],
    [["compare", "m.json", `${EVIL}r.json`, "t.csv"], "\\u202e"],
    [["cv", "t.csv", ...how, "--folds", "3"], "fold"],
    [["tune", "t.csv", ...how, "l2=1,2"], "tierwise train"],
    [["compare-ties", "b.orders", "--parts", "2"], "objective"],
  ])("%j shows them escaped", async (words, part) => {
    const { code, out, err } = await tierwise(words, { cwd });
    expect(code, err).toBe(0);
    expect(out).toContain(part);
    expect(out).not.toMatch(CONTROL);
    expect(err).not.toMatch(CONTROL);
  });

  it.each([
    [["rank", `${EVIL}missing.json`, "t.csv"]],
    [["train", `${EVIL}.txt`]],
    [["train", "t.csv", "--objective", EVIL]],
    [["train", "t.csv", "--out", `${EVIL}/m.json`]],
    [["explain", "m.json", "t.csv", "--quiet", "--query", EVIL]],
    [[EVIL]],
    [["train", "t.csv", `--${EVIL}`]],
  ])("%j is refused in one line without them", async (words) => {
    const { code, out, err } = await tierwise(words, { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^tierwise: .+\n$/);
    expect(err).not.toMatch(CONTROL);
  });

  it("come back whole from JSON, and from CSV that goes into a file", async () => {
    const ranked = await succeed(["rank", "m.json", "t.csv", "--format", "jsonl"], { cwd });
    expect(ranked).not.toMatch(CONTROL);
    expect(JSON.parse(ranked.split("\n")[0]!).list).toBe(`q1${EVIL}`);
    const found = await succeed(["evaluate", "m.json", "t.csv", "-q", "--json"], { cwd });
    expect(found).not.toMatch(CONTROL);
    expect(JSON.parse(found).perList[0].list).toBe(`q1${EVIL}`);
    expect(await succeed(["show", "u.json", "--csv"], { cwd })).toContain(`x${EVIL},`);
  });

  it("do not part a run from the lists that it ranks", async () => {
    writeFileSync(join(cwd, "run.txt"), await succeed(["rank", "m.json", "t.csv", "--quiet"], { cwd }));
    const [run, model] = await Promise.all([
      succeed(["evaluate", "run.txt", "t.csv", ...how, "--json", "--quiet"], { cwd }),
      succeed(["evaluate", "m.json", "t.csv", "--json", "--quiet"], { cwd }),
    ]);
    expect(JSON.parse(run).metrics).toEqual(JSON.parse(model).metrics);
  });
});

it("a command with control characters in its words is read back by bash", () => {
  const words = ["train", `a'b\\${EVIL}\n.txt`, "it's", "x y"];
  const { stdout, error } = spawnSync("bash", ["-c", commandText(words).replace(/^tierwise/, "printf '%s\\0'")], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  if (error) return console.warn("skipped: there is no bash here");
  expect(commandText(words)).not.toMatch(CONTROL);
  expect(stdout.split("\0").slice(0, -1)).toEqual(words);
});

/** Ballots from file to leaderboard, on reference data and across threads. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bootstrap } from "../src/bootstrap.ts";
import { compareTies } from "../src/compare-ties.ts";
import { ballots } from "../src/data/ballots.ts";
import { splitIntoParts, trainTestSplits } from "../src/data/parts.ts";
import { resample } from "../src/data/voters.ts";
import { fit } from "../src/fit.ts";
import { readData } from "../src/formats/data/read.ts";
import { isUtilities, learner } from "../src/models/index.ts";
import { objective } from "../src/objectives/index.ts";
import { caterpillar } from "../src/report/caterpillar.ts";
import { folder, succeed, tierwise } from "./cli.ts";
import { sharedFile } from "./shared.ts";

// Workers run the built JavaScript, so what is tested here does too.
const { train } = (await import(new URL("../dist/src/train.js", import.meta.url).href)) as typeof import("../src/train.ts");
const built = {
  ...((await import(new URL("../dist/src/models/index.js", import.meta.url).href)) as typeof import("../src/models/index.ts")),
  ...((await import(
    new URL("../dist/src/objectives/index.js", import.meta.url).href
  )) as typeof import("../src/objectives/index.ts")),
};

const taste = ballots(
  [
    ["tea", ["milk", "juice"], "water"],
    ["milk", "tea", "juice", "water"],
    ["juice", ["water", "tea"]],
    ["water", "juice", "milk", "tea"],
  ],
  { weights: [5, 3, 4, 2] },
);

describe("ranks of judges", () => {
  const agg = sharedFile("data/mq2007-agg/A1.txt.gz");
  it.skipIf(!existsSync(agg))("ranks of 21 judges with NULL, several queries at once under a ghost", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ranks-"));
    try {
      const path = join(folder, "ranks.txt");
      writeFileSync(path, gunzipSync(readFileSync(agg)).toString().split("\n").slice(0, 200).join("\n"));
      const { data } = await readData([path], { format: "ranks" });
      const { model } = fit(data, { model: learner("utilities:ghost=0.5"), objective: objective("pl-partition") });
      expect(isUtilities(model) && model.fit.names.length).toBe(200);
      expect(isUtilities(model) && model.fit.maxGradient).toBeLessThan(1e-8);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("threads", () => {
  it.each(["pl-partition", "davidson"])("1, 2 and 3 give the same bits under %s", async (cost) => {
    const saved = [];
    for (const threads of [1, 2, 3]) {
      const { model } = await train(taste, { model: built.learner("utilities"), objective: built.objective(cost), threads });
      saved.push(JSON.stringify(model.save()));
    }
    const { model } = fit(taste, { model: learner("utilities"), objective: objective(cost) });
    expect(new Set([...saved, JSON.stringify(model.save())]).size).toBe(1);
  });
});

describe("voters", () => {
  const weight = (data: typeof taste) => data.listWeights!.reduce((sum, one) => sum + one, 0);
  it("a resample has as many, and differs with its seed", () => {
    expect(weight(resample(taste, 1))).toBe(14);
    expect(resample(taste, 1).listWeights).toEqual(resample(taste, 1).listWeights);
    const different = new Set([1, 2, 3, 4, 5].map((seed) => String(resample(taste, seed).listWeights)));
    expect(different.size).toBeGreaterThan(1);
  });
  it("dealt into parts, each is in one part and outside the others", () => {
    const parts = trainTestSplits(taste, splitIntoParts(taste, 3, 1));
    expect(parts.reduce((sum, { test }) => sum + weight(test), 0)).toBe(14);
    for (const { train: rest, test } of parts) expect(weight(rest) + weight(test)).toBe(14);
  });
});

it("the bootstrap's standard errors come near those of the information", () => {
  // Worths 3/6, 2/6 and 1/6 give the orders of 360 voters: 360 · 3/6 · 2/3 = 120 say a > b > c, and so on.
  const orders = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"]]; // biome-ignore format: a table
  const data = ballots(orders, { weights: [120, 60, 90, 30, 36, 24] });
  const options = { model: learner("utilities"), objective: objective("pl-partition") };
  const { model } = fit(data, options);
  const { utilities, resamples, failed, ranks, first } = bootstrap(data, { ...options, resamples: 200 });
  expect([resamples, failed]).toEqual([200, 0]);
  utilities.forEach(({ error }, i) => {
    expect(Math.abs(error / (isUtilities(model) ? model.fit.uncertainty!.errors[i]! : 0) - 1)).toBeLessThan(0.25);
  });
  expect(first[0]).toBeGreaterThan(0.95);
  expect(ranks[0]).toMatchObject({ low: 1, high: 1 });
});

it("treatments of ties: ballots drawn from tiers are foretold no worse by the tier likelihood than by breaking ties as given", () => {
  const many = ballots(
    [
      [["a", "b"], "c"],
      [["a", "b"], "c"],
      ["c", ["a", "b"]],
      [["b", "c"], "a"],
      ["b", "a", "c"],
    ],
    { weights: [30, 10, 12, 9, 8] },
  );
  const [tiers, order] = compareTies(many, { objectives: ["pl-partition", "listmle"], parts: 4 });
  expect(tiers!.own).toBeCloseTo(tiers!.tiers, 12);
  expect(tiers!.tiers).toBeGreaterThan(order!.tiers);
});

it("the caterpillar draws every item, names escaped", () => {
  const svg = caterpillar([{ name: "<a> & b", value: 1, low: 0, high: 2, rank: "1-2" }], { title: "T", axis: "x" });
  expect(svg).toContain("&#60;a&#62; &#38; b");
  expect(svg).not.toContain("<a>");
  expect(svg.match(/<circle/g)).toHaveLength(1);
});

describe("the command line", () => {
  const cwd = folder({
    "taste.orders":
      "5: tea > milk = juice > water\n3: milk > tea > juice > water\n4: juice > water = tea\n2: water > juice > milk > tea\n",
    "lost.orders": "2: a > b > z\nb > a > z\n",
  });
  it("train chooses utilities; show prints the leaderboard, as CSV too, and draws it", async () => {
    const out = await succeed(["train", "taste.orders", "--out", "m.json"], { cwd });
    expect(out).toMatch(/model +utilities\nobjective +pl-partition/);
    expect(out).toContain("Leaderboard, with simultaneous 95 % rank intervals");
    const csv = (await succeed(["show", "m.json", "--csv", "--plot", "m.svg"], { cwd })).trim().split("\n");
    expect(csv[0]).toBe("rank,item,worth,utility,standard error,quasi error,best with probability,expected rank");
    expect(csv.slice(1).map((line) => line.split(",")[1]).sort()).toEqual(["juice", "milk", "tea", "water"]); // biome-ignore format: one chain
    const worths = csv.slice(1).map((line) => Number(line.split(",")[2]));
    expect(worths.reduce((sum, worth) => sum + worth, 0)).toBeCloseTo(1, 12);
    expect(readFileSync(join(cwd, "m.svg"), "utf8").match(/<circle/g)).toHaveLength(4);
    const json = JSON.parse(await succeed(["show", "m.json", "--json"], { cwd }));
    expect(json.estimates).toHaveLength(4);
  });
  it("what absent items mean is said", async () => {
    const { err } = await tierwise(["train", "taste.orders", "--absent-items", "last"], { cwd });
    expect(err).toContain("4 ballots incomplete: omitted items share the last tier (--absent-items last)");
  });
  it("a missing best fit is explained, and a prior helps", async () => {
    const { code, err } = await tierwise(["train", "lost.orders"], { cwd });
    expect(code).toBe(2);
    expect(err).toContain(
      'tierwise: the maximum-likelihood estimate does not exist, because of 1 item never above the others: "z"',
    );
    expect(await succeed(["train", "lost.orders", "ghost=0.5"], { cwd })).toContain("ghost=0.5");
  });
  it("compare-ties judges each treatment on ballots held out", async () => {
    const args = ["compare-ties", "taste.orders", "--objectives", "pl-partition,davidson", "--parts", "3", "--json"];
    const { treatments } = JSON.parse(await succeed(args, { cwd }));
    expect(treatments.map((one: { objective: string }) => one.objective)).toEqual(["pl-partition", "davidson"]);
  });
});

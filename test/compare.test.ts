/** `tierwise compare` as a user runs it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { folder, rows, succeed, svmlight, tierwise } from "./cli.ts";

describe("compare", () => {
  const csv = (names: readonly string[], columns: readonly number[]) =>
    [
      `qid,label,${names.join(",")}`,
      ...rows(12).map(({ list, label, features }) => `${list},${label},${columns.map((c) => features[c]).join(",")}`),
    ].join("\n");
  const cwd = folder({
    "train.txt": svmlight(30),
    "test.txt": svmlight(25),
    "good.csv": csv(["x", "y", "z"], [0, 1, 2]),
    "less.csv": csv(["x", "y"], [0, 1]),
  });
  beforeAll(async () => {
    await succeed(["train", "train.txt", "--out", "good.json", "--quiet"], { cwd });
    await succeed(["train", "train.txt", "--objective", "ranknet", "l2=10", "--out", "other.json", "--quiet"], { cwd });
    await succeed(["train", "good.csv", "--out", "named.json", "--quiet"], { cwd });
  });

  it("tells what evaluate tells, and the differences of its values", async () => {
    const words = ["compare", "good.json", "other.json", "test.txt", "-m", "ndcg@3,mrr", "--json"];
    const result = JSON.parse(await succeed(words, { cwd }));
    for (const model of ["good.json", "other.json"]) {
      const alone = JSON.parse(await succeed(["evaluate", model, "test.txt", "-m", "ndcg@3,mrr", "-q", "--json"], { cwd }));
      for (const { metric, systems } of result.metrics) {
        const own = systems.find((one: { system: string }) => one.system === model);
        expect(own.mean).toBeCloseTo(alone.metrics[metric], 12);
        expect(own.low).toBeLessThanOrEqual(own.mean);
        expect(own.high).toBeGreaterThanOrEqual(own.mean);
      }
    }
    expect(result).toMatchObject({ baseline: "good.json", lists: 25, comparisons: 2 });
    const [{ differences }] = result.metrics;
    const { wins, ties, losses, difference } = differences[0];
    expect(wins + ties + losses + difference.leftOut).toBe(25);
  });

  it("prints a table, the lists that changed most, and how p was found", async () => {
    const out = await succeed(["compare", "good.json", "other.json", "--data", "test.txt", "--baseline", "other.json"], { cwd });
    expect(out).toMatch(/^other\.json .* baseline$/m);
    expect(out).toMatch(/^good\.json .* \d+\/\d+\/\d+$/m);
    expect(out).toMatch(/^q\d+ /m);
    expect(out).toContain("25 lists. Differences are to other.json.");
  });

  it("takes run files, which say the same as the models that made them", async () => {
    for (const name of ["good", "other"])
      writeFileSync(join(cwd, `${name}.run`), await succeed(["rank", `${name}.json`, "test.txt", "--quiet"], { cwd }));
    const of = async (...systems: string[]) =>
      JSON.parse(await succeed(["compare", ...systems, "test.txt", "--json", "--quiet"], { cwd })).metrics[0].differences[0];
    const [models, runs] = [await of("good.json", "other.json"), await of("good.run", "other.run")];
    expect({ ...runs, system: "" }).toEqual({ ...models, system: "" });
    expect((await of("good.json", "good.run")).ties).toBe(runs.wins + runs.ties + runs.losses);
  });

  it("refuses a run that lacks lists, and says which, unless they count as not found", async () => {
    const run = await succeed(["rank", "good.json", "test.txt", "--quiet"], { cwd });
    writeFileSync(join(cwd, "short.run"), run.replace(/^q(2|11) .*\n/gm, ""));
    const words = ["compare", "good.json", "short.run", "test.txt", "--quiet"];
    const { code, err } = await tierwise(words, { cwd });
    expect({ code, err }).toEqual({
      code: 2,
      err: "tierwise: compare: short.run did not run on 2 of the 25 lists of good.json (q2, q11); only the same lists can be compared\n",
    });
    const result = JSON.parse(await succeed([...words, "--complete", "--json"], { cwd }));
    expect(
      result.metrics[0].differences[0].changed
        .slice(0, 2)
        .map(({ list }: { list: string }) => list)
        .sort(),
    ).toEqual(["q11", "q2"]);
    writeFileSync(join(cwd, "none.run"), "zz Q0 d1 1 0.5 x\n");
    expect((await tierwise(["compare", "good.json", "none.run", "test.txt", "--quiet"], { cwd })).err).toBe(
      "tierwise: none.run: the run and the data have no list in common\n",
    );
  });

  it("takes files of values without data", async () => {
    const file = (name: string, values: number[]) =>
      writeFileSync(
        join(cwd, name),
        JSON.stringify({ format: "tierwise values", version: 1, name, lists: ["1", "2", "3"], values: { map: values } }),
      );
    file("a.values", [0.1, 0.2, 0.3]);
    file("b.values", [0.2, 0.4, 0.6]);
    const result = JSON.parse(await succeed(["compare", "a.values", "b.values", "-m", "map", "--json"], { cwd }));
    expect(result.metrics[0].differences[0]).toMatchObject({ p: 2 / 8, wins: 3 });
    const { code, err } = await tierwise(["compare", "a.values", "good.json", "test.txt", "-m", "map", "--quiet"], { cwd });
    expect(code).toBe(2);
    expect(err).toMatch(/^tierwise: compare: good\.json did not run on 3 of the 3 lists of a\.values \(1, 2, 3\); .*\n$/);
  });

  it.each<[string, string[], RegExp]>([
    [
      "a model whose features the data lack",
      ["named.json", "good.json", "less.csv"],
      /named\.json cannot score less\.csv: .* needs the feature "z", which is not in the data/,
    ],
    ["a model alone", ["good.json", "test.txt"], /expected at least two systems and then the data, got 2 files/],
    ["a file that is not there", ["good.json", "other.json", "none.txt"], /none\.txt/],
    [
      "a baseline that is no system",
      ["good.json", "other.json", "test.txt", "--baseline", "god.json"],
      /no system is called "god\.json"; did you mean good\.json/,
    ],
    [
      "a level that is none",
      ["good.json", "other.json", "test.txt", "--level", "95"],
      /--level: expected a fraction between 0 and 1, got "95"/,
    ],
  ])("refuses %s", async (_, words, message) => {
    const { code, out, err } = await tierwise(["compare", ...words, "--quiet"], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });
});

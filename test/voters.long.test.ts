/** Ballots held out by voters, and the objective of battles with ties, on the command line and across threads. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { random } from "../src/numeric/random.ts";
import { folder, start, succeed, tierwise } from "./cli.ts";

/** Battles under Davidson's model with ν = 1/2: 30 different outcomes at most, so that each stands for many voters. */
function battles(count: number): string {
  const draw = random(17);
  const names = ["a", "b", "c", "d", "e"];
  const rows = Array.from({ length: count }, () => {
    const i = Math.floor(draw() * 5);
    const j = (i + 1 + Math.floor(draw() * 4)) % 5;
    const half = ((j - i) * 0.5) / 2; // worths fall by half a unit from a to e
    const [up, down] = [Math.exp(half), Math.exp(-half)];
    const at = draw() * (up + down + 0.5);
    return `${names[i]},${names[j]},${at < up ? "model_a" : at < up + down ? "model_b" : "tie"}`;
  });
  return `model_a,model_b,winner\n${rows.join("\n")}\n`;
}

const csv = battles(2000);
const ties = csv.split(",tie\n").length - 1;
const cwd = folder({ "battles.csv": csv, "orders.orders": "7: x > y > z\n5: y > x = z\n4: z > x > y\n2: x = y = z\n" });
const json = async (...args: string[]) => JSON.parse(await succeed([...args, "--json", "--quiet"], { cwd }));

describe("battles with ties", () => {
  it("cv deals voters, so held-out orders agree with the fit; it tells their log-likelihood", async () => {
    const found = await json("cv", "battles.csv");
    expect(found.objective).toBe("davidson");
    for (const { lists, likelihood, best, rounds } of found.folds) {
      expect(lists).toEqual({ train: 1200, valid: 400, test: 400 });
      expect(best).toBe(rounds);
      expect(likelihood).toBeGreaterThan(-Math.log(3)); // three outcomes at random
    }
    expect(found.metrics.kendall.mean).toBeGreaterThan(0.3);
    expect(found.likelihood.mean).toBeLessThan(0);
  });

  it("train --hold-out keeps the converged fit, for any number of threads", async () => {
    const found = await json("train", "battles.csv", "--hold-out", "0.25", "--out", "one.json", "--threads", "1");
    expect(found.best).toBe(found.rounds);
    expect(found.likelihood).toBeGreaterThan(-Math.log(3));
    for (const threads of ["2", "3"]) {
      await succeed(["train", "battles.csv", "--hold-out", "0.25", "--out", "more.json", "--threads", threads], { cwd });
      expect(start(["show", "more.json", "--json"], { cwd }).out).toBe(start(["show", "one.json", "--json"], { cwd }).out);
    }
  });

  it("one line says which objective was chosen and why; an explicit one wins and the ties it leaves out are counted", async () => {
    const { err } = await tierwise(["train", "battles.csv"], { cwd });
    expect(err).toContain(
      `the ballots are pairs and ${ties} of 2,000 are ties, so the objective is davidson, which models ties (--objective pl-partition leaves them out)\n`,
    );
    const explicit = await tierwise(["train", "battles.csv", "--objective", "pl-partition"], { cwd });
    expect(explicit.out).toMatch(/objective +pl-partition/);
    expect(explicit.err).toContain(
      `${ties} of 2,000 ballots tie all their items, and pl-partition learns nothing from them; --objective davidson or --objective rao-kupper does\n`,
    );
    const longer = await tierwise(["train", "orders.orders"], { cwd });
    expect(longer.out).toMatch(/objective +pl-partition/);
    expect(longer.err).toContain("2 of 18 ballots tie all their items");
  });

  it("tune holds out voters and shows their likelihood", async () => {
    const found = await json("tune", "battles.csv", "ghost=0,0.5", "--folds", "4");
    expect(found.trials.map(({ objective }: { objective: string }) => objective)).toEqual(["davidson", "davidson"]);
    for (const { likelihood, metrics } of found.trials) {
      expect(metrics.kendall).toBeGreaterThan(0.3);
      expect(likelihood).toBeGreaterThan(-Math.log(3));
    }
  });

  it("compare resamples voters, so that intervals shrink with their number", async () => {
    for (const ghost of ["0", "50"])
      await succeed(["cv", "battles.csv", "--model", `utilities:ghost=${ghost}`, "--values", `${ghost}.json`, "--quiet"], {
        cwd,
      });
    const { lists, metrics } = await json("compare", "0.json", "50.json", "--metrics", "kendall");
    expect(lists).toBe(2000);
    const [{ low, high, mean }] = metrics[0].systems;
    // Values are 1 and -1: the standard error over the 2,000 - ties voters that tell is about sqrt((1 - mean²) / n).
    const error = Math.sqrt((1 - mean * mean) / (2000 - ties));
    expect(high - low).toBeGreaterThan(3.2 * error);
    expect(high - low).toBeLessThan(4.8 * error);
  });
});

describe("standard input", () => {
  it.each([["train"], ["cv"], ["tune"], ["compare-ties"]])(
    "%s reads it, plain or gzipped, and knows ballots by their content",
    (verb) => {
      const words = [verb, "-", ...(verb === "tune" ? ["ghost=0.5,1"] : []), "--quiet", "--json"];
      const plain = start(words, { cwd, input: csv });
      expect(plain.err).toBe("");
      expect(plain.code).toBe(0);
      expect(plain.out).toContain("davidson");
      const timeless = (text: string) => text.replace(/"seconds":\{[^}]*\}/, "");
      expect(timeless(start(words, { cwd, input: gzipSync(csv) }).out)).toBe(timeless(plain.out));
    },
  );

  it.each([
    ["train", "-", "-"],
    ["train", "-", "--valid", "-"],
    ["tune", "-", "ghost=0.5", "--valid", "/dev/stdin"],
    ["cv", "-", "-"],
    ["compare-ties", "-", "-"],
  ])("%s %s %s %s named twice is one clear line", (...words) => {
    const { code, err } = start([...words.filter(Boolean), "--quiet"], { cwd, input: csv });
    expect(err).toBe("tierwise: standard input can be read only once, and is named twice; write it to a file first\n");
    expect(code).toBe(2);
  });

  it("an empty one is told, and a model is no standard input", () => {
    expect(start(["train", "-"], { cwd, input: "" })).toMatchObject({ code: 2, err: "tierwise: -: the file is empty\n" });
    const { code, err } = start(["show", "-"], { cwd, input: "{}" });
    expect([code, err]).toEqual([2, "tierwise: -: a model is read from a file, not from standard input\n"]);
  });
});

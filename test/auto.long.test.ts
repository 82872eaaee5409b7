/** What takes long about `autoTrain`: every place to go on from, estimates of noise, and a command that is interrupted. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Trial } from "../src/formats/trials.ts";
import { at, autoFolds, bytes, library, random, rowsOf, run, text } from "./auto.ts";
import { folder, main, succeed } from "./cli.ts";

const { chooseBlend } = (await import(at("auto-blend.js"))) as typeof import("../src/auto-blend.ts");
const { build, ndcg } = library;

describe("autoTrain", () => {
  it("goes on after any trial and ends with the same bytes", async () => {
    const trials: Trial[] = [];
    const whole = await run({ trials: 6, onTrial: (trial) => void trials.push(trial) });
    const stored = JSON.parse(JSON.stringify(trials)) as Trial[];
    for (let known = 1; known <= 6; known++) {
      const numbers: number[] = [];
      const again = await run({ trials: 6, done: stored.slice(0, known), onTrial: (_, number) => void numbers.push(number) });
      expect(bytes(again), `after ${known} trials`).toBe(bytes(whole));
      expect(again.trials.slice(0, known).map(({ seconds }) => seconds)).toEqual(
        trials.slice(0, known).map((one) => one.seconds),
      );
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
    }
    expect(bytes(await run({ trials: 3, done: stored }))).toBe(bytes(await run({ trials: 3 })));
  });
});

describe("the estimate", () => {
  it("of blends of noise is that of noise, where the metric that chose them is higher", () => {
    const [nested, chosen, single]: [number[], number[], number[]] = [[], [], []];
    const metric = ndcg({ k: 5 });
    for (let seed = 1; seed <= 40; seed++) {
      const lists = build(rowsOf(seed, 20, 5));
      const draw = random(seed, 99);
      const trials = Array.from({ length: 8 }, () => ({ scores: Float32Array.from(lists.labels, () => draw()) }));
      const conditions = { data: lists, folds: autoFolds("test", lists, 5, seed), metrics: [metric] };
      const { estimates, weights, scales } = chooseBlend(trials as never, conditions, seed);
      const sum = Float64Array.from(lists.labels, (_, i) =>
        trials.reduce((s, one, t) => s + (weights[t]! * one.scores[i]!) / scales[t]!, 0),
      );
      const of = (scores: Float64Array) => library.evaluateScores(scores, lists, [metric]).metrics["ndcg@5"]!;
      nested.push(estimates["ndcg@5"]!.mean);
      chosen.push(of(sum));
      single.push(of(Float64Array.from(lists.labels, () => draw())));
    }
    const mean = (values: readonly number[]) => values.reduce((total, one) => total + one, 0) / values.length;
    const spread = (values: readonly number[]) => Math.sqrt(mean(values.map((one) => (one - mean(values)) ** 2)) / values.length);
    const apart = (a: readonly number[]) => (mean(a) - mean(single)) / Math.hypot(spread(a), spread(single));
    expect(Math.abs(apart(nested))).toBeLessThan(4);
    expect(apart(chosen)).toBeGreaterThan(4);
  });
});

describe("tierwise train --model auto", () => {
  const cwd = folder({ "train.txt": text(1, 30) });
  const auto = ["train", "train.txt", "--model", "auto", "--folds", "2", "--patience", "2", "--threads", "1"];

  it("ended by Ctrl-C keeps its trials, and the same command ends with the same bytes", async () => {
    const words = [...auto, "--trials", "6", "--trials-file", "c.jsonl", "--out", "c.json", "--quiet"];
    const file = join(cwd, "c.jsonl");
    const child = spawn(process.execPath, [main, ...words], { cwd, stdio: "ignore" });
    const ended = once(child, "exit");
    const lines = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0);
    while (lines() < 3 && child.exitCode === null) await new Promise((wake) => setTimeout(wake, 2));
    child.kill("SIGINT");
    await ended;
    expect(lines()).toBeGreaterThanOrEqual(3);
    await succeed(words, { cwd });
    await succeed([...auto, "--trials", "6", "--out", "fresh.json", "--quiet"], { cwd });
    expect(readFileSync(join(cwd, "c.json"), "utf8")).toBe(readFileSync(join(cwd, "fresh.json"), "utf8"));
  });
});

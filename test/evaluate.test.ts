/** `tierwise evaluate` with runs, ties, presets and their differences, through the built command line. */
import { describe, expect, it } from "vitest";
import { folder, succeed, svmlight, tierwise } from "./cli.ts";

const cwd = folder({
  "train.txt": svmlight(20),
  "judged.qrels": "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 a 0\nq2 0 b 0\nq3 0 a 1\nq4 0 a 1\nq4 0 b 0\n",
  "first.run": "q1 Q0 a 1 1 r\nq1 Q0 b 2 1 r\nq1 Q0 c 3 1 r\nq2 Q0 a 1 2 r\nq3 Q0 z 1 2 r\nq3 Q0 a 2 1 r\nq8 Q0 a 1 1 r\n",
  "broken.run": "q1 Q0 a 1 1 r\nq1 Q0 b 2\n",
});
const at = { cwd };
const evaluated = async (...args: string[]) => JSON.parse(await succeed(["evaluate", ...args, "--json", "--quiet"], at));

describe("a run instead of a model", () => {
  it("is held against qrels by the names of lists and documents", async () => {
    // q1: three tied items, 2 and 1 among them; q2 has nothing to find; q3: an unjudged item before the relevant one; q4 is not in the run.
    const { metrics, lists, skipped } = await evaluated("first.run", "judged.qrels", "-m", "mrr,mrr:trec,recall@1");
    expect(lists).toBe(3);
    expect(skipped).toBe(1);
    expect(metrics.mrr).toBeCloseTo(((2 / 3) * 1 + (1 / 3) * (1 / 2) + 1 / 2) / 2, 12);
    expect(metrics["mrr:trec"]).toBeCloseTo((1 + 0 + 1 / 2) / 3, 12); // c, b, a in q1
    expect(metrics["recall@1"]).toBeCloseTo(1 / 3 / 2, 12);
  });
  it("-c counts lists that the run lacks and lists without a relevant item as 0", async () => {
    const { metrics, lists } = await evaluated("first.run", "judged.qrels", "-c", "-m", "mrr:trec,mrr");
    expect(lists).toBe(4);
    expect(metrics["mrr:trec"]).toBeCloseTo((1 + 0 + 1 / 2 + 0) / 4, 12);
    expect(metrics["mrr;empty=0"]).toBeCloseTo((2 / 3 + 1 / 6 + 1 / 2) / 4, 12);
  });
  it("says on standard error what was not matched", async () => {
    const { err } = await tierwise(["evaluate", "first.run", "judged.qrels", "-m", "mrr"], at);
    expect(err).toContain("1 judged list not in the run, left out (-c counts them)");
    expect(err).toContain("1 list of the run not judged and left out");
    expect(err).toContain("1 document of the run not judged, taken as label 0");
    expect(err).toContain("1 judged document not in the run, counted as not found");
  });
  it("written by rank and read again gives the values of the model, also against qrels written by rank", async () => {
    await succeed(["train", "train.txt", "--out", "model.json", "--quiet"], at);
    const { writeFileSync } = await import("node:fs");
    for (const format of ["trec", "qrels"])
      writeFileSync(
        `${cwd}/own.${format}`,
        await succeed(["rank", "model.json", "train.txt", "--format", format, "--quiet"], at),
      );
    const names = ["-m", "ndcg@5,map,err:ranklib,ndcg@5:trec"];
    const { metrics } = await evaluated("model.json", "train.txt", ...names);
    expect((await evaluated("own.trec", "train.txt", ...names)).metrics).toEqual(metrics);
    const judged = await evaluated("own.trec", "own.qrels", ...names);
    for (const [name, value] of Object.entries(metrics)) expect(judged.metrics[name]).toBeCloseTo(value as number, 12);
  });
  it("mistakes carry file and line", async () => {
    const { code, err } = await tierwise(["evaluate", "broken.run", "judged.qrels"], at);
    expect([code, err]).toEqual([
      2,
      'tierwise: broken.run:2: expected "list Q0 document rank score tag", got "q1 Q0 b 2" (4 columns)\n',
    ]);
  });
});

describe("--ties", () => {
  it("gives the worst, expected and best value over tied scores, and the gap", async () => {
    const { ties } = await evaluated("first.run", "judged.qrels", "-m", "mrr,precision@1", "--ties");
    expect(ties.mrr).toMatchObject({ worst: (1 / 2 + 1 / 2) / 2, best: (1 + 1 / 2) / 2, lists: 1 });
    expect(ties.mrr.exposure).toBeCloseTo(0.25, 12);
    expect(ties["precision@1"]).toMatchObject({ worst: 0, best: 0.5, exposure: 0.5 });
    expect(ties["precision@1"].expected).toBeCloseTo(1 / 3, 12);
    const text = await succeed(["evaluate", "first.run", "judged.qrels", "-m", "mrr", "--ties", "--quiet"], at);
    expect(text).toMatch(/over tied scores +worst +expected +best +tie exposure +lists/);
  });
});

describe("--explain", () => {
  it("walks from our variant to a tool's, and the effects add up", async () => {
    const { explain, metrics } = await evaluated("first.run", "judged.qrels", "-m", "ndcg@1:catboost", "--explain");
    expect(explain).toHaveLength(1);
    const [{ from, to, changes }] = explain;
    expect([from.text, to.text]).toEqual(["ndcg@1", "ndcg@1:catboost"]);
    expect(changes.map((one: { option: string }) => one.option)).toEqual(["gain", "ties", "empty"]);
    // q1 at the top: gains 3, 0, 1 of 3, then 2, 0, 1 of 2, then the worst, 0; q3: nothing; q2, without a relevant item, then counts 1.
    expect(from.mean).toBeCloseTo(4 / 9 / 2, 12);
    expect(changes.map((one: { mean: number }) => one.mean)).toEqual([1 / 4, 0, 1 / 3].map((mean) => expect.closeTo(mean, 12)));
    expect(changes.map((one: { lists: number }) => one.lists)).toEqual([1, 1, 1]);
    const sum = changes.reduce((total: number, one: { effect: number }) => total + one.effect, from.mean);
    expect(sum).toBeCloseTo(metrics["ndcg@1:catboost"], 12);
  });
  it("holds several variants of a metric against the first of them", async () => {
    const { explain } = await evaluated("first.run", "judged.qrels", "-m", "ndcg@3:lightgbm,ndcg@3:letor,map", "--explain");
    expect(explain).toHaveLength(1);
    expect(explain[0].from.text).toBe("ndcg@3:lightgbm");
    expect(explain[0].changes.map((one: { option: string; from: string; to: string }) => [one.option, one.from, one.to])).toEqual(
      [
        ["discount", "log2", "letor"],
        ["short", "whole", "0"],
        ["empty", "1", "0"],
      ],
    );
  });
  it("has nothing to say where all are ours", async () => {
    const text = await succeed(["evaluate", "first.run", "judged.qrels", "-m", "ndcg@3", "--explain", "--quiet"], at);
    expect(text).toContain("Nothing to explain: every metric is our default variant.");
  });
});

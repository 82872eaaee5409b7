/** What chooses the best round, in threads, in cross-validation and search, and on the command line. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type * as Library from "../src/index.ts";
import { succeed, tierwise } from "./cli.ts";

const { build, cv, fit, learner, metric, objective, split, train, tune } = (await import(
  new URL("../dist/src/index.js", import.meta.url).href
)) as typeof Library;

const root = fileURLToPath(new URL("..", import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), "tierwise-stop-on-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const [search, judged] = [`${root}examples/search/train.txt.gz`, `${root}examples/search/test.txt.gz`];

const all = build(
  Array.from({ length: 900 }, (_, at) => ({
    list: Math.floor(at / 6),
    label: (((at * 37) % 11) + ((at * 13) % 7)) % 3,
    features: [(at * 37) % 11, (at * 5) % 13, (at * 3) % 7],
  })),
);
const [data, valid] = split(all, [0.6, 0.4], 1) as [Library.Dataset, Library.Dataset];
const metrics = [metric("ndcg@10")];

it.each([
  ["trees:rounds=8,leaves=4", "pl-partition"],
  ["trees:rounds=8,leaves=4", "mcrank:grades=3"],
  ["linear", "plrank"],
  ["mlp:hidden=4,epochs=3", "davidson"],
])("is the same on 1, 2 and 3 threads: %s under %s", async (model, cost) => {
  const options = { model: learner(model), objective: objective(cost), valid, metrics, stopOn: "smooth(loss,2)", patience: 3 };
  const { model: alone, ...wanted } = fit(data, options);
  for (const threads of [1, 2, 3]) {
    const { model: found, ...rest } = await train(data, { ...options, threads });
    expect(rest).toEqual(wanted);
    expect(JSON.stringify(found.save())).toBe(JSON.stringify(alone.save()));
  }
});

describe("searches and cross-validation honour it", () => {
  const model = "trees:rounds=40,min-items=2,leaves=4,learning-rate=0.3";
  const alone = (stopOn: string) => fit(data, { model: learner(model), valid, metrics, stopOn }).best.round;

  it("tune", async () => {
    const options = {
      model: model.replace(",leaves=4", ""),
      objective: "pl-partition",
      space: { leaves: "4" },
      metrics,
      threads: 1,
    };
    for (const stopOn of ["loss", "ndcg@10"])
      expect((await tune([{ train: data, valid }], { ...options, stopOn })).trials[0]!.rounds).toEqual([alone(stopOn)]);
    expect(alone("loss")).not.toBe(alone("ndcg@10"));
  });

  it("cv", async () => {
    const folds = [{ train: data, valid, test: valid }, { train: data, valid, test: valid }]; // biome-ignore format: short
    const found = await cv(folds, { model: learner(model), metrics, stopOn: "loss", threads: 1 });
    expect([found.stopOn, ...found.folds.map(({ best }) => best)]).toEqual(["loss", alone("loss"), alone("loss")]);
    await expect(cv(folds, { model: learner(model), metrics, stopOn: "smooth(loss,0)" })).rejects.toThrow(
      'cv, option stopOn: expected a whole number of at least 2 rounds to smooth over, got "0"',
    );
  });
});

describe("the command line", () => {
  const words = [search, "--valid", judged, "--model", "trees:rounds=30,leaves=4,learning-rate=0.3"];

  it("train says which round was kept, and by what; the model file and the history keep it", async () => {
    const files = ["--out", "m.json", "--history", "h.json"];
    const text = await succeed(["train", ...words, "--stop-on", "loss", "--patience", "5", ...files], { cwd });
    expect(text).toMatch(/rounds +\d+ \(the best of \d+ by held-out loss\)/);
    expect(text).toMatch(/valid loss +\d/);
    const { training } = JSON.parse(readFileSync(join(cwd, "m.json"), "utf8"));
    const history = JSON.parse(readFileSync(join(cwd, "h.json"), "utf8"));
    expect([training.stopOn, history.stopOn, history.best]).toEqual(["loss", "loss", training.best]);
    const losses = history.rounds.map(({ criterion }: { criterion: number }) => criterion);
    expect(losses[training.best - 1]).toBe(Math.min(...losses));
    expect(await succeed(["show", "m.json"], { cwd })).toMatch(/\(the best of \d+ by held-out loss\)/);
    const json = JSON.parse(await succeed(["train", ...words, "--stop-on", "smooth(ndcg@10, 3)", "--json", "--quiet"], { cwd }));
    expect(json.stopOn).toBe("smooth(ndcg@10,3)");
  });

  it("train says that nothing is chosen without validation data", async () => {
    const { code, err } = await tierwise(
      ["train", search, "--model", "trees:rounds=2", "--stop-on", "ndcg@5", "--out", "n.json"],
      { cwd },
    );
    expect(code).toBe(0);
    expect(err).toContain(
      "--stop-on: without validation data it chooses nothing, and the last round is kept; give --valid or --hold-out",
    );
  });

  it("cv and tune say it too, and a search under other conditions is refused", async () => {
    const small = [judged, "--model", "trees:rounds=5,leaves=4", "--stop-on", "loss"];
    expect(await succeed(["cv", ...small, "--folds", "3", "--quiet"], { cwd })).toContain(
      "The best round of a fold is chosen by held-out loss of its validation lists.",
    );
    const tuned = ["tune", judged, "--model", "trees:rounds=5", "leaves=4", "--trials-file", "t.jsonl", "--quiet"];
    expect(await succeed([...tuned, "--stop-on", "smooth(loss,2)"], { cwd })).toMatch(/--stop-on "?'?smooth\(loss,2\)/);
    const { code, err } = await tierwise([...tuned, "--stop-on", "loss"], { cwd });
    expect([code, err.trim()]).toEqual([
      2,
      "tierwise: t.jsonl: its trials were made under other conditions: stopOn was smooth(loss,2) and is loss; use another file",
    ]);
  });

  it.each([
    ["los", /^tierwise: --stop-on: expected loss or a metric; no metric is called "los"/],
    ["smooth(loss,x)", /^tierwise: --stop-on: expected a whole number of at least 2 rounds to smooth over, got "x"/],
  ])("refuses %s in one line", async (text, message) => {
    const { code, err } = await tierwise(["train", ...words, "--stop-on", text, "--quiet"], { cwd });
    expect([code, err.trim().split("\n").length]).toEqual([2, 1]);
    expect(err).toMatch(message);
  });

  it("refuses the loss of a model that has a cost of its own", async () => {
    const { code, err } = await tierwise(["train", search, "--valid", judged, "--model", "coordinate-ascent", "--stop-on", "loss", "--quiet"], { cwd }); // biome-ignore format: one line
    expect(code).toBe(2);
    expect(err).toMatch(/--stop-on: the model coordinate-ascent has a cost of its own .*; name a metric instead/);
  });
});

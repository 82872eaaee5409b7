import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AutoOptions } from "../src/auto.ts";
import type { Trial } from "../src/formats/trials.ts";
import type { Dataset } from "../src/types.ts";
import { at, autoFolds, bytes, data, library, quick, rowsOf, run, text } from "./auto.ts";
import { folder, start, succeed, tierwise } from "./cli.ts";

const { autoTrainBy } = (await import(at("auto.js"))) as typeof import("../src/auto.ts");
const { autoTrain, build, ndcg, parseModel, score, InputError } = library;

describe("autoTrain", () => {
  it("gives the same bytes on 1, 2 and 3 threads, with and without blocking", async () => {
    const wanted = bytes(await run({ trials: 2 }));
    for (const threads of [2, 3]) expect(bytes(await run({ trials: 2, threads }))).toBe(wanted);
    expect(bytes(await run({ trials: 1, blocking: false }))).toBe(bytes(await run({ trials: 1 })));
  });

  it("goes on after a trial and ends with the same bytes", async () => {
    const trials: Trial[] = [];
    const whole = await run({ trials: 3, onTrial: (trial) => void trials.push(trial) });
    const stored = JSON.parse(JSON.stringify(trials)) as Trial[];
    for (const known of [1, 3]) expect(bytes(await run({ trials: 3, done: stored.slice(0, known) }))).toBe(bytes(whole));
  });

  it("is a model file whose scores are the weighted mean of those of all folds", async () => {
    const found = await run({ trials: 3 });
    const file = parseModel(bytes(found));
    expect(score(file.model, data)).toEqual(score(found.model, data));
    expect(file.metrics).toEqual(found.metrics);
    expect(file.training.search?.trials).toEqual(found.trials.map(({ seconds: _, ...one }) => one));
    expect(found.trials.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 14);
    const chosen = found.trials.filter(({ weight }) => weight > 0);
    expect(found.model.members).toHaveLength(2 * chosen.length);
    const sum = new Float64Array(data.labels.length);
    for (const { model, weight, scale } of found.model.members)
      score(model, data).forEach((one, i) => void (sum[i]! += (one * weight) / scale));
    score(found.model, data).forEach((one, i) => {
      expect(one).toBeCloseTo(sum[i]!, 12);
    });
    expect(library.explain(found.model, data, 0).length).toBe(6);
  });

  it("with one trial estimates what its out-of-fold scores reach, and these are of models that never saw the list", async () => {
    let trial: Trial | undefined;
    const found = await run({ trials: 1, metrics: [ndcg({ k: 3 })], onTrial: (one) => void (trial = one) });
    expect(found.metrics["ndcg@3"]).toBe(trial!.metrics["ndcg@3"]);
    expect(found.errors["ndcg@3"]).toBe(found.trials[0]!.errors["ndcg@3"]);
    const scores = new Float32Array(Uint8Array.from(Buffer.from(trial!.scores!, "base64")).buffer);
    autoFolds("test", data, 2, 1).forEach(({ lists, train, valid }, fold) => {
      const { model } = library.fit(train, { model: library.learner("trees"), valid, patience: 2 });
      const wanted = Float32Array.from(score(model, valid));
      const got = [...lists].flatMap((q) => [...scores.subarray(data.starts[q], data.starts[q + 1])]);
      expect(got, `fold ${fold}`).toEqual([...wanted]);
    });
  });

  it("pools validation lists with the data, fitted to their columns", async () => {
    const [first, second] = [rowsOf(1, 20), rowsOf(2, 10).map((row) => ({ ...row, list: `v${row.list}` }))];
    const wanted = await run({ trials: 2 }, build([...first, ...second]));
    expect(bytes(await run({ trials: 2, valid: build(second) }, build(first)))).toBe(bytes(wanted));
    const wide = build(second.map((row) => ({ ...row, features: [...row.features, 7] })));
    await expect(run({ trials: 1, valid: wide }, build(first))).rejects.toThrow(/unknownFeatures: "ignore"/);
    expect(bytes(await run({ trials: 2, valid: wide, unknownFeatures: "ignore" }, build(first)))).toBe(bytes(wanted));
  });

  it("trains on few lists in fewer folds, and refuses one", async () => {
    expect((await autoTrain(build(rowsOf(1, 4)), { trials: 2, threads: 1, blocking: true })).folds).toBe(2);
    await expect(run({ folds: undefined as never }, build(rowsOf(1, 1)))).rejects.toThrow(
      "autoTrain: expected at least 4 lists with two different labels to validate models, got 1; train one model instead",
    );
  });

  it("takes one objective for all trials, other metrics, and lists with weights", async () => {
    const found = await run({
      trials: 6,
      objective: library.rankNet(),
      metrics: [library.meanAveragePrecision(), ndcg({ k: 5 })],
    });
    expect(new Set(found.trials.map(({ objective }) => objective))).toEqual(new Set(["ranknet"]));
    expect(Object.keys(found.metrics)).toEqual(["map", "ndcg@5"]);
    const listWeights = Float32Array.from({ length: 30 }, (_, q) => q % 3);
    const weighted = await run({ trials: 2 }, { ...data, listWeights });
    expect(weighted.metrics).not.toEqual((await run({ trials: 2 })).metrics);
  });

  it("goes on where a setting cannot be trained, and says why", async () => {
    let trial = 1;
    const tiers = library.plPartition();
    const evaluate: typeof tiers.evaluate = (...given) => {
      if (trial === 2) throw new InputError("not this one");
      return tiers.evaluate(...given);
    };
    const found = await run({ trials: 3, objective: { ...tiers, evaluate }, onTrial: () => void trial++ });
    const { seconds: _, ...second } = found.trials[1]!;
    expect(second).toMatchObject({ weight: 0, metrics: {}, errors: {}, rounds: [], failed: "not this one" });
    expect(parseModel(bytes(found)).training.search!.trials[1]).toEqual(second);
    expect(found.trials[0]!.failed ?? found.trials[2]!.failed).toBeUndefined();
    const never: typeof tiers.evaluate = () => {
      throw new InputError("none at all");
    };
    await expect(run({ trials: 3, objective: { ...tiers, evaluate: never } })).rejects.toThrow(
      "autoTrain: none of 3 trials could be trained; the last: none at all",
    );
  });

  it("ends on a signal, and what was done can be used later", async () => {
    const trials: Trial[] = [];
    const control = new AbortController();
    const onTrial = (trial: Trial) => {
      trials.push(trial);
      if (trials.length === 2) control.abort(new Error("enough"));
    };
    await expect(run({ trials: 5, signal: control.signal, onTrial })).rejects.toThrow("enough");
    expect(trials).toHaveLength(2);
    expect(bytes(await run({ trials: 5, done: trials }))).toBe(bytes(await run({ trials: 5 })));
    await expect(run({ trials: 5, signal: AbortSignal.abort(new Error("at once")) })).rejects.toThrow("at once");
  });

  it.each<[string, unknown, unknown, RegExp]>([
    ["no data", undefined, {}, /autoTrain: expected data/],
    ["a wrong option", data, { trails: 3 }, /autoTrain has no option "trails"; did you mean trials\?/],
    ["no trials", data, { trials: 0 }, /autoTrain, option trials: expected a whole number of at least 1, got 0/],
    ["no time", data, { budget: 0 }, /autoTrain, option budget: expected a number above 0, got 0/],
    ["a time as text", data, { budget: "10m" }, /autoTrain, option budget: expected a number above 0, got the text "10m"/],
    ["one fold", data, { folds: 1 }, /autoTrain, option folds: expected a whole number of at least 2, got 1/],
    ["too many folds", data, { folds: 31 }, /autoTrain: \d+ lists with two different labels are too few for 31 folds/],
    ["validation data that are none", data, { valid: 3 }, /autoTrain, option valid: expected data/],
    ["no metric", data, { metrics: [] }, /autoTrain: expected at least one metric/],
    ["a metric as text", data, { metrics: ["ndcg@10"] }, /autoTrain, option metrics: expected an array of metrics/],
    ["a model", data, { model: library.linear() }, /autoTrain has no option "model"/],
    ["an objective as text", data, { objective: "ranknet" }, /autoTrain, option objective: expected an objective/],
    ["nothing to stop on", data, { stopOn: "ngcd@10", trials: 1 }, /autoTrain, option stopOn: expected loss or a metric; no metric is called "ngcd"/],
    ["trials of something else", data, { done: [{ model: "linear", objective: "ranknet", metrics: {}, rounds: [], settings: {} }] }, /autoTrain, option done: trial 1 is linear under ranknet, where the sequence has trees under pl-partition; it was made with other data, options or by another version/],
    ["trials without scores", data, { done: [{ model: "trees", objective: "pl-partition", metrics: {}, rounds: [], settings: {} }] }, /autoTrain, option done, trial 1: expected 180 scores of 32 bits in base64, got 0 bytes/],
    ["ballots", library.ballots([["a", "b"], ["b", "a"], ["a", "b"], ["b", "a"]]), {}, /autoTrain: the models learn from features, and the data have none; train utilities/],
    ["multi-label data", library.labelSets([{ x: [1], y: ["a"] }, { x: [2], y: ["b"] }], { labels: "y", features: "x" }), {}, /autoTrain: multi-label data are not supported/],
  ])("refuses %s", async (_, from, options, message) => {
    const found = autoTrain(from as Dataset, options as AutoOptions);
    await expect(found).rejects.toThrow(message);
    await expect(found).rejects.toBeInstanceOf(InputError);
  }); // biome-ignore format: a case on each line
});

describe("a budget", () => {
  /** A clock on which trials take these times, and those after them the last one. */
  const clock = (...seconds: number[]) => {
    let [time, calls] = [1000, 0];
    return () => {
      if (calls++ % 2 === 1) time += seconds[Math.min(seconds.length, calls / 2) - 1]!; // the end of a trial
      return time;
    };
  };
  const timed = (budget: number, ...seconds: number[]) => autoTrainBy(clock(...seconds), data, { ...quick, budget });

  it("decides how many trials there are, and nothing else", async () => {
    const found = await timed(40, 10, 2, 12);
    expect(found.trials.map((one) => one.seconds)).toEqual([10, 2, 12, 12]); // the next is expected to take longer than 4
    expect(bytes(found)).toBe(bytes(await run({ trials: found.trials.length })));
  });

  it("has one trial at least, and no trial that is expected to exceed it", async () => {
    expect((await timed(1, 500)).trials).toHaveLength(1);
    // The second is a linear model: a fifth of the first.
    expect((await timed(119, 100, 1)).trials).toHaveLength(1);
    expect((await timed(121, 100, 1)).trials).toHaveLength(2);
  });

  it("counts the time of an earlier run", async () => {
    const trials: Trial[] = [];
    const whole = await autoTrainBy(clock(10, 2, 12), data, { ...quick, budget: 40, onTrial: (one) => void trials.push(one) });
    for (const known of [2, 4]) {
      const rest = clock(...[10, 2, 12, 12].slice(known), 12);
      const again = await autoTrainBy(rest, data, { ...quick, budget: 40, done: trials.slice(0, known) });
      expect(bytes(again)).toBe(bytes(whole));
    }
  });

  it("and a number of trials end with the first", async () => {
    const found = await autoTrainBy(clock(1), data, { ...quick, budget: 1000, trials: 2 });
    expect(found.trials).toHaveLength(2);
  });
});

describe("tierwise train --model auto", () => {
  const cwd = folder({ "train.txt": text(1, 30), "other.txt": text(2, 30), "valid.txt": text(3, 8), "one.txt": text(1, 1), "b.orders": "a > b\nb > a\n" }); // biome-ignore format: files
  const auto = ["train", "train.txt", "--model", "auto", "--folds", "2", "--patience", "2", "--threads", "1"];

  it("prints what was tried, writes one model, and shows it", async () => {
    const out = await succeed([...auto, "--trials", "3", "--out", "m.json", "--quiet"], { cwd });
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^trial +model +objective +ndcg@10 +seconds +weight$/);
    expect(lines[2]).toMatch(/^1 +trees +pl-partition +0\.\d+ ± 0\.\d+ +\d+\.\d +[\d.]+$/);
    expect(lines[5]).toMatch(/^blend +0\.\d+ ± 0\.\d+ +\d+\.\d$/);
    expect(out).toMatch(/means over 30 lists .*2-fold.* nested: for each fold, it is chosen on the lists of the others/);
    expect(out).toMatch(/3 trials; --trials 3 makes the same model again\.\nThe model is in m\.json\.\n$/);
    const shown = await succeed(["show", "m.json"], { cwd });
    expect(shown).toMatch(/trials +3\nnested ndcg@10 +0\.\d+ ± 0\.\d+\n/);
    expect(shown).toMatch(/Trials, by 2-fold cross-validation\ntrial +model +objective +ndcg@10 +weight\n/);
    for (const verb of [["evaluate"], ["rank"], ["explain"]]) await succeed([...verb, "m.json", "other.txt", "--quiet"], { cwd });
  });

  it("gives the same as autoTrain, and as JSON", async () => {
    const said = JSON.parse(
      await succeed([...auto, "--trials", "3", "--json", "--quiet", "--out", "j.json", "--valid", "valid.txt"], { cwd }),
    );
    const [given, valid] = await Promise.all(["train.txt", "valid.txt"].map((name) => library.readData([join(cwd, name)])));
    const found = await run({ trials: 3, valid: valid!.data }, given!.data);
    expect(said).toMatchObject({ model: "auto", metrics: found.metrics, errors: found.errors, folds: 2, out: "j.json" });
    expect(said.trials.map((one: { weight: number }) => one.weight)).toEqual(found.trials.map(({ weight }) => weight));
    const file = library.readModel(join(cwd, "j.json"));
    expect(file.model.save()).toEqual(found.model.save());
  });

  it("goes on from a file of trials, also one that is cut off, with the same bytes", async () => {
    const words = [...auto, "--trials", "4", "--quiet"];
    await succeed([...words, "--trials-file", "t.jsonl", "--out", "whole.json"], { cwd });
    const [file, wanted] = [join(cwd, "t.jsonl"), readFileSync(join(cwd, "whole.json"), "utf8")];
    const stored = readFileSync(file, "utf8");
    for (const end of [stored.indexOf("\n") + 1, stored.length - 40, stored.length]) {
      writeFileSync(file, stored.slice(0, end));
      await succeed([...words, "--trials-file", "t.jsonl", "--out", "again.json"], { cwd });
      expect(readFileSync(join(cwd, "again.json"), "utf8")).toBe(wanted);
      expect(readFileSync(file, "utf8").split("\n")).toHaveLength(6);
    }
    const refused: [string[], RegExp][] = [
      [["train", "other.txt", ...auto.slice(2)], /t\.jsonl: its trials were made under other conditions: data was [0-9a-f]{16} and is [0-9a-f]{16}; use another file/],
      [[...auto, "--seed", "2"], /seed was 1 and is 2/],
      [[...auto, "--metrics", "map"], /metrics was ndcg@10 and is map/],
      [[...auto, "--objective", "ranknet"], /objective was several and is ranknet/],
      [["tune", "train.txt", "l2=1,2"], /t\.jsonl: its trials were made under other conditions/],
    ]; // biome-ignore format: a case on each line
    for (const [others, message] of refused) {
      const { code, err } = await tierwise([...others, "--trials-file", "t.jsonl", "--quiet"], { cwd });
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
    }
    expect(readFileSync(file, "utf8")).toBe(stored);
    const lines = stored.split("\n");
    writeFileSync(file, [lines[0], lines[1]!.replace('"model":"trees"', '"model":"trees:leaves=3"'), ""].join("\n"));
    const { err } = await tierwise([...words, "--trials-file", "t.jsonl"], { cwd });
    expect(err).toMatch(/^tierwise: t\.jsonl: trial 1 is trees:leaves=3 under pl-partition, where the sequence has trees under/);
  });

  it("ends before a budget is exceeded, and says how many trials make the same", async () => {
    const said = JSON.parse(await succeed([...auto, "--budget", "0.001s", "--out", "b.json", "--json", "--quiet"], { cwd }));
    expect(said.trials).toHaveLength(1);
    await succeed([...auto, "--trials", "1", "--out", "n.json", "--quiet"], { cwd });
    expect(readFileSync(join(cwd, "b.json"), "utf8")).toBe(readFileSync(join(cwd, "n.json"), "utf8"));
  });

  it("writes each trial as a line where there is no terminal", () => {
    const { code, err } = start([...auto, "--trials", "2"], { cwd });
    expect(code).toBe(0);
    expect(err).toMatch(/\ntrial 1: trees under pl-partition, ndcg@10 0\.\d+\ntrial 2: linear/);
  });

  it.each<[string[], RegExp]>([
    [["--model", "auto:trials=3"], /--model auto takes no options after its name, got ":trials=3"; use --budget, --trials and --folds/],
    [["--budget", "10"], /--budget: expected a time above 0, such as 90s, 10m or 2h, got "10"/],
    [["--budget", "0m"], /--budget: expected a time above 0/],
    [["--trials", "0"], /--trials: expected a whole number of at least 1, got "0"/],
    [["--folds", "1"], /--folds: expected a whole number of at least 2, got "1"/],
    [["--hold-out", "0.2"], /--hold-out: --model auto validates all lists by cross-validation; leave it out, or use --folds/],
    [["--init", "m.json"], /--init belongs to the training of one model, and --model auto trains many; leave it out/],
    [["--optimizer", "adam"], /--optimizer belongs to the training of one model/],
    [["--history", "h.json"], /--history belongs to the training of one model/],
    [["--report", "r.html"], /--report: --model auto holds no lists out; write the report by tierwise report MODEL/],
    [["leaves=8"], /there is no setting "leaves"/],
    [["--stop-on", "ngcd"], /--stop-on: expected loss or a metric/],
  ])("refuses %j", async (more, message) => {
    const words = more[0] === "--model" ? ["train", "train.txt", ...more] : ["train", "train.txt", "--model", "auto", ...more];
    const { code, out, err } = await tierwise(words, { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.trim().split("\n").at(-1)).toMatch(new RegExp(`^tierwise: ${message.source}`));
  }); // biome-ignore format: a case on each line

  it.each<[string[], RegExp]>([
    [["train", "one.txt", "--model", "auto"], /--model auto: expected at least 4 lists with two different labels to validate models, got 1; train one model instead/],
    [["train", "b.orders", "--model", "auto"], /--model auto: the models learn from features, and the data have none; train utilities/],
    [["train", "train.txt", "--trials", "3"], /--trials belongs to --model auto, and the model is linear; leave it out/],
    [["train", "train.txt", "--model", "trees", "--budget", "1m"], /--budget belongs to --model auto, and the model is trees; leave it out/],
    [["cv", "train.txt", "--model", "auto"], /cv: --model auto cross-validates by itself; use tierwise train --model auto/],
    [["tune", "train.txt", "--model", "auto", "l2=1,2"], /tune: --model auto cross-validates by itself; use tierwise train --model auto/],
  ])("%j is one clear line", async (words, message) => {
    const { code, out, err } = await tierwise([...words, "--quiet"], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(new RegExp(`^tierwise: ${message.source}[^\n]*\n$`));
  }); // biome-ignore format: a case on each line
});

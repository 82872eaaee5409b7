/** Blends: weights that no others beat, scores and explanations that are weighted sums, in every function and command. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BlendOptions, blend } from "../src/blend.ts";
import { ballots } from "../src/data/ballots.ts";
import { build } from "../src/data/build.ts";
import { dataset } from "../src/data/dataset.ts";
import { effects } from "../src/effects.ts";
import { evaluate, score } from "../src/evaluate.ts";
import { explain, whyAbove } from "../src/explain.ts";
import { fit } from "../src/fit.ts";
import { exportModel } from "../src/formats/models/export.ts";
import { withNames } from "../src/formats/models/import.ts";
import { parseModel, serializeModel } from "../src/formats/models/native.ts";
import { importModel } from "../src/index.ts";
import { InputError } from "../src/input-error.ts";
import { ndcg, tierLikelihood } from "../src/metrics/index.ts";
import { isBlend, learner, revive } from "../src/models/index.ts";
import { random } from "../src/numeric/random.ts";
import { plPartition } from "../src/objectives/index.ts";
import { rank } from "../src/rank.ts";
import { scoreRows } from "../src/score-rows.ts";
import type { Dataset, Model, SavedModel } from "../src/types.ts";
import { folder, succeed, tierwise } from "./cli.ts";
import { valuesOf } from "./random-trees.ts";

const NAMES = ["a", "b", "c", "d"] as const;

function rowsOf(seed: number, lists: number) {
  const draw = random(seed);
  return Array.from({ length: lists }, (_, q) =>
    Array.from({ length: q === 2 ? 1 : 5 + (q % 4) }, () => {
      const [a, b, c, d] = [draw(), draw(), draw(), draw()];
      return { list: `q${q}`, label: Math.min(3, Math.floor(2 * a + (b > 0.5 ? 1.5 : 0) + draw())), a, b, c, d: d < 0.2 ? Number.NaN : d };
    }),
  ).flat(); // biome-ignore format: a row
}

const made = (seed: number, lists: number, features: readonly (typeof NAMES)[number][] = NAMES) =>
  dataset(rowsOf(seed, lists), { list: "list", label: "label", features: [...features] });

const train = made(1, 60);
const valid = made(2, 40);
const fitted = (text: string, data = train) => fit(data, { model: learner(text), objective: plPartition() });
const trees = fitted("trees:rounds=15,leaves=5,min-items=5");
const within = fitted("trees:rounds=15,leaves=4,min-items=5,within-list=z");
const linear = fitted("linear:l2=0.1");

const close = (got: ArrayLike<number>, wanted: ArrayLike<number>, digits = 10) =>
  Array.from(wanted).forEach((value, i) => {
    expect(got[i]).toBeCloseTo(value, digits);
  });

describe("weights", () => {
  const RIDGE = 1e-4;
  const total = (models: Parameters<typeof blend>[0], weights: number[]) =>
    blend(models, valid, { weights, unknownFeatures: "ignore" }).cost +
    (RIDGE / 2) * weights.reduce((sum, one) => sum + one * one, 0);

  it("of two models are better than all others of a grid", () => {
    const { weights } = blend([trees, linear], valid);
    const least = total([trees, linear], [...weights]);
    for (let i = 0; i <= 7; i++)
      for (let j = 0; j <= 7; j++)
        if (i + j > 0) expect(total([trees, linear], [i / 3, j / 3])).toBeGreaterThanOrEqual(least - 1e-12);
  });

  it("of random models are where no step lowers the cost", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const draw = random(seed, 7);
      const count = 2 + (seed % 4);
      const models = Array.from({ length: count }, () => {
        const some = NAMES.filter(() => draw() < 0.6);
        return fitted(`linear:l2=${(0.01 + draw()).toFixed(3)}`, made(10 + Math.floor(20 * draw()), 8, some.length > 0 ? some : ["a"]));
      }); // biome-ignore format: one model
      const weights = [...blend(models, valid, { unknownFeatures: "ignore" }).weights];
      const least = total(models, weights);
      for (let m = 0; m < count; m++)
        for (const step of [1e-4, -1e-4, 0.1, -0.1]) {
          const other = weights.map((one, k) => Math.max(0, one + (k === m ? step : 0)));
          if (other.some((one) => one > 0)) expect(total(models, other)).toBeGreaterThanOrEqual(least - 1e-11);
        }
      for (let step = 0; step < 4; step++) {
        const other = weights.map((one) => Math.max(0, one + 0.02 * (draw() - 0.5)));
        if (other.some((one) => one > 0)) expect(total(models, other)).toBeGreaterThanOrEqual(least - 1e-11);
      }
    }
  });

  it("are shared by equal models, and 0 for one that ranks the other way round", () => {
    const { weights } = blend([linear, linear, trees], valid);
    expect(weights[0]).toBeCloseTo(weights[1]!, 6);
    const upside: Model = {
      ...linear.model,
      score(data, into) {
        linear.model.score(data, into);
        for (let i = 0; i < into.length; i++) into[i]! *= -1;
      },
    };
    expect(blend([upside, trees], valid).weights[0]).toBe(0);
    expect(() => blend([upside, upside], valid)).toThrow("none of the models ranks these lists better than chance");
  });

  it("stay finite where nothing is ranked wrongly", () => {
    const easy = build(
      Array.from({ length: 40 }, (_, i) => ({ list: Math.floor(i / 4), label: i % 4, features: [i % 4, 7 - (i % 4)] })),
    );
    const one = fitted("linear:l2=0.1", easy);
    const { weights, cost } = blend([one, one], easy);
    expect(weights.every((weight) => Number.isFinite(weight) && weight > 0)).toBe(true);
    expect(cost).toBeLessThan(0.1);
  });

  it("count lists by their weight", () => {
    const listWeights = Float32Array.from({ length: 40 }, (_, q) => (q < 20 ? 1 : 0));
    const half = { ...valid, listWeights };
    const first = dataset(rowsOf(2, 20), { list: "list", label: "label" });
    const { scale } = blend([trees, linear], half).model.members[0]!;
    const got = blend([trees, linear], half).weights[0]! / scale;
    const other = blend([trees, linear], first);
    expect(got).toBeCloseTo(other.weights[0]! / other.model.members[0]!.scale, 1); // the ridge is of other units
  });

  it("are the likeliest: the tier likelihood of the blend is above that of its models, each at its best scale", () => {
    const { cost, costs, model } = blend([trees, linear, within], valid);
    for (const one of costs) expect(cost).toBeLessThanOrEqual(one + 1e-6);
    const { mean } = evaluate(model, valid, [tierLikelihood()]).details["tier-likelihood"]!;
    expect(mean).toBeCloseTo((-cost * 40) / evaluate(model, valid, [tierLikelihood()]).details["tier-likelihood"]!.values.filter((one) => !Number.isNaN(one)).length, 6); // biome-ignore format: lists without two labels cost nothing
  });
});

describe("scores", () => {
  it("are the weighted sum of scaled scores, after writing and reading too", () => {
    const weights = [2, 0.5, 1];
    const blended = blend([trees, linear, within], valid, { weights, metrics: [ndcg()] });
    const all = [trees, linear, within].map(({ model }) => score(model, valid));
    const scales = blended.model.members.map(({ scale }) => scale);
    const wanted = all[0]!.map((_, i) => all.reduce((sum, own, m) => sum + (weights[m]! * own[i]!) / scales[m]!, 0));
    const scores = score(blended.model, valid);
    close(scores, wanted);
    scales.forEach((scale, m) => {
      let [square, count] = [0, 0];
      for (let q = 0; q + 1 < valid.starts.length; q++) {
        const own = [...all[m]!.subarray(valid.starts[q], valid.starts[q + 1])];
        const mean = own.reduce((a, b) => a + b, 0) / own.length;
        for (const one of own) square += (one - mean) ** 2;
        count += own.length;
      }
      expect(scale).toBeCloseTo(Math.sqrt(square / count), 10);
    });
    const again = parseModel(serializeModel(blended));
    expect(score(again.model, valid)).toEqual(scores);
    expect(again.metrics).toEqual(blended.metrics);
    expect(isBlend(again.model) && again.model.members.map(({ name }) => name)).toEqual([
      ...[trees, linear, within].map(({ training }) => training.model),
    ]);
    const best = Math.max(...scores.subarray(valid.starts[5], valid.starts[6]));
    expect([...rank(blended.model, valid)][5]!.items[0]!.score).toBe(best);
    expect(
      rank(
        blended.model,
        rowsOf(2, 40).filter(({ list }) => list === "q5"),
      )[0]!.score,
    ).toBe(best);
    const values = valuesOf(valid.features);
    const rows = Array.from(scores, (_, row) => [...values.subarray(4 * row, 4 * row + 4)]);
    expect(scoreRows(blended.model, rows, { starts: valid.starts })).toEqual(scores);
    expect(() => scoreRows(blended.model, rows)).toThrow("this model compares the items of a list");
    expect(scoreRows(blend([trees, linear], valid, { weights: [1, 1] }).model, rows).length).toBe(scores.length);
  });

  it("of models with other features need all of them, in any order", () => {
    const [left, right] = [fitted("linear:l2=0.1", made(1, 60, ["a", "d"])), fitted("trees:rounds=5,min-items=5", made(1, 60, ["b", "a"]))];
    const { model } = blend([left, right], valid, { unknownFeatures: "ignore" });
    expect(model.columns.names).toEqual(["a", "d", "b"]);
    expect(() => blend([left, right], valid, { unknownFeatures: "error" })).toThrow('does not know the feature "c"');
    const turned = made(2, 40, ["c", "b", "d", "a"]);
    expect(score(model, turned, { unknownFeatures: "ignore" })).toEqual(score(model, valid, { unknownFeatures: "ignore" }));
    const { expected, contributions } = model.explain!(made(2, 40, ["a", "d", "b"]), 4);
    const own = score(model, valid, { unknownFeatures: "ignore" }).subarray(valid.starts[4], valid.starts[5]);
    close(contributions.map((parts) => parts.reduce((a, b) => a + b, expected)), own, 9); // biome-ignore format: one claim
    const text = serializeModel({ model, training: { model: "blend", objective: "pl-partition" }, metrics: {} });
    expect(score(parseModel(text).model, valid, { unknownFeatures: "ignore" })).toEqual(score(model, valid, { unknownFeatures: "ignore" }));
    expect(() => withNames(model, ["x", "y", "z"])).toThrow("know different features");
  }); // biome-ignore format: long lines

  it("of numbered features join by number", () => {
    const numbered = (columns: number, base: 0 | 1): Dataset => {
      const { names, features, ...rest } = valid;
      const values = valuesOf(features);
      const kept = Float32Array.from({ length: features.rows * columns }, (_, i) => values[4 * Math.floor(i / columns) + (i % columns)]!);
      return { ...rest, base, names: {}, features: { kind: "dense", rows: features.rows, columns, values: kept } };
    }; // biome-ignore format: long lines
    const [wide, narrow] = [fitted("linear:l2=0.1", numbered(4, 1)), fitted("linear:l2=0.1", numbered(2, 1))];
    const { model } = blend([narrow, wide], numbered(4, 1), { weights: [1, 1] });
    expect(model.columns).toEqual({ count: 4, base: 1 });
    const [a, b] = [score(narrow.model, numbered(2, 1)), score(wide.model, numbered(4, 1))];
    const [s, t] = model.members.map(({ scale }) => scale);
    close(score(model, numbered(4, 1)), a.map((one, i) => one / s! + b[i]! / t!)); // biome-ignore format: one claim
  });

  it("of a blend of blends, and of a network too large for JSON, are kept", () => {
    const network = fitted("mlp:hidden=5000,epochs=1");
    const inner = blend([trees, linear], valid);
    const outer = blend([inner, network], valid, { weights: "equal" });
    expect(outer.weights).toEqual(Float64Array.of(0.5, 0.5));
    const cwd = folder();
    const path = join(cwd, "large.model");
    return import("../src/formats/models/files.ts").then(({ readModel, writeModel }) => {
      writeModel(path, outer);
      expect(readFileSync(path).subarray(-64, -48).toString()).toBe("tierwise digest ");
      expect(score(readModel(path).model, valid)).toEqual(score(outer.model, valid));
    });
  });
});

describe("explanations", () => {
  it("add up, by the names of raw features and of those within the list", () => {
    const { model } = blend([trees, linear, within], valid, { weights: [1, 2, 3] });
    expect(model.derived!.columns.names).toEqual([...NAMES, ...NAMES.map((name) => `${name} (z in list)`)]);
    const scores = score(model, valid);
    for (const list of [0, 2, 9]) {
      const { expected, contributions, scores: own } = model.explain!(valid, list);
      const wanted = scores.subarray(valid.starts[list], valid.starts[list + 1]);
      close(own, wanted, 9);
      close(contributions.map((parts) => parts.reduce((a, b) => a + b, expected)), wanted, 9); // biome-ignore format: one claim
    }
    const items = explain(model, valid, 9);
    const reasons = whyAbove(items[0]!, items[3]!);
    expect(reasons.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(items[0]!.score - items[3]!.score, 9);
    const found = effects(model, valid, { metric: ndcg() })!;
    expect([found.how, found.columns.count, found.sizes.length]).toEqual(["contributions", 8, 8]);
    const z = valuesOf(model.derived!.of(valid).features);
    const alone = valuesOf(within.model.derived!.of(valid).features);
    expect(z).toEqual(alone);
  });

  it("are of the columns where no model computes others, and permutation importance where one cannot tell", () => {
    expect(blend([trees, linear], valid).model.derived).toBeUndefined();
    const { model } = blend([trees, fitted("mlp:hidden=3,epochs=2")], valid, { weights: [1, 1] });
    expect(model.explain).toBeUndefined();
    expect(effects(model, valid, { metric: ndcg() })!.how).toBe("permutation");
    expect(() => explain(model, valid, 0)).toThrow("a model of kind blend cannot be explained by feature");
  });
});

describe("other tools", () => {
  it("get blended trees as one model with the same scores", () => {
    const few = fitted("trees:rounds=4,leaves=4,min-items=5,bag=2", made(1, 60, ["d", "a"]));
    const { model } = blend([trees, few, within], valid, { weights: [1, 0.7, 0] });
    const text = exportModel(model, { to: "lightgbm" }).content;
    const back = importModel(text).model;
    close(score(back, valid), score(model, valid), 12);
    const inner = blend([trees, few], valid);
    const outer = blend([inner, trees], valid, { weights: [1, 1] }).model;
    close(score(importModel(exportModel(outer, { to: "lightgbm" }).content).model, valid), score(outer, valid), 12);
  });

  it("are refused other blends in one line", () => {
    for (const other of [linear, within])
      expect(() => exportModel(blend([trees, other], valid, { weights: [1, 1] }).model, { to: "solr" })).toThrow(
        /^this model cannot leave tierwise: it is a blend, which becomes one model only where all are trees .* and model 2 \(".*"\) is not$/,
      );
  });
});

describe("wrong arguments are refused in one line", () => {
  const worths = fit(
    ballots([
      ["x", "y"],
      ["y", "x"],
    ]),
    { model: learner("utilities") },
  ).model;
  const numbered = fitted("linear:l2=1", { ...train, names: {} });
  const damaged = (change: object) => () => {
    const saved = blend([trees, linear], valid).model.save() as SavedModel & { members: object[] };
    return revive({ ...saved, ...("members" in change ? change : { members: [{ ...saved.members[0], ...change }] }) }, trees.model.columns);
  }; // biome-ignore format: long lines
  const options = (given: BlendOptions) => () => blend([trees, linear], valid, given);
  const wrong: [string, () => unknown, string][] = [
    ["no array", () => blend(trees as never, valid), "blend: expected an array of models"],
    ["one model", () => blend([trees], valid), "blend: expected two models or more, got 1"],
    ["no model", () => blend([trees, 3 as never], valid), "blend, model 2: expected a model, as fit, train or readModel give one, got 3"],
    ["a file without one", () => blend([trees, { model: 1 } as never], valid), "blend, model 2: expected a model"],
    ["no data", () => blend([trees, linear], [] as never), "blend: expected data"],
    ["weights too few", options({ weights: [1] }), "expected a weight for each of the 2 models, got 1"],
    ["weights below 0", options({ weights: [1, -1] }), "expected numbers of at least 0, got -1"],
    ["weights that are none", options({ weights: [1, Number.NaN] }), "expected numbers of at least 0"],
    ["weights too large", options({ weights: [1e308, 1e308] }), "the blended scores are not finite"],
    ["weights of 0", options({ weights: [0, 0] }), "all are 0"],
    ["another word", options({ weights: "best" as never }), 'blend, option weights: expected "fit", "equal" or an array of numbers'],
    ["another option", options({ weight: [1, 1] } as never), 'blend has no option "weight"'],
    ["data of other columns", () => blend([trees, linear], made(2, 9, ["a", "b"])), 'the model needs the feature "c"'],
    ["a model of items", () => blend([trees, worths], valid), "blend, model 2: a model of kind utilities scores items by themselves"],
    ["names and numbers", () => blend([trees, numbered], valid), "some of the models know their features by name and others by number"],
    ["a negative weight", damaged({ weight: -1 }), "the model file is damaged: the weight of member 0 should be at least 0"],
    ["no scale", damaged({ scale: 0 }), "the scale of member 0 should be above 0"],
    ["no weight", damaged({ weight: 0 }), "all members have weight 0"],
    ["no members", damaged({ members: [] }), "members should be a list of models"],
    ["no member", damaged({ members: [null] }), "member 0 should be a model with its weight"],
    ["columns elsewhere", damaged({ columns: { count: 4, base: 0, names: ["a", "b", "c", "e"] } }), "member 0 has features that the blend, with 4, does not have"],
  ]; // biome-ignore format: a table
  it.each(wrong)("%s", (_, call, message) => {
    expect(call).toThrow(InputError);
    expect(call).toThrow(message);
    expect(call).toThrow(/^[^\n]*$/);
  });
});

describe("on the command line", () => {
  const csv = (seed: number, lists: number) =>
    ["list,label,a,b,c,d", ...rowsOf(seed, lists).map(({ d, ...one }) => [...Object.values(one), Number.isNaN(d) ? "" : d].join(",")), ""].join("\n"); // biome-ignore format: one table
  const cwd = folder({ "train.csv": csv(1, 40), "valid.csv": csv(2, 20), "test.csv": csv(3, 20) });
  const reading = ["--qid", "list", "--label", "label"];
  const valid = ["--valid", "valid.csv"];

  it("blends, and every command takes the result", async () => {
    const trained = (model: string, out: string) =>
      succeed(["train", "train.csv", ...reading, "--model", model, "--out", out, "--quiet"], { cwd });
    await trained("trees:rounds=5,min-items=3", "t.json");
    await trained("trees:rounds=5,min-items=3,within-list=rank", "w.json");
    await trained("linear:l2=1", "l.json");
    const out = await succeed(["blend", "t.json", "w.json", "l.json", ...valid, "--out", "b.json", "--quiet"], { cwd });
    expect(out).toMatch(/^model +weight +share +valid cost +valid ndcg@10\n/);
    expect(out).toMatch(/^blend +\d/m);
    expect(out).toContain("The model is in b.json.");
    const before = readFileSync(join(cwd, "b.json"), "utf8");
    const json = JSON.parse(await succeed(["blend", "t.json", "w.json", "l.json", ...valid, "--out", "c.json", "--json", "--quiet"], { cwd })); // biome-ignore format: one command
    expect(readFileSync(join(cwd, "c.json"), "utf8")).toBe(before);
    expect(json.models.map(({ model }: { model: string }) => model)).toEqual(["t.json", "w.json", "l.json"]);
    expect(json.models.reduce((sum: number, { share }: { share: number }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(await succeed(["evaluate", "b.json", "test.csv", "--quiet"], { cwd })).toContain("ndcg@10");
    expect((await succeed(["rank", "b.json", "test.csv", "--quiet"], { cwd })).split("\n").length).toBeGreaterThan(100);
    expect(await succeed(["explain", "b.json", "test.csv", "--quiet"], { cwd })).toContain("difference in score");
    expect(await succeed(["show", "b.json"], { cwd })).toMatch(/^linear:l2=1 +linear +\d/m);
    expect(await succeed(["compare", "b.json", "t.json", "test.csv", "--quiet"], { cwd })).toContain("t.json");
    await succeed(["report", "b.json", "test.csv", "--out", "r.html", "--quiet"], { cwd });
    expect(readFileSync(join(cwd, "r.html"), "utf8")).toContain("(rank in list)");
    await succeed(["blend", "t.json", "t.json", ...valid, "--weights", "equal", "--out", "tt.json", "--quiet"], { cwd });
    await succeed(["convert", "tt.json", "tt.txt", "--quiet"], { cwd });
    expect((await tierwise(["convert", "b.json", "b.txt"], { cwd })).code).toBe(2);
  });

  it("refuses in one line what cannot be", async () => {
    writeFileSync(join(cwd, "o.json"), readFileSync(join(cwd, "l.json"), "utf8").replace('"qid": "list"', '"qid": "other"'));
    const cases: [string[], string][] = [
      [["t.json", ...valid], "expected two model files or more, got 1"],
      [["t.json", "l.json"], "expected validation data; name them by --valid"],
      [["t.json", "l.json", ...valid, "--weights", "1"], '--weights: expected fit, equal, or 2 numbers of at least 0, one for each model and not all 0, got "1"'],
      [["t.json", "l.json", ...valid, "--weights", "1,-2"], "--weights: expected fit"],
      [["t.json", "l.json", ...valid, "--weights", "0,0"], "--weights: expected fit"],
      [["t.json", "none.json", ...valid], "none.json"],
      [["t.json", "valid.csv", ...valid], "valid.csv"],
      [["t.json", "l.json", "--valid", "none.csv"], "none.csv"],
      [["t.json", "o.json", ...valid], "the data of t.json and o.json were read with different options"],
    ]; // biome-ignore format: a table
    for (const [words, message] of cases) {
      const { code, err, out } = await tierwise(["blend", ...words, "--quiet"], { cwd });
      expect({ code, out, lines: err.trimEnd().split("\n").length }, words.join(" ")).toEqual({ code: 2, out: "", lines: 1 });
      expect(err).toContain(message);
    }
  });
});

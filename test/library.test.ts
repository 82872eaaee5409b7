/** The library in programs: data whose columns are not those of the model, code of the caller, and rows that could be misread. */
import { describe, expect, it } from "vitest";
import { baselines } from "../src/baselines.ts";
import type { AlignOptions } from "../src/data/align.ts";
import { build, type Row } from "../src/data/build.ts";
import { effects } from "../src/effects.ts";
import { evaluate, score } from "../src/evaluate.ts";
import { explain } from "../src/explain.ts";
import { fit } from "../src/fit.ts";
import { ndcg } from "../src/metrics/index.ts";
import { linear, trees } from "../src/models/index.ts";
import { plPartition } from "../src/objectives/index.ts";
import { adam } from "../src/optimizers/index.ts";
import { part } from "../src/part.ts";
import { rankProbabilities } from "../src/probabilities.ts";
import { rank } from "../src/rank.ts";
import { tieExposure } from "../src/tie-exposure.ts";
import { train } from "../src/train.ts";
import type { Dataset, Learner, Model } from "../src/types.ts";

const NAMES = ["price", "age", "size"];
const rowsOf = (columns: readonly number[]): Row[] =>
  Array.from({ length: 60 }, (_, at) => {
    const all = [(at * 7) % 11, (at * 5) % 13, (at * 3) % 7, 100 + at];
    return { list: at >> 2, label: (at * 7) % 3, features: columns.map((c) => all[c]!) };
  });
const numbered = (...columns: readonly number[]) => build(rowsOf(columns));
const named = (...columns: readonly number[]) =>
  build(rowsOf(columns), { features: columns.map((c) => [...NAMES, "extra"][c]!) });
const metric = ndcg({ k: 3 });

describe.each([
  ["linear", linear({ l2: 0.1 })],
  ["linear with interactions", linear({ l2: 0.1, interactions: 0.01, scale: "none" })],
  ["trees", trees({ rounds: 5, leaves: 4, minItems: 2 })],
] as [string, Learner][])("columns that are not those of %s", (_, learner) => {
  const { model } = fit(named(0, 1, 2), { model: learner });
  const plain = fit(numbered(0, 1, 2), { model: learner }).model;
  const wanted = score(model, named(0, 1, 2));

  it("are found by name, in any order, by every verb", () => {
    const other = named(2, 0, 1);
    expect(score(model, other)).toEqual(wanted);
    expect(evaluate(model, other, [metric])).toEqual(evaluate(model, named(0, 1, 2), [metric]));
    expect([...rank(model, other)]).toEqual([...rank(model, named(0, 1, 2))]);
    expect([...rankProbabilities(model, other)]).toEqual([...rankProbabilities(model, named(0, 1, 2))]);
    expect(explain(model, other, 3)).toEqual(explain(model, named(0, 1, 2), 3));
    expect(effects(model, other, { metric })).toEqual(effects(model, named(0, 1, 2), { metric }));
  });

  it("are left out where they have names, and are an error where they are numbered, unless an option says otherwise", () => {
    const message = /^the model does not know .+ of the data.*; the option unknownFeatures: "ignore" leaves/;
    for (const [one, wide] of [
      [model, named(3, 0, 1, 2)],
      [plain, numbered(0, 1, 2, 3)],
    ] as const) {
      const verbs = [
        (options?: AlignOptions) => score(one, wide, options),
        (options?: AlignOptions) => evaluate(one, wide, [metric], options),
        (options?: AlignOptions) => [...rank(one, wide, options)],
        (options?: AlignOptions) => [...rankProbabilities(one, wide, options)],
        (options?: AlignOptions) => explain(one, wide, 0, options),
        (options?: AlignOptions) => effects(one, wide, { metric, ...options }),
      ];
      for (const verb of verbs) {
        if (one === plain) expect(() => verb()).toThrow(message);
        else expect(() => verb()).not.toThrow();
        expect(() => verb({ unknownFeatures: "error" })).toThrow(message);
        expect(() => verb({ unknownFeatures: "ignore" })).not.toThrow();
      }
      expect(score(one, wide, { unknownFeatures: "ignore" })).toEqual(wanted);
    }
    expect(score(model, named(3, 0, 1, 2))).toEqual(wanted);
  });

  it("of objects to rank are other properties, and one that is lacking is an error with its similar name", () => {
    const items = [
      { price: 1, age: 2, size: 3 },
      { price: 2, age: 1, size: 1 },
    ];
    const places = (given: readonly object[]) => rank(model, given).map(({ score: own }) => own);
    expect(places(items.map((item) => ({ ...item, title: "a", tags: ["b"], Price: 7 })))).toEqual(places(items));
    expect(() =>
      rank(
        model,
        items.map(({ size, ...item }) => ({ ...item, "Size ": size })),
      ),
    ).toThrow('item 1 lacks the feature "size" (null stands for a missing value); did you mean "Size "?');
  });

  it("are absent where numbered ones are lacking, and an error where named ones are", () => {
    const zeros = build(rowsOf([0, 1]).map((row) => ({ ...row, features: [...(row.features as number[]), 0] })));
    expect(score(plain, numbered(0, 1))).toEqual(score(plain, zeros));
    expect(() => score(model, named(0, 1))).toThrow('the model needs the feature "size"');
    expect(() => score(model, numbered(0, 1, 2))).toThrow("the data have numbered features");
  });

  it("are refused by the model itself", () => {
    const into = new Float64Array(60);
    for (const data of [named(0, 1), named(1, 0, 2), named(0, 1, 2, 3), numbered(0, 1, 2)])
      expect(() => model.score(data, into)).toThrow(/model/);
    expect(() => plain.score(numbered(0, 1), into)).toThrow("the model knows 3 features, and the data have 2");
    expect(() => model.explain!(named(0, 1), 0)).toThrow("the model knows 3 features");
    expect(() => model.score(named(0, 1, 2), new Float64Array(3))).toThrow(/60 scores/);
  });
});

it("validation data, and the training data of a baseline, are fitted to the columns of the data", () => {
  const options = { model: linear({ l2: 0.1 }), metrics: [metric] };
  const same = fit(named(0, 1, 2), { ...options, valid: named(0, 1, 2) });
  expect(fit(named(0, 1, 2), { ...options, valid: named(2, 1, 0) }).history).toEqual(same.history);
  expect(fit(named(0, 1, 2), { ...options, valid: named(2, 1, 0, 3) }).history).toEqual(same.history);
  const strict = { ...options, valid: named(2, 1, 0, 3), unknownFeatures: "error" } as const;
  expect(() => fit(named(0, 1, 2), strict)).toThrow('unknownFeatures: "ignore"');
  // Features of the training data are not left out because the model to go on from lacks them.
  const { model: init } = fit(named(0, 1), { model: trees({ rounds: 2, minItems: 2 }) });
  const more = (options: AlignOptions) => fit(named(0, 1, 2), { model: trees({ rounds: 2, minItems: 2 }), init, ...options });
  expect(() => more({})).toThrow('the model does not know the feature "size"');
  expect(more({ unknownFeatures: "ignore" }).model.columns.names).toEqual(NAMES.slice(0, 2));
  const best = (train: Dataset) => baselines(named(0, 1, 2), { metric, train })[0];
  expect(best(named(2, 0, 1))).toEqual(best(named(0, 1, 2)));
});

describe("code of the caller", () => {
  const data = numbered(0, 1);
  const counted = () => {
    const counts = { calls: 0 };
    const plain = plPartition();
    const objective = {
      ...plain,
      evaluate(...given: Parameters<typeof plain.evaluate>) {
        counts.calls++;
        return plain.evaluate(...given);
      },
    };
    return { counts, objective };
  };
  const learners = (call: () => void): [string, Learner][] => {
    const optimizer = adam();
    const minimize: typeof optimizer.minimize = (...given) => {
      call();
      optimizer.minimize(...given);
    };
    const plain = linear();
    const changed = linear();
    const learn: Learner["learn"] = (...given) => {
      call();
      return plain.learn(...given);
    };
    Object.assign(changed, { learn });
    const own = part("linear", "of the caller", {}, (_, spec): Learner => ({ id: "linear", spec, learn }));
    return [
      ["a copied learner", { ...plain, learn }],
      ["a changed learner", changed],
      ["a part of the caller under the name of one of ours", own()],
      ["an optimizer inside a learner", linear({ optimizer: { ...optimizer, minimize } })],
    ];
  };

  it("is used by train: an objective", async () => {
    const { counts, objective } = counted();
    await train(data, { model: linear(), objective });
    expect(counts.calls).toBeGreaterThan(0);
  });

  it("is used by train: a metric", async () => {
    let calls = 0;
    const mine = { ...metric, measure: () => ++calls };
    await train(data, { model: linear(), valid: data, metrics: [mine] });
    expect(calls).toBeGreaterThan(0);
    expect(tieExposure(mine, new Float64Array(60), data)).toBeUndefined(); // of ours there would be one
  });

  it("is used by train: learners, and what they are made of", async () => {
    for (const [what, , i] of learners(() => {}).map((one, i) => [...one, i] as const)) {
      let calls = 0;
      await train(data, { model: learners(() => calls++)[i]![1] });
      expect(calls, what).toBeGreaterThan(0);
    }
  });

  it("is refused in one line where threads are asked for", async () => {
    const { objective } = counted();
    await expect(train(data, { model: linear(), objective, threads: 2 })).rejects.toThrow(
      /^train: the objective pl-partition is not as the library builds it, and other threads cannot be given code; give it as a module .* leave out threads/,
    );
    for (const [what, model] of learners(() => {}))
      await expect(train(data, { model, threads: 2 }), what).rejects.toThrow("the model linear is not as the library builds it");
  });

  it("is ended by a signal, before the first round and between rounds", async () => {
    const { counts, objective } = counted();
    await expect(train(data, { model: linear(), objective, signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow(
      "too late",
    );
    expect(counts.calls).toBe(0);
    const control = new AbortController();
    let rounds = 0;
    const onRound = () => {
      rounds++;
      control.abort(new Error("enough"));
    };
    await expect(train(data, { model: linear(), objective, signal: control.signal, onRound })).rejects.toThrow("enough");
    expect(rounds).toBe(1);
  });
});

describe("build refuses", () => {
  const good = { list: 1, label: 1, features: [1, 2] };
  it.each<[string, unknown[], RegExp]>([
    ["texts as features", [good, { ...good, features: ["3", "1e2"] }], /^row 2, feature 1: expected a number .*got the text "3"$/],
    ["an object of features", [{ ...good, features: { price: 1 } }], /^row 1: expected features as an array .*"price"$/],
    ["a row without a list", [{ label: 1, features: [1] }], /^row 1: expected list, .* \(the row has label, features\)$/],
    ["numbers and values of two lengths", [{ ...good, features: { numbers: [1, 2], values: [1] } }], /^row 1: .*2 numbers and 1 values$/],
    ["a short dense row", [good, { ...good, features: [1] }], /^row 2: expected 2 features, .* got 1/],
    ["a long dense row", [good, { ...good, features: [1, 2, 3] }], /^row 2: expected 2 features, .* got 3/],
    ["null in a dense row", [{ ...good, features: [1, null] }], /^row 1, feature 2: expected a number .*got null$/],
    ["a label that is a text", [{ ...good, label: "3" }], /^row 1: expected a finite label, got the text "3"$/],
    ["a weight under another name", [{ ...good, weights: 2 }], /^row 1: a row has no "weights"; did you mean weight\?$/],
    ["times in milliseconds", [1_700_000_000_000, 1_700_000_000_500].map((t) => ({ ...good, features: [t, 1] })),
      /^row 2, feature 1: 1700000000500 and 1700000000000 of row 1 are the same number in 32 bits, .* subtract an offset/],
    ["the first whole numbers that collide", [2 ** 24, 2 ** 24 + 1].map((t) => ({ ...good, features: { numbers: [7], values: [t] } })),
      /^row 2, feature 7: 16777217 and 16777216 of row 1/],
    ["labels that collide", [2 ** 24, 2 ** 24 + 1].map((label) => ({ ...good, label })), /^row 2, label: /],
  ])("%s", (_, rows, message) => expect(() => build(rows as Row[])).toThrow(message)); // biome-ignore format: a table

  it("names columns by their names, and takes large numbers that stay apart", () => {
    const stamps = (...all: number[]) => all.map((t) => ({ list: 1, label: 1, features: [t] }));
    expect(() => build(stamps(2 ** 30, 2 ** 30 + 1), { features: ["seen"] })).toThrow('row 2, feature "seen"');
    expect(() => build([good as Row], { features: ["a", "a"] })).toThrow('two columns are called "a"');
    expect(build(stamps(2 ** 24 - 1, 2 ** 24, 1e9, 2e9, 1e9)).features.values).toHaveLength(5);
  });
});

it("data whose arrays do not belong together are refused before anything is read from them", () => {
  const data = numbered(0, 1);
  const { model }: { model: Model } = fit(data, { model: linear() });
  expect(() => score(model, { ...data, labels: data.labels.slice(1) })).toThrow("the data do not hold together");
  expect(() => score(model, { ...data, features: { ...data.features, columns: 3 } })).toThrow("do not hold together");
});

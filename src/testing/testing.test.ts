/** The checks of tierwise/testing: a broken objective, metric or transform is reported with the law that it breaks, in one line. */
import { describe, expect, it } from "vitest";
import { build } from "../data/build.ts";
import { labelSets } from "../data/label-sets.ts";
import { InputError } from "../input-error.ts";
import { kendall, ndcg, tierLikelihood } from "../metrics/index.ts";
import { rankNet } from "../objectives/index.ts";
import type { Dataset, Derivatives, Metric, Objective, Transform } from "../types.ts";
import { checkMetric, checkObjective, checkTransform, LawError } from "./index.ts";

/** Ours, with something wrong done after it has answered. */
const spoilt = (change: (into: Derivatives, scores: Float64Array, cost: number) => number | undefined, more: object = {}): Objective => {
  const plain = rankNet();
  return {
    ...plain,
    ...more,
    evaluate(scores, labels, into, random, weights) {
      const cost = plain.evaluate(scores, labels, into, random, weights);
      return change(into, scores, cost) ?? cost;
    },
  };
}; // biome-ignore format: a long line

const line = (work: () => void): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(LawError);
    expect((error as Error).message).not.toContain("\n");
    return (error as Error).message;
  }
  return "";
};

describe("checkObjective", () => {
  it.each<[string, Objective, RegExp]>([
    ["a gradient of the wrong sign", spoilt(({ gradient }) => void gradient.forEach((value, i) => void (gradient[i] = -value))),
      /^objective ranknet: the gradient is the slope of the cost: gradient\[\d+\] is -?[\d.e-]+, expected -?[\d.e-]+ \(scores \[.*\], labels \[.*\]\)$/],
    ["a hessian that is half of it", spoilt(({ hessian }) => void hessian?.forEach((value, i) => void (hessian[i] = value / 2))),
      /^objective ranknet: the hessian is the slope of the gradient: hessian\[\d+\] is /],
    ["a bound that is none", spoilt(({ hessian }) => void hessian?.fill(0), { hessian: "bound" }),
      /^objective ranknet: the slope of the gradient stays within the bound on the hessian: the slope of gradient\[\d+\] is .*, above the bound 0 /],
    ["a gradient that is not written", spoilt(({ gradient }) => void gradient.fill(Number.NaN)), /gradient\[0\] is NaN/],
    ["scores that are changed", spoilt((_, scores) => void scores.fill(0)), /: evaluate changes neither scores nor labels nor weights: /],
    ["labels that are changed", { ...rankNet(), evaluate: (scores, labels, into, random, weights) => { const cost = rankNet().evaluate(scores, labels, into, random, weights); labels.fill(0); return cost; } }, /: evaluate changes neither scores nor labels nor weights: /],
    ["weights that are changed", { ...rankNet(), evaluate: (scores, labels, into, random, weights) => { const cost = rankNet().evaluate(scores, labels, into, random, weights); weights?.fill(0); return cost; } }, /: evaluate changes neither scores nor labels nor weights: .*weights/],
    ["a cost that is drawn", spoilt(() => Math.random()), /: the same list and seed give the same answer: /],
    ["a cost that is drawn where there are weights", { ...rankNet(), evaluate: (scores, labels, into, random, weights) => rankNet().evaluate(scores, labels, into, random, weights) + (weights ? Math.random() : 0) }, /: the same list and seed give the same answer: /],
    ["large scores", spoilt((_, scores, cost) => (scores.some((score) => Math.abs(score) > 500) ? Infinity : cost)), /: scores of size 10,000 stay finite: the cost is Infinity /],
    ["a tier alone that costs", spoilt((_, __, cost) => (cost === 0 ? 1 : cost)), /cost nothing where a tie is no event.*: the cost is 1, expected 0 \(scores \[\], labels \[\]\)$/],
    ["weights that are ignored", { ...rankNet(), evaluate: (scores, labels, into, random) => rankNet().evaluate(scores, labels, into, random) },
      /: weights of one change nothing, and weights of two double cost and gradient: the cost with weights of 2 is /],
    ["negatives that are others", { ...rankNet(), negatives: "hinge" }, /: the items of label 0 enter the cost as `negatives` declares: the cost is /],
  ])("%s", (_, mine, message) => expect(line(() => checkObjective(mine))).toMatch(message)); // biome-ignore format: a table

  it("tells the cost that it found before the one that it expected", () => {
    const { evaluate } = rankNet();
    const ignoring = { ...rankNet(), evaluate: ((scores, labels, into, random) => evaluate(scores, labels, into, random)) as Objective["evaluate"] };
    const [, found, wanted] = /the cost with weights of 2 is ([\d.e-]+), expected ([\d.e-]+)/.exec(line(() => checkObjective(ignoring)))!;
    expect(Number(wanted) / Number(found)).toBeCloseTo(2, 5);
  }); // biome-ignore format: long lines

  it("takes ours, and refuses what is no objective or no option", () => {
    checkObjective(rankNet());
    expect(() => checkObjective({ ...rankNet(), ties: "none" } as never)).toThrow(InputError);
    expect(() => checkObjective(rankNet(), { tolerance: 0 })).toThrow("checkObjective, option tolerance: expected a number above 0, got 0");
    expect(() => checkObjective(rankNet(), { tolerence: 1 } as never)).toThrow("did you mean tolerance?");
  }); // biome-ignore format: one line
});

describe("checkMetric", () => {
  const plain = ndcg({ k: 3 });
  const mine = (measure: Metric["measure"], more: Partial<Metric> = {}): Metric => ({ ...plain, ...more, measure });
  const first = (scores: Float64Array) => scores.indexOf(Math.max(...scores));
  it.each<[string, Metric, Parameters<typeof checkMetric>[1], RegExp]>([
    ["a value out of range", plain, { range: [0, 0.5] }, /^metric ndcg@3: a value is a number in its range: the value [\d.]+ is not between 0 and 0.5 /],
    ["a metric upside down", { ...plain, better: "lower" }, {}, /: the ideal order is best: [\d.]+ is better than 1, /],
    ["the first of tied items", mine((scores, labels) => labels[first(scores)] ?? Number.NaN), {}, /: the order of the data does not matter: /],
    ["scores themselves", mine((scores) => scores.reduce((sum, score) => sum + score, 0), { better: "higher" }), {}, /: the ideal order is best|: only the order of the scores matters/],
    ["a depth that is too small", { ...ndcg({ k: 5 }), depth: 2 }, {}, /: the order of items below `depth` does not matter: /],
    ["NaN by the scores", mine((scores, labels) => (scores[0]! > 0 ? Number.NaN : plain.measure(scores, labels))), {}, /: whether a value is NaN depends on the labels alone: /],
    ["labels that are changed", mine((_, labels) => labels.fill(0).length), {}, /: measure changes neither scores nor labels/],
    ["another definition", plain, { definition: (placed) => placed.length }, /: tied scores have the mean over all their orders: the value is /],
    ["infinity", mine((scores) => (scores.length === 0 ? Infinity : 1)), {}, /: (a value is a number in its range|empty lists, single items)/],
  ])("%s", (_, metric, options, message) => expect(line(() => checkMetric(metric, options))).toMatch(message)); // biome-ignore format: a table

  it("takes ours, and refuses what is no metric or no option", () => {
    checkMetric(plain, { range: [0, 1] });
    checkMetric(ndcg({ k: 3, ties: "order" }), { ties: "order" });
    checkMetric(kendall(), { range: [-1, 1] });
    checkMetric(tierLikelihood(), { dependsOn: "scores" });
    expect(() => checkMetric({} as never)).toThrow("checkMetric: the metric, member id: expected a text, got undefined");
    expect(() => checkMetric(plain, { range: [1, 0] })).toThrow("checkMetric, option range: expected [least, greatest]");
    expect(() => checkMetric(plain, { labels: [] })).toThrow("option labels");
  });
});

describe("checkTransform", () => {
  const halved = (data: Dataset): Dataset => ({
    ...data,
    features: { ...data.features, values: data.features.values.map((value) => value / 2) },
  });
  const base: Transform = { id: "mine", spec: "mine", fit: () => 0, apply: (_, data) => halved(data), keepsColumns: true };
  it.each<[string, Partial<Transform>, RegExp]>([
    ["a state that is no JSON", { fit: () => Number.NaN }, /^transform mine: fit gives plain JSON.*: all data are refused: .* the state is NaN$/],
    ["features changed in place", { apply: (_, data) => ({ ...data, features: { ...data.features, values: data.features.values.fill(1) } }) }, /: fit and apply do not change the data they are given: the features or labels of dense data are changed in place$/],
    ["a random state", { fit: () => Math.random() }, /: fit and apply give the same result again: the states of two fits to the same dense data differ: /],
    ["labels as features", { apply: (_, data) => ({ ...data, features: { kind: "dense", rows: data.labels.length, columns: 1, values: data.labels }, names: {} }) }, /: apply does not look at labels/],
    ["what the other lists hold", { apply: (_, data) => ({ ...data, features: { ...data.features, values: data.features.values.map((value) => value + data.starts.length) } }) }, /: a list has the same features alone as among others: list 0 of dense data, item 0: \[/],
    ["columns that are not kept", { apply: (_, data) => ({ ...data, features: { kind: "dense", rows: data.labels.length, columns: 1, values: new Float32Array(data.labels.length) }, names: {} }) }, /: a transform that keeps columns gives as many/],
  ])("%s", (_, wrong, message) => expect(line(() => checkTransform({ ...base, ...wrong }))).toMatch(message)); // biome-ignore format: a table

  it("finds the one row that is another alone than among others, in lists of items and in documents with labels", () => {
    const lists = [1, 3, 2].flatMap((count, q) =>
      Array.from({ length: count }, (_, i) => ({ list: q, label: i, features: [q + 1, i] })),
    );
    const items = build(lists);
    const sparse = build(lists, { storage: "sparse" });
    const documents = labelSets(
      [["a"], [], ["b", "c", "a"], ["b"]].map((tags, d) => ({ tags, words: { x: d + 1, y: 1 } })),
      { labels: "tags", features: "words" },
    );
    for (const data of [items, sparse, documents])
      for (let row = 0; row < data.features.rows; row++) {
        const apply: Transform["apply"] = (_, seen) => {
          const { features } = seen;
          const values = features.values.slice();
          const at = features.kind === "sparse" ? features.starts[row]! : row * features.columns;
          if (features.rows === data.features.rows) values[at] = values[at]! + 1;
          return { ...seen, features: { ...features, values } };
        };
        const list = data === documents ? row : data.starts.findIndex((start) => start > row) - 1;
        const item = data === documents ? 0 : row - data.starts[list]!;
        const found = line(() => checkTransform({ ...base, apply }, { data }));
        expect(found).toContain(
          `a list has the same features alone as among others: list ${list} of the given data, item ${item}: [`,
        );
      }
  });

  it("takes a right one, on data of the caller too, and one that refuses sparse features", () => {
    checkTransform(base);
    checkTransform(base, { data: build([{ list: 1, label: 1, features: [1, 2] }, { list: 2, label: 0, features: [3, 4] }]) });
    checkTransform({ ...base, apply: (_, data) => {
      if (data.features.kind === "sparse") throw new InputError("mine: dense features only");
      return halved(data);
    } });
    expect(() => checkTransform({ ...base, apply: 3 } as never)).toThrow('checkTransform: the transform "mine", member apply: expected a function, got 3');
    expect(() => checkTransform(base, { data: 3 } as never)).toThrow("checkTransform, option data: expected data");
  }); // biome-ignore format: calls
});

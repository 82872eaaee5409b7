/** Boosted trees: growth against an exhaustive search, options, files and averages. Long, because trees have that many options; a part each. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import { usePlain } from "../../numeric/kernels.ts";
import { below, random } from "../../numeric/random.ts";
import { objective as find } from "../../objectives/index.ts";
import { runSolo } from "../../teams/solo.ts";
import type { Dataset, Derivatives, Objective, Run } from "../../types.ts";
import { importance, isTrees, readTrees, type TreesModel, trees } from "./index.ts";
import type { TreesOptions, TreesSettings } from "./options.ts";
import { referenceTree } from "./reference-tree.ts";

/** Half the squared distance to the label, times a weight of the label's own: gradient and Hessian that a reader can redo. */
const squared = (curvature: (label: number) => number = () => 1): Objective => ({
  ...{
    id: "squared",
    spec: "squared",
    outputs: 1,
    cost: "exact",
    gradient: "exact",
    hessian: "exact",
    ties: "value",
    auxiliary: [],
  },
  evaluate(scores, labels, { gradient, hessian }: Derivatives) {
    let cost = 0;
    for (let i = 0; i < labels.length; i++) {
      const h = curvature(labels[i]!);
      gradient[i] = h * (scores[i]! - labels[i]!);
      if (hessian) hessian[i] = h;
      cost += (h * (scores[i]! - labels[i]!) ** 2) / 2;
    }
    return cost;
  },
});

function dataOf(
  x: readonly (readonly number[])[],
  labels: readonly number[],
  lists: readonly number[] = [labels.length],
): Dataset {
  const columns = x[0]!.length;
  const starts = [0];
  for (const size of lists) starts.push(starts.at(-1)! + size);
  return {
    ...{ starts: Uint32Array.from(starts), labels: Float32Array.from(labels), base: 1, names: {} },
    features: { kind: "dense", rows: x.length, columns, values: Float32Array.from(x.flat()) },
  };
}

/** The same data where the kernels can work on it. */
function inHeap(data: Dataset): Dataset {
  const heap = new Heap();
  const values = heap.f32(data.features.values.length);
  values.set(data.features.values);
  return { ...data, features: { ...data.features, values } };
}

/** Values for the options whose defaults depend on the data: no penalty, no sampling. */
const plain = { rounds: 100, leaves: 31, learningRate: 0.1, l2: 0, listFraction: 1, featureFraction: 1 };

function learn(data: Dataset, objective: Objective, options: Partial<TreesOptions>, run: Partial<Run> = {}): TreesModel {
  const learner = trees({ ...plain, ...options });
  const model = runSolo((team) => learner.learn(data, objective, { seed: 1, team, afterRound: () => "improved", ...run }));
  if (!isTrees(model)) throw new Error("not trees");
  return model;
}

function scoresOf(model: TreesModel, data: Dataset): number[] {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return Array.from(scores);
}

const one = { rounds: 1, learningRate: 1, minItems: 1, minHessian: 0 };

describe("a tree", () => {
  it("cuts where the gain is largest and takes the mean in each leaf", () => {
    // Gradients -1, -1, -5, -6 at scores 0: the split {1, 2 | 3, 4} scores 2²/2 + 11²/2 = 62.5 against 13²/4 = 42.25 of the whole.
    const data = dataOf([[1], [2], [3], [4]], [1, 1, 5, 6]);
    const model = learn(data, squared(), { ...one, leaves: 2 });
    expect(scoresOf(model, data)).toEqual([1, 1, 5.5, 5.5]);
    expect(model.trees[0]!.threshold[0]).toBe(2.5);
    expect(model.trees[0]!.gain[0]).toBeCloseTo(20.25, 6);
    expect(importance(model.trees, 1)).toEqual([{ feature: 0, gain: model.trees[0]!.gain[0], splits: 1 }]);
  });

  it("of symmetric shape has one split per level, that of the largest sum of gains", () => {
    // All rows of three binary features; labels 2 c where a is 0, and 10 + 3 b where it is 1. After a, b gains 0 + 9 and c gains 4 + 0.
    const x = Array.from({ length: 8 }, (_, row) => [(row >> 2) & 1, (row >> 1) & 1, row & 1] as const);
    const data = dataOf(
      x,
      x.map(([a, b, c]) => (a === 0 ? 2 * c : 10 + 3 * b)),
    );
    const symmetric = learn(data, squared(), { ...one, leaves: 4, shape: "symmetric" });
    expect(scoresOf(symmetric, data)).toEqual([1, 1, 1, 1, 10, 10, 13, 13]);
    expect(Array.from(symmetric.trees[0]!.feature)).toEqual([0, 1, 1, -1, -1, -1, -1]);
    expect(symmetric.trees[0]!.gain[1]).toBe(0);
    expect(symmetric.trees[0]!.gain[2]).toBeCloseTo(9, 6);
    const leafWise = learn(data, squared(), { ...one, leaves: 4 });
    expect(scoresOf(leafWise, data)).toEqual([0, 2, 0, 2, 10, 10, 13, 13]);
    // Seven leaves allow two levels, eight three.
    for (const [leaves, count] of [[7, 4], [8, 8]] as const) // biome-ignore format: pairs
      expect(learn(data, squared(), { ...one, leaves, shape: "symmetric" }).trees[0]!.feature.filter((f) => f < 0).length).toBe(
        count,
      );
  });

  it.each<[Partial<TreesOptions>, string]>([
    [
      { monotone: "(1+)" },
      "monotone constraints: they bound the values of each leaf apart; leave it out, or use shape=leaf-wise",
    ],
    [
      { categorical: "(1)" },
      "categorical features: each leaf puts categories in another order; leave it out, or use shape=leaf-wise",
    ],
    [{ minItemsUnit: "rows" }, "min-items-unit=rows: rows are not counted by bin; use hessian"],
  ])("of symmetric shape refuses %j", (options, message) =>
    expect(() => learn(dataOf([[1], [2]], [0, 1]), squared(), { ...one, ...options, shape: "symmetric" })).toThrow(
      new InputError(`trees: shape=symmetric does not support ${message}`),
    ),
  );

  it("of symmetric shape refuses more leaves than there is memory for", () => {
    const wide = dataOf(Array.from({ length: 30 }, (_, row) => Array.from({ length: 300 }, (__, c) => (row * (c + 7)) % 29)), Array.from({ length: 30 }, (_, i) => i)); // biome-ignore format: one line
    expect(() => learn(wide, squared(), { ...one, leaves: 65536, shape: "symmetric" })).toThrow(
      /^trees: the histograms of 32768 leaves over 300 features do not fit into memory, .*; use fewer leaves, or shape=leaf-wise$/,
    );
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is the one that trying everything finds (data %i)", (seed) => {
    const draw = random(seed);
    const n = 120;
    const x = Array.from({ length: n }, () =>
      Array.from({ length: 4 }, (_, f) =>
        seed % 2 === 0 && draw() < 0.15 ? Number.NaN : f === 3 ? below(draw, 2) : below(draw, 8) / 4,
      ),
    );
    const labels = x.map((row) => Math.fround((row[0]! > 1 ? 2 : 0) + (row[3] === 1 ? 1 : 0) + 2 * draw()));
    const curvature = (label: number) => 0.25 + (Math.floor(label * 64) % 4) / 4;
    for (const l2 of [0, 1.5])
      for (const minItems of [1, 5]) {
        const options: Partial<TreesOptions> = { ...one, leaves: 6, l2, minItems, minItemsUnit: "both" };
        const { tree, leaves } = referenceTree(
          {
            features: [0, 1, 2, 3].map((f) => {
              const values = x.map((row) => row[f]!);
              const thresholds = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
              return { values, thresholds, categorical: false, rise: 0 };
            }),
            seen: Array.from(x.keys()),
            gradient: labels.map((label) => -curvature(label) * label),
            hessian: labels.map(curvature),
            ...{ units: { gradient: 1, hessian: 1 }, least: 0, interactions: undefined, weights: undefined },
          },
          { maxDepth: Infinity, minGain: 0, l1: 0, ...options } as TreesSettings,
        );
        const data = dataOf(x, labels);
        const got = scoresOf(learn(data, squared(curvature), options), data);
        for (const { node, rows } of leaves) for (const row of rows) expect(got[row]).toBeCloseTo(tree.value[node]!, 5);
      }
  });

  it("sends missing values where they lower the cost, and finds that side for each cut", () => {
    const holes = [Number.NaN, Number.NaN, 1, 1, 2, 2];
    const rows = holes.map((value) => [value]);
    const high = dataOf(rows, [9, 9, 0, 0, 9, 9]);
    const low = dataOf(rows, [0, 0, 0, 0, 9, 9]);
    for (const data of [high, low]) {
      const model = learn(data, squared(), { ...one, leaves: 2 });
      expect(scoresOf(model, data)).toEqual(Array.from(data.labels));
    }
    // Only the fact that a value is missing tells.
    const result = dataOf(rows, [9, 9, 0, 0, 0, 0]);
    expect(scoresOf(learn(result, squared(), { ...one, leaves: 2 }), result)).toEqual([9, 9, 0, 0, 0, 0]);
  });

  it("sends a value that was never missing in training where most rows went", () => {
    const data = dataOf([[1], [2], [3], [4], [5]], [0, 8, 8, 8, 8]);
    const model = learn(data, squared(), { ...one, leaves: 2 });
    expect(scoresOf(model, dataOf([[Number.NaN]], [0]))).toEqual([8]);
  });

  it("keeps to leaves, depth, items and gain", () => {
    const draw = random(5);
    const x = Array.from({ length: 200 }, () => [draw(), draw()]);
    const data = dataOf(
      x,
      x.map(([a, b]) => a! * 4 + Math.floor(b! * 3)),
    );
    const leavesOf = ({ trees: [tree] }: TreesModel) => tree!.feature.filter((feature) => feature < 0).length;
    expect(leavesOf(learn(data, squared(), { ...one, leaves: 7 }))).toBe(7);
    expect(leavesOf(learn(data, squared(), { ...one, leaves: 31, maxDepth: 2 }))).toBe(4);
    const tree = learn(data, squared(), { ...one, leaves: 31, minItems: 30 }).trees[0]!;
    expect(Math.min(...tree.items)).toBeGreaterThanOrEqual(30);
    const steep = learn(data, squared(), { ...one, leaves: 31, minGain: 20 }).trees[0]!;
    expect(steep.feature.every((feature, node) => feature < 0 || steep.gain[node]! >= 20)).toBe(true);
  });

  it("counts items exactly where curvatures differ wildly", () => {
    const draw = random(6);
    const x = Array.from({ length: 300 }, () => [Math.floor(draw() * 50), Math.floor(draw() * 50)]);
    const labels = x.map(([a]) => (a! > 44 ? 5 : 0) + Math.floor(draw() * 3));
    const curvature = (label: number) => (label >= 5 ? 100 : 0.5);
    const tree = learn(dataOf(x, labels), squared(curvature), { ...one, leaves: 12, minItems: 25, minItemsUnit: "rows" })
      .trees[0]!;
    expect(tree.feature.some((feature) => feature >= 0)).toBe(true);
    expect(Math.min(...tree.items)).toBeGreaterThanOrEqual(25);
  });
});

describe("constraints", () => {
  const draw = random(9);
  const x = Array.from({ length: 400 }, () => [draw() * 10, draw()]);
  const labels = x.map(([a, b]) => 3 * (a! % 3) + b! + draw()); // goes up and down with the first feature
  const data = dataOf(x, labels);

  it.each(["+", "-"])("make the score a %s function of a feature", (sign) => {
    const model = learn(data, squared(), { rounds: 30, monotone: `(1${sign})` });
    for (const other of [0.1, 0.6]) {
      const line = Array.from({ length: 200 }, (_, i) => [i / 20, other]);
      const scores = scoresOf(
        model,
        dataOf(
          line,
          line.map(() => 0),
        ),
      );
      for (let i = 1; i < scores.length; i++)
        if (sign === "+") expect(scores[i]!).toBeGreaterThanOrEqual(scores[i - 1]!);
        else expect(scores[i]!).toBeLessThanOrEqual(scores[i - 1]!);
    }
    expect(new Set(scoresOf(model, data)).size).toBeGreaterThan(10);
  });

  it("bound leaves far below any score of a cut, and no cut of an earlier leaf is taken for one of theirs", () => {
    // 500 lists of 12 rows (p, x, y, z) whose labels rise with x and fall with p.
    const draw = random(17);
    const rows = Array.from({ length: 6000 }, () => [draw(), draw(), draw(), draw()]);
    const grades = rows.map(([p, x]) => Math.min(3, Math.floor(Math.max(0, 2 * (x! - p! + draw() - 0.5) + 1))));
    const lists = dataOf(
      rows,
      grades,
      Array.from({ length: 500 }, () => 12),
    );
    const costs: number[] = [];
    const model = learn(
      lists,
      find("lambdarank"),
      { rounds: 10, monotone: "(1-,2+)" },
      {
        afterRound(_, { cost }) {
          costs.push(cost);
          return "improved";
        },
      },
    );
    expect(costs.every(Number.isFinite)).toBe(true);
    expect(costs.at(-1)!).toBeLessThan(0.9 * costs[0]!);
    const line = Array.from({ length: 50 }, (_, i) => [i / 50, 0.5, 0.5, 0.5]);
    const falling = scoresOf(
      model,
      dataOf(
        line,
        line.map(() => 0),
      ),
    );
    for (let i = 1; i < falling.length; i++) expect(falling[i]!).toBeLessThanOrEqual(falling[i - 1]!);
  });

  it("are refused where several outputs make a score", () => {
    expect(() => learn(data, find("mcrank"), { monotone: "1+" })).toThrow(
      "option monotone: objective mcrank has 5 outputs for each item",
    );
  });

  it("are refused for a feature that is not there", () => {
    expect(() => learn(data, squared(), { monotone: "7+" })).toThrow('option monotone: there is no feature "7" in the data');
  });
});

describe("categories", () => {
  it("are cut into the two sets that gain most, whatever their numbers", () => {
    // Categories 0, 2, 4 against 1, 3: no threshold of the number parts them.
    const x = Array.from({ length: 100 }, (_, i) => [i % 5]);
    const data = dataOf(
      x,
      x.map(([c]) => (c! % 2 === 0 ? 6 : 0)),
    );
    const model = learn(data, squared(), { ...one, leaves: 2, categorical: "1" });
    expect(scoresOf(model, data)).toEqual(Array.from(data.labels));
    expect(scoresOf(learn(data, squared(), { ...one, leaves: 2 }), data)).not.toEqual(Array.from(data.labels));
    const again = readTrees(JSON.parse(JSON.stringify(model.save())), model.columns);
    expect(scoresOf(again, data)).toEqual(scoresOf(model, data));
    // Unknown and missing ones go with the right side, in the file as in training.
    const strange = dataOf([[17], [Number.NaN]], [0, 0]);
    expect(new Set(scoresOf(model, strange)).size).toBe(1);
  });
});

describe("boosting", () => {
  const draw = random(3);
  const lists = Array.from({ length: 30 }, () => 10);
  const x = Array.from({ length: 300 }, () => Array.from({ length: 12 }, (_, f) => (f < 4 ? below(draw, 3) : draw())));
  const labels = x.map((row) => Math.min(4, Math.floor(2 * row[5]! + row[0]! + draw())));
  const data = dataOf(x, labels, lists);

  it("lowers the cost in every round and tells it", () => {
    const costs: number[] = [];
    learn(
      data,
      find("pl-partition"),
      { rounds: 20 },
      {
        afterRound(_, { cost }) {
          costs.push(cost);
          return "improved";
        },
      },
    );
    for (let i = 1; i < costs.length; i++) expect(costs[i]!).toBeLessThan(costs[i - 1]!);
  });

  it("kernels and plain twins grow the same trees to the last bit", () => {
    const objective = find("pl-partition");
    const fast = learn(inHeap(data), objective, { rounds: 10, minItems: 5 }).save();
    usePlain();
    expect(learn(data, objective, { rounds: 10, minItems: 5 }).save()).toEqual(fast);
  });

  it("gives the validation scores of the round, and returns the trees of the round that was kept", () => {
    const validation: number[][] = [];
    const model = learn(
      data,
      squared(),
      { rounds: 9 },
      {
        validation: data,
        afterRound(round, report) {
          validation.push(Array.from(report.scores()));
          return round === 4 ? "improved" : round === 7 ? "stop" : "continue";
        },
      },
    );
    expect(model.trees.length).toBe(4);
    expect(validation.length).toBe(7);
    expect(scoresOf(model, data)).toEqual(validation[3]);
  });

  it("sees a share of lists and features, and scores the lists that it did not see", () => {
    const some = learn(
      data,
      squared(),
      { rounds: 12, listFraction: 0.5, featureFraction: 0.5 },
      {
        validation: data,
        afterRound(_, report) {
          last = Array.from(report.scores());
          return "improved";
        },
      },
    );
    var last: number[];
    expect(some.trees.every((tree) => tree.items[0] === 150)).toBe(true);
    expect(scoresOf(some, data)).toEqual(last!);
    expect(some.save()).toEqual(learn(data, squared(), { rounds: 12, listFraction: 0.5, featureFraction: 0.5 }).save());
    expect(some.save()).not.toEqual(learn(data, squared(), { rounds: 12 }).save());
  });

  it("weights of lists count as so many copies of the list", () => {
    const coarse = x.map((row) => row.map((value) => Math.floor(value * 8)));
    const twice = dataOf([...coarse, ...coarse.slice(0, 10)], [...labels, ...labels.slice(0, 10)], [...lists, 10]);
    const once = dataOf(coarse, labels, lists);
    const weighted = { ...once, listWeights: Float32Array.from(lists, (_, q) => (q === 0 ? 2 : 1)) };
    const options = { rounds: 3, minItems: 1, minHessian: 4 };
    const [a, b] = [learn(twice, squared(), options), learn(weighted, squared(), options)];
    scoresOf(a, once).forEach((score, i) => {
      expect(score).toBeCloseTo(scoresOf(b, once)[i]!, 5);
    });
  });

  it("goes on from a model: as many trees later the scores are those of one run", () => {
    const whole = learn(data, squared(), { rounds: 8 });
    const half = learn(data, squared(), { rounds: 4 });
    const other = learn(data, squared(), { rounds: 4 }, { init: half });
    expect(other.trees.length).toBe(8);
    scoresOf(other, data).forEach((score, i) => {
      expect(score).toBeCloseTo(scoresOf(whole, data)[i]!, 12);
    });
    expect(() => learn(data, find("mcrank"), { rounds: 1 }, { init: half })).toThrow("wants 5");
  });

  it("leaves step by how their items bend the cost together where that is asked for", () => {
    // One list, scores 0, softmax against the labels (0, 0, 1, 1) / 2: gradients 1/4, 1/4, -1/4, -1/4. A leaf of two items has the chance 1/2,
    // so moving both bends the cost by 1/2 (1 - 1/2) = 1/4; on their own each bends it by 1/4 (1 - 1/4) = 3/16.
    const four = dataOf([[0], [0], [1], [1]], [0, 0, 1, 1]);
    const step = (leaf: TreesOptions["leaf"]) => scoresOf(learn(four, find("softmax"), { ...one, leaves: 2, leaf }), four)[2]!;
    expect(step("newton-diagonal")).toBeCloseTo(0.5 / (6 / 16), 5);
    expect(step("newton-block")).toBeCloseTo(0.5 / 0.25, 3);
  });

  it("an objective without a gradient is refused", () => {
    expect(() => learn(data, { ...squared(), gradient: "none" }, {})).toThrow("trees need a gradient");
  });

  it("derivatives that are not finite end it with a clear error", () => {
    const broken: Objective = { ...squared(), evaluate: (_, __, { gradient }) => gradient.fill(Number.NaN).length };
    expect(() => learn(data, broken, {})).toThrow("derivatives of round 1 are not finite");
  });

  it("sees no cut of a feature that was not drawn for the tree", () => {
    // Nine columns of many values are two groups; with one of nine drawn, one of them is not even scanned.
    const wide = dataOf(
      Array.from({ length: 300 }, () => Array.from({ length: 9 }, () => draw())),
      labels,
      lists,
    );
    const { trees: grown } = learn(wide, squared(), { rounds: 40, featureFraction: 0.1, minItems: 5 });
    for (const tree of grown) expect(new Set(tree.feature.filter((feature) => feature >= 0)).size).toBeLessThanOrEqual(1);
  });
});

describe("options", () => {
  it.each([
    [{ learningRate: 1e300 }, 'trees, option learning-rate: expected a number above 0 and of at most 10, or "auto", got'],
    [{ learningRateDecay: 11 }, "trees, option learning-rate-decay: expected a number from 0 to 10, got"],
    [{ minLearningRate: 1e9 }, "trees, option min-learning-rate: expected a number above 0 and of at most 10, got"],
    [{ l2: 1e300 }, 'trees, option l2: expected a number from 0 to 1000000000000000, or "auto", got'],
    [{ l1: 1e16 }, "trees, option l1: expected"],
    [{ minHessian: 1e16 }, "trees, option min-hessian: expected"],
    [{ minGain: 1e16 }, "trees, option min-gain: expected"],
  ])("beyond all sense are refused: %o", (options, message) => {
    expect(() => trees(options)).toThrow(message);
  });
});

describe("a damaged file is refused with the tree and the node", () => {
  // Tree 0: node 0 asks feature 0, its children are leaf 1 and node 2, which asks for categories of feature 1 and has leaves 3 and 4. Tree 1: a leaf.
  const good = {
    ...{ id: "trees", nodes: [5, 1], extras: {} },
    feature: [0, -1, 1, -1, -1, -1],
    threshold: [0.5, 0, 0, 0, 0, 0],
    missing: [1, 0, 0, 0, 0, 0],
    left: [1, -1, 3, -1, -1, -1],
    right: [2, -1, 4, -1, -1, -1],
    value: [0, 1, 0, 2, 4, 8],
    gain: [3, 0, 1, 0, 0, 0],
    items: [9, 4, 5, 2, 3, 9],
    sets: { "2": [7] },
  };
  const columns = { count: 2, base: 1 as const };
  const read = (changed: object) => readTrees({ ...good, ...changed } as never, columns);
  const at = (
    key: "feature" | "threshold" | "missing" | "left" | "right" | "value" | "gain" | "items",
    node: number,
    value: unknown,
  ) => ({
    [key]: good[key].map((one, i) => (i === node ? value : one)),
  });

  it("and a good one is not", () => {
    const model = read({});
    expect(
      scoresOf(
        model,
        dataOf(
          [
            [0, 0],
            [1, 7],
            [1, 1],
            [Number.NaN, 7],
          ],
          [0, 0, 0, 0],
        ),
      ),
    ).toEqual([9, 10, 12, 9]);
    expect(read(JSON.parse(JSON.stringify(model.save()))).save()).toEqual(model.save());
  });

  it.each([
    ["child 1.5", at("left", 0, 1.5), "tree 0, node 0: its left child should be a node after it, from 1 to 4, and is 1.5"],
    [
      "a child beyond the tree",
      at("right", 2, 5),
      "tree 0, node 2: its right child should be a node after it, from 3 to 4, and is 5",
    ],
    ["a cycle", at("left", 2, 0), "tree 0, node 2: its left child should be a node after it"],
    ["a node that is its own child", at("right", 2, 2), "tree 0, node 2: its right child should be"],
    ["child 2^40", at("right", 2, 2 ** 40), "tree 0, node 2: its right child should be"],
    ["a child with two parents", at("left", 0, 3), "tree 0, node 1: its parent should be one of the nodes before it"],
    [
      "one child twice",
      at("right", 2, 3),
      "tree 0, node 2: its right child should be a node without another parent, and is node 3, a child of node 2",
    ],
    [
      "feature 0.5",
      at("feature", 0, 0.5),
      "tree 0, node 0: its feature should be -1 (a leaf) or a whole number from 0 to 1, and is 0.5",
    ],
    ["feature -2", at("feature", 1, -2), "tree 0, node 1: its feature should be"],
    ["feature 2^40", at("feature", 2, 2 ** 40), "tree 0, node 2: its feature should be"],
    ["a feature too many", at("feature", 0, 2), "tree 0, node 0: its feature should be"],
    ["a leaf with a child", at("left", 5, 1), "tree 1, node 0: the children of a leaf should be -1, and is 1 and -1"],
    ["a threshold beyond floats", at("threshold", 0, 1e39), "tree 0, node 0: its threshold should be within 32-bit floats"],
    ["no threshold", at("threshold", 0, null), "threshold should be a list of 6 numbers"],
    ["no value", at("value", 1, null), "value should be a list of 6 numbers"],
    [
      "missing values to a third side",
      at("missing", 0, 2),
      "tree 0, node 0: the side of missing values should be 0 or 1, and is 2",
    ],
    ["a negative gain", at("gain", 0, -1), "tree 0, node 0: its gain should be at least 0, and is -1"],
    ["half a row", at("items", 1, 0.5), "tree 0, node 1: its number of rows should be a whole number of at least 0, and is 0.5"],
    [
      "rows that do not add up",
      at("items", 0, 8),
      "tree 0, node 0: its number of rows should be that of its children, 9, and is 8",
    ],
    [
      "categories of a leaf",
      { sets: { "2": [7], "1": [7] } },
      "tree 0, node 1: a node with categories should be one that asks for a feature",
    ],
    ["categories of no node", { sets: { "2": [7], "6": [7] } }, 'the categories of node "6" belong to none of the 6 nodes'],
    ["categories of node 1.5", { sets: { "1.5": [7] } }, 'the categories of node "1.5" belong to none'],
    ["a category that is no number", { sets: { "2": [null] } }, "2 should be a list of numbers"],
    [
      "a category beyond floats",
      { sets: { "2": [1e39] } },
      "tree 0, node 2: a category should be within 32-bit floats, and is 1e+39",
    ],
    ["a tree of half a node", { nodes: [5.5, 0.5] }, "tree 0 should have a whole number of nodes above 0, and has 5.5"],
    ["an empty tree", { nodes: [6, 0] }, "tree 1 should have a whole number of nodes above 0, and has 0"],
    ["more nodes than there are", { nodes: [5, 2 ** 40] }, "feature should be a list of"],
    [
      "outputs that trees do not serve",
      { fold: { kind: "expected", values: [0, 1, 2] } },
      "2 trees cannot be divided evenly among 3 outputs",
    ],
    ["ensembles that trees do not serve", { bag: 3 }, "2 trees cannot be divided evenly among 3 outputs"],
    ["half an ensemble", { bag: 0.5 }, "bag should be a whole number above 0, and is 0.5"],
    ["a fold of nothing", { fold: { kind: "expected", values: [] } }, "fold.values should be a list of one number or more"],
  ])("%s", (_, changed, message) => {
    expect(() => read(changed)).toThrow(InputError);
    expect(() => read(changed)).toThrow(message);
    expect(() => read(changed)).toThrow(/^the model file is damaged: [^\n]*$/);
  });
});

describe("bag", () => {
  const draw = random(17);
  const x = Array.from({ length: 240 }, () => [draw(), draw(), draw()]);
  const labels = x.map(([a, b]) => Math.min(3, Math.floor(2 * a! + 2 * b! + draw())));
  const data = dataOf(
    x,
    labels,
    Array.from({ length: 24 }, () => 10),
  );
  const cost = find("pl-partition");
  const options = { rounds: 6, leaves: 4, minItems: 3, listFraction: 0.5, featureFraction: 0.5 };

  it("samples half of lists and features by default, however few there are", () => {
    const auto: Partial<TreesOptions> = { listFraction: "auto", featureFraction: "auto" };
    const bytes = (more: Partial<TreesOptions>) => JSON.stringify(learn(data, cost, { ...options, bag: 3, ...more }).save());
    expect(bytes(auto)).toBe(bytes({ listFraction: 0.5, featureFraction: 0.5 }));
    expect(bytes(auto)).not.toBe(bytes({ ...auto, listFraction: 1 }));
    expect(trees({ bag: 3 }).spec).toBe("trees:bag=3");
  });

  it("is the mean of ensembles that differ, and the first has the seed of the run", () => {
    const bagged = learn(data, cost, { ...options, bag: 3 });
    const first = learn(data, cost, { ...options, listFraction: 0.5, featureFraction: 0.5 });
    const of = (member: number) => bagged.trees.filter((_, t) => t % 3 === member);
    expect(of(0).map(({ value }) => value.map((one) => one * 3))).toEqual(
      first.trees.map(({ value }) => value.map((one) => (one / 3) * 3)),
    );
    const texts = [0, 1, 2].map((member) => JSON.stringify(of(member).map(({ feature, threshold }) => [feature, threshold])));
    expect(new Set(texts).size).toBe(3);
  });

  it("counts rounds, keeps the best of them and goes on from them", () => {
    const seen: Float64Array[] = [];
    const bagged = learn(
      data,
      cost,
      { ...options, bag: 3 },
      {
        validation: data,
        afterRound(round, report) {
          seen.push(report.scores().slice());
          return round <= 4 ? "improved" : "continue";
        },
      },
    );
    expect([bagged.trees.length, bagged.stages!.count, bagged.describe().facts["averaged ensembles"]]).toEqual([12, 4, 3]);
    seen.slice(0, 4).forEach((scores, r) => {
      expect(scoresOf(bagged.stages!.after(r + 1) as TreesModel, data)).toEqual([...scores]);
    });
    const more = learn(data, cost, { ...options, bag: 3 }, { init: bagged });
    expect([more.trees.length, more.stages!.count]).toEqual([30, 10]);
    expect(scoresOf(more.stages!.after(4) as TreesModel, data)).toEqual(scoresOf(bagged, data));
    const other = learn(data, cost, { ...options, bag: 2 }, { init: bagged });
    expect([other.trees.length, other.stages!.count, other.bag]).toEqual([24, 24, 1]);
  });

  it("is explained as one model", () => {
    const bagged = learn(data, cost, { ...options, bag: 3 });
    const scores = scoresOf(bagged, data);
    const { expected, contributions } = bagged.explain!(data, 2);
    contributions.forEach((own, i) => {
      expect(own.reduce((a, b) => a + b, expected)).toBeCloseTo(scores[data.starts[2]! + i]!, 9);
    });
  });

  it.each([0, -1, 1.5, "many", 1001])("refuses %s ensembles", (bag) => {
    expect(() => trees({ bag: bag as number })).toThrow("trees, option bag: expected a whole number from 1 to 1000");
  });
});

describe("large things", () => {
  it("a list of 100,000 items and labels of 1,000 grades train without trouble", () => {
    const draw = random(8);
    const x = Array.from({ length: 100_000 }, () => [below(draw, 200) / 200, draw()]);
    const long = dataOf(
      x,
      x.map(([a]) => (a! > 0.5 ? 1 : 0)),
    );
    const model = learn(inHeap(long), find("softmax"), { rounds: 2 });
    const scores = scoresOf(model, long);
    expect(Math.min(...scores.filter((_, i) => long.labels[i] === 1))).toBeGreaterThan(
      Math.max(...scores.filter((_, i) => long.labels[i] === 0)),
    );

    expect(scoresOf(learn(inHeap(long), find("lambdarank"), { rounds: 2 }), long).every(Number.isFinite)).toBe(true);

    const fine = dataOf(
      x.slice(0, 3000),
      x.slice(0, 3000).map(([, b]) => Math.floor(b! * 1000)),
      Array.from({ length: 30 }, () => 100),
    );
    const grades = learn(fine, find("pl-partition"), { rounds: 5 });
    expect(scoresOf(grades, fine).every(Number.isFinite)).toBe(true);
  });
});

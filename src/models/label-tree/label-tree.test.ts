import { describe, expect, it } from "vitest";
import { labelSets } from "../../data/label-sets.ts";
import { subset } from "../../data/subset.ts";
import { fit } from "../../fit.ts";
import { parseData } from "../../formats/data/parse.ts";
import { metric } from "../../metrics/index.ts";
import { Heap } from "../../numeric/heap.ts";
import { below, random } from "../../numeric/random.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Dataset, Random } from "../../types.ts";
import { labelTree, learner, revive } from "../index.ts";
import { type Entries, transpose } from "../shared/sparse.ts";
import { BeamSearch, type Ensemble, labelScores, topLabels } from "./beam.ts";
import { bisect, select } from "./bisect.ts";
import { Classifier } from "./classify.ts";
import { fitTrees } from "./fit.ts";
import { type LabeledRows, NodeRows } from "./node-rows.ts";
import { nodeNumbers, partSizes, treeShape } from "./shape.ts";

const team = soloTeam();

describe("the shape of a tree", () => {
  it("divides the places of each node among its classes, with leaves no larger than allowed", () => {
    for (let seed = 0; seed < 300; seed++) {
      const draw = random(seed, 31);
      const [labels, branches, leaf] = [1 + below(draw, 200), 2 + below(draw, 6), 1 + below(draw, 20)];
      const { bounds, classes, levels } = treeShape(labels, branches, leaf);
      expect(bounds.length).toBe(levels + 1);
      expect(Array.from(bounds.at(-1)!)).toEqual(Array.from({ length: labels + 1 }, (_, i) => i));
      for (let d = 0; d < levels; d++) {
        const [own, next] = [bounds[d]!, bounds[d + 1]!];
        for (let j = 0; j + 1 < own.length; j++) {
          expect([next[classes[d]![j]!], next[classes[d]![j + 1]!]]).toEqual([own[j], own[j + 1]]);
          const children = classes[d]![j + 1]! - classes[d]![j]!;
          expect(children).toBe(d + 1 === levels ? own[j + 1]! - own[j]! : Math.min(branches, own[j + 1]! - own[j]!));
          if (d + 1 === levels) expect(own[j + 1]! - own[j]!).toBeLessThanOrEqual(leaf);
        }
      }
      expect(nodeNumbers({ bounds, classes, levels }).at(-1)).toBe(classes.reduce((sum, { length }) => sum + length - 1, 0));
    }
  });

  it("makes parts of nearly equal size", () => {
    for (let n = 1; n < 60; n++)
      for (let parts = 1; parts < 9; parts++) {
        const sizes = partSizes(n, parts);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(n);
        expect(sizes.length).toBe(Math.min(n, parts));
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
      }
  });
});

it("selects the largest keys, of equal ones the first", () => {
  for (let seed = 0; seed < 300; seed++) {
    const draw = random(seed, 32);
    const n = 1 + below(draw, 40);
    const keys = Float64Array.from({ length: n }, () => below(draw, 10));
    const left = below(draw, n + 1);
    const order = Uint32Array.from(keys.keys());
    select(order, keys, left);
    const sorted = Array.from(keys.keys()).sort((a, b) => keys[b]! - keys[a]! || a - b);
    expect(Array.from(order.subarray(0, left)).sort((a, b) => a - b)).toEqual(sorted.slice(0, left).sort((a, b) => a - b));
    expect(new Set(order).size).toBe(n);
  }
});

/** Random documents of `columns` features, each with one label or more. */
function randomRows(draw: Random, documents: number, columns: number, labels: number): LabeledRows & { readonly y: Entries } {
  const sparse = (width: number, density: number, least: number): Entries => {
    const rows = Array.from({ length: documents }, () => {
      const there = Array.from({ length: width }, (_, c) => c).filter(() => draw() < density);
      return there.length < least ? [below(draw, width)] : there;
    });
    const starts = Uint32Array.from([0, ...rows.map((_, r) => rows.slice(0, r + 1).flat().length)]);
    const indices = Uint32Array.from(rows.flat());
    return { starts, indices, values: Float32Array.from(indices, () => 1 + below(draw, 3)) };
  };
  const [x, y] = [sparse(columns, 0.4, 0), sparse(labels, 0.2, 1)];
  const byLabel = transpose(y, labels);
  return { x, y, columns, starts: Uint32Array.from(byLabel.starts), documents: byLabel.indices };
}

it("bisects labels by the direction of their documents, in parts of the wanted size", () => {
  // Documents with even numbers have features 0 to 2 and labels 0 to 3, others features 3 to 5 and labels 4 to 7.
  const documents = 80;
  const draw = random(33);
  const rows = Array.from({ length: documents }, (_, r) => ({
    f: 3 * (r % 2) + below(draw, 3),
    l: 4 * (r % 2) + ((r >> 1) % 4),
  }));
  const one = (values: readonly number[]): Entries => ({
    starts: Uint32Array.from({ length: documents + 1 }, (_, r) => r),
    indices: Uint32Array.from(values),
    values: new Float32Array(documents).fill(1),
  });
  const byLabel = transpose(one(rows.map(({ l }) => l)), 8);
  const node = new NodeRows(
    { x: one(rows.map(({ f }) => f)), columns: 6, starts: Uint32Array.from(byLabel.starts), documents: byLabel.indices },
    new Heap(),
  );
  for (let seed = 0; seed < 20; seed++) {
    const labels = Uint32Array.from([3, 5, 0, 7, 1, 6, 2, 4]);
    bisect(node, labels, 4, new Float64Array(8).fill(1), random(seed));
    expect([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [4, 5, 6, 7, 0, 1, 2, 3],
    ]).toContainEqual(Array.from(labels));
  }
  const labels = Uint32Array.from([0, 1, 2, 3, 4]);
  bisect(node, labels, 3, new Float64Array(8).fill(1), random(1));
  expect(
    Array.from(labels.subarray(0, 3))
      .concat(Array.from(labels.subarray(3)))
      .sort(),
  ).toEqual([0, 1, 2, 3, 4]);
});

const SETTINGS = { cost: 1, tolerance: 1e-7, passes: 2000, threshold: 0 };

/** Weights by class, as a dense matrix with a column for the bias. */
function denseWeights(classifier: Classifier, labels: Uint32Array, bounds: Uint32Array, columns: number): number[][] {
  const { features, starts, classes, values } = classifier.train(labels, bounds, 5);
  const w = Array.from({ length: bounds.length - 1 }, () => new Array<number>(columns + 1).fill(0));
  features.forEach((feature, f) => {
    for (let e = starts[f]!; e < starts[f + 1]!; e++) w[classes[e]!]![feature] = values[e]!;
  });
  return w;
}

it("classifiers are the minimum for their class whatever they start from, and alike where rows are not copied", () => {
  for (let seed = 0; seed < 12; seed++) {
    const draw = random(seed, 34);
    const rows = randomRows(draw, 5 + below(draw, 30), 1 + below(draw, 8), 6);
    const labels = Uint32Array.from([0, 1, 2, 3, 4, 5].filter((l) => rows.starts[l + 1]! > rows.starts[l]!));
    if (labels.length < 2) continue;
    const bounds = seed % 2 === 0 ? Uint32Array.of(0, 1, labels.length) : Uint32Array.from([0, ...labels.map((_, l) => l + 1)]);
    const heap = new Heap();
    const w = denseWeights(new Classifier(new NodeRows(rows, heap), SETTINGS, heap), labels, bounds, rows.columns);
    const direct = new Classifier(new NodeRows(rows, heap, 0), SETTINGS, heap);
    expect(denseWeights(direct, labels, bounds, rows.columns)).toEqual(w);
    // Over the products of pairs of documents, where there are more than two classes.
    const paired = new Classifier(new NodeRows(rows, heap), { ...SETTINGS, tolerance: 0.01 }, heap);
    denseWeights(paired, labels, bounds, rows.columns).forEach((own, c) => {
      own.forEach((value, f) => {
        expect(Math.abs(value - w[c]![f]!)).toBeLessThan(0.02);
      });
    });
    const { x, y } = rows;
    for (const [c, own] of w.entries()) {
      const mine = new Set(labels.subarray(bounds[c]!, bounds[c + 1]!));
      const cost = (v: readonly number[]) => {
        let sum = v.reduce((total, value) => total + (value * value) / 2, 0);
        for (let r = 0; r + 1 < x.starts.length; r++) {
          const own = Array.from(y.indices.subarray(y.starts[r]!, y.starts[r + 1]!));
          let z = v[rows.columns]!;
          for (let e = x.starts[r]!; e < x.starts[r + 1]!; e++) z += x.values[e]! * v[x.indices[e]!]!;
          sum += Math.max(0, 1 - (own.some((label) => mine.has(label)) ? z : -z)) ** 2;
        }
        return sum;
      };
      const reached = cost(own);
      for (let trial = 0; trial < 100; trial++)
        expect(reached).toBeLessThanOrEqual(cost(own.map((value) => value + 0.01 * (2 * draw() - 1))) + 1e-6);
    }
    heap.close();
  }
});

/** Scores of all labels, from the weights of each node along its path, without a beam. */
function everyScore({ shape, trees, columns, labels }: Ensemble, rows: Entries, r: number): Float64Array {
  const scores = new Float64Array(labels);
  const firsts = nodeNumbers(shape);
  for (const { order, nodes, features, starts, classes, values } of trees)
    for (let place = 0; place < order.length; place++) {
      let log = 0;
      for (let d = 0; d < shape.levels; d++) {
        const j = shape.bounds[d]!.findLastIndex((from) => from <= place);
        const c = shape.bounds[d + 1]!.findLastIndex((from) => from <= place) - shape.classes[d]![j]!;
        if (shape.classes[d]![j + 1]! - shape.classes[d]![j]! === 1) continue;
        const weights = new Map<number, number>();
        for (let f = nodes[firsts[d]! + j]!; f < nodes[firsts[d]! + j + 1]!; f++)
          for (let e = starts[f]!; e < starts[f + 1]!; e++) if (classes[e] === c) weights.set(features[f]!, values[e]!);
        let z = 0;
        for (let e = rows.starts[r]!; e < rows.starts[r + 1]!; e++) z += rows.values[e]! * (weights.get(rows.indices[e]!) ?? 0);
        log -= Math.max(0, 1 - (z + (weights.get(columns) ?? 0))) ** 2;
      }
      scores[order[place]!] = scores[order[place]!]! + Math.exp(log) / trees.length;
    }
  return scores;
}

const datasetOf = ({ x, y, columns }: LabeledRows & { readonly y: Entries }, labels: number): Dataset => ({
  ...{ starts: y.starts as Uint32Array, labels: y.values, items: y.indices, labelSpaceSize: labels, base: 0, names: {} },
  features: { kind: "sparse", rows: x.starts.length - 1, columns, absent: 0, ...x },
});

it("beam search with a beam of all nodes scores every label as its path does; with any beam, no label higher", () => {
  for (let seed = 0; seed < 25; seed++) {
    const draw = random(seed, 35);
    const labels = 2 + below(draw, 14);
    const rows = randomRows(draw, 10 + below(draw, 20), 1 + below(draw, 8), labels);
    const data = datasetOf(rows, labels);
    const options = {
      ...{ trees: 1 + below(draw, 3), branches: 2 + below(draw, 3), leafLabels: 1 + below(draw, 5), beam: 1000 },
      ...{ cost: 0.2 + draw(), tolerance: 0.05, passes: 20, threshold: [0, 0.1][below(draw, 2)]! },
    };
    const run = { seed, team, afterRound: () => "continue" as const };
    const ensemble = fitTrees(data, run, options);
    const narrow = { ...ensemble, beam: 1 + below(draw, 3) };
    const [search, less] = [new BeamSearch(ensemble), new BeamSearch(narrow)];
    const into = {
      k: labels,
      items: new Uint32Array(labels * data.features.rows),
      scores: new Float64Array(labels * data.features.rows),
    };
    topLabels(team, ensemble, rows.x, into);
    const relevant = new Float64Array(data.labels.length);
    labelScores(team, ensemble, data, relevant);
    for (let r = 0; r < data.features.rows; r++) {
      search.run(rows.x, r);
      less.run(rows.x, r);
      const all = everyScore(ensemble, rows.x, r);
      all.forEach((score, label) => {
        expect(search.scores[label]).toBeCloseTo(score, 12);
        expect(less.scores[label]).toBeLessThanOrEqual(search.scores[label]! + 1e-15);
      });
      const sorted = Array.from(all.keys()).sort((a, b) => search.scores[b]! - search.scores[a]! || a - b);
      expect(Array.from(into.items.subarray(r * labels, (r + 1) * labels))).toEqual(sorted);
      for (let i = data.starts[r]!; i < data.starts[r + 1]!; i++) expect(relevant[i]).toBe(search.scores[data.items![i]!]);
    }
  }
});

const SPACE = { labels: "tags", features: "words", space: ["t0", "t1", "t2", "t3", "t4", "t5", "never"] } as const;

/** Documents of two topics, each with words and labels of its own. */
function topics(seed: number, documents: number): Dataset {
  const draw = random(seed, 11);
  return labelSets(
    Array.from({ length: documents }, () => {
      const topic = below(draw, 2);
      const word = () => `w${topic * 6 + below(draw, 6)}`;
      return {
        words: { [word()]: 1, [word()]: 1, [word()]: 1, [`w${12 + below(draw, 3)}`]: 1 },
        tags: [`t${topic * 3}`, `t${topic * 3 + 1 + below(draw, 2)}`],
      };
    }),
    SPACE,
  );
}

const options = { trees: 3, leafLabels: 2 };

it("finds the labels of a topic, from a file as from memory, and never a label without documents", () => {
  const data = topics(1, 120);
  const { model, history } = fit(data, { model: labelTree(options) });
  expect(history.map(({ round }) => round)).toEqual([1, 2, 3]);
  const { items, scores } = model.top!(data, 1);
  const right = Array.from(items).filter((label, q) =>
    data.items!.subarray(data.starts[q]!, data.starts[q + 1]!).includes(label),
  );
  expect(right.length).toBeGreaterThan(110);
  const again = revive(JSON.parse(JSON.stringify(model.save())), model.columns);
  expect(again.top!(data, 1)).toEqual({ k: 1, items, scores });
  const all = model.top!(data, 7);
  expect(Array.from(all.items).every((label, i) => label !== 6 || all.scores[i] === 0)).toBe(true);
  expect(Array.from(all.scores).every((score) => score >= 0 && score <= 1)).toBe(true);
});

it("scores a document by itself as it does among others", () => {
  const data = topics(2, 60);
  const { model } = fit(data, { model: labelTree(options) });
  const { items, scores } = model.top!(data, 3);
  for (const q of [0, 17, 59]) {
    const found = model.top!(subset(data, [q]), 3);
    expect(Array.from(found.items)).toEqual(Array.from(items.subarray(q * 3, q * 3 + 3)));
    expect(Array.from(found.scores)).toEqual(Array.from(scores.subarray(q * 3, q * 3 + 3)));
  }
});

it("keeps as many trees as validation data want", () => {
  const [data, valid] = [topics(3, 60), topics(4, 60)];
  const { model, best, history } = fit(data, {
    model: labelTree({ ...options, trees: 6 }),
    valid,
    metrics: [metric("precision@1")],
    patience: 1,
  });
  expect(model.describe().facts.trees).toBe(best.round);
  expect(history.length).toBeLessThanOrEqual(6);
});

it("refuses wrong options, counts that memory cannot hold, documents without labels, and damaged files", () => {
  for (const wrong of [
    "trees=0",
    "branches=1",
    "leaf-labels=0",
    "cost=0",
    "threshold=-1",
    "beam=0",
    "tolerance=0",
    "passes=0",
    "scale=list",
  ])
    expect(() => learner(`label-tree:${wrong}`), wrong).toThrow(wrong.split("=")[0]);
  const { data } = parseData([{ name: "a.xc.txt", content: "2 2147483646 3\n0 0:1\n1 1:2\n" }]);
  expect(() => fit(data, { model: labelTree() })).toThrow("label-tree: 2147483646 features and 3 labels are too many for memory");
  const wide = labelSets(
    Array.from({ length: 100 }, (_, i) => ({ tags: [`t${i}`], words: { [`w${i}`]: 1 } })),
    { labels: "tags", features: "words" },
  );
  expect(fit(wide, { model: labelTree({ trees: 1 }) }).rounds).toBe(1); // 100 of both are not too many
  const bare = labelSets([{ tags: [], words: { a: 1 } }], { labels: "tags", features: "words", space: ["x"] });
  expect(() => fit(bare, { model: labelTree() })).toThrow("no document has a relevant label");
  const { model } = fit(topics(5, 20), { model: labelTree(options) });
  const saved = JSON.parse(JSON.stringify(model.save()));
  const { inner } = saved;
  const withTree = (change: Record<string, unknown>) => ({ ...inner, trees: [{ ...inner.trees[0], ...change }, inner.trees[1]] });
  const [first] = inner.trees;
  for (const wrong of [
    { ...inner, trees: [] },
    { ...inner, trees: 3 },
    { ...inner, trees: [null] },
    { ...inner, shape: [1, 2, 10] },
    { ...inner, shape: [2, 2] },
    { ...inner, shape: [2, 100, 10] },
    withTree({ order: first.order.map(() => 0) }),
    withTree({ order: first.order.slice(1) }),
    withTree({ order: [] }),
    withTree({ order: first.order.map(() => 7) }),
    withTree({ nodes: first.nodes.slice(1) }),
    withTree({ features: first.features.map(() => 99) }),
    withTree({ features: first.features.toReversed() }),
    withTree({ starts: first.starts.toReversed() }),
    withTree({ classes: first.classes.map(() => 3) }),
    withTree({ values: first.values.slice(1) }),
  ])
    expect(() => revive({ ...saved, inner: wrong }, model.columns)).toThrow("the model file is damaged");
});

import { describe, expect, it } from "vitest";
import { below, random } from "../../numeric/random.ts";
import type { Dataset } from "../../types.ts";
import { explainList } from "./explain.ts";
import { treesModel } from "./model.ts";
import { addShap, expected } from "./shap.ts";
import { goesLeft, leafOf, type Tree } from "./tree.ts";

const FEATURES = 4;

/** A random tree in which features come back along a path. */
function grown(seed: number, depth: number): Tree {
  const draw = random(seed);
  const nodes: {
    feature: number;
    threshold: number;
    missing: number;
    left: number;
    right: number;
    value: number;
    items: number;
  }[] = [];
  const add = (items: number, left: number): number => {
    const leaf = left === 0 || items < 2;
    const node = {
      feature: leaf ? -1 : below(draw, FEATURES),
      threshold: draw(),
      missing: below(draw, 2),
      left: -1,
      right: -1,
      value: 0,
      items,
    };
    nodes.push(node);
    if (leaf) node.value = draw() * 2 - 1;
    else {
      const fraction = 1 + below(draw, items - 1);
      node.left = add(fraction, left - 1);
      node.right = add(items - fraction, left - 1);
    }
    return nodes.indexOf(node);
  };
  add(40, depth);
  const column = (key: keyof (typeof nodes)[number]) => nodes.map((node) => node[key]);
  return {
    feature: Int32Array.from(column("feature")),
    threshold: Float32Array.from(column("threshold")),
    missing: Uint8Array.from(column("missing")),
    left: Int32Array.from(column("left")),
    right: Int32Array.from(column("right")),
    value: Float64Array.from(column("value")),
    gain: new Float64Array(nodes.length),
    items: Float64Array.from(column("items")),
    sets: new Map(),
  };
}

/** The score expected when only the features of a set are known. */
function worth(tree: Tree, row: Float32Array, known: number, node = 0): number {
  const feature = tree.feature[node]!;
  if (feature < 0) return tree.value[node]!;
  const [left, right] = [tree.left[node]!, tree.right[node]!];
  if (known & (1 << feature)) return worth(tree, row, known, goesLeft(tree, node, row[feature]!) ? left : right);
  const fraction = tree.items[left]! / tree.items[node]!;
  return fraction * worth(tree, row, known, left) + (1 - fraction) * worth(tree, row, known, right);
}

/** Shapley's formula over all sets of features. */
function byDefinition(tree: Tree, row: Float32Array): number[] {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  return Array.from({ length: FEATURES }, (_, feature) => {
    let sum = 0;
    for (let set = 0; set < 1 << FEATURES; set++) {
      if (set & (1 << feature)) continue;
      const size = set.toString(2).replaceAll("0", "").length;
      const weight = (factorial(size) * factorial(FEATURES - size - 1)) / factorial(FEATURES);
      sum += weight * (worth(tree, row, set | (1 << feature)) - worth(tree, row, set));
    }
    return sum;
  });
}

describe("shapley values", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("are those of the definition, over all sets of features (tree %i)", (seed) => {
    const tree = grown(seed, 5);
    const draw = random(seed, 1);
    for (let i = 0; i < 5; i++) {
      const row = Float32Array.from({ length: FEATURES }, () => (draw() < 0.2 ? Number.NaN : draw()));
      const into = new Float64Array(FEATURES);
      addShap(tree, row, 0, into);
      byDefinition(tree, row).forEach((value, feature) => {
        expect(into[feature]).toBeCloseTo(value, 12);
      });
    }
  });

  it("of a hundred deep trees sum to the score minus the expected score within 1e-9", () => {
    const trees = Array.from({ length: 100 }, (_, t) => grown(100 + t, 9));
    const row = Float32Array.from([0.3, 0.9, Number.NaN, 0.5]);
    const into = new Float64Array(FEATURES);
    let score = 0;
    for (const tree of trees) {
      addShap(tree, row, 0, into);
      score += tree.value[leafOf(tree, row, 0)]! - expected(tree);
    }
    expect(Math.abs(into.reduce((a, b) => a + b, 0) - score)).toBeLessThan(1e-9);
  });
});

describe("reasons", () => {
  it("the parts of the items of a list sum to their scores", () => {
    const trees = [grown(1, 4), grown(2, 4), grown(3, 4)];
    const values = Float32Array.from({ length: 3 * FEATURES }, random(5));
    const data: Dataset = {
      ...{ starts: Uint32Array.from([0, 1, 3]), labels: new Float32Array(3), base: 1, names: {} },
      features: { kind: "dense", rows: 3, columns: FEATURES, values },
    };
    const model = treesModel({ count: FEATURES, base: 1 }, trees, {});
    const result = explainList(model, data, 1);
    const scores = new Float64Array(3);
    model.score(data, scores);
    expect(result.scores[0]).toBeCloseTo(scores[1]!, 12);
    expect(result.scores[1]).toBeCloseTo(scores[2]!, 12);
  });
});

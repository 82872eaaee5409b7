import { describe, expect, it } from "vitest";
import { cachedBytes } from "../../numeric/cached.ts";
import { bytesInUse, Heap } from "../../numeric/heap.ts";
import type { SplitTree } from "../../numeric/quickscorer.ts";
import { addMatrix } from "../../numeric/quickscorer-rows.ts";
import { below, random } from "../../numeric/random.ts";
import { anyTree, denseOf, sparseOf, walkAll } from "../../numeric/reference-forest.ts";
import type { Dataset, Random } from "../../types.ts";
import { treesModel } from "./model.ts";
import { withForest } from "./score.ts";
import { leafOf, type Tree } from "./tree.ts";

const COLUMNS = 6;
const columns = { count: COLUMNS, base: 1 } as const;

/** A tree as this library grows them, with cuts and sets anywhere. */
function grown(leaves: number, draw: Random): Tree {
  const sets = { share: 0.2, category: () => below(draw, 8) / 4 - 1, most: 4 };
  const tree = anyTree(draw, { leaves, columns: COLUMNS, threshold: () => below(draw, 8) / 4 - 1, sets }) as Required<SplitTree>;
  const size = tree.feature.length;
  return {
    feature: Int32Array.from(tree.feature),
    threshold: Float32Array.from(tree.threshold),
    missing: Uint8Array.from(tree.missing, (side, node) => (tree.sets.has(node) ? 0 : side)), // as grown trees have it
    left: Int32Array.from(tree.left),
    right: Int32Array.from(tree.right),
    value: Float64Array.from(tree.value),
    gain: new Float64Array(size),
    items: Float64Array.from({ length: size }, () => 1 + below(draw, 50)),
    sets: new Map([...tree.sets].map(([node, set]) => [node, Float32Array.from(set)])),
  };
}

const special = [Number.NaN, Infinity, -Infinity, 0, -0];
const anyRows = (count: number, draw: Random) =>
  Array.from({ length: count }, () =>
    Array.from({ length: COLUMNS }, () => (draw() < 0.3 ? special[below(draw, special.length)]! : below(draw, 10) / 4 - 1.25)),
  );

const dataOf = (rows: readonly number[][], kind: "dense" | "sparse"): Dataset => ({
  ...{ starts: Uint32Array.of(0, rows.length), labels: new Float32Array(rows.length), base: 1, names: {} },
  features:
    kind === "dense" ? denseOf(rows, COLUMNS, new Float32Array(rows.length * COLUMNS)) : sparseOf(rows, COLUMNS, Number.NaN),
});

/** By `leafOf`, which explanations and pictures of trees use. */
const walked = (trees: readonly Tree[], rows: readonly number[][]) =>
  Float64Array.from(rows, (row) => trees.reduce((sum, tree) => sum + tree.value[leafOf(tree, Float32Array.from(row), 0)]!, 0));

describe("scores of a model of trees", () => {
  const draw = random(41);
  const trees = [1, 31, 70, 300].flatMap((leaves) => Array.from({ length: 10 }, () => grown(leaves, draw)));
  const rows = anyRows(50, draw);

  it("are the sums of the leaves that rows reach, to the last bit, at every call", () => {
    const model = treesModel(columns, trees, {});
    const expected = walked(trees, rows);
    for (const kind of ["dense", "sparse", "dense"] as const) {
      const scores = new Float64Array(rows.length).fill(7); // overwritten, not added to
      model.score(dataOf(rows, kind), scores);
      expect(scores).toEqual(expected);
    }
    const [one, many] = [new Float64Array(1), new Float64Array(rows.length)];
    rows.forEach((row, r) => {
      model.scoreRows!([row], one);
      expect(one[0]).toBe(expected[r]);
    });
    model.scoreRows!(rows, many);
    expect(many).toEqual(expected);
  });

  it("after fewer rounds are those of fewer trees", () => {
    const model = treesModel(columns, trees, {});
    for (const rounds of [0, 1, 10, 11, 40]) {
      const scores = new Float64Array(rows.length);
      model.stages!.after(rounds).score(dataOf(rows, "dense"), scores);
      expect(scores).toEqual(walked(trees.slice(0, rounds), rows));
    }
  });

  it("of several outputs are folded", () => {
    const reduction = { kind: "expected", values: [0, 1, 3] } as const;
    const model = treesModel(columns, trees.slice(0, 39), {}, reduction);
    const [scores, again] = [new Float64Array(rows.length), new Float64Array(rows.length)];
    model.score(dataOf(rows, "dense"), scores);
    model.scoreRows!(rows, again);
    const raw = walkAll(trees.slice(0, 39), rows, { columns: COLUMNS, outputs: 3 });
    scores.forEach((score, r) => {
      const mass = [0, 1, 2].map((o) => Math.exp(raw[3 * r + o]!));
      expect(score).toBeCloseTo((mass[1]! + 3 * mass[2]!) / (mass[0]! + mass[1]! + mass[2]!), 12);
    });
    expect(again).toEqual(scores);
  });

  it("keep their tables: a second call takes no memory", () => {
    const model = treesModel(columns, trees, {});
    const scores = new Float64Array(rows.length);
    const before = cachedBytes();
    model.score(dataOf(rows, "dense"), scores);
    const [kept, memory] = [cachedBytes(), bytesInUse()];
    expect(kept).toBeGreaterThan(before);
    model.score(dataOf(rows, "sparse"), scores);
    model.scoreRows!(rows, scores);
    expect([cachedBytes(), bytesInUse()]).toEqual([kept, memory]);
  });

  it("are added to what is there, and leave no memory behind, where trees are only passing", () => {
    const before = bytesInUse();
    const heap = new Heap();
    const into = heap.f64(2 * rows.length).fill(0.5);
    withForest(trees, { columns: COLUMNS, outputs: 2 }, (forest) =>
      addMatrix(forest, dataOf(rows, "dense").features, 0, rows.length, into),
    );
    expect(Array.from(into)).toEqual(Array.from(walkAll(trees, rows, { columns: COLUMNS, outputs: 2 }, 0.5)));
    heap.close();
    expect(bytesInUse()).toBe(before);
  });
});

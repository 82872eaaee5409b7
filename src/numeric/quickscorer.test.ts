import { describe, expect, it } from "vitest";
import type { Random } from "../types.ts";
import { floor32 } from "./float32.ts";
import { Heap, isInHeap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import { buildForest, type Forest, type ForestOptions, type SplitTree } from "./quickscorer.ts";
import { addMatrix, addRows } from "./quickscorer-rows.ts";
import { below, random } from "./random.ts";
import { anyTree, denseOf, sparseOf, type TreeChoices, walkAll } from "./reference-forest.ts";

const heap = new Heap();
const ordinary = (bytes: number) => new Uint8Array(Math.ceil(bytes / 8) * 8);
const inHeap = (bytes: number) => heap.u8(bytes);

const special = [Number.NaN, Infinity, -Infinity, 0, -0, 1e-36, -1e-36, 1e-34, 3.5e38];

/** Few values, so that many meet a threshold; some are no float32, and some are out of the ordinary. */
const anyValue = (draw: Random) => (): number => {
  const kind = draw();
  if (kind < 0.25) return special[below(draw, special.length)]!;
  if (kind < 0.35) return (below(draw, 10) / 4 - 1.25) * (1 + 2 ** -40); // next to a threshold, equal as float32
  return below(draw, 10) / 4 - 1.25;
};

const anyThreshold = (draw: Random) => (): number => {
  const kind = draw();
  if (kind < 0.1) return [Infinity, -Infinity, 0, -0, 0.1, 1e-40, -1e-40, 1e300][below(draw, 8)]!;
  if (kind < 0.3) return (below(draw, 10) / 4 - 1.25) * (1 + 2 ** -41);
  return below(draw, 10) / 4 - 1.25;
};

/** Every way to give the same rows. */
function scoreEveryWay(
  trees: readonly SplitTree[],
  rows: readonly number[][],
  options: ForestOptions,
): Map<string, Float64Array> {
  const results = new Map<string, Float64Array>();
  const empty = () => new Float64Array(rows.length * options.outputs).fill(0.125);
  const mark = heap.mark();
  const forests: [string, Forest][] = [
    ["kernels", buildForest(trees, options, inHeap)],
    ["plain", buildForest(trees, options, ordinary)],
  ];
  for (const [name, forest] of forests) {
    const into = empty();
    addRows(forest, rows, into, "test");
    results.set(`${name}, rows`, into);
    if (options.inputs === "float64") continue; // matrices hold float32
    for (const [kind, matrix] of [
      ["dense in the heap", denseOf(rows, options.columns, heap.f32(rows.length * options.columns))],
      ["dense", denseOf(rows, options.columns, new Float32Array(rows.length * options.columns))],
      ["sparse without 0", sparseOf(rows, options.columns, 0)],
      ["sparse without NaN", sparseOf(rows, options.columns, Number.NaN)],
    ] as const) {
      const sums = empty();
      const half = below(random(rows.length), rows.length + 1);
      addMatrix(forest, matrix, half, rows.length, sums);
      addMatrix(forest, matrix, 0, half, sums);
      results.set(`${name}, ${kind}`, sums);
    }
  }
  heap.release(mark);
  return results;
}

/** A forest of random trees on random rows, whatever way they come, against walks. */
function compare(
  seed: number,
  count: number,
  tree: Partial<TreeChoices>,
  given: Partial<ForestOptions>,
  sizes = [1, 5, 16, 17, 40],
): void {
  const draw = random(17, seed);
  const columns = tree.columns ?? 6;
  const options = { columns, outputs: 1, ...given };
  const most = tree.leaves ?? 32;
  const trees = Array.from({ length: count }, (_, t) =>
    anyTree(draw, { columns, threshold: anyThreshold(draw), ...tree, leaves: t === 0 ? most : 1 + below(draw, most) }),
  );
  const value = anyValue(draw);
  for (const n of sizes) {
    const rows = Array.from({ length: n }, () => Array.from({ length: columns }, value));
    const slow = walkAll(trees, rows, options, 0.125);
    for (const [way, fast] of scoreEveryWay(trees, rows, options)) expect(fast, `${way}, ${n} rows`).toEqual(slow);
  }
}

const categories = (draw: Random, many: number) => ({ share: 0.6, category: () => below(draw, many), most: Math.min(many, 20) });

describe("scores by QuickScorer are those of walks, bit for bit", () => {
  it("in kernels, which are there", () => {
    expect(kernels()).not.toBeNull();
    expect(isInHeap(heap.u8(8))).toBe(true);
  });

  it.each([1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100, 255, 256, 257, 1000])("trees of up to %i leaves", (leaves) =>
    compare(leaves, leaves > 200 ? 8 : 20, { leaves }, {}),
  );

  it.each([2, 3, 7])("%i outputs, in more trees than one block holds", (outputs) =>
    compare(outputs, 400, { leaves: 30 }, { outputs }, [3, 17]),
  );

  it("trees that are one long chain", () => compare(1, 5, { leaves: 3000, chain: true }, {}, [17]));

  it("values and thresholds of float64", () => {
    for (const leaves of [5, 40, 300]) compare(leaves, 12, { leaves }, { inputs: "float64" });
  });

  it("sums rounded to float32 after each tree", () => {
    compare(2, 50, { leaves: 20 }, { sums: "float32" });
    compare(3, 50, { leaves: 80 }, { sums: "float32", outputs: 2, inputs: "float64" });
  });

  it("zero as missing, at some splits, and small values as zero", () => {
    for (const leaves of [9, 90])
      for (const tiny of [0, 1.0000000180025095e-35])
        for (const inputs of ["float32", "float64"] as const)
          compare(leaves, 20, { leaves, zeroMissing: true }, { tiny, inputs });
  });

  it.each([3, 30, 254, 255, 300, 5000, 100_000])("sets of categories, %i of them to a feature", (many) => {
    const draw = random(23, many);
    for (const leaves of [12, 150])
      for (const inputs of ["float32", "float64"] as const)
        compareCategories(draw, many, leaves, { columns: 5, outputs: 2, inputs, truncate: many === 300 }, 1);
  });

  it("categories that are no whole numbers, or below 0", () => {
    for (const leaves of [12, 150]) compareCategories(random(29, leaves), 40, leaves, { columns: 4, outputs: 1 }, -0.5);
  });

  it("truncated categories, as LightGBM has them", () => {
    const tree = anyTree(random(1), { leaves: 2, columns: 1, threshold: () => 0 });
    const trees = [{ ...tree, value: [0, 1, 2], sets: new Map([[0, [0, 2, 33]]]) }];
    const rows = [2, 33, 2.7, -0.5, 0, 64, 1e9, 3e9, Number.NaN, Infinity, -3].map((x) => [x]);
    for (const [, scores] of scoreEveryWay(trees, rows, { columns: 1, outputs: 1, truncate: true }))
      expect(Array.from(scores, (score) => score - 0.125)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    // XGBoost rounds down, so that -0.5 is no category.
    for (const [, scores] of scoreEveryWay(trees, rows, { columns: 1, outputs: 1, truncate: "down" }))
      expect(Array.from(scores, (score) => score - 0.125)).toEqual([1, 1, 1, 2, 1, 2, 2, 2, 2, 2, 2]);
  });

  it("300 features, of which few are used, and more than 65,536 thresholds of one", () => {
    compare(5, 30, { leaves: 30, columns: 300 }, {}, [17]);
    const draw = random(31);
    const trees = Array.from({ length: 80 }, () =>
      anyTree(draw, { leaves: 1000, columns: 1, threshold: () => Math.fround(draw()) }),
    );
    expect(new Set(trees.flatMap((tree) => Array.from(tree.threshold))).size).toBeGreaterThan(65_536);
    const rows = Array.from({ length: 20 }, () => [Math.fround(draw())]);
    const slow = walkAll(trees, rows, { columns: 1, outputs: 1 }, 0.125);
    for (const [way, fast] of scoreEveryWay(trees, rows, { columns: 1, outputs: 1 })) expect(fast, way).toEqual(slow);
  });

  it("no trees at all, and no rows", () => {
    compare(1, 0, {}, {});
    const forest = buildForest([], { columns: 3, outputs: 2 }, inHeap);
    addRows(forest, [], new Float64Array(), "test");
  });
});

/** Trees that split by sets and by thresholds, on rows of known and unknown categories. */
function compareCategories(draw: Random, many: number, leaves: number, options: ForestOptions, unit: number): void {
  const category = () => unit * below(draw, many);
  const sets = { ...categories(draw, many), category };
  const trees = Array.from({ length: 30 }, () =>
    anyTree(draw, { leaves: 1 + below(draw, leaves), columns: options.columns, threshold: () => below(draw, many), sets }),
  );
  const value = () => (draw() < 0.2 ? special[below(draw, special.length)]! : category() + (draw() < 0.2 ? 0.3 : 0));
  const rows = Array.from({ length: 37 }, () => Array.from({ length: options.columns }, value));
  const slow = walkAll(trees, rows, options, 0.125);
  for (const [way, fast] of scoreEveryWay(trees, rows, options)) expect(fast, way).toEqual(slow);
}

describe("rows that will not do", () => {
  const tree = anyTree(random(3), { leaves: 4, columns: 2, threshold: () => 0 });
  const forest = buildForest([{ ...tree, feature: [0, 1, 0, -1, -1, -1, -1] }], { columns: 2, outputs: 1 }, inHeap);
  const add = (rows: unknown) => () => addRows(forest, rows as number[][], new Float64Array(2), "scoreRows");

  it("name the row, what it has and what it should", () => {
    expect(add([[1, 2], [1]])).toThrow(
      "scoreRows: row 1 has 1 values, and the model has 2 features; NaN stands for a missing value",
    );
    expect(add([[1, null]])).toThrow("scoreRows: value 1 of row 0 is null, and must be a number; NaN stands for a missing value");
    expect(add([["1", 2]])).toThrow("scoreRows: value 0 of row 0 is 1, and must be a number");
    expect(add([undefined])).toThrow("scoreRows: row 0 is undefined, and must be an array of numbers");
  });

  it("leave the next call as it should be", () => {
    const [one, two] = [new Float64Array(1), new Float64Array(1)];
    addRows(forest, [[0.5, -1]], one, "scoreRows");
    expect(add([[1, 2], [1]])).toThrow();
    addRows(forest, [[0.5, -1]], two, "scoreRows");
    expect(two).toEqual(one);
  });
});

describe("floor32", () => {
  it("is the largest float32 that is not above", () => {
    const least = 2 ** -149;
    expect([0.5, 0.1, -0.1, least / 3, -least / 3, 1e39, -1e39, Infinity, -Infinity, 0].map(floor32)).toEqual([
      ...[0.5, 13421772 * 2 ** -27, -13421773 * 2 ** -27, 0, -least],
      ...[(2 - 2 ** -23) * 2 ** 127, -Infinity, Infinity, -Infinity, 0],
    ]);
  });
});

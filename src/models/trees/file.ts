/** Trees as plain JSON: flat columns over the nodes of all trees, one tree after another. Thresholds are values of features, not bins. */
import { Mistake } from "../../mistake.ts";
import type { Columns, SavedModel } from "../../types.ts";
import { anObject, numbers } from "../shared/saved.ts";
import type { Tree } from "./tree.ts";

export function saveTrees(trees: readonly Tree[]) {
  const flat = (column: (tree: Tree) => ArrayLike<number>) => trees.flatMap((tree) => Array.from(column(tree)));
  // The categories that go left, by the number of the node among those of all trees.
  const sets: Record<string, number[]> = {};
  let from = 0;
  for (const tree of trees) {
    for (const [node, set] of tree.sets) sets[from + node] = [...set];
    from += tree.feature.length;
  }
  return {
    nodes: trees.map((tree) => tree.feature.length),
    feature: flat((tree) => tree.feature),
    // JSON knows no infinities. Only trees of other tools have them.
    threshold: flat((tree) => tree.threshold).map((value) => (Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf")),
    ...(trees.some(({ threshold }) => threshold instanceof Float64Array) ? { thresholds: "float64" } : {}),
    missing: flat((tree) => tree.missing),
    left: flat((tree) => tree.left),
    right: flat((tree) => tree.right),
    value: flat((tree) => tree.value),
    gain: flat((tree) => tree.gain),
    items: flat((tree) => tree.items),
    sets,
  };
}

export function treesOf(saved: SavedModel, columns: Columns): Tree[] {
  const sizes = numbers(saved, "nodes");
  if (!sizes.every((size) => Number.isInteger(size) && size > 0))
    throw new Mistake("the model file is damaged: a tree without nodes");
  const total = sizes.reduce((a, b) => a + b, 0);
  const column = (key: string) => numbers(saved, key, total);
  const [feature, missing, left, right] = [column("feature"), column("missing"), column("left"), column("right")];
  const threshold = thresholdsOf(saved, total);
  const Thresholds = saved.thresholds === "float64" ? Float64Array : Float32Array;
  const [value, gain, items] = [column("value"), column("gain"), column("items")];
  const sets = anObject(saved, "sets");
  const withSets = Object.keys(sets)
    .map(Number)
    .sort((a, b) => a - b);
  let nextSet = 0;
  const trees: Tree[] = [];
  let from = 0;
  for (const size of sizes) {
    const to = from + size;
    const own = new Map<number, Float32Array>();
    for (; nextSet < withSets.length && withSets[nextSet]! < to; nextSet++)
      own.set(withSets[nextSet]! - from, Float32Array.from(numbers(sets, String(withSets[nextSet]))));
    trees.push({
      feature: Int32Array.from(feature.subarray(from, to)),
      threshold: Thresholds.from(threshold.subarray(from, to)),
      missing: Uint8Array.from(missing.subarray(from, to)),
      left: Int32Array.from(left.subarray(from, to)),
      right: Int32Array.from(right.subarray(from, to)),
      value: value.slice(from, to),
      gain: gain.slice(from, to),
      items: items.slice(from, to),
      sets: own,
    });
    check(trees.at(-1)!, columns);
    from = to;
  }
  return trees;
}

function thresholdsOf(saved: SavedModel, total: number): Float64Array {
  const { threshold } = saved;
  if (!Array.isArray(threshold)) return numbers(saved, "threshold", total);
  const finite = numbers({ threshold: threshold.map((one) => (one === "inf" || one === "-inf" ? 0 : one)) }, "threshold", total);
  if (saved.thresholds !== "float64" && !finite.every((value) => Number.isFinite(Math.fround(value))))
    throw new Mistake("the model file is damaged: a threshold beyond 32-bit floats");
  return finite.map((value, node) => (threshold[node] === "inf" ? Infinity : threshold[node] === "-inf" ? -Infinity : value));
}

/** Children come after their parent, or a walk would never end, and have one parent. */
function check({ feature, left, right }: Tree, columns: Columns): void {
  const size = feature.length;
  const parents = new Uint8Array(size);
  for (let node = 0; node < size; node++) {
    if (feature[node]! < 0) continue;
    const children = [left[node]!, right[node]!];
    const good = children.every((child) => child > node && child < size && parents[child]!++ === 0);
    if (!good || feature[node]! >= columns.count)
      throw new Mistake(
        `the model file is damaged: node ${node} of a tree leads nowhere or asks for a feature that is not there`,
      );
  }
}

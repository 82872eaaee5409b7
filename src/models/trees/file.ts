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
    threshold: flat((tree) => tree.threshold),
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
  const [feature, threshold, missing, left, right] = [
    ...[column("feature"), column("threshold"), column("missing")],
    ...[column("left"), column("right")],
  ] as const;
  const [value, gain, items] = [column("value"), column("gain"), column("items")];
  const sets = anObject(saved, "sets");
  const trees: Tree[] = [];
  let from = 0;
  for (const size of sizes) {
    const to = from + size;
    const known = Object.keys(sets).map(Number);
    const start = from;
    trees.push({
      feature: Int32Array.from(feature!.subarray(from, to)),
      threshold: Float32Array.from(threshold!.subarray(from, to)),
      missing: Uint8Array.from(missing!.subarray(from, to)),
      left: Int32Array.from(left!.subarray(from, to)),
      right: Int32Array.from(right!.subarray(from, to)),
      value: value.slice(from, to),
      gain: gain.slice(from, to),
      items: items.slice(from, to),
      sets: new Map(
        known
          .filter((node) => node >= start && node < to)
          .map((node) => [node - start, Float32Array.from(numbers(sets, String(node)))]),
      ),
    });
    check(trees.at(-1)!, columns);
    from = to;
  }
  return trees;
}

/** Children come after their parent, or a walk would never end. */
function check({ feature, threshold, left, right }: Tree, columns: Columns): void {
  const size = feature.length;
  if (!threshold.every(Number.isFinite)) throw new Mistake("the model file is damaged: a threshold beyond 32-bit floats");
  for (let node = 0; node < size; node++) {
    if (feature[node]! < 0) continue;
    const good = [left[node]!, right[node]!].every((child) => child > node && child < size);
    if (!good || feature[node]! >= columns.count)
      throw new Mistake(
        `the model file is damaged: node ${node} of a tree leads nowhere or asks for a feature that is not there`,
      );
  }
}

/** Trees as plain JSON: flat columns over the nodes of all trees, one tree after another. Thresholds are values of features, not bins. */
import { InputError, quote } from "../../input-error.ts";
import type { Columns, SavedModel } from "../../types.ts";
import { savedNumbers, savedObject } from "../shared/saved.ts";
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

/** The numbers of one tree's nodes as the file has them, before they are narrowed to the types of a tree. */
type Raw = Readonly<Record<"feature" | "threshold" | "missing" | "left" | "right" | "value" | "gain" | "items", Float64Array>> & {
  readonly sets: ReadonlyMap<number, Float64Array>;
};

export function treesOf(saved: SavedModel, columns: Columns, outputs: number): Tree[] {
  const sizes = savedNumbers(saved, "nodes");
  const empty = sizes.findIndex((size) => !(Number.isSafeInteger(size) && size > 0));
  if (empty >= 0)
    throw new InputError(
      `the model file is damaged: tree ${empty} should have a whole number of nodes above 0, and has ${sizes[empty]}`,
    );
  if (sizes.length % outputs !== 0)
    throw new InputError(`the model file is damaged: ${sizes.length} trees cannot serve ${outputs} outputs by turns`);
  const total = sizes.reduce((a, b) => a + b, 0);
  const [feature, threshold, missing, left] = ["feature", "threshold", "missing", "left"].map((key) =>
    savedNumbers(saved, key, total),
  );
  const [right, value, gain, items] = ["right", "value", "gain", "items"].map((key) => savedNumbers(saved, key, total));
  const sets = setsOf(saved, total);
  const trees: Tree[] = [];
  let from = 0;
  sizes.forEach((size, t) => {
    const to = from + size;
    const own = (all: Float64Array | undefined) => all!.subarray(from, to);
    const raw: Raw = {
      ...{ feature: own(feature), threshold: own(threshold), missing: own(missing), left: own(left), right: own(right) },
      ...{ value: own(value), gain: own(gain), items: own(items) },
      sets: new Map([...sets].filter(([node]) => node >= from && node < to).map(([node, set]) => [node - from, set])),
    };
    check(raw, t, columns);
    trees.push({
      feature: Int32Array.from(raw.feature),
      threshold: Float32Array.from(raw.threshold),
      missing: Uint8Array.from(raw.missing),
      left: Int32Array.from(raw.left),
      right: Int32Array.from(raw.right),
      ...{ value: raw.value.slice(), gain: raw.gain.slice(), items: raw.items.slice() },
      sets: new Map([...raw.sets].map(([node, set]) => [node, Float32Array.from(set)])),
    });
    from = to;
  });
  return trees;
}

/** Sets of categories by the number of their node among those of all trees. */
function setsOf(saved: SavedModel, total: number): Map<number, Float64Array> {
  const sets = savedObject(saved, "sets");
  return new Map(
    Object.keys(sets).map((key) => {
      if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) >= total)
        throw new InputError(
          `the model file is damaged: the categories of node ${quote(key)} belong to none of the ${total} nodes of its trees`,
        );
      return [Number(key), savedNumbers(sets, key)] as const;
    }),
  );
}

/**
 * Every node is a leaf or has two children of its own that come after it, so that a walk from the root ends in one of the leaves and every
 * node is on one way; what a node asks for is there, and the numbers of rows, which explanations divide by, add up.
 */
function check(tree: Raw, number: number, columns: Columns): void {
  const { feature, threshold, missing, left, right, gain, items, sets } = tree;
  const size = feature.length;
  const parents = new Int32Array(size).fill(-1);
  for (let node = 0; node < size; node++) {
    const wrong = (what: string, wanted: string, got: number | string) =>
      new InputError(`the model file is damaged: tree ${number}, node ${node}: ${what} should be ${wanted}, and is ${got}`);
    const asked = feature[node]!;
    if (!(Number.isInteger(asked) && asked >= -1 && asked < columns.count))
      throw wrong("its feature", `-1 (a leaf) or a whole number from 0 to ${columns.count - 1}`, asked);
    if (node > 0 && parents[node]! < 0) throw wrong("its parent", "one of the nodes before it", "none of them");
    if (missing[node] !== 0 && missing[node] !== 1) throw wrong("the side of missing values", "0 or 1", missing[node]!);
    if (!Number.isFinite(Math.fround(threshold[node]!))) throw wrong("its threshold", "within 32-bit floats", threshold[node]!);
    if (!(gain[node]! >= 0)) throw wrong("its gain", "at least 0", gain[node]!);
    if (!(Number.isSafeInteger(items[node]) && items[node]! >= 0))
      throw wrong("its number of rows", "a whole number of at least 0", items[node]!);
    const children = [left[node]!, right[node]!] as const;
    if (asked < 0) {
      if (children.some((child) => child !== -1)) throw wrong("the children of a leaf", "-1", children.join(" and "));
      if (sets.has(node)) throw wrong("a node with categories", "one that asks for a feature", "a leaf");
      continue;
    }
    children.forEach((child, side) => {
      const name = side === 0 ? "its left child" : "its right child";
      if (!(Number.isInteger(child) && child > node && child < size))
        throw wrong(name, `a node after it, from ${node + 1} to ${size - 1}`, child);
      if (parents[child]! >= 0)
        throw wrong(name, "a node without another parent", `node ${child}, a child of node ${parents[child]}`);
      parents[child] = node;
    });
    if (sets.get(node)?.some((value) => !Number.isFinite(Math.fround(value))))
      throw wrong("a category", "within 32-bit floats", sets.get(node)!.find((value) => !Number.isFinite(Math.fround(value)))!);
  }
  for (let node = 0; node < size; node++) {
    const rows = feature[node]! < 0 ? items[node]! : items[left[node]!]! + items[right[node]!]!;
    if (rows !== items[node] || (feature[node]! >= 0 && rows < 1))
      throw new InputError(
        `the model file is damaged: tree ${number}, node ${node}: its number of rows should be that of its children, ${rows}, and is ${items[node]}`,
      );
  }
}

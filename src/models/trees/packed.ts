/** Trees as a few flat arrays over the nodes of all trees, one tree after another, for checkpoints. */
import type { Snapshot } from "../../types.ts";
import type { Tree } from "./tree.ts";

type Packed = {
  /** By tree: the number of its nodes. */
  readonly nodes: Uint32Array;
  readonly feature: Int32Array;
  readonly threshold: Float32Array;
  readonly missing: Uint8Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly value: Float64Array;
  readonly gain: Float64Array;
  readonly items: Float64Array;
  /** By node with categories: its number among the nodes of all trees. */
  readonly setNodes: Uint32Array;
  /** The number of its categories. */
  readonly setSizes: Uint32Array;
  /** The categories of all nodes. */
  readonly categories: Float32Array;
};

/** The trees, which were grown here: their thresholds are float32. */
export function packTrees(trees: readonly Tree[]): Snapshot {
  const nodes = Uint32Array.from(trees, ({ feature }) => feature.length);
  const total = nodes.reduce((a, b) => a + b, 0);
  const flat = <A extends { set(values: ArrayLike<number>, at: number): void }>(
    into: A,
    of: (tree: Tree) => ArrayLike<number>,
  ) => {
    let at = 0;
    for (const tree of trees) {
      into.set(of(tree), at);
      at += tree.feature.length;
    }
    return into;
  };
  const sets: { node: number; set: Float32Array }[] = [];
  let from = 0;
  for (const tree of trees) {
    for (const [node, set] of tree.sets) sets.push({ node: from + node, set });
    from += tree.feature.length;
  }
  const packed: Packed = {
    nodes,
    feature: flat(new Int32Array(total), (tree) => tree.feature),
    threshold: flat(new Float32Array(total), (tree) => tree.threshold),
    missing: flat(new Uint8Array(total), (tree) => tree.missing),
    left: flat(new Int32Array(total), (tree) => tree.left),
    right: flat(new Int32Array(total), (tree) => tree.right),
    value: flat(new Float64Array(total), (tree) => tree.value),
    gain: flat(new Float64Array(total), (tree) => tree.gain),
    items: flat(new Float64Array(total), (tree) => tree.items),
    setNodes: Uint32Array.from(sets, ({ node }) => node),
    setSizes: Uint32Array.from(sets, ({ set }) => set.length),
    categories: Float32Array.from(sets.flatMap(({ set }) => [...set])),
  };
  return packed;
}

export function unpackTrees(snapshot: Snapshot): Tree[] {
  const { nodes, setNodes, setSizes, categories, ...columns } = snapshot as Packed;
  const { feature, threshold, missing, left, right, value, gain, items } = columns;
  let [from, set, category] = [0, 0, 0];
  return Array.from(nodes, (size): Tree => {
    const to = from + size;
    const sets = new Map<number, Float32Array>();
    for (; set < setNodes.length && setNodes[set]! < to; set++) {
      sets.set(setNodes[set]! - from, categories.slice(category, category + setSizes[set]!));
      category += setSizes[set]!;
    }
    const tree = {
      ...{ feature: feature.slice(from, to), threshold: threshold.slice(from, to), missing: missing.slice(from, to) },
      ...{ left: left.slice(from, to), right: right.slice(from, to), value: value.slice(from, to) },
      ...{ gain: gain.slice(from, to), items: items.slice(from, to), sets },
    };
    from = to;
    return tree;
  });
}

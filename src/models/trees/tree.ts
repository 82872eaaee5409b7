/** One tree. Node 0 is the root; a node without a feature is a leaf. Values up to the threshold, or in the set, go left. */
export interface Tree {
  /** -1: a leaf. */
  readonly feature: Int32Array;
  readonly threshold: Float32Array;
  /** 1: rows without a value go left. */
  readonly missing: Uint8Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Of a leaf, what it adds to the score. */
  readonly value: Float64Array;
  /** How much the split lowers the cost, to second order. */
  readonly gain: Float64Array;
  /** Training rows that came here. */
  readonly items: Float64Array;
  /** By node: the categories that go left. */
  readonly sets: ReadonlyMap<number, Float32Array>;
}

/** Which leaf a row reaches; the row begins at values[at]. */
export function leafOf(tree: Tree, values: Float32Array, at: number): number {
  let node = 0;
  while (tree.feature[node]! >= 0)
    node = goesLeft(tree, node, values[at + tree.feature[node]!]!) ? tree.left[node]! : tree.right[node]!;
  return node;
}

/** Whether a value of the node's feature goes left there. */
export function goesLeft(tree: Tree, node: number, value: number): boolean {
  const set = tree.sets.get(node);
  if (set) return set.includes(value);
  return Number.isNaN(value) ? tree.missing[node] === 1 : value <= tree.threshold[node]!;
}

export function depthOf(tree: Tree): number {
  const depths = new Int32Array(tree.feature.length);
  let deepest = 0;
  for (let node = 0; node < tree.feature.length; node++) {
    deepest = Math.max(deepest, depths[node]!);
    // Children come after their parent.
    if (tree.feature[node]! >= 0) depths[tree.left[node]!] = depths[tree.right[node]!] = depths[node]! + 1;
  }
  return deepest;
}

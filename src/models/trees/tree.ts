/**
 * One tree. Node 0 is the root; a node without a feature is a leaf. Values up to the threshold, or in the set, go left.
 *
 * Trees grown here have float32 thresholds and no rule but MISSING_LEFT. Trees of other tools may have float64 thresholds, where the tool
 * compares float64 values, and the other rules.
 */
export interface Tree {
  /** By node: the column that it splits, or -1 for a leaf. */
  readonly feature: Int32Array;
  /** By node: rows with a value of at most this go left. */
  readonly threshold: Float32Array | Float64Array;
  /** By node: its rules for missing values and equality, the sum of the constants below. */
  readonly missing: Uint8Array;
  /** By node: the left child. */
  readonly left: Int32Array;
  /** By node: the right child. */
  readonly right: Int32Array;
  /** By node: what a leaf adds to the score. */
  readonly value: Float64Array;
  /** How much the split lowers the cost, to second order. */
  readonly gain: Float64Array;
  /** By node: the number of training rows that reached it, or their weight; all 0 where that is unknown. */
  readonly items: Float64Array;
  /** By node: the categories that go left. */
  readonly sets: ReadonlyMap<number, Float32Array>;
}

/** Rows without a value go left. */
export const MISSING_LEFT = 1;
/** Zeros count as missing, in LightGBM's sense: all values of size up to ZERO. */
export const ZERO_MISSING = 2;
/** A category is the value cut to a whole number toward 0, as in LightGBM: -0.5 is 0. */
export const CATEGORY_TRUNCATED = 4;
/** A category is the value rounded down to a whole number, as in XGBoost: -0.5 is none. */
export const CATEGORY_FLOORED = 8;

/** Whether a node with these rules can have the category: those that values are rounded to are whole numbers. */
export const isCategory = (rules: number, category: number): boolean =>
  Number.isFinite(category) && (Number.isInteger(category) || (rules & (CATEGORY_TRUNCATED | CATEGORY_FLOORED)) === 0);

/** LightGBM's 1e-35f: what is no larger counts as zero there. */
export const ZERO = Math.fround(1e-35);

/** Which leaf a row reaches; the row begins at values[at]. */
export function leafOf(tree: Tree, values: Float32Array | Float64Array, at: number): number {
  let node = 0;
  while (tree.feature[node]! >= 0)
    node = goesLeft(tree, node, values[at + tree.feature[node]!]!) ? tree.left[node]! : tree.right[node]!;
  return node;
}

/** Whether a value of the node's feature goes left there. */
export function goesLeft(tree: Tree, node: number, value: number): boolean {
  const rules = tree.missing[node]!;
  const set = tree.sets.get(node);
  if (Number.isNaN(value) || (rules & ZERO_MISSING && Math.abs(value) <= ZERO))
    return (rules & MISSING_LEFT) !== 0 || set?.includes(value) === true;
  if (!set) return value <= tree.threshold[node]!;
  return set.includes(rules & CATEGORY_TRUNCATED ? Math.trunc(value) : rules & CATEGORY_FLOORED ? Math.floor(value) : value);
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

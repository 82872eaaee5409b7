/** Trees as plain JSON: flat columns over the nodes of all trees, one tree after another. Thresholds are values of features, not bins. */
import { InputError, quote } from "../../input-error.ts";
import type { Columns, SavedModel } from "../../types.ts";
import { savedNumbers, savedObject } from "../shared/saved.ts";
import { CATEGORY_FLOORED, CATEGORY_TRUNCATED, isCategory, MISSING_LEFT, type Tree, ZERO_MISSING } from "./tree.ts";

const ALL_RULES = MISSING_LEFT | ZERO_MISSING | CATEGORY_TRUNCATED | CATEGORY_FLOORED;

/** Whether a tree is as those grown here: whole numbers of rows that add up, and no rules of other tools. */
const isGrown = ({ feature, threshold, missing, left, right, gain, items }: Tree): boolean =>
  feature.every(
    (tested, node) =>
      missing[node]! <= MISSING_LEFT &&
      Number.isFinite(threshold[node]) &&
      gain[node]! >= 0 &&
      Number.isSafeInteger(items[node]) &&
      (tested < 0 || (items[node]! >= 1 && items[left[node]!]! + items[right[node]!]! === items[node])),
  );

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
    // JSON has no infinities. Only imported trees have them.
    threshold: flat((tree) => tree.threshold).map((value) => (Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf")),
    ...(trees.some(({ threshold }) => threshold instanceof Float64Array) ? { thresholds: "float64" } : {}),
    ...(trees.every(isGrown) ? {} : { imported: true }),
    missing: flat((tree) => tree.missing),
    left: flat((tree) => tree.left),
    right: flat((tree) => tree.right),
    value: flat((tree) => tree.value),
    gain: flat((tree) => tree.gain),
    items: flat((tree) => tree.items),
    sets,
  };
}

type NumericColumn = Float64Array | Float32Array | Int32Array | Uint8Array;

/** The types in which the columns of saved trees are taken as they are, without a copy (see ../shared-form.ts). */
export const treeColumns = ({ thresholds }: SavedModel) => ({
  ...{ feature: Int32Array, missing: Uint8Array, left: Int32Array, right: Int32Array },
  threshold: thresholds === "float64" ? Float64Array : Float32Array,
});

/** The numbers of one tree's nodes as the file has them, before they are narrowed to the types of a tree. */
type Raw = Readonly<
  Record<"feature" | "threshold" | "missing" | "left" | "right" | "value" | "gain" | "items", NumericColumn>
> & {
  readonly sets: ReadonlyMap<number, Float64Array>;
};

/** The trees of a file, of which every round has `turns`: one for each output of each ensemble. */
export function treesOf(saved: SavedModel, columns: Columns, turns: number): Tree[] {
  const sizes = savedNumbers(saved, "nodes");
  const empty = sizes.findIndex((size) => !(Number.isSafeInteger(size) && size > 0));
  if (empty >= 0)
    throw new InputError(
      `the model file is damaged: tree ${empty} should have a whole number of nodes above 0, and has ${sizes[empty]}`,
    );
  if (sizes.length % turns !== 0)
    throw new InputError(`the model file is damaged: ${sizes.length} trees cannot be divided evenly among ${turns} outputs`);
  const total = sizes.reduce((a, b) => a + b, 0);
  const kinds = treeColumns(saved);
  const column = (key: keyof typeof kinds) => {
    const value = saved[key];
    if (value instanceof kinds[key] && value.length === total) return value;
    return key === "threshold" ? thresholdsOf(saved, total) : savedNumbers(saved, key, total);
  };
  const [feature, missing, left, right] = [column("feature"), column("missing"), column("left"), column("right")];
  const threshold = column("threshold");
  const Thresholds = saved.thresholds === "float64" ? Float64Array : Float32Array;
  const imported = saved.imported === true || saved.thresholds === "float64";
  const [value, gain, items] = ["value", "gain", "items"].map((key) => savedNumbers(saved, key, total));
  const sets = [...setsOf(saved, total)].sort(([a], [b]) => a - b);
  let next = 0;
  const trees: Tree[] = [];
  let from = 0;
  sizes.forEach((size, t) => {
    const to = from + size;
    const own = <A extends NumericColumn>(all: A | undefined) => all!.subarray(from, to) as A;
    const raw: Raw = {
      ...{ feature: own(feature), threshold: own(threshold), missing: own(missing), left: own(left), right: own(right) },
      ...{ value: own(value), gain: own(gain), items: own(items) },
      sets: new Map<number, Float64Array>(),
    };
    for (; next < sets.length && sets[next]![0] < to; next++)
      (raw.sets as Map<number, Float64Array>).set(sets[next]![0] - from, sets[next]![1]);
    check(raw, t, columns, imported);
    trees.push({
      feature: narrowed(raw.feature, Int32Array),
      threshold: narrowed<Float64Array | Float32Array>(raw.threshold, Thresholds),
      missing: narrowed(raw.missing, Uint8Array),
      left: narrowed(raw.left, Int32Array),
      right: narrowed(raw.right, Int32Array),
      ...{ value: narrowed(raw.value, Float64Array), gain: narrowed(raw.gain, Float64Array) },
      items: narrowed(raw.items, Float64Array),
      sets: new Map([...raw.sets].map(([node, set]) => [node, Float32Array.from(set)])),
    });
    from = to;
  });
  return trees;
}

/** The values of a column in its type: a view where they lie in shared memory in that type, else a copy. */
const narrowed = <A extends NumericColumn>(values: NumericColumn, Type: new (values: ArrayLike<number>) => A): A =>
  values instanceof Type && !(values.buffer instanceof ArrayBuffer) ? values : new Type(values);

function thresholdsOf(saved: SavedModel, total: number): Float64Array {
  const { threshold } = saved;
  if (!Array.isArray(threshold)) return savedNumbers(saved, "threshold", total);
  const isInfinite = (one: unknown) => one === "inf" || one === "-inf";
  const finite = savedNumbers({ threshold: threshold.map((one) => (isInfinite(one) ? 0 : one)) }, "threshold", total);
  return finite.map((value, node) => (isInfinite(threshold[node]) ? (threshold[node] === "inf" ? Infinity : -Infinity) : value));
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
function check(tree: Raw, number: number, columns: Columns, imported: boolean): void {
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
    if (!(Number.isInteger(missing[node]) && missing[node]! >= 0 && missing[node]! <= (imported ? ALL_RULES : 1)))
      throw wrong("the side of missing values", "0 or 1", missing[node]!);
    if (!imported && !Number.isFinite(Math.fround(threshold[node]!)))
      throw wrong("its threshold", "within 32-bit floats", threshold[node]!);
    if (!imported && !(gain[node]! >= 0)) throw wrong("its gain", "at least 0", gain[node]!);
    if (imported ? !(items[node]! >= 0) : !(Number.isSafeInteger(items[node]) && items[node]! >= 0))
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
    const odd = sets.get(node)?.find((value) => !isCategory(missing[node]!, Math.fround(value)));
    if (odd !== undefined) {
      const wanted = Number.isFinite(Math.fround(odd)) ? "a whole number" : "within 32-bit floats";
      throw wrong("a category", wanted, odd);
    }
  }
  if (imported) return; // weights of rows, or none at all
  for (let node = 0; node < size; node++) {
    const rows = feature[node]! < 0 ? items[node]! : items[left[node]!]! + items[right[node]!]!;
    if (rows !== items[node] || (feature[node]! >= 0 && rows < 1))
      throw new InputError(
        `the model file is damaged: tree ${number}, node ${node}: its number of rows should be that of its children, ${rows}, and is ${items[node]}`,
      );
  }
}

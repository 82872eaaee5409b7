/**
 * A tree out of nodes that a file numbers in its own way. Children may stand anywhere in the file; here they come after their parent, left
 * before right. What is no tree (a circle, a node with two parents, a child that is not there) is refused with the place.
 */
import { InputError } from "../../../input-error.ts";
import { isCategory, MISSING_LEFT, type Tree } from "../../../models/trees/tree.ts";

export interface Split {
  readonly feature: number;
  readonly threshold: number;
  /** See tree.ts. */
  readonly rules: number;
  /** Categories that go left. */
  readonly set?: Float32Array | undefined;
  readonly left: number;
  readonly right: number;
  readonly gain: number;
  readonly items: number;
}

export interface Leaf {
  readonly value: number;
  readonly items: number;
}

export type Node = Split | Leaf;

export const isSplit = (node: Node): node is Split => "feature" in node;

/** Deeper trees than any tool grows; beyond, recursion would not end well. */
const MOST_LEVELS = 2000;

/** Trees that a file may have; more would not fit into memory. */
export const MOST_TREES = 200_000;

/** Refuses a file of more trees than are read, before they are. */
export function checkTrees(count: number, path: string): void {
  if (count > MOST_TREES) throw new InputError(`${path}: the model has ${count} trees, and at most ${MOST_TREES} are read`);
}

export interface Shape {
  /** In the file. */
  readonly nodes: number;
  readonly root: number;
  readonly features: number;
  readonly thresholds: "float32" | "float64";
  /** Where trees of a file number their nodes together: those of the trees before, marked. Default: none. */
  readonly seen?: Uint8Array;
  /** What errors begin with, such as "m.txt: Tree=3". */
  readonly where: string;
}

export function buildTree(shape: Shape, nodeAt: (node: number) => Node): Tree {
  const { nodes, root, features, where } = shape;
  const wrong = (what: string) => new InputError(`${where}: ${what}`);
  const seen = shape.seen ?? new Uint8Array(nodes);
  const order: Node[] = [];
  const [left, right]: [number[], number[]] = [[], []];
  const open: { node: number; parent: number; side: number[]; level: number }[] = [
    { node: root, parent: -1, side: left, level: 0 },
  ];
  while (open.length > 0) {
    const { node, parent, side, level } = open.pop()!;
    if (!Number.isInteger(node) || node < 0 || node >= nodes) throw wrong(`a node leads to node ${node}, and there is none`);
    if (seen[node]) throw wrong(`node ${node} has two parents or leads back to itself`);
    if (level > MOST_LEVELS) throw wrong(`the tree is deeper than ${MOST_LEVELS} levels`);
    seen[node] = 1;
    const place = order.length;
    if (parent >= 0) side[parent] = place;
    const one = nodeAt(node);
    order.push(one);
    left.push(-1);
    right.push(-1);
    if (!isSplit(one)) {
      if (!Number.isFinite(one.value)) throw wrong(`the value of leaf ${node} is ${one.value}`);
      continue;
    }
    if (!Number.isInteger(one.feature) || one.feature < 0 || one.feature >= features)
      throw wrong(`node ${node} asks for feature ${one.feature}, and the model has 0 to ${features - 1}`);
    if (!one.set && Number.isNaN(one.threshold)) throw wrong(`the threshold of node ${node} is not a number`);
    const odd = one.set?.find((member) => !isCategory(one.rules, member));
    if (odd !== undefined) throw wrong(`node ${node} has the category ${odd}, which is not a whole number`);
    open.push({ node: one.right, parent: place, side: right, level: level + 1 });
    open.push({ node: one.left, parent: place, side: left, level: level + 1 });
  }
  const column = (of: (node: Split) => number, leaf: number) => order.map((node) => (isSplit(node) ? of(node) : leaf));
  const thresholds = column((node) => (node.set ? 0 : node.threshold), 0);
  const items = Float64Array.from(order, (node) => (node.items > 0 && Number.isFinite(node.items) ? node.items : 0));
  return {
    feature: Int32Array.from(column((node) => node.feature, -1)),
    threshold: shape.thresholds === "float32" ? Float32Array.from(thresholds) : Float64Array.from(thresholds),
    missing: Uint8Array.from(column((node) => node.rules, 0)),
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    value: Float64Array.from(order, (node) => (isSplit(node) ? 0 : node.value)),
    gain: Float64Array.from(order, (node) => (isSplit(node) && Number.isFinite(node.gain) ? node.gain : 0)),
    items,
    sets: new Map(order.flatMap((node, at) => (isSplit(node) && node.set ? [[at, node.set] as const] : []))),
  };
}

/** The nodes of a tree as `buildTree` takes them. */
export function nodeOf(tree: Tree, node: number): Node {
  const feature = tree.feature[node]!;
  if (feature < 0) return { value: tree.value[node]!, items: tree.items[node]! };
  return {
    feature,
    threshold: tree.threshold[node]!,
    rules: tree.missing[node]!,
    set: tree.sets.get(node),
    left: tree.left[node]!,
    right: tree.right[node]!,
    gain: tree.gain[node]!,
    items: tree.items[node]!,
  };
}

/** Whether missing values go where the value 0 goes, for a cut without categories. */
export const missingAsZero = ({ threshold, rules }: Pick<Split, "threshold" | "rules">): boolean =>
  0 <= threshold === ((rules & MISSING_LEFT) !== 0);

/**
 * Trees as a target format can express them. What the target lacks is rebuilt from what it has, with copies of subtrees, where that is exact; where
 * it is not, an error says why and how many nodes are concerned.
 */
import { InputError } from "../../../input-error.ts";
import { finish, type TreeSum } from "../../../models/trees/sum.ts";
import {
  CATEGORY_FLOORED,
  CATEGORY_TRUNCATED,
  leafOf,
  MISSING_LEFT,
  type Tree,
  ZERO,
  ZERO_MISSING,
} from "../../../models/trees/tree.ts";
import { below32, below64 } from "../../../numeric/float32.ts";
import type { WriteOptions } from "../format.ts";
import { buildTree, isSplit, missingAsZero, type Node, nodeOf, type Split } from "./build-tree.ts";
import type { PortableTrees } from "./portable.ts";

export interface Target {
  /** As messages call it. */
  readonly name: string;
  /** Of its sum. */
  readonly precision: "float64" | "float32";
  /** Goes to a side of each node, or counts as 0. */
  readonly missing: "side" | "zero";
  /** A node can take zeros as missing. */
  readonly zeroMissing?: true;
  readonly sets: "none" | "missing right" | "missing either";
  /** Its categories are compared as they are, and not cut to whole numbers. */
  readonly exact?: true;
  /** It has a number that sums begin with. */
  readonly start?: true;
  /** It can divide the sum by the number of trees. */
  readonly mean?: true;
}

export interface Lowered {
  readonly trees: readonly Tree[];
  readonly start: number;
  /** The sum is divided by the number of trees. */
  readonly mean: boolean;
  /** Of scores against the expected ones. */
  readonly tolerance: number;
  readonly notes: readonly string[];
}

const MOST_NODES = 1 << 16; // of one tree, after copies

export function lower(model: PortableTrees, target: Target, options: WriteOptions): Lowered {
  const { sum } = model;
  const notes: string[] = [];
  const count = (test: (split: Split) => boolean) => countSplits(model.trees, test);
  const splits = count(() => true);
  const of = (nodes: number) => `${nodes} of the model's ${splits} nodes`;

  const sets = count(({ set }) => set !== undefined);
  if (sets > 0 && target.sets === "none")
    throw new InputError(
      `${target.name} has no categorical splits, and ${of(sets)} ${are(sets)} categorical; the scores would be wrong`,
    );
  const odd =
    target.sets === "none"
      ? 0
      : count(({ set }) => set?.some((one) => !Number.isInteger(one) || one < 0 || one >= 2 ** 24) ?? false);
  if (odd > 0)
    throw new InputError(`${target.name} takes categories that are whole numbers from 0 to 2^24, and ${of(odd)} have others`);
  const cut = (rules: number) => (rules & (CATEGORY_TRUNCATED | CATEGORY_FLOORED)) !== 0;
  const others = count(({ set, rules }) => set !== undefined && cut(rules) === (target.exact === true));
  if (others > 0) notes.push(`${of(others)} ${are(others)} categorical: scores are the same where categories are whole numbers`);
  let trees = model.trees.map((tree) => expandTree(tree, target));
  const grown = countSplits(trees, () => true);
  if (grown > splits)
    notes.push(
      `${target.name} cannot express for a node that zeros are missing or where missing categories go, so ${splits} nodes became ${grown}`,
    );

  if (target.missing === "zero") {
    const apart = countSplits(trees, (split) => split.set !== undefined || !missingAsZero(split));
    if (apart > 0 && options.missing !== "zero")
      throw new InputError(
        `${target.name} counts missing values as 0, and ${of(apart)} send them elsewhere; scores of rows with missing values would be wrong. The option missing=zero writes the model nevertheless`,
      );
    if (apart > 0)
      notes.push(
        `missing values count as 0 there, and ${of(apart)} send them elsewhere: right only for rows without missing values`,
      );
  }

  const { start, mean, factor, last } = plan(sum, target, trees.length);
  if (factor !== 1 || target.precision !== sum.precision)
    notes.push(
      target.precision === "float32"
        ? `${target.name} sums in float32, so scores differ from the model's by rounding`
        : factor !== 1
          ? "the factor of the sum went into the leaves, so scores may differ in the last digits"
          : `${target.name} sums in float64, so scores differ from the model's by rounding`,
    );
  else if (target.precision === "float32" && trees.some(({ value }) => value.some((one) => Math.fround(one) !== one)))
    notes.push(`${target.name} holds leaf values in float32, so scores differ from the model's by rounding`);
  if (factor !== 1) trees = trees.map((tree) => ({ ...tree, value: tree.value.map((value) => value * factor) }));
  const before = start !== 0 && !target.start ? [leafTree(start)] : [];
  const after = last !== 0 ? [leafTree(last)] : [];
  return {
    trees: [...before, ...trees, ...after],
    start: target.start ? start : 0,
    mean,
    tolerance: factor !== 1 && target.precision === "float64" ? 1e-12 : 0,
    notes,
  };
}

const are = (count: number) => (count === 1 ? "is" : "are");

/** How a sum is described to a target: what it begins with, whether it is a mean, what leaves are multiplied by, what is added last. */
function plan({ start, divisor, scale, bias }: TreeSum, target: Target, trees: number) {
  const mean = target.mean === true && divisor === trees && divisor > 1 && start === 0 && scale === 1 && bias === 0;
  const factor = mean ? 1 : scale / divisor;
  const base = start * (mean ? 1 : factor);
  return target.precision === "float32" || target.start
    ? { start: base + bias, mean, factor, last: 0 }
    : { start: base, mean, factor, last: bias };
}

/** The score of one row by the original trees, in the precision of a target's sum and of its leaves: what a parity file expects. */
export function expectedScore(
  model: PortableTrees,
  row: Float32Array,
  precision: "float64" | "float32",
  leaves: "float64" | "float32" = "float32",
): number {
  const { sum, trees } = model;
  const leaf = (tree: Tree) => tree.value[leafOf(tree, row, 0)]!;
  if (precision === "float64" && sum.precision === "float64")
    return finish(
      trees.reduce((total, tree) => total + leaf(tree), sum.start),
      sum,
    );
  const factor = sum.scale / sum.divisor;
  const begin = sum.start * factor + sum.bias;
  if (precision === "float64") return trees.reduce((total, tree) => total + leaf(tree) * factor, begin);
  const rounded = leaves === "float32" ? Math.fround : (value: number) => value;
  return trees.reduce((total, tree) => Math.fround(total + rounded(leaf(tree) * factor)), Math.fround(begin));
}

function countSplits(trees: readonly Tree[], test: (split: Split) => boolean): number {
  let found = 0;
  for (const tree of trees)
    for (let node = 0; node < tree.feature.length; node++) {
      const one = nodeOf(tree, node);
      if (isSplit(one) && test(one)) found++;
    }
  return found;
}

/** A tree of one leaf. */
export function leafTree(value: number): Tree {
  return buildTree({ nodes: 1, root: 0, features: 0, thresholds: "float32", where: "a leaf" }, () => ({ value, items: 0 }));
}

/** Puts plain nodes in the place of those that the target cannot express. */
function expandTree(tree: Tree, target: Target): Tree {
  const isHard = (node: number) => {
    const rules = tree.missing[node]!;
    if (tree.feature[node]! < 0) return false;
    return (
      (rules & ZERO_MISSING && !target.zeroMissing) ||
      (tree.sets.has(node) && rules & MISSING_LEFT && target.sets !== "missing either")
    );
  };
  if (!tree.feature.some((_, node) => isHard(node))) return tree;
  const nodes: Node[] = [];
  const place = (node: Node): number => {
    if (nodes.length >= MOST_NODES)
      throw new InputError(
        `${target.name} cannot express for a node that zeros are missing, and without that a tree would grow beyond ${MOST_NODES} nodes`,
      );
    return nodes.push(node) - 1;
  };
  const copy = (node: number): number => {
    const one = nodeOf(tree, node);
    if (!isSplit(one)) return place(one);
    const { left, right } = one;
    const plainly = (threshold: number, rules: number, a: () => number, b: () => number) =>
      place({ ...one, set: undefined, threshold, rules, left: a(), right: b() });
    if (!isHard(node)) return place({ ...one, left: copy(left), right: copy(right) });
    if (one.set)
      // Only missing values are not above -Infinity.
      return plainly(
        -Infinity,
        MISSING_LEFT,
        () => copy(left),
        () => place({ ...one, rules: one.rules & ~MISSING_LEFT, left: copy(left), right: copy(right) }),
      );
    return withoutZeros(
      one,
      () => copy(left),
      () => copy(right),
      plainly,
      tree.threshold instanceof Float32Array,
    );
  };
  const root = copy(0);
  return buildTree(
    {
      nodes: nodes.length,
      root,
      features: Infinity,
      thresholds: tree.threshold instanceof Float32Array ? "float32" : "float64",
      where: "the tree",
    },
    (node) => nodes[node]!,
  );
}

/** Cuts below, at and above zero in the place of one whose zeros are missing. */
function withoutZeros(
  { threshold, rules }: Split,
  left: () => number,
  right: () => number,
  cut: (threshold: number, rules: number, a: () => number, b: () => number) => number,
  single: boolean,
): number {
  const under = single ? below32(-ZERO) : below64(-ZERO);
  const toLeft = (rules & MISSING_LEFT) !== 0;
  if (toLeft && threshold >= under) return cut(Math.max(threshold, ZERO), MISSING_LEFT, left, right);
  if (!toLeft && threshold <= ZERO) return cut(Math.min(threshold, under), 0, left, right);
  if (toLeft)
    return cut(
      under,
      0,
      () => cut(threshold, 0, left, right),
      () => cut(ZERO, MISSING_LEFT, left, right),
    );
  return cut(under, 0, left, () => cut(ZERO, MISSING_LEFT, right, () => cut(threshold, 0, left, right)));
}

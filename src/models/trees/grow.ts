/**
 * Grows a tree leaf-wise, always splitting the leaf with the largest gain, or level by level with one split for all leaves of a level
 * (symmetric.ts). Of two new leaves, the histograms of the smaller one are summed from its rows, those of the larger one by subtraction from
 * the parent.
 *
 * Each member of a team keeps the rows of its own lists in order of leaves; histograms are shared out by groups of columns. All sums are of
 * whole numbers, so sums do not depend on which member adds what.
 */
import { InputError } from "../../input-error.ts";
import { addToRows } from "../../numeric/partition.ts";
import type { Team } from "../../types.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import type { BoostInputs } from "./boost.ts";
import { type GroupOwners, groupOwners } from "./group-owners.ts";
import { COLUMNS } from "./layout.ts";
import { type LeafHistograms, leafHistograms } from "./leaf-histograms.ts";
import { type MemberRows, memberRows, newSideTable } from "./member-rows.ts";
import { type NodeList, nodeList } from "./node-list.ts";
import type { TreesSettings } from "./options.ts";
import { type PathGroups, pathGroups } from "./path-groups.ts";
import type { Units } from "./quantize.ts";
import { type Leaf, type LeafPath, type SplitSearch, splitSearch } from "./search.ts";
import { type Bounds, FREE, type Regularization, stepOf } from "./split.ts";
import { type LevelSearch, levelSearch } from "./symmetric.ts";
import type { Tree } from "./tree.ts";

/** What a tree is grown on. */
export interface TreeInputs {
  readonly units: Units;
  /** Hessian of a row at most, in units. */
  readonly heaviest: number;
  /** 1: the list is seen. */
  readonly lists?: Uint8Array;
  /** 1: the feature may be used. */
  readonly features?: Uint8Array;
}

export interface GrownTree {
  /** Its leaves hold full steps. */
  readonly tree: Tree;
  readonly leaves: readonly Leaf[];
}

export interface Grower {
  /** Packed derivatives by row, for the team to fill. */
  readonly entries: Int32Array;
  grow(inputs: TreeInputs): GrownTree;
  /** Adds each leaf's value to the scores of this member's rows. */
  apply(grown: GrownTree, scores: Float64Array, output: number, outputs: number): void;
  /** Calls with this member's rows of a leaf, and again with those that the tree was not grown on (`seen` is false). */
  rowsOf(leaf: Leaf, see: (rows: Uint32Array, seen: boolean) => void): void;
}

/** What limits or weighs the splits of all trees of a training run. */
export type SplitLimits = Pick<BoostInputs, "monotone" | "interactions" | "weights">;

/** What all trees of a training run are grown with. */
interface Context {
  readonly team: Team;
  readonly binned: BinnedDataset;
  readonly options: TreesSettings;
  readonly monotone: Int8Array;
  /** Where interactions are constrained. */
  readonly paths: PathGroups | undefined;
  readonly rows: MemberRows;
  readonly histograms: LeafHistograms;
  readonly search: SplitSearch;
  /** For symmetric trees. */
  readonly levels: LevelSearch | undefined;
  /** Sides of the split at hand, by code. */
  readonly right: Uint8Array;
}

/** One tree. */
interface Growth extends Context {
  readonly nodes: NodeList;
  readonly leaves: Leaf[];
  /** Groups with a feature that may be used, and whose they are. */
  readonly owners: GroupOwners;
  readonly regularization: Regularization;
  /** Hessian that a leaf must have, in units. */
  readonly minHessian: number;
}

export function grower(
  team: Team,
  binned: BinnedDataset,
  starts: Uint32Array,
  listBounds: Uint32Array, // of lists, by member
  options: TreesSettings,
  { monotone, interactions, weights }: SplitLimits,
): Grower {
  const rows = memberRows(team, binned, starts, listBounds);
  const symmetric = options.shape === "symmetric";
  const wanted = symmetric ? 2 ** (levelsOf(options) - 1) : options.leaves; // leaves of which histograms may be needed at once
  const histograms = leafHistograms(team, binned, rows.rows, wanted);
  if (symmetric && histograms.slots < wanted)
    throw new InputError(
      `trees: the histograms of ${wanted} leaves over ${binned.features.length} features do not fit into memory, and symmetric trees need all of them at once; use fewer leaves, or shape=leaf-wise`,
    );
  const search = splitSearch(team, binned, rows.rows, histograms.sums, options, monotone, weights);
  const levels = symmetric ? levelSearch(team, binned, histograms.sums, options, weights) : undefined;
  const paths = interactions && pathGroups(interactions, binned.features.length);
  const context = { team, binned, options, monotone, paths, rows, histograms, search, levels, right: newSideTable() };
  return {
    entries: histograms.entries,
    grow: (inputs) => growTree(context, inputs),
    apply({ tree, leaves }, scores, output, outputs) {
      for (const leaf of leaves)
        rows.rangesOf(leaf, (from, count) => addToRows(scores, output, outputs, rows.rows, from, count, tree.value[leaf.node]!));
    },
    rowsOf: (leaf, see) => rows.rangesOf(leaf, (from, count, seen) => see(rows.rows.subarray(from, from + count), seen)),
  };
}

function growTree(context: Context, { units, heaviest, lists, features }: TreeInputs): GrownTree {
  const { binned, options, histograms, search } = context;
  const growth: Growth = {
    ...context,
    ...{ nodes: nodeList(), leaves: [], owners: groupOwners(context.team, activeGroups(binned, features)) },
    regularization: { l1: options.l1 * units.gradient, l2: options.l2 * units.hessian },
    minHessian: Math.max(1, options.minHessian * units.hessian),
  };
  const { nodes, regularization, minHessian } = growth;
  search.begin(units, heaviest);
  growth.levels?.begin(units);
  growth.paths?.begin(features);
  histograms.reset();
  const root = rootLeaf(growth, lists, growth.paths ? growth.paths.root() : { allowed: features });
  const leaves = growth.levels ? growLevels(growth, growth.levels, root) : growLeaves(growth, root);
  for (const leaf of leaves) {
    const step = stepOf(leaf.gradient, Math.max(leaf.hessian, minHessian), regularization, leaf.bounds);
    nodes.value[leaf.node] = step === 0 ? 0 : (step * units.hessian) / units.gradient; // never -0
  }
  return { tree: nodes.tree(), leaves };
}

/** Splits the leaf with the largest gain, again and again. */
function growLeaves(growth: Growth, root: Leaf): readonly Leaf[] {
  const { team, options, histograms, search, leaves, owners } = growth;
  leaves.push(root);
  if (canSplit(growth, root)) {
    team.parallelFor(owners.own.length, (k) => search.scan(root, owners.own[k]!, 0));
    search.exchange(owners);
    root.best = search.choose(root, 0);
  }
  while (leaves.length < options.leaves) {
    const place = mostGain(leaves);
    if (place < 0) break;
    const parent = leaves[place]!;
    const pair = splitLeaf(growth, parent);
    leaves[place] = pair[0];
    leaves.push(pair[1]);
    if (leaves.length < options.leaves && pair.some((leaf) => canSplit(growth, leaf))) searchPair(growth, parent, pair);
    else histograms.freeSlot(parent);
  }
  return leaves;
}

/** Levels of a symmetric tree: as many as its leaves allow. */
const levelsOf = ({ leaves, maxDepth }: TreesSettings) => Math.min(maxDepth, Math.floor(Math.log2(leaves)));

/** Splits all leaves of a level by the same feature and threshold, level by level. */
function growLevels(growth: Growth, levels: LevelSearch, root: Leaf): readonly Leaf[] {
  const { team, options, owners, paths } = growth;
  const depth = levelsOf(options);
  let leaves = [root];
  let { path } = root; // of the level: a leaf that was not split keeps to it too
  for (let level = 0; level < depth; level++) {
    const open = leaves.filter((leaf) => canSplit(growth, leaf));
    if (open.length === 0) break;
    const { allowed } = path;
    team.parallelFor(owners.own.length, (k) => levels.scan(open, owners.own[k]!, allowed));
    levels.exchange(owners);
    const split = levels.choose(open, allowed);
    if (!split) break;
    if (paths) path = paths.after(path, split.feature);
    // Found for all leaves before the first is split, after which histograms change.
    levels.splitAll(open, split);
    const next: Leaf[] = [];
    for (const leaf of leaves) {
      const pair = leaf.best ? splitLeaf(growth, leaf) : undefined;
      next.push(...(pair ?? [leaf]));
      if (pair && level + 1 < depth) sumPair(growth, leaf, pair);
    }
    leaves = next;
  }
  return leaves;
}

/** The histograms of two leaves, from those of the leaf that they were. */
function sumPair({ team, histograms, owners }: Growth, parent: Leaf, pair: readonly [Leaf, Leaf]): void {
  const [small, large] = pair[0].total <= pair[1].total ? pair : [pair[1], pair[0]];
  large.slot = parent.slot;
  small.slot = histograms.takeSlot([], []);
  histograms.gather(small);
  team.barrier();
  histograms.sum(small, owners, "gathered", (group) => histograms.subtractGroup(large, small, group));
}

const canSplit = ({ options, minHessian, owners: { active } }: Growth, { total, depth, hessian }: Leaf) =>
  total >= 2 * options.minItems && depth < options.maxDepth && hessian >= 2 * minHessian && active.length > 0;

/** The place of the leaf whose split gains most; -1: no leaf has a split. */
function mostGain(leaves: readonly Leaf[]): number {
  let place = -1;
  let gain = 0;
  leaves.forEach(({ best }, i) => {
    if (best && best.weightedGain > gain) {
      place = i;
      gain = best.weightedGain;
    }
  });
  return place;
}

/** The leaf of all rows, or of those of seen lists. */
function rootLeaf({ team, rows, histograms, nodes, owners }: Growth, lists: Uint8Array | undefined, path: LeafPath): Leaf {
  const all = rows.reset(lists);
  const root: Leaf = {
    ...{ node: nodes.add(all.total), depth: 0, ...all },
    ...{ gradient: 0, hessian: 0, bounds: FREE, path, slot: histograms.takeSlot([], []) },
  };
  if (lists) {
    histograms.gather(root);
    team.barrier();
  }
  histograms.sum(root, owners, lists ? "gathered" : "all rows");
  return owners.active.length > 0 ? { ...root, ...histograms.totals(root, owners) } : root;
}

/** Splits a leaf's rows in two and adds the two nodes. */
function splitLeaf(growth: Growth, parent: Leaf): [Leaf, Leaf] {
  const { binned, monotone, paths, rows, search, right, nodes, regularization } = growth;
  const { feature, split, gain } = parent.best!;
  search.mark(parent.best!, right);
  const { lefts, leftTotal, outLeft } = rows.partition(parent, binned.layout.slots[feature]!.column, right);
  const rightTotal = parent.total - leftTotal;
  const { missing, edges, bins, categorical } = binned.features[feature]!;
  const left = nodes.add(leftTotal);
  const other = nodes.add(rightTotal);
  nodes.setSplit(parent.node, {
    ...{ feature, left, right: other, gain },
    threshold: categorical ? 0 : split.bin < bins - 1 ? edges[split.bin]! : GREATEST,
    // Where nothing was missing in training, later rows without a value go where most rows went.
    missing: categorical ? 0 : (missing ? split.missingLeft : leftTotal >= rightTotal) ? 1 : 0,
    set: categorical ? edges.filter((_, b) => split.left![b] === 1) : undefined,
  });
  const [low, high] = sideBounds(parent, split.gradient, split.hessian, monotone[feature]!, regularization);
  const depth = parent.depth + 1;
  const path = paths ? paths.after(parent.path, feature) : parent.path;
  return [
    {
      ...{ node: left, depth, path, starts: parent.starts, counts: lefts, total: leftTotal, slot: -1 },
      ...{ gradient: split.gradient, hessian: split.hessian, bounds: low },
      ...{ outStart: parent.outStart, outCount: outLeft },
    },
    {
      ...{ node: other, depth, path, total: rightTotal, slot: -1 },
      ...{ starts: parent.starts.map((s, r) => s + lefts[r]!), counts: parent.counts.map((c, r) => c - lefts[r]!) },
      ...{ gradient: parent.gradient - split.gradient, hessian: parent.hessian - split.hessian, bounds: high },
      ...{ outStart: parent.outStart + outLeft, outCount: parent.outCount - outLeft },
    },
  ];
}

const GREATEST = 3.4028234663852886e38; // of float32: every value goes left

/** Bounds of the sides: under a constrained feature neither may pass the middle of their values. */
function sideBounds(
  { bounds, gradient, hessian }: Leaf,
  gl: number,
  hl: number,
  rise: number,
  regularization: Regularization,
): [Bounds, Bounds] {
  if (rise === 0) return [bounds, bounds];
  const middle = (stepOf(gl, hl, regularization, bounds) + stepOf(gradient - gl, hessian - hl, regularization, bounds)) / 2;
  const below = { low: bounds.low, high: Math.min(bounds.high, middle) };
  const above = { low: Math.max(bounds.low, middle), high: bounds.high };
  return rise > 0 ? [below, above] : [above, below];
}

/** Finds the best splits of two new leaves: sums the histograms of the smaller one and subtracts them from the parent's for the other. */
function searchPair(growth: Growth, parent: Leaf, pair: readonly [Leaf, Leaf]): void {
  const { team, histograms, search, leaves, owners } = growth;
  const [small, large] = pair[0].total <= pair[1].total ? pair : [pair[1], pair[0]];
  const known = parent.slot >= 0;
  large.slot = known ? parent.slot : histograms.takeSlot(leaves, pair);
  small.slot = histograms.takeSlot(leaves, pair);
  if (!known) {
    histograms.gather(large);
    team.barrier();
    histograms.sum(large, owners, "gathered");
  }
  histograms.gather(small);
  team.barrier();
  const [trySmall, tryLarge] = [canSplit(growth, small), canSplit(growth, large)];
  histograms.sum(small, owners, "gathered", (group) => {
    if (known) histograms.subtractGroup(large, small, group);
    if (trySmall) search.scan(small, group, 0);
    if (tryLarge) search.scan(large, group, 1);
  });
  search.exchange(owners);
  small.best = trySmall ? search.choose(small, 0) : undefined;
  large.best = tryLarge ? search.choose(large, 1) : undefined;
  for (const leaf of pair) if (!leaf.best) histograms.freeSlot(leaf);
}

/** Groups with a feature that may be used. */
function activeGroups({ layout }: BinnedDataset, allowed: Uint8Array | undefined): number[] {
  const active = new Set<number>();
  layout.slots.forEach((place, f) => {
    if (place && (!allowed || allowed[f])) active.add(Math.floor(place.column / COLUMNS));
  });
  return [...active].sort((a, b) => a - b);
}

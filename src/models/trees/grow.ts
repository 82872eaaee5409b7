/**
 * Grows a tree leaf-wise, always splitting the leaf with the largest gain, or level by level with one split for all leaves of a level
 * (symmetric.ts). Of two new leaves, the histograms of the smaller one are summed
 * from its rows, those of the larger one by subtraction from the parent.
 *
 * Each member of a team keeps the rows of its own lists in order of leaves; histograms are shared out by groups of columns. All sums are of
 * whole numbers, so sums do not depend on which member adds what.
 */
import { InputError } from "../../input-error.ts";
import { heap } from "../../numeric/heap.ts";
import { clearEntries, gatherEntries, subtractEntries, sumContiguous, sumRows } from "../../numeric/histogram.ts";
import { addToRows, partitionRows } from "../../numeric/partition.ts";
import { poison, poisoned } from "../../numeric/stress.ts";
import { pause } from "../../teams/jitter.ts";
import type { Team } from "../../types.ts";
import type { BinnedDataset } from "./binned-dataset.ts";
import { CODES, COLUMNS } from "./layout.ts";
import type { TreesOptions } from "./options.ts";
import type { Units } from "./quantize.ts";
import { type Leaf, splitSearch } from "./search.ts";
import { type Bounds, FREE, type Regularization, stepOf } from "./split.ts";
import { levelSearch } from "./symmetric.ts";
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
  grow(load: TreeInputs): GrownTree;
  /** Adds each leaf's value to the scores of this member's rows. */
  apply(grown: GrownTree, scores: Float64Array, output: number, outputs: number): void;
  /** Calls with this member's rows of a leaf, and again with those that the tree was not grown on (`seen` is false). */
  rowsOf(leaf: Leaf, see: (rows: Uint32Array, seen: boolean) => void): void;
}

const POOL = 2 ** 30; // bytes for histograms at most

export function grower(
  team: Team,
  binned: BinnedDataset,
  starts: Uint32Array,
  listBounds: Uint32Array, // of lists, by member
  options: TreesOptions,
  monotone: Int8Array,
): Grower {
  const { layout, features } = binned;
  const { rank, size } = team;
  const span = layout.groups * COLUMNS * CODES; // entries of a leaf's histograms
  const symmetric = options.shape === "symmetric";
  const held = symmetric ? 2 ** (levelsOf(options) - 1) : options.leaves; // leaves of which histograms may be wanted at once
  const slots = Math.max(3, Math.min(held, Math.floor(POOL / 8 / Math.max(1, span))));
  if (symmetric && slots < held)
    throw new InputError(
      `trees: the histograms of ${held} leaves over ${features.length} features take more than ${POOL / 2 ** 30} GiB, and symmetric trees need all of them at once; use fewer leaves, or shape=leaf-wise`,
    );
  const rows = team.allocShared("u32", binned.rows);
  const entries = team.allocShared("i32", 2 * binned.rows);
  const gathered = team.allocShared("i32", 2 * binned.rows);
  const sums = team.allocShared("i32", 2 * slots * span);
  const exchanged = team.allocShared("i32", 2 * size);
  const first = starts[listBounds[rank]!]!;
  const last = starts[listBounds[rank + 1]!]!;
  const scratch = heap.u32(last - first);
  const right = heap.u8(CODES);
  const defaultBins = layout.defaultBins.map((codes) => {
    if (!codes) return undefined;
    const held = heap.u8(COLUMNS);
    held.set(codes);
    return held;
  });
  const search = splitSearch(team, binned, rows, sums, options, monotone);
  const levels = symmetric ? levelSearch(team, binned, sums, options) : undefined;
  let turn = 0;
  let regularization: Regularization = { l1: 0, l2: 0 };

  /** What every member says, in two places by turns: the fastest may speak again while the slowest still listens. */
  function exchange(count: number): number[] {
    turn = 1 - turn;
    exchanged[turn * size + rank] = count;
    team.barrier();
    return Array.from({ length: size }, (_, r) => exchanged[turn * size + r]!);
  }

  /** Puts this member's rows in order, those of unseen lists last; returns how many are seen. */
  function reset(lists: Uint8Array | undefined): number {
    let at = first;
    for (let list = listBounds[rank]!; list < listBounds[rank + 1]!; list++)
      if (!lists || lists[list]) for (let row = starts[list]!; row < starts[list + 1]!; row++) rows[at++] = row;
    const seen = at - first;
    if (lists)
      for (let list = listBounds[rank]!; list < listBounds[rank + 1]!; list++)
        if (!lists[list]) for (let row = starts[list]!; row < starts[list + 1]!; row++) rows[at++] = row;
    return seen;
  }

  /** Sums one group's histograms of a leaf. */
  function sum(leaf: Leaf, group: number, run: boolean): void {
    const at = leaf.slot * span + group * COLUMNS * CODES;
    clearEntries(sums, at, COLUMNS * CODES);
    const base = group * binned.rows * COLUMNS;
    let from = 0;
    if (run) sumContiguous(binned.bins, base, entries, 0, binned.rows, sums, at, defaultBins[group]);
    else
      leaf.starts.forEach((start, r) => {
        sumRows(binned.bins, base, rows, start, gathered, from, leaf.counts[r]!, sums, at, defaultBins[group]);
        from += leaf.counts[r]!;
      });
  }

  /** Copies the entries of this member's rows of a leaf to where all members' lie one after another. */
  function gather(leaf: Leaf): void {
    let to = 0;
    for (let r = 0; r < rank; r++) to += leaf.counts[r]!;
    gatherEntries(entries, rows, leaf.starts[rank]!, leaf.counts[rank]!, gathered, to);
  }

  function grow({ units, heaviest, lists, features: allowed }: TreeInputs): GrownTree {
    const least = Math.max(1, options.minHessian * units.hessian);
    regularization = { l1: options.l1 * units.gradient, l2: options.l2 * units.hessian };
    const active = activeGroups(binned, allowed);
    const free = Array.from({ length: slots }, (_, slot) => slots - 1 - slot);
    const nodes = nodeList();
    const canSplit = ({ total, depth, hessian }: Leaf) =>
      total >= 2 * options.minItems && depth < options.maxDepth && hessian >= 2 * least && active.length > 0;

    search.begin(units, heaviest, allowed);
    levels?.begin(units, allowed);
    // For tests: nothing that an earlier tree left is read. Others read these arrays after the barrier of `exchange` at the earliest.
    poison(rows.subarray(first, last));
    if (rank === 0) [gathered, sums].forEach(poison);
    const seen = reset(lists);
    const counts = exchange(seen);
    const total = counts.reduce((a, b) => a + b, 0);
    const begin = (r: number) => starts[listBounds[r]!]!;

    let root: Leaf = {
      ...{ node: nodes.add(total), depth: 0, starts: counts.map((_, r) => begin(r)), counts, total },
      ...{ gradient: 0, hessian: 0, bounds: FREE, slot: free.pop()! },
      ...{ outStart: first + seen, outCount: last - first - seen },
    };
    if (lists) {
      gather(root);
      team.barrier();
    }
    team.parallelFor(active.length, (k) => sum(root, active[k]!, !lists));
    if (active.length > 0) root = { ...root, ...totals(sums, (root.slot * span + active[0]! * COLUMNS * CODES) * 2) };
    const leaves = symmetric ? growLevels(root, nodes, canSplit, free, active) : growLeaves(root, nodes, canSplit, free, active);
    for (const leaf of leaves) {
      const step = stepOf(leaf.gradient, Math.max(leaf.hessian, least), regularization, leaf.bounds);
      nodes.value[leaf.node] = step === 0 ? 0 : (step * units.hessian) / units.gradient; // never -0
    }
    return { tree: nodes.tree(), leaves };
  }

  type CanSplit = (leaf: Leaf) => boolean;

  /** Splits the leaf with the largest gain, again and again. */
  function growLeaves(root: Leaf, nodes: NodeList, canSplit: CanSplit, free: number[], active: readonly number[]): Leaf[] {
    const leaves = [root];
    if (canSplit(root)) {
      team.parallelFor(active.length, (k) => search.scan(root, active[k]!, 0));
      root.best = search.choose(root, 0);
    }

    while (leaves.length < options.leaves) {
      let place = -1;
      let gain = 0;
      leaves.forEach(({ best }, i) => {
        if (best && best.gain > gain) {
          place = i;
          gain = best.gain;
        }
      });
      if (place < 0) break;
      const parent = leaves[place]!;
      const pair = splitLeaf(parent, nodes);
      leaves[place] = pair[0];
      leaves.push(pair[1]);
      if (leaves.length < options.leaves && pair.some(canSplit)) searchPair(parent, pair, canSplit, free, leaves, active);
      else if (parent.slot >= 0) free.push(parent.slot);
    }
    return leaves;
  }

  /** Splits all leaves of a level by the same feature and threshold, level by level. */
  function growLevels(root: Leaf, nodes: NodeList, canSplit: CanSplit, free: number[], active: readonly number[]): Leaf[] {
    let leaves = [root];
    const depth = levelsOf(options);
    for (let level = 0; level < depth; level++) {
      const open = leaves.filter(canSplit);
      if (open.length === 0) break;
      team.parallelFor(active.length, (k) => levels!.scan(open, active[k]!));
      const split = levels!.choose(open);
      if (!split) break;
      // Found for all leaves before the first is split, after which histograms change.
      for (const leaf of open) leaf.best = levels!.splitOf(leaf, split);
      const next: Leaf[] = [];
      for (const leaf of leaves) {
        if (!leaf.best) {
          next.push(leaf);
          continue;
        }
        const pair = splitLeaf(leaf, nodes);
        next.push(...pair);
        if (level + 1 < depth) sumPair(leaf, pair, free, active);
      }
      leaves = next;
    }
    return leaves;
  }

  /** The histograms of two leaves, from those of the leaf that they were. */
  function sumPair(parent: Leaf, pair: readonly [Leaf, Leaf], free: number[], active: readonly number[]): void {
    const [small, large] = pair[0].total <= pair[1].total ? pair : [pair[1], pair[0]];
    large.slot = parent.slot;
    small.slot = free.pop()!;
    gather(small);
    team.barrier();
    team.parallelFor(active.length, (k) => {
      const group = active[k]!;
      sum(small, group, false);
      const at = group * COLUMNS * CODES;
      subtractEntries(sums, large.slot * span + at, small.slot * span + at, COLUMNS * CODES);
    });
  }

  /** For tests: no other member may read the rows of a member that is about to move them. */
  function disturb({ starts, counts }: Leaf): void {
    if (!poisoned()) return;
    const [from, to] = [starts[rank]!, starts[rank]! + counts[rank]!];
    const held = rows.slice(from, to);
    poison(rows.subarray(from, to));
    for (let turn = 0; turn < 8; turn++) pause();
    rows.set(held, from);
  }

  /** Cuts a leaf's rows in two and adds the two nodes. */
  function splitLeaf(parent: Leaf, nodes: NodeList): [Leaf, Leaf] {
    const { feature, split, gain } = parent.best!;
    const { column } = layout.slots[feature]!;
    const byte = Math.floor(column / COLUMNS) * binned.rows * COLUMNS + (column % COLUMNS);
    search.mark(parent.best!, right);
    disturb(parent);
    const mine = partitionRows(binned.bins, byte, rows, parent.starts[rank]!, parent.counts[rank]!, right, scratch);
    const out = partitionRows(binned.bins, byte, rows, parent.outStart, parent.outCount, right, scratch);
    const lefts = exchange(mine);
    const leftTotal = lefts.reduce((a, b) => a + b, 0);
    const rightTotal = parent.total - leftTotal;
    const { missing, edges, bins, categorical } = features[feature]!;
    const [low, high] = sideBounds(parent, split.gradient, split.hessian);
    const left = nodes.add(leftTotal);
    const other = nodes.add(rightTotal);
    nodes.setSplit(parent.node, {
      ...{ feature, left, right: other, gain },
      threshold: categorical ? 0 : split.bin < bins - 1 ? edges[split.bin]! : GREATEST,
      // Where nothing was missing in training, later rows without a value go where most rows went.
      missing: categorical ? 0 : (missing ? split.missingLeft : leftTotal >= rightTotal) ? 1 : 0,
      set: categorical ? edges.filter((_, b) => split.left![b] === 1) : undefined,
    });
    const depth = parent.depth + 1;
    return [
      {
        ...{ node: left, depth, starts: parent.starts, counts: lefts, total: leftTotal, slot: -1 },
        ...{ gradient: split.gradient, hessian: split.hessian, bounds: low },
        ...{ outStart: parent.outStart, outCount: out },
      },
      {
        ...{ node: other, depth, total: rightTotal, slot: -1 },
        ...{ starts: parent.starts.map((s, r) => s + lefts[r]!), counts: parent.counts.map((c, r) => c - lefts[r]!) },
        ...{ gradient: parent.gradient - split.gradient, hessian: parent.hessian - split.hessian, bounds: high },
        ...{ outStart: parent.outStart + out, outCount: parent.outCount - out },
      },
    ];
  }

  /** Bounds of the sides: under a constrained feature neither may pass the middle of their values. */
  function sideBounds({ best, bounds, gradient, hessian }: Leaf, gl: number, hl: number): [Bounds, Bounds] {
    const rise = monotone[best!.feature]!;
    if (rise === 0) return [bounds, bounds];
    const middle = (stepOf(gl, hl, regularization, bounds) + stepOf(gradient - gl, hessian - hl, regularization, bounds)) / 2;
    const below = { low: bounds.low, high: Math.min(bounds.high, middle) };
    const above = { low: Math.max(bounds.low, middle), high: bounds.high };
    return rise > 0 ? [below, above] : [above, below];
  }

  function searchPair(
    parent: Leaf,
    pair: readonly [Leaf, Leaf],
    canSplit: (leaf: Leaf) => boolean,
    free: number[],
    leaves: readonly Leaf[],
    active: readonly number[],
  ): void {
    const [small, large] = pair[0].total <= pair[1].total ? pair : [pair[1], pair[0]];
    const take = () => {
      if (free.length === 0) evict(leaves, pair, free);
      return free.pop()!;
    };
    const known = parent.slot >= 0;
    large.slot = known ? parent.slot : take();
    small.slot = take();
    if (!known) {
      gather(large);
      team.barrier();
      team.parallelFor(active.length, (k) => sum(large, active[k]!, false));
    }
    gather(small);
    team.barrier();
    const [trySmall, tryLarge] = [canSplit(small), canSplit(large)];
    team.parallelFor(active.length, (k) => {
      const group = active[k]!;
      sum(small, group, false);
      const at = group * COLUMNS * CODES;
      if (known) subtractEntries(sums, large.slot * span + at, small.slot * span + at, COLUMNS * CODES);
      if (trySmall) search.scan(small, group, 0);
      if (tryLarge) search.scan(large, group, 1);
    });
    small.best = trySmall ? search.choose(small, 0) : undefined;
    large.best = tryLarge ? search.choose(large, 1) : undefined;
    for (const leaf of pair)
      if (!leaf.best) {
        free.push(leaf.slot);
        leaf.slot = -1;
      }
  }

  function rowsOf(leaf: Leaf, see: (from: number, count: number, seen: boolean) => void): void {
    see(leaf.starts[rank]!, leaf.counts[rank]!, true);
    if (leaf.outCount > 0) see(leaf.outStart, leaf.outCount, false);
  }

  return {
    entries,
    grow,
    apply({ tree, leaves }, scores, output, outputs) {
      for (const leaf of leaves)
        rowsOf(leaf, (from, count) => addToRows(scores, output, outputs, rows, from, count, tree.value[leaf.node]!));
    },
    rowsOf: (leaf, see) => rowsOf(leaf, (from, count, seen) => see(rows.subarray(from, from + count), seen)),
  };
}

const GREATEST = 3.4028234663852886e38; // of float32: every value goes left

/** Levels of a symmetric tree: as many as its leaves allow. */
const levelsOf = ({ leaves, maxDepth }: TreesOptions) => Math.min(maxDepth, Math.floor(Math.log2(leaves)));

/** Frees the slot of the leaf that is least likely to be split next; its histograms would have to be summed again. */
function evict(leaves: readonly Leaf[], keep: readonly Leaf[], free: number[]): void {
  let least: Leaf | undefined;
  for (const leaf of leaves)
    if (leaf.slot >= 0 && !keep.includes(leaf) && (!least || (leaf.best?.gain ?? 0) < (least.best?.gain ?? 0))) least = leaf;
  free.push(least!.slot);
  least!.slot = -1;
}

/** Sums of one column's histogram: those of all rows. */
function totals(sums: Int32Array, at: number): { gradient: number; hessian: number } {
  let [gradient, hessian] = [0, 0];
  for (let i = at; i < at + 2 * CODES; i += 2) {
    hessian += sums[i]! >>> 0;
    gradient += sums[i + 1]!;
  }
  return { gradient, hessian };
}

/** Groups with a feature that may be used. */
function activeGroups({ layout }: BinnedDataset, allowed: Uint8Array | undefined): number[] {
  const active = new Set<number>();
  layout.slots.forEach((place, f) => {
    if (place && (!allowed || allowed[f])) active.add(Math.floor(place.column / COLUMNS));
  });
  return [...active].sort((a, b) => a - b);
}

interface NodeSplit {
  readonly feature: number;
  readonly threshold: number;
  readonly missing: number;
  readonly left: number;
  readonly right: number;
  readonly gain: number;
  readonly set: Float32Array | undefined;
}

type NodeList = ReturnType<typeof nodeList>;

function nodeList() {
  const items: number[] = [];
  const value: number[] = [];
  const splits: (NodeSplit | undefined)[] = [];
  return {
    value,
    add(count: number): number {
      items.push(count);
      value.push(0);
      splits.push(undefined);
      return items.length - 1;
    },
    setSplit(node: number, cut: NodeSplit): void {
      splits[node] = cut;
    },
    tree(): Tree {
      return {
        feature: Int32Array.from(splits, (cut) => cut?.feature ?? -1),
        threshold: Float32Array.from(splits, (cut) => cut?.threshold ?? 0),
        missing: Uint8Array.from(splits, (cut) => cut?.missing ?? 0),
        left: Int32Array.from(splits, (cut) => cut?.left ?? -1),
        right: Int32Array.from(splits, (cut) => cut?.right ?? -1),
        value: Float64Array.from(value),
        gain: Float64Array.from(splits, (cut) => cut?.gain ?? 0),
        items: Float64Array.from(items),
        sets: new Map(splits.flatMap((cut, node) => (cut?.set ? [[node, cut.set] as const] : []))),
      };
    },
  };
}

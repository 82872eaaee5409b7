/**
 * Lays trees out for quickscorer.ts. Blocks of trees whose states fit into a near cache come one after another; in each, splits stand by
 * column, direction of missing values and threshold. A record clears up to two bytes of leaves: masks of both (bytes 0 and 1), addresses of
 * the two vectors of 16 lanes (words 1 and 2), then its threshold or set. A split that clears more has several records.
 *
 * Long, because splits, sets, walks and leaves are written into one image, whose addresses they share.
 */

import { floor32 } from "./float32.ts";
import type { Forest, ForestOptions, SplitTree } from "./quickscorer.ts";
import { type Columns, columnsOf } from "./quickscorer-columns.ts";
import { Image } from "./quickscorer-image.ts";

const FULL = 64; // leaves of a tree that never walks, at most
const TOP = 32; // leaves of the part of a larger tree that does not walk
const STATES = 16384; // bytes of state of a block: half of a near cache
const LANES = 16;
const LEAF = 8; // leaves of walks stand at multiples of 16 plus this, other nodes at multiples of 16
const WIDEST = 4096; // columns of rows that are copied before they are packed

// Kinds of groups of records, as the kernels know them.
const MISSING_LEFT = 0;
const MISSING_RIGHT = 1;
const SETS = 2;
const LARGE_SETS = 3;

// Flags of a block.
const WALKS_SETS = 2;
const SINGLE = 4;

interface Split {
  readonly column: number; // of the packet
  readonly kind: number;
  readonly threshold: number;
  readonly feature: number;
  readonly set: ArrayLike<number> | undefined;
  readonly state: number; // first vector of the tree in the block's state
  readonly from: number; // leaves on the left: from, up to to
  readonly to: number;
}

/** The part of a tree that is done by clearing leaves. */
interface Top {
  readonly tree: SplitTree;
  readonly inner: ReadonlySet<number>; // its splits
  readonly walks: boolean; // whether there are splits below it
}

export function buildForest(
  trees: readonly SplitTree[],
  options: ForestOptions,
  allocate: (bytes: number) => Uint8Array,
): Forest {
  const { columns, outputs, inputs = "float32", sums = "float64", tiny = 0, truncate = false } = options;
  const wide = inputs === "float64";
  const packet = columnsOf(trees, options);
  const image = new Image();
  const tops = trees.map(topOf);
  const blocks = partition(tops);
  const width = LANES * (wide ? 8 : 4);

  // Splits first, since they say which columns a packet has.
  const plans = blocks.map((block) => planBlock(block, packet, wide));
  const tile = image.take(packet.count() * width);
  const states = image.take(plans.reduce((most, { vectors }) => Math.max(most, LANES * vectors), 0));
  const [lanes, sumsAt] = [image.take(LANES), image.take(8 * LANES * outputs)];
  const blockAt = image.take(columns <= WIDEST ? 4 * LANES * columns : 0);
  const usedAt = image.take(4 * packet.used.length);
  image.u32.set(packet.used, usedAt >> 2);
  const headers = image.take(64 * plans.length);
  let tree = 0;
  plans.forEach((plan, b) => {
    const writer = { image, packet, tile, width, states, wide, header: headers + 64 * b };
    writeSplits(writer, plan);
    writeTrees(writer, plan, tree, outputs, sums === "float32");
    tree += plan.tops.length;
  });
  const derived = packet.write(image, tile, width);

  const bytes = allocate(image.size);
  image.settle(bytes);
  const [buffer, base] = [bytes.buffer, bytes.byteOffset];
  const filled = LANES;
  const made = wide
    ? new Float64Array(buffer, base + tile, packet.count() * LANES)
    : new Float32Array(buffer, base + tile, packet.count() * LANES);
  return {
    ...{ bytes, outputs, columns, used: packet.used, targets: packet.targets, tile: made },
    sums: new Float64Array(buffer, base + sumsAt, LANES * outputs),
    block: new Float32Array(buffer, base + blockAt, columns <= WIDEST ? LANES * columns : 0),
    ...{ blocks: base + headers, count: plans.length, lanes: base + lanes, usedAt: base + usedAt },
    ...{ steps: base + derived.steps, derived: derived.count, wide, tiny, truncate, filled },
  };
}

/** Which splits of a tree are done without walking: all of a small one, of others those that the most rows meet. */
function topOf(tree: SplitTree): Top {
  const { feature, left, right, items } = tree;
  const size = feature.length;
  const inner = new Set<number>();
  if (size < 2 * FULL) {
    for (let node = 0; node < size; node++) if (feature[node]! >= 0) inner.add(node);
    return { tree, inner, walks: false };
  }
  const under = new Float64Array(size); // leaves below a node
  for (let node = size - 1; node >= 0; node--) under[node] = feature[node]! < 0 ? 1 : under[left[node]!]! + under[right[node]!]!;
  const weight = items ?? under;
  const open = [0];
  while (open.length > 0 && inner.size + 1 < TOP) {
    let best = 0;
    for (let k = 1; k < open.length; k++) if (weight[open[k]!]! > weight[open[best]!]!) best = k;
    const node = open.splice(best, 1)[0]!;
    inner.add(node);
    for (const child of [left[node]!, right[node]!]) if (feature[child]! >= 0) open.push(child);
  }
  return { tree, inner, walks: open.length > 0 };
}

const vectorsOf = ({ inner }: Top) => Math.ceil((inner.size + 1) / 8);

/** Runs of trees whose states fit into a near cache. */
function partition(tops: readonly Top[]): Top[][] {
  const blocks: Top[][] = [];
  let bytes = STATES;
  for (const top of tops) {
    bytes += LANES * vectorsOf(top);
    if (bytes > STATES) {
      blocks.push([]);
      bytes = LANES * vectorsOf(top);
    }
    blocks.at(-1)!.push(top);
  }
  return blocks;
}

interface Plan {
  readonly tops: readonly Top[];
  readonly splits: readonly Split[]; // in the order of records
  readonly exits: readonly (readonly number[])[]; // by tree: the nodes that its leaves stand for, from left to right
  readonly vectors: number; // of state
  readonly below: ReadonlyMap<number, readonly number[]>; // by tree that walks: the splits below its top, parents first
}

function planBlock(tops: readonly Top[], packet: Columns, wide: boolean): Plan {
  const splits: Split[] = [];
  const below = new Map<number, readonly number[]>();
  let vectors = 0;
  const exits = tops.map((top, t) => {
    const { tree, inner } = top;
    const nodes: number[] = [];
    /** Numbers the leaves under a node. The top is small, so this does not go deep. */
    const number = (node: number): void => {
      if (!inner.has(node)) {
        nodes.push(node);
        return;
      }
      const from = nodes.length;
      number(tree.left[node]!);
      splits.push(splitOf(tree, node, packet, wide, vectors, from, nodes.length));
      number(tree.right[node]!);
    };
    number(0);
    vectors += vectorsOf(top);
    if (top.walks) below.set(t, splitsBelow(tree, nodes, packet));
    return nodes;
  });
  splits.sort((a, b) => a.column - b.column || a.kind - b.kind || a.threshold - b.threshold);
  return { tops, splits, exits, vectors, below };
}

function splitOf(tree: SplitTree, node: number, packet: Columns, wide: boolean, state: number, from: number, to: number): Split {
  const feature = tree.feature[node]!;
  const set = tree.sets.get(node);
  if (set) {
    const kind = packet.codeCount(feature) <= 256 ? SETS : LARGE_SETS;
    return { ...{ column: packet.codes(feature), kind, threshold: 0, feature, set, state, from, to } };
  }
  const column = packet.values(feature, tree.zeroMissing?.[node] === 1, false);
  const threshold = wide ? tree.threshold[node]! : floor32(tree.threshold[node]!);
  return { column, kind: tree.missing[node] === 1 ? MISSING_LEFT : MISSING_RIGHT, threshold, feature, set, state, from, to };
}

/** The splits at and under some nodes, level by level; makes the columns that they compare. */
function splitsBelow(tree: SplitTree, roots: readonly number[], packet: Columns): number[] {
  const inner = roots.filter((node) => tree.feature[node]! >= 0);
  for (let k = 0; k < inner.length; k++) {
    const node = inner[k]!;
    columnOf(tree, node, packet);
    for (const child of [tree.left[node]!, tree.right[node]!]) if (tree.feature[child]! >= 0) inner.push(child);
  }
  return inner;
}

/** The column that a walk compares at a node. */
const columnOf = (tree: SplitTree, node: number, packet: Columns): number =>
  tree.sets.has(node)
    ? packet.codes(tree.feature[node]!)
    : packet.values(tree.feature[node]!, tree.zeroMissing?.[node] === 1, tree.missing[node] === 1);

interface Writer {
  readonly image: Image;
  readonly packet: Columns;
  readonly tile: number;
  readonly width: number; // bytes of a column
  readonly states: number;
  readonly wide: boolean;
  readonly header: number;
}

/** The bytes of state that a split changes, and the leaves in each. */
function masksOf({ from, to, state }: Split): { vector: number; mask: number }[] {
  const masks: { vector: number; mask: number }[] = [];
  for (let byte = from >> 3; 8 * byte < to; byte++) {
    const [first, last] = [Math.max(0, from - 8 * byte), Math.min(8, to - 8 * byte)];
    masks.push({ vector: state + byte, mask: (1 << last) - (1 << first) });
  }
  return masks;
}

const sameSplit = (a: Split, b: Split) => a.threshold === b.threshold && a.set === b.set;
const sameGroup = (a: Split, b: Split) => a.column === b.column && a.kind === b.kind;

/** Splits that decide alike, with all that they clear. */
interface Run {
  readonly split: Split;
  readonly masks: { vector: number; mask: number }[];
}

/** Runs by column and direction of missing values, in rising order of thresholds. */
function groupsOf(splits: readonly Split[]): Run[][] {
  const groups: Run[][] = [];
  splits.forEach((split, s) => {
    const before = splits[s - 1];
    if (!before || !sameGroup(before, split)) groups.push([]);
    const group = groups.at(-1)!;
    const run = group.at(-1);
    if (run && sameSplit(run.split, split)) run.masks.push(...masksOf(split));
    else group.push({ split, masks: masksOf(split) });
  });
  return groups;
}

function writeSplits(writer: Writer, { splits, vectors }: Plan): void {
  const { image, tile, width, states, header } = writer;
  const groups = groupsOf(splits);
  const at = image.take(16 * groups.length);
  groups.forEach((group, g) => {
    const { column, kind } = group[0]!.split;
    const { from, to } = writeGroup(writer, group, kind);
    image.point(at + 16 * g, tile + width * column);
    image.point(at + 16 * g + 4, from);
    image.point(at + 16 * g + 8, to);
    image.u32[at / 4 + 4 * g + 3] = kind;
  });
  image.point(header, at);
  image.point(header + 4, at + 16 * groups.length);
  image.point(header + 8, states);
  image.point(header + 12, states + LANES * vectors);
}

function writeGroup({ image, packet, states, wide }: Writer, group: readonly Run[], kind: number): { from: number; to: number } {
  const size = kind === SETS ? 48 : kind === LARGE_SETS || !wide ? 16 : 24;
  const bits = kind === LARGE_SETS ? group.map(({ split }) => bitsOf(image, packet, split.feature, split.set!)) : [];
  const count = group.reduce((sum, { masks }) => sum + Math.ceil(masks.length / 2), 0);
  const from = image.take(size * count);
  let record = from;
  group.forEach(({ split, masks }, r) => {
    for (let m = 0; m < masks.length; m += 2, record += size) {
      const [first, second] = [masks[m]!, masks[m + 1] ?? { vector: masks[m]!.vector, mask: 0 }];
      image.u8[record] = first.mask;
      image.u8[record + 1] = second.mask;
      image.point(record + 4, states + LANES * first.vector);
      image.point(record + 8, states + LANES * second.vector);
      if (kind === SETS) packet.mark(split.feature, split.set!, image, record + 16);
      else if (kind === LARGE_SETS) image.point(record + 12, bits[r]!);
      else if (wide) image.f64[record / 8 + 2] = split.threshold;
      else image.f32[record / 4 + 3] = split.threshold;
    }
  });
  return { from, to: record };
}

/** A bit for each code of a feature, on for those that go right. */
function bitsOf(image: Image, packet: Columns, feature: number, set: ArrayLike<number>): number {
  const at = image.take(Math.ceil(packet.codeCount(feature) / 8));
  packet.mark(feature, set, image, at);
  return at;
}

/**
 * Four words to a tree: its vectors of state; where the values of its leaves stand or, if it walks, the nodes where walks begin; its output's
 * place among the sums; whether it walks. A node is the address of what it compares (odd where that is a code), the right and the left child,
 * and a threshold or the address of a set. Leaves stand behind all splits, at addresses with the bit `LEAF`, and lead to themselves.
 */
function writeTrees(writer: Writer, plan: Plan, first: number, outputs: number, single: boolean): void {
  const { image, header } = writer;
  const { tops, exits } = plan;
  const at = image.take(16 * tops.length);
  const { places, ends, values, sets } = writeNodes(writer, plan);
  tops.forEach((top, t) => {
    const nodes = exits[t]!;
    const links = image.take((top.walks ? 4 : 8) * nodes.length);
    nodes.forEach((node, leaf) => {
      if (top.walks) image.point(links + 4 * leaf, places.get(t)![node]!);
      else image.f64[links / 8 + leaf] = top.tree.value[node]!;
    });
    image.u32[at / 4 + 4 * t] = vectorsOf(top);
    image.point(at + 16 * t + 4, links);
    image.u32[at / 4 + 4 * t + 2] = 8 * LANES * ((first + t) % outputs);
    image.u32[at / 4 + 4 * t + 3] = top.walks ? 1 : 0;
  });
  image.point(header + 16, at);
  image.point(header + 20, at + 16 * tops.length);
  image.point(header + 24, ends);
  image.point(header + 28, values);
  image.u32[(header + 32) / 4] = (sets ? WALKS_SETS : 0) | (single ? SINGLE : 0);
}

interface Nodes {
  readonly places: ReadonlyMap<number, Float64Array>; // by tree, then node: its address
  readonly ends: number; // where leaves begin
  readonly values: number; // of leaves
  readonly sets: boolean; // whether some split is categorical
}

/** The nodes of all trees of a block that walk. */
function writeNodes({ image, packet, tile, width, wide }: Writer, { tops, exits, below }: Plan): Nodes {
  const size = wide ? 32 : 16;
  const leaves = new Map<number, number[]>();
  for (const [t, inner] of below) {
    const { feature, left, right } = tops[t]!.tree;
    const ending = [...exits[t]!, ...inner.flatMap((node) => [left[node]!, right[node]!])];
    leaves.set(
      t,
      ending.filter((node) => feature[node]! < 0),
    );
  }
  const count = (lists: Iterable<readonly number[]>) => [...lists].reduce((sum, { length }) => sum + length, 0);
  const splits = count(below.values());
  const start = image.take(size * (splits + count(leaves.values())) + LEAF);
  const ends = start + size * splits + LEAF;
  const values = image.take(8 * count(leaves.values()));
  const places = new Map<number, Float64Array>();
  let [split, leaf] = [start, ends];
  for (const [t, inner] of below) {
    const { tree } = tops[t]!;
    const place = new Float64Array(tree.feature.length);
    places.set(t, place);
    for (const node of inner) {
      place[node] = split;
      split += size;
    }
    for (const node of leaves.get(t)!) {
      place[node] = leaf;
      image.point(leaf, tile);
      image.point(leaf + 4, leaf);
      image.point(leaf + 8, leaf);
      image.f64[(values + (leaf - ends) / (wide ? 4 : 2)) / 8] = tree.value[node]!;
      leaf += size;
    }
  }
  let sets = false;
  for (const [t, inner] of below) {
    const { tree } = tops[t]!;
    const place = places.get(t)!;
    for (const node of inner) {
      const at = place[node]!;
      const set = tree.sets.get(node);
      image.point(at, tile + width * columnOf(tree, node, packet) + (set ? 1 : 0));
      image.point(at + 4, place[tree.right[node]!]!);
      image.point(at + 8, place[tree.left[node]!]!);
      if (set) {
        image.point(at + 12, bitsOf(image, packet, tree.feature[node]!, set));
        sets = true;
      } else if (wide) image.f64[at / 8 + 2] = tree.threshold[node]!;
      else image.f32[at / 4 + 3] = floor32(tree.threshold[node]!);
    }
  }
  return { places, ends, values, sets };
}

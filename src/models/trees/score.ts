/**
 * Scores of rows under many trees, in a layout made for it: nodes of 16 bytes in one array, leaves that lead to themselves, so that all
 * rows of a block walk a tree in step, and blocks of rows small enough to stay in a near cache while tree after tree passes over them.
 */
import { walkTree } from "../../numeric/forest.ts";
import { Heap, heap } from "../../numeric/heap.ts";
import type { Matrix } from "../../types.ts";
import { unfold } from "./table.ts";
import { depthOf, leafOf, type Tree } from "./tree.ts";

export interface Flat {
  readonly nodes: Int32Array;
  readonly values: Float64Array;
  readonly starts: readonly number[];
  readonly depths: readonly number[];
}

const LEFT = -2147483648; // the top bit of a feature: missing values go left
const BLOCK = 256; // rows

/** The trees in flat form, or undefined where one asks for categories. */
export function flatten(trees: readonly Tree[], room: Heap = heap): Flat | undefined {
  if (trees.some((tree) => tree.sets.size > 0)) return undefined;
  const total = trees.reduce((sum, tree) => sum + tree.feature.length, 0);
  const nodes = room.i32(4 * total);
  const thresholds = new Float32Array(nodes.buffer, nodes.byteOffset, nodes.length);
  const values = room.f64(total);
  const starts: number[] = [];
  let start = 0;
  for (const tree of trees) {
    starts.push(start);
    for (let node = 0; node < tree.feature.length; node++) {
      const at = 4 * (start + node);
      values[start + node] = tree.value[node]!;
      if (tree.feature[node]! < 0) continue; // a leaf: feature 0, and no way to go
      thresholds[at] = tree.threshold[node]!;
      nodes[at + 1] = tree.feature[node]! | (tree.missing[node] === 1 ? LEFT : 0);
      nodes[at + 2] = 16 * (tree.left[node]! - node);
      nodes[at + 3] = 16 * (tree.right[node]! - node);
    }
    start += tree.feature.length;
  }
  return { nodes, values, starts, depths: trees.map(depthOf) };
}

/** Adds the trees' values to into[row * outputs + t % outputs] for rows from to to. */
export function addScores(
  trees: readonly Tree[],
  flat: Flat | undefined,
  matrix: Matrix,
  from: number,
  to: number,
  outputs: number,
  into: Float64Array,
): void {
  const { columns } = matrix;
  const room = new Heap();
  const tile = room.f32(BLOCK * Math.max(1, columns));
  const sums = room.f64(BLOCK * outputs);
  for (let row = from; row < to; row += BLOCK) {
    const n = Math.min(BLOCK, to - row);
    unfold(matrix, row, row + n, tile);
    sums.set(into.subarray(row * outputs, (row + n) * outputs));
    trees.forEach((tree, t) => {
      const output = t % outputs;
      if (flat) walkTree(flat.nodes, flat.starts[t]!, flat.depths[t]!, flat.values, tile, 0, columns, n, sums, output, outputs);
      else for (let i = 0; i < n; i++) sums[i * outputs + output]! += tree.value[leafOf(tree, tile, i * columns)]!;
    });
    into.set(sums.subarray(0, n * outputs), row * outputs);
  }
  room.close();
}

/**
 * Scores of rows under many trees, in layouts made for it (see numeric/forest.ts), and in blocks of rows small enough to stay in a near cache
 * while tree after tree passes over them. Values are added in the order of trees, so every layout gives the same bits.
 */
import { floor32 } from "../../numeric/float32.ts";
import { vetoLeaves, walkTree } from "../../numeric/forest.ts";
import { Heap } from "../../numeric/heap.ts";
import type { Matrix } from "../../types.ts";
import { unfold } from "./table.ts";
import { depthOf, leafOf, MISSING_LEFT, type Tree } from "./tree.ts";
import { canVeto, vetoesOf } from "./vetoes.ts";

/** Adds the trees' values of n rows to into[i * outputs + t % outputs]. */
export type Adder = (rows: Float32Array, columns: number, n: number, into: Float64Array) => void;

const LEFT = -2147483648; // the top bit of a feature: missing values go left
const BLOCK = 256; // rows
const TOGETHER = 256; // trees whose vetoes stay in a near cache

/** The trees in the fastest form that they allow; outputs take turns. What it needs lies in `room`. */
export function adder(trees: readonly Tree[], outputs: number, room: Heap): Adder {
  if (trees.every(canVeto)) return byVetoes(trees, outputs, room);
  if (trees.every(({ sets, missing }) => sets.size === 0 && missing.every((rules) => rules <= MISSING_LEFT)))
    return byWalks(trees, outputs, room);
  return (rows, columns, n, into) =>
    trees.forEach((tree, t) => {
      for (let i = 0; i < n; i++) into[i * outputs + (t % outputs)]! += tree.value[leafOf(tree, rows, i * columns)]!;
    });
}

function byVetoes(trees: readonly Tree[], outputs: number, room: Heap): Adder {
  const size = outputs * Math.max(1, Math.floor(TOGETHER / outputs));
  const parts = Array.from({ length: Math.ceil(trees.length / size) }, (_, p) =>
    vetoesOf(trees.slice(p * size, (p + 1) * size), room),
  );
  return (rows, columns, n, into) => {
    for (const part of parts) vetoLeaves(part, rows, columns, n, into, outputs);
  };
}

/** Nodes of 16 bytes in one array, leaves that lead to themselves, so that all rows of a block walk a tree in step. */
function byWalks(trees: readonly Tree[], outputs: number, room: Heap): Adder {
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
      thresholds[at] = floor32(tree.threshold[node]!);
      nodes[at + 1] = tree.feature[node]! | (tree.missing[node]! & MISSING_LEFT ? LEFT : 0);
      nodes[at + 2] = 16 * (tree.left[node]! - node);
      nodes[at + 3] = 16 * (tree.right[node]! - node);
    }
    start += tree.feature.length;
  }
  const depths = trees.map(depthOf);
  return (rows, columns, n, into) => {
    for (const [t, start] of starts.entries())
      walkTree(nodes, start, depths[t]!, values, rows, 0, columns, n, into, t % outputs, outputs);
  };
}

/** Adds the trees' values of all rows to into[row * outputs + t % outputs], rounded to float32 after every tree. */
export function addRounded(trees: readonly Tree[], matrix: Matrix, outputs: number, into: Float64Array): void {
  const room = new Heap();
  const each = trees.map((tree) => adder([tree], 1, room));
  const tile = room.f32(BLOCK * Math.max(1, matrix.columns));
  const values = room.f64(BLOCK);
  for (let row = 0; row < matrix.rows; row += BLOCK) {
    const n = Math.min(BLOCK, matrix.rows - row);
    unfold(matrix, row, row + n, tile);
    each.forEach((add, t) => {
      add(tile, matrix.columns, n, values.fill(0));
      for (let i = 0, at = row * outputs + (t % outputs); i < n; i++, at += outputs)
        into[at] = Math.fround(into[at]! + values[i]!);
    });
  }
  room.close();
}

/** Adds the trees' values to into[row * outputs + t % outputs] for rows from to to. */
export function addScores(add: Adder, matrix: Matrix, from: number, to: number, outputs: number, into: Float64Array): void {
  const { columns } = matrix;
  const room = new Heap();
  const tile = room.f32(BLOCK * Math.max(1, columns));
  const sums = room.f64(BLOCK * outputs);
  for (let row = from; row < to; row += BLOCK) {
    const n = Math.min(BLOCK, to - row);
    unfold(matrix, row, row + n, tile);
    sums.set(into.subarray(row * outputs, (row + n) * outputs));
    add(tile, columns, n, sums);
    into.set(sums.subarray(0, n * outputs), row * outputs);
  }
  room.close();
}

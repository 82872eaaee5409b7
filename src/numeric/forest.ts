/**
 * Scores of rows under a tree: compiled where the arrays lie in the heap, plain otherwise, with the same bits.
 *
 * A node is four entries of an Int32Array: the bits of its float32 threshold; its feature, with the top bit set where missing values go left;
 * how many bytes (16 to a node) to go from here to the left child, for values up to the threshold; how many to the right one. A leaf leads to
 * itself, so every row may walk the depth of the tree.
 */
import { holds } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/forest.ts";

export interface ForestKernels {
  walkTree(...[tree, depth, values, rows, columns, n, into, outputs]: readonly number[]): void;
}

/** Adds to into[at + i * outputs] the value of the leaf that row i reaches from the node `tree`; row 0 begins at rows[row]. */
export function walkTree(
  nodes: Int32Array,
  tree: number,
  depth: number,
  values: Float64Array,
  rows: Float32Array,
  row: number,
  columns: number,
  n: number,
  into: Float64Array,
  at: number,
  outputs: number,
): void {
  const wasm = holds(nodes) && holds(values) && holds(rows) && holds(into) ? kernels() : null;
  if (wasm) {
    const [first, leaf] = [nodes.byteOffset + 16 * tree, values.byteOffset + 8 * tree];
    wasm.walkTree(first, depth, leaf, rows.byteOffset + 4 * row, columns, n, into.byteOffset + 8 * at, outputs);
  } else plain.walkTree(nodes, tree, depth, values, rows, row, columns, n, into, at, outputs);
}

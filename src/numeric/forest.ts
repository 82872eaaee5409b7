/**
 * Scores of rows under trees: compiled where the arrays lie in the heap, plain otherwise, with the same bits. There are two ways.
 *
 * Walks, for trees of any size. A node is four entries of an Int32Array: the bits of its float32 threshold; its feature, with the top bit set
 * where missing values go left; how many bytes (16 to a node) to go from here to the left child, for values up to the threshold; how many to
 * the right one. A leaf leads to itself, so every row may walk the depth of the tree.
 *
 * Vetoes, for trees of up to 32 leaves, several times faster: rows are not led through a tree, but each feature's cuts, of all trees and in
 * rising order, strike out leaves until one is above the value. Lucchese et al. 2015, https://doi.org/10.1145/2766462.2767733, and with
 * several rows at once 2016, https://doi.org/10.1145/2911451.2914758
 */
import { holds } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/forest.ts";

export { LEAVES } from "./plain/forest.ts";

export interface ForestKernels {
  walkTree(...[tree, depth, values, rows, columns, n, into, outputs]: readonly number[]): void;
  vetoLeaves(...[groups, count, cuts, values, trees, states, rows, columns, n, into, outputs]: readonly number[]): void;
}

/** Trees that score by vetoes. Their leaves are numbered from left to right. */
export interface Vetoes {
  /** Four entries to a feature: its column, and where in `cuts` its own begin, where those that lead missing values right, where both end. */
  readonly groups: Uint32Array;
  /** Three entries to a cut: the bits of its float32 threshold; a bit for each leaf, off for those on its left; its tree. */
  readonly cuts: Int32Array;
  readonly values: Float64Array; // of leaves, 32 places to a tree
  readonly trees: number;
  readonly states: Int32Array; // scratch, eight entries to a tree
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

/** Adds to into[i * outputs + t % outputs] the value of the leaf of tree t that row i reaches. */
export function vetoLeaves(
  vetoes: Vetoes,
  rows: Float32Array,
  columns: number,
  n: number,
  into: Float64Array,
  outputs: number,
): void {
  const { groups, cuts, values, trees, states } = vetoes;
  const wasm = [groups, cuts, values, states, rows, into].every(holds) ? kernels() : null;
  if (wasm)
    wasm.vetoLeaves(
      ...[groups.byteOffset, groups.length / 4, cuts.byteOffset, values.byteOffset, trees, states.byteOffset],
      ...[rows.byteOffset, columns, n, into.byteOffset, outputs],
    );
  else plain.vetoLeaves(vetoes, rows, columns, n, into, outputs);
}

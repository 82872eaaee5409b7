/**
 * Scores of rows under many trees (see numeric/quickscorer.ts), in tables that are made when a model first scores and kept with it. Values
 * are added in the order of trees, so a score has the same bits as when its row walks through every tree.
 */
import { Cached } from "../../numeric/cached.ts";
import { Heap } from "../../numeric/heap.ts";
import { buildForest, type Forest, type ForestOptions, type SplitTree } from "../../numeric/quickscorer.ts";
import { addMatrix, addRows, type Row } from "../../numeric/quickscorer-rows.ts";
import type { Matrix } from "../../types.ts";

/** Adds the values of trees to scores, of which each row has as many as there are outputs. */
export interface Scorer {
  /** Rows from to to of a matrix, to into[row * outputs + t % outputs]. */
  addMatrix(matrix: Matrix, from: number, to: number, into: Float64Array): void;
  /** Rows given as arrays of numbers. */
  addRows(rows: readonly Row[], into: Float64Array): void;
}

/** Scores under trees whose tables are made at the first call and kept for as long as the scorer is referred to. */
export function scorer(trees: readonly SplitTree[], options: ForestOptions): Scorer {
  const forest = new Cached((allocate) => buildForest(trees, options, allocate));
  return {
    addMatrix: (matrix, from, to, into) => addMatrix(forest.get(), matrix, from, to, into),
    addRows: (rows, into) => addRows(forest.get(), rows, into, "scoreRows"),
  };
}

/** Calls `act` with trees laid out for scoring, and gives their memory back after it. */
export function withForest(trees: readonly SplitTree[], options: ForestOptions, act: (forest: Forest) => void): void {
  const heap = new Heap();
  try {
    act(buildForest(trees, options, (bytes) => heap.u8(bytes)));
  } finally {
    heap.close();
  }
}

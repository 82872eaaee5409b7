/**
 * Scores of rows under many trees (see numeric/quickscorer.ts), in tables that are made when a model first scores and kept with it. Values
 * are added in the order of trees, so a score has the same bits as when its row walks through every tree.
 */
import { Cached } from "../../numeric/cached.ts";
import { withHeap } from "../../numeric/heap.ts";
import { buildForest, type Forest, type ForestOptions, type SplitTree } from "../../numeric/quickscorer.ts";
import { addMatrix, addRows, type Row } from "../../numeric/quickscorer-rows.ts";
import type { Matrix } from "../../types.ts";
import { CATEGORY_FLOORED, CATEGORY_TRUNCATED, MISSING_LEFT, type Tree, ZERO, ZERO_MISSING } from "./tree.ts";

/** Adds the values of trees to scores, of which each row has as many as there are outputs. */
export interface Scorer {
  /** Rows from to to of a matrix, to into[row * outputs + t % outputs]. */
  addMatrix(matrix: Matrix, from: number, to: number, into: Float64Array): void;
  /** Rows given as arrays of numbers. */
  addRows(rows: readonly Row[], into: Float64Array): void;
}

/** Scores under trees whose tables are made at the first call and kept for as long as the scorer is referred to. */
export function scorer(trees: readonly Tree[], options: ForestOptions): Scorer {
  const forest = new Cached((allocate) => buildForest(trees.map(splitTree), { ...options, ...rulesOf(trees) }, allocate));
  return {
    addMatrix: (matrix, from, to, into) => addMatrix(forest.get(), matrix, from, to, into),
    addRows: (rows, into) => addRows(forest.get(), rows, into, "scoreRows"),
  };
}

/** A tree as the scorer takes it, with the rules of its nodes apart. */
function splitTree(tree: Tree): SplitTree {
  const { missing, sets } = tree;
  const own = { ...tree, items: tree.items[0]! > 0 ? tree.items : undefined };
  if (missing.every((rules) => rules <= MISSING_LEFT) && sets.size === 0) return withoutUndefined(own);
  const withMissing = (node: number, set: Float32Array) =>
    missing[node]! & MISSING_LEFT ? Float32Array.of(...set, Number.NaN) : set;
  return {
    ...withoutUndefined(own),
    missing: missing.map((rules) => rules & MISSING_LEFT),
    zeroMissing: missing.map((rules) => Number((rules & ZERO_MISSING) !== 0)),
    sets: new Map([...sets].map(([node, set]) => [node, withMissing(node, set)])),
  };
}

const withoutUndefined = ({ items, ...tree }: Omit<Tree, "items"> & { items: Float64Array | undefined }): SplitTree =>
  items ? { ...tree, items } : tree;

/** What holds for all nodes alike. */
function rulesOf(trees: readonly Tree[]): Pick<ForestOptions, "tiny" | "truncate"> {
  const any = (rule: number) => trees.some(({ missing }) => missing.some((rules) => (rules & rule) !== 0));
  return { tiny: any(ZERO_MISSING) ? ZERO : 0, truncate: any(CATEGORY_FLOORED) ? "down" : any(CATEGORY_TRUNCATED) };
}

/** Calls `act` with trees laid out for scoring, and gives their memory back after it. */
export function withForest(trees: readonly Tree[], options: ForestOptions, act: (forest: Forest) => void): void {
  withHeap((heap) => act(buildForest(trees.map(splitTree), { ...options, ...rulesOf(trees) }, (bytes) => heap.u8(bytes))));
}

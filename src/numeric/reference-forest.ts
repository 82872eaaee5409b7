/** Trees, rows and the slow way to score them, for tests: everything that quickscorer.ts allows, drawn at random. */
import type { Matrix, Random } from "../types.ts";
import type { ForestOptions, SplitTree } from "./quickscorer.ts";
import { below } from "./random.ts";

export interface TreeChoices {
  readonly leaves: number;
  readonly columns: number;
  readonly threshold: () => number;
  /** Share of splits by sets, and what their members are drawn from. */
  readonly sets?: { readonly share: number; readonly category: () => number; readonly most: number };
  readonly zeroMissing?: boolean;
  /** Each split hangs below the one before, so that the tree is as deep as it can be. */
  readonly chain?: boolean;
}

export function anyTree(draw: Random, { leaves, columns, threshold, sets, zeroMissing, chain }: TreeChoices): SplitTree {
  const size = 2 * leaves - 1;
  const feature = new Int32Array(size).fill(-1);
  const [left, right] = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
  const members = new Map<number, Float64Array>();
  const open = [0];
  for (let next = 1; next < size; next += 2) {
    const node = open.splice(chain ? open.length - 1 - below(draw, Math.min(2, open.length)) : below(draw, open.length), 1)[0]!;
    feature[node] = below(draw, columns);
    [left[node], right[node]] = [next, next + 1];
    open.push(next, next + 1);
    if (sets && draw() < sets.share)
      members.set(
        node,
        Float64Array.from({ length: below(draw, sets.most + 1) }, () => (draw() < 0.1 ? Number.NaN : sets.category())),
      );
  }
  return {
    ...{ feature, left, right, sets: members },
    threshold: Float64Array.from({ length: size }, threshold),
    missing: Uint8Array.from({ length: size }, () => below(draw, 2)),
    ...(zeroMissing && { zeroMissing: Uint8Array.from({ length: size }, () => below(draw, 2)) }),
    value: Float64Array.from({ length: size }, () => draw() - 0.5),
    ...(draw() < 0.5 && { items: Float64Array.from({ length: size }, () => below(draw, 1000)) }),
  };
}

/** Scores by walking every tree, row after row, as the interface of `SplitTree` says it. */
export function walkAll(
  trees: readonly SplitTree[],
  rows: readonly ArrayLike<number>[],
  { outputs, inputs, sums, tiny = 0, truncate }: ForestOptions,
  start = 0,
): Float64Array {
  const into = new Float64Array(rows.length * outputs).fill(start);
  const cut = (value: number) => (truncate === "down" ? Math.floor(value) : truncate ? Math.trunc(value) : value);
  const isIn = (set: ArrayLike<number>, x: number) =>
    Array.from(set).some((member) => cut(member) === cut(x) || Object.is(member, x));
  rows.forEach((row, r) => {
    trees.forEach((tree, t) => {
      let node = 0;
      while (tree.feature[node]! >= 0) {
        const given = row[tree.feature[node]!]!;
        const rounded = inputs === "float64" ? given : Math.fround(given);
        const x = tiny > 0 && Math.abs(rounded) <= tiny ? 0 : rounded;
        const set = tree.sets.get(node);
        const missing = Number.isNaN(x) || (tree.zeroMissing?.[node] === 1 && Math.abs(x) <= tiny);
        const left = set ? isIn(set, x) : missing ? tree.missing[node] === 1 : x <= tree.threshold[node]!;
        node = left ? tree.left[node]! : tree.right[node]!;
      }
      const at = r * outputs + (t % outputs);
      const sum = into[at]! + tree.value[node]!;
      into[at] = sums === "float32" ? Math.fround(sum) : sum;
    });
  });
  return into;
}

/** Rows as a dense matrix of float32 in a given array. */
export function denseOf(rows: readonly ArrayLike<number>[], columns: number, values: Float32Array): Matrix {
  for (const [r, row] of rows.entries()) values.set(Array.from(row), r * columns);
  return { kind: "dense", rows: rows.length, columns, values };
}

/** Rows as a sparse matrix that leaves out a value. */
export function sparseOf(rows: readonly ArrayLike<number>[], columns: number, absent: number): Matrix {
  const [starts, indices, values]: [number[], number[], number[]] = [[0], [], []];
  for (const row of rows) {
    for (let c = 0; c < row.length; c++)
      if (!Object.is(row[c], absent)) {
        indices.push(c);
        values.push(row[c]!);
      }
    starts.push(indices.length);
  }
  return {
    ...{ kind: "sparse", rows: rows.length, columns, starts: Uint32Array.from(starts), absent },
    ...{ indices: Uint32Array.from(indices), values: Float32Array.from(values) },
  };
}

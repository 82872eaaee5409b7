/** Packs rows of data for quickscorer.ts and adds the resulting sums of trees to the scores. Columns without splits are never read. */
import { InputError } from "../input-error.ts";
import type { Matrix } from "../types.ts";
import { isInHeap } from "./heap.ts";
import { type Forest, LANES, packLanes, scorePacket } from "./quickscorer.ts";

/** A row of numbers: one for each feature, NaN for a missing value. */
export type Row = ArrayLike<number>;

/** Adds the trees' values of rows from to to of a matrix to into[row * outputs + t % outputs]. */
export function addMatrix(forest: Forest, matrix: Matrix, from: number, to: number, into: Float64Array): void {
  for (let row = from; row < to; row += LANES) {
    const n = Math.min(LANES, to - row);
    if (matrix.kind === "sparse") packSparse(forest, matrix, row, n);
    else if (forest.block.length === 0 || (isInHeap(matrix.values) && isInHeap(forest.bytes)))
      packLanes(forest, matrix.values, row * matrix.columns, n);
    else {
      // Copied as they are first: that is quick, and then the kernel packs them.
      forest.block.set(matrix.values.subarray(row * matrix.columns, (row + n) * matrix.columns));
      packLanes(forest, forest.block, 0, n);
    }
    score(forest, n, into, row);
  }
}

/** Adds the trees' values of some rows to into[row * outputs + t % outputs]. `who` begins the message about a row that does not fit. */
export function addRows(forest: Forest, rows: readonly Row[], into: Float64Array, who: string): void {
  for (let from = 0; from < rows.length; from += LANES) {
    const n = Math.min(LANES, rows.length - from);
    for (let lane = 0; lane < n; lane++) packRow(forest, rows[from + lane]!, lane, who, from + lane);
    score(forest, n, into, from);
  }
}

/** Throws unless a row is one of `columns` numbers, judged by its length. */
export function checkRow(row: Row, index: number, columns: number, who: string): void {
  if (row === null || typeof row !== "object")
    throw new InputError(`${who}: row ${index} is ${String(row)}, and must be an array of numbers`);
  if (row.length !== columns)
    throw new InputError(
      `${who}: row ${index} has ${row.length} values, and the model has ${columns} features; NaN stands for a missing value`,
    );
}

/** Throws because of a value that is no number. */
export function refuseValue(value: unknown, column: number, index: number, who: string): never {
  throw new InputError(
    `${who}: value ${column} of row ${index} is ${String(value)}, and must be a number; NaN stands for a missing value`,
  );
}

function packRow({ tile, used, columns }: Forest, row: Row, lane: number, who: string, index: number): void {
  checkRow(row, index, columns, who);
  for (let u = 0, at = lane; u < used.length; u++, at += LANES) {
    const value = row[used[u]!]!;
    if (typeof value !== "number") refuseValue(value, used[u]!, index, who);
    tile[at] = value;
  }
}

function packSparse(forest: Forest, matrix: Matrix & { kind: "sparse" }, row: number, n: number): void {
  const { tile, used, targets } = forest;
  const { starts, indices, values, absent } = matrix;
  tile.fill(absent, 0, LANES * used.length);
  forest.filled = LANES;
  for (let lane = 0; lane < n; lane++)
    for (let e = starts[row + lane]!; e < starts[row + lane + 1]!; e++) {
      const target = targets[indices[e]!]!;
      if (target >= 0) tile[LANES * target + lane] = values[e]!;
    }
}

/** Scores the n rows of the packet, the first of which is row number `row`. */
function score(forest: Forest, n: number, into: Float64Array, row: number): void {
  const { tile, sums, outputs, used } = forest;
  // Rows of an earlier packet beyond the last of this one: -Infinity is above no threshold, so they make no work.
  for (let lane = n; lane < forest.filled; lane++) for (let u = 0; u < used.length; u++) tile[LANES * u + lane] = -Infinity;
  forest.filled = n;
  for (let o = 0; o < outputs; o++)
    for (let lane = 0; lane < n; lane++) sums[LANES * o + lane] = into[(row + lane) * outputs + o]!;
  scorePacket(forest);
  for (let o = 0; o < outputs; o++)
    for (let lane = 0; lane < n; lane++) into[(row + lane) * outputs + o] = sums[LANES * o + lane]!;
}

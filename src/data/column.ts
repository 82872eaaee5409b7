/** Copies one feature column out of a dense or sparse matrix. */
import type { Matrix } from "../types.ts";

/** The values of a column, row by row; NaN where one is missing. Entries that a sparse matrix does not store have its `absent` value. */
export function column(matrix: Matrix, wanted: number): Float64Array {
  const values = new Float64Array(matrix.rows);
  if (matrix.kind === "dense")
    for (let row = 0; row < matrix.rows; row++) values[row] = matrix.values[row * matrix.columns + wanted]!;
  else for (let row = 0; row < matrix.rows; row++) values[row] = sparseValue(matrix, row, wanted);
  return values;
}

function sparseValue({ starts, indices, values, absent }: Matrix & { kind: "sparse" }, row: number, wanted: number): number {
  let [low, high] = [starts[row]!, starts[row + 1]!];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (indices[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low < starts[row + 1]! && indices[low] === wanted ? values[low]! : absent;
}

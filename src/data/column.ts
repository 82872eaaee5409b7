/** Copies feature columns out of a dense or sparse matrix. */
import type { Matrix } from "../types.ts";

/** The values of a column, row by row; NaN where one is missing. Entries that a sparse matrix does not store have its `absent` value. */
export function column(matrix: Matrix, wanted: number): Float64Array {
  const values = new Float64Array(matrix.rows);
  if (matrix.kind === "dense")
    for (let row = 0; row < matrix.rows; row++) values[row] = matrix.values[row * matrix.columns + wanted]!;
  else for (let row = 0; row < matrix.rows; row++) values[row] = sparseValue(matrix, row, wanted);
  return values;
}

const AT_ONCE = 16; // columns: a row's numbers lie side by side

/** Calls `visit` with each column from `from` to `to`, in their order. The values are overwritten later. */
export function eachColumn(
  matrix: Matrix,
  visit: (values: Float64Array, column: number) => void,
  from = 0,
  to = matrix.columns,
): void {
  const { rows } = matrix;
  const block = Array.from({ length: Math.min(AT_ONCE, to - from) }, () => new Float64Array(rows));
  for (let first = from; first < to; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, to - first);
    if (matrix.kind === "dense")
      for (let row = 0, at = first; row < rows; row++, at += matrix.columns)
        for (let c = 0; c < count; c++) block[c]![row] = matrix.values[at + c]!;
    else fillFromSparse(matrix, first, count, block);
    for (let c = 0; c < count; c++) visit(block[c]!, first + c);
  }
}

function fillFromSparse(matrix: Matrix & { kind: "sparse" }, first: number, count: number, block: readonly Float64Array[]): void {
  const { rows, starts, indices, values, absent } = matrix;
  for (let c = 0; c < count; c++) block[c]!.fill(absent);
  for (let row = 0; row < rows; row++)
    for (let e = firstFrom(matrix, row, first); e < starts[row + 1]! && indices[e]! < first + count; e++)
      block[indices[e]! - first]![row] = values[e]!;
}

/** The first entry of a row whose column is at least `wanted`, or the end of the row. */
function firstFrom({ starts, indices }: Matrix & { kind: "sparse" }, row: number, wanted: number): number {
  let [low, high] = [starts[row]!, starts[row + 1]!];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (indices[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sparseValue(matrix: Matrix & { kind: "sparse" }, row: number, wanted: number): number {
  const at = firstFrom(matrix, row, wanted);
  return at < matrix.starts[row + 1]! && matrix.indices[at] === wanted ? matrix.values[at]! : matrix.absent;
}

import type { Matrix } from "../src/types.ts";

/** Every row written out, whichever way it is stored. */
export function rowsOf(matrix: Matrix): number[][] {
  return Array.from({ length: matrix.rows }, (_, row) => {
    if (matrix.kind === "dense") return [...matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns)];
    const cells = new Array<number>(matrix.columns).fill(matrix.absent);
    for (let i = matrix.starts[row]!; i < matrix.starts[row + 1]!; i++) cells[matrix.indices[i]!] = matrix.values[i]!;
    return cells;
  });
}

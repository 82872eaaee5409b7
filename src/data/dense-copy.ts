/** A dense copy of a matrix, for code that changes values. */
import { checkMemory } from "../memory-budget.ts";
import type { DenseMatrix, Matrix } from "../types.ts";

/** The same values, row by row, in memory of their own. */
export function denseCopy(features: Matrix): DenseMatrix {
  if (features.kind === "dense") return { ...features, values: features.values.slice() };
  const { rows, columns, starts, indices, absent } = features;
  checkMemory(`a dense copy of ${columns} features of ${rows} items`, 4 * rows * columns);
  const values = new Float32Array(rows * columns).fill(absent);
  for (let row = 0; row < rows; row++)
    for (let at = starts[row]!; at < starts[row + 1]!; at++) values[row * columns + indices[at]!] = features.values[at]!;
  return { kind: "dense", rows, columns, values, absent };
}

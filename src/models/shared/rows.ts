/** Rows of a feature matrix times a vector, and a vector's share added along a row. Missing values count as zero. */
import type { Matrix } from "../../types.ts";

/** Σ_c x_c weights_{from + c} over row r. */
export function dotRow(matrix: Matrix, row: number, weights: Float64Array, from = 0): number {
  let sum = 0;
  if (matrix.kind === "dense") {
    const start = row * matrix.columns;
    for (let c = 0; c < matrix.columns; c++) {
      const value = matrix.values[start + c]!;
      if (!Number.isNaN(value)) sum += value * weights[from + c]!;
    }
  } else {
    for (let at = matrix.starts[row]!; at < matrix.starts[row + 1]!; at++) {
      const value = matrix.values[at]!;
      if (!Number.isNaN(value)) sum += value * weights[from + matrix.indices[at]!]!;
    }
  }
  return sum;
}

/** into_{from + c} += share x_c over row r. */
export function addRow(matrix: Matrix, row: number, share: number, into: Float64Array, from = 0): void {
  if (matrix.kind === "dense") {
    const start = row * matrix.columns;
    for (let c = 0; c < matrix.columns; c++) {
      const value = matrix.values[start + c]!;
      if (!Number.isNaN(value)) into[from + c] = into[from + c]! + share * value;
    }
  } else {
    for (let at = matrix.starts[row]!; at < matrix.starts[row + 1]!; at++) {
      const value = matrix.values[at]!;
      const c = from + matrix.indices[at]!;
      if (!Number.isNaN(value)) into[c] = into[c]! + share * value;
    }
  }
}

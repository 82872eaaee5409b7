/** The matrix of second derivatives from its products with vectors. */
import type { Hessian } from "../../types.ts";

/** The whole matrix, one product for each column, made symmetric. */
export function hessianMatrix({ times }: Hessian, size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  const unit = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    unit[i] = 1;
    times(unit, matrix.subarray(i * size, (i + 1) * size));
    unit[i] = 0;
  }
  for (let i = 1; i < size; i++)
    for (let j = 0; j < i; j++) matrix[i * size + j] = matrix[j * size + i] = (matrix[i * size + j]! + matrix[j * size + i]!) / 2;
  return matrix;
}

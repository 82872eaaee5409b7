/** The Newton step of utilities, of which a common shift is free. */
import { cholesky, solve } from "../../numeric/cholesky.ts";

/** Minus the inverse Hessian, n × n, times the gradient; the entries sum to zero. Undefined where the Hessian has another free direction. */
export function newtonStep(gradient: Float64Array, hessian: Float64Array): Float64Array | undefined {
  const n = gradient.length;
  const matrix = hessian.slice();
  let scale = 0;
  for (let i = 0; i < n; i++) scale += matrix[i * n + i]! / n;
  for (let i = 0; i < matrix.length; i++) matrix[i] = matrix[i]! + scale / n;
  if (!cholesky(matrix, n)) return undefined;
  const step = gradient.map((value) => -value);
  solve(matrix, n, step);
  const mean = step.reduce((sum, value) => sum + value, 0) / n;
  return step.map((value) => value - mean);
}

/** The largest entry without its sign. */
export const largestEntry = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

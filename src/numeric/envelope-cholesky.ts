/**
 * Symmetric positive definite matrices, n × n, row after row, in which row i is 0 before the entry first[i]. The factor has the same envelope, so that
 * factoring a matrix of narrow rows takes far less than the cube of n.
 */

/** Overwrites the lower triangle by L, where L Lᵀ is the matrix; false where it is not positive definite. */
export function envelopeCholesky(matrix: Float64Array, n: number, first: Uint32Array): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = first[i]!; j <= i; j++) {
      const other = j * n;
      let sum = matrix[row + j]!;
      for (let k = Math.max(first[i]!, first[j]!); k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!;
      if (j < i) matrix[row + j] = sum / matrix[other + j]!;
      else if (sum > 0) matrix[row + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** Replaces b by the solution x of L Lᵀ x = b. */
export function envelopeSolve(l: Float64Array, n: number, first: Uint32Array, b: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = b[i]!;
    for (let k = first[i]!; k < i; k++) sum -= l[i * n + k]! * b[k]!;
    b[i] = sum / l[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    const value = b[i]! / l[i * n + i]!;
    b[i] = value;
    for (let k = first[i]!; k < i; k++) b[k] = b[k]! - l[i * n + k]! * value;
  }
}

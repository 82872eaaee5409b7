/** Symmetric positive definite matrices, n × n, row after row. */

/**
 * Overwrites the lower triangle by L, where L Lᵀ is the matrix; false where it is not positive definite. Pivots below `minPivot` are raised
 * to it.
 */
export function cholesky(matrix: Float64Array, n: number, minPivot = 0): boolean {
  for (let j = 0; j < n; j++) {
    const row = j * n;
    let pivot = matrix[row + j]!;
    for (let k = 0; k < j; k++) pivot -= matrix[row + k]! * matrix[row + k]!;
    pivot = Math.max(pivot, minPivot);
    if (!(pivot > 0)) return false;
    const root = Math.sqrt(pivot);
    matrix[row + j] = root;
    // Four rows at a time, which do not wait for each other's sums.
    let i = j + 1;
    for (; i + 3 < n; i += 4) {
      const [r0, r1, r2, r3] = [i * n, (i + 1) * n, (i + 2) * n, (i + 3) * n];
      let [s0, s1, s2, s3] = [matrix[r0 + j]!, matrix[r1 + j]!, matrix[r2 + j]!, matrix[r3 + j]!];
      for (let k = 0; k < j; k++) {
        const value = matrix[row + k]!;
        s0 -= matrix[r0 + k]! * value;
        s1 -= matrix[r1 + k]! * value;
        s2 -= matrix[r2 + k]! * value;
        s3 -= matrix[r3 + k]! * value;
      }
      matrix[r0 + j] = s0 / root;
      matrix[r1 + j] = s1 / root;
      matrix[r2 + j] = s2 / root;
      matrix[r3 + j] = s3 / root;
    }
    for (; i < n; i++) {
      const other = i * n;
      let sum = matrix[other + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[other + k]! * matrix[row + k]!;
      matrix[other + j] = sum / root;
    }
  }
  return true;
}

/** Replaces b by the solution x of L Lᵀ x = b. */
export function solve(l: Float64Array, n: number, b: Float32Array | Float64Array): void {
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    let sum = x[i]!;
    for (let p = 0; p < i; p++) sum -= l[i * n + p]! * x[p]!;
    x[i] = sum / l[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let p = i + 1; p < n; p++) sum -= l[p * n + i]! * x[p]!;
    x[i] = sum / l[i * n + i]!;
  }
  b.set(x);
}

/** The inverse of a matrix, or undefined where it is not positive definite. The matrix is overwritten. */
export function inverse(matrix: Float64Array, n: number): Float64Array | undefined {
  if (!cholesky(matrix, n)) return undefined;
  // The inverse of L, row by row in place of L: its entry (i, j) is -(Σ L_ik X_kj) / L_ii over k from j to i - 1.
  const into = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const scale = 1 / matrix[row + i]!;
    for (let k = 0; k < i; k++) {
      const factor = -matrix[row + k]! * scale;
      for (let j = 0, at = k * n; j <= k; j++, at++) into[row + j] = into[row + j]! + factor * into[at]!;
    }
    into[row + i] = scale;
  }
  // X is the inverse of L, and the inverse of the matrix is Xᵀ X.
  matrix.fill(0);
  for (let k = 0; k < n; k++) {
    const row = k * n;
    for (let i = 0; i <= k; i++) {
      const factor = into[row + i]!;
      for (let j = 0, at = i * n; j <= i; j++, at++) matrix[at] = matrix[at]! + factor * into[row + j]!;
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) matrix[j * n + i] = matrix[i * n + j]!;
  return matrix;
}

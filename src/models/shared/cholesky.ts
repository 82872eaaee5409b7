/** Systems of equations with a positive definite matrix, by its factor L Lᵀ. */

/** The lower factor of m + shift on the diagonal. */
export function factorize(m: Float64Array, n: number, shift: number): Float64Array {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = m[i * n + j]! + (i === j ? shift : 0);
      for (let p = 0; p < j; p++) sum -= l[i * n + p]! * l[j * n + p]!;
      // Rounding can bring a pivot below the shift that keeps it above zero.
      l[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12 * shift)) : sum / l[j * n + j]!;
    }
  return l;
}

/** Replaces b by the solution x of L Lᵀ x = b. */
export function solve(l: Float64Array, n: number, b: Float32Array): void {
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

/**
 * Eigenvalues and eigenvectors of a symmetric matrix: Householder reflections to tridiagonal form, then implicit QL steps (Golub and Van Loan,
 * Matrix Computations, chapter 8). Only operations that IEEE 754 defines exactly, so every machine finds the same bits.
 */

/** Eigenvalues in descending order; column j of `vectors`, stored row after row, belongs to value j. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

const MOST_STEPS = 60; // of QL for one eigenvalue: two or three are usual
const LEAST = 1e-140; // the squares of smaller numbers lose digits, or underflow

/** The eigenvalues and eigenvectors of a symmetric matrix, n × n, of which the lower triangle is read. */
export function eigenSymmetric(matrix: Float64Array, n: number): Eigen {
  const q = matrix.slice(0, n * n);
  const diagonal = new Float64Array(n);
  const below = new Float64Array(n); // below[i] is the entry (i + 1, i)
  tridiagonalize(q, n, diagonal, below);
  diagonalize(q, n, diagonal, below);
  const order = Array.from(diagonal.keys()).sort((a, b) => diagonal[b]! - diagonal[a]! || a - b);
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) vectors[i * n + j] = q[order[j]! * n + i]!;
  return { values: Float64Array.from(order, (i) => diagonal[i]!), vectors };
}

/** Overwrites the matrix A by Q', where Q' A Q is tridiagonal. */
function tridiagonalize(a: Float64Array, n: number, diagonal: Float64Array, below: Float64Array): void {
  const reflections: Float64Array[] = []; // v of I - 2 v v', over places k + 1 on
  const image = new Float64Array(n);
  for (let k = 0; k + 2 < n; k++) {
    const v = reflector(a, n, k);
    reflections.push(v);
    below[k] = v[0]!;
    v[0] = 0;
    // A ← H A H on the remaining square, by w = A v - (v'A v) v: A - 2 v w' - 2 w v'.
    let middle = 0;
    for (let i = k + 1; i < n; i++) {
      let sum = 0;
      for (let j = k + 1; j <= i; j++) sum += a[i * n + j]! * v[j - k]!;
      for (let j = i + 1; j < n; j++) sum += a[j * n + i]! * v[j - k]!;
      image[i] = sum;
      middle += sum * v[i - k]!;
    }
    for (let i = k + 1; i < n; i++) image[i] = image[i]! - middle * v[i - k]!;
    for (let i = k + 1; i < n; i++)
      for (let j = k + 1; j <= i; j++) a[i * n + j] = a[i * n + j]! - 2 * (v[i - k]! * image[j]! + image[i]! * v[j - k]!);
  }
  for (let i = 0; i < n; i++) diagonal[i] = a[i * n + i]!;
  if (n > 1) below[n - 2] = a[(n - 1) * n + n - 2]!;
  a.fill(0);
  for (let i = 0; i < n; i++) a[i * n + i] = 1;
  // Q' = H_last ... H_first, so the last reflection is applied first from the right.
  for (let k = reflections.length - 1; k >= 0; k--) {
    const v = reflections[k]!;
    for (let i = k + 1; i < n; i++) {
      let sum = 0;
      for (let j = k + 1; j < n; j++) sum += a[i * n + j]! * v[j - k]!;
      for (let j = k + 1; j < n; j++) a[i * n + j] = a[i * n + j]! - 2 * sum * v[j - k]!;
    }
  }
}

/** The unit vector whose reflection zeroes column k below the subdiagonal; its first number is the subdiagonal entry that remains. */
function reflector(a: Float64Array, n: number, k: number): Float64Array {
  const v = new Float64Array(n - k); // v[0] is unused by the reflection
  let square = 0;
  for (let i = k + 1; i < n; i++) square += a[i * n + k]! * a[i * n + k]!;
  if (square < LEAST * LEAST) return v; // taken as 0
  const first = a[(k + 1) * n + k]!;
  const length = Math.sqrt(square);
  const rest = first > 0 ? -length : length;
  for (let i = k + 1; i < n; i++) v[i - k] = a[i * n + k]!;
  v[1] = first - rest;
  let norm = 0;
  for (let i = 1; i < v.length; i++) norm += v[i]! * v[i]!;
  const scale = 1 / Math.sqrt(norm);
  for (let i = 1; i < v.length; i++) v[i] = v[i]! * scale;
  v[0] = rest;
  return v;
}

/** QL steps with Wilkinson's shift until the matrix is diagonal. Rotations act on rows of `q`, which holds Q'. */
function diagonalize(q: Float64Array, n: number, d: Float64Array, e: Float64Array): void {
  // Relative to the whole matrix: one of low rank has a corner of rounding errors, which never vanish relative to their neighbors.
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(d[i]!), Math.abs(e[i]!));
  const least = Math.max(LEAST, Number.EPSILON * largest);
  for (let low = 0; low < n; low++)
    for (let step = 0; ; step++) {
      let high = low;
      while (high + 1 < n && !(Math.abs(e[high]!) <= least)) high++;
      if (high === low) break;
      if (step === MOST_STEPS) throw new Error("eigenSymmetric: no convergence; is a number of the matrix NaN?");
      implicitStep(q, n, d, e, low, high);
    }
}

function implicitStep(q: Float64Array, n: number, d: Float64Array, e: Float64Array, low: number, high: number): void {
  const half = (d[low + 1]! - d[low]!) / (2 * e[low]!);
  const root = Math.sqrt(half * half + 1);
  let g = d[high]! - d[low]! + e[low]! / (half + (half < 0 ? -root : root));
  let [sine, cosine, shift] = [1, 1, 0];
  for (let i = high - 1; i >= low; i--) {
    const f = sine * e[i]!;
    const b = cosine * e[i]!;
    const length = Math.sqrt(f * f + g * g);
    e[i + 1] = length;
    if (length === 0) {
      d[i + 1] = d[i + 1]! - shift;
      e[high] = 0;
      return;
    }
    sine = f / length;
    cosine = g / length;
    const before = d[i + 1]! - shift;
    const turn = (d[i]! - before) * sine + 2 * cosine * b;
    shift = sine * turn;
    d[i + 1] = before + shift;
    g = cosine * turn - b;
    for (let j = 0; j < n; j++) {
      const [upper, lower] = [q[(i + 1) * n + j]!, q[i * n + j]!];
      q[(i + 1) * n + j] = sine * lower + cosine * upper;
      q[i * n + j] = cosine * lower - sine * upper;
    }
  }
  d[low] = d[low]! - shift;
  e[low] = g;
  e[high] = 0;
}

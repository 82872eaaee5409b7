/**
 * Embeddings whose inner products match a graph of similarities: singular value projection (Jain, Meka and Dhillon 2010) for symmetric
 * matrices,
 *
 *   M ← P_rank(M + η S),  S = similarity - M on the entries of the graph, and 0 elsewhere,
 *
 * where P_rank keeps the largest eigenvalues that are above 0. M is kept as U diag(λ) U', and the eigenvectors of one step start the search for
 * those of the next: one step of orthogonal iteration and a Rayleigh-Ritz projection, so nothing of rows × rows is ever stored.
 */
import { type Eigen, eigenSymmetric } from "../../numeric/eigen.ts";
import { matmul, matrixView, rowSlice, transposed } from "../../numeric/matmul.ts";
import type { Random, Team } from "../../types.ts";
import type { Entries } from "../shared/sparse.ts";
import { forBlocks, forValues, multiplySparse, type TallMatrix } from "../shared/tall-matrix.ts";

/** Shared matrices of the shape of the embedding, and smaller ones. */
export interface EmbeddingScratch {
  readonly u: TallMatrix;
  readonly w: TallMatrix;
  readonly image: TallMatrix;
  /** η S: a number for each entry of the graph, at least. */
  readonly residual: Float32Array;
  /** rank × rank. */
  readonly turn: Float32Array;
  /** rank × rank for each block of rows. */
  readonly products: Float32Array;
}

const ETA = 0.5;
const LEAST = 1e-6; // squared length of what is new in a column of length 1: rounding

/** Writes an embedding of each row of the graph into `z`. Returns the sum of squared errors over the entries of the graph. */
export function embed(
  team: Team,
  graph: Entries,
  z: TallMatrix,
  steps: number,
  generator: () => Random,
  scratch: EmbeddingScratch,
): number {
  const { u, w, image, residual, turn } = scratch;
  const { rows, k } = z;
  const s: Entries = { ...graph, values: residual };
  let lambda = new Float64Array(k);
  team.parallelFor(1, () => {
    const draw = generator();
    for (let i = 0; i < rows * k; i++) w.values[i] = 2 * draw() - 1;
  });
  for (let step = 0; step <= steps; step++) {
    // The first step makes the random start orthonormal, with all λ = 0.
    if (step > 0) {
      computeResidual(team, graph, z, residual);
      multiplySparse(team, s, u, w);
      forValues(team, w, (i) => {
        w.values[i] = w.values[i]! + lambda[i % k]! * u.values[i]!;
      });
      multiplySparse(team, s, w, image);
    }
    const [gram, overlap, curvature] = crossProducts(team, w, step > 0 ? [w, u, image] : [w], scratch);
    const basis = orthonormalBasis(gram!, k);
    const { values, vectors } =
      step > 0
        ? eigenWithin(projected(basis, overlap!, curvature!, lambda, k), basis, k)
        : { values: new Float64Array(k), vectors: identity(k) };
    lambda = values.map((value) => Math.max(0, value));
    const rotation = multiply(basis, vectors, k);
    team.parallelFor(1, () => turn.set(rotation));
    forBlocks(team, w, (from, to) => {
      const part = (matrix: TallMatrix) => rowSlice(matrixView(matrix.values, rows, k), from, to);
      if (to > from) matmul(part(w), matrixView(turn, k, k), part(u));
    });
    forValues(team, z, (i) => {
      z.values[i] = Math.sqrt(lambda[i % k]!) * u.values[i]!;
    });
  }
  return computeResidual(team, graph, z, residual) / (ETA * ETA);
}

/** η (similarity - z_i · z_j) for each entry of the graph. Returns the sum of squares. */
function computeResidual(team: Team, { starts, indices, values }: Entries, z: TallMatrix, into: Float32Array): number {
  const { k, bounds, values: all } = z;
  return team.sum(bounds.length - 1, 1, (block, sum) => {
    for (let r = bounds[block]!; r < bounds[block + 1]!; r++)
      for (let e = starts[r]!; e < starts[r + 1]!; e++) {
        const [a, b] = [r * k, indices[e]! * k];
        let product = 0;
        for (let i = 0; i < k; i++) product += all[a + i]! * all[b + i]!;
        into[e] = ETA * (values[e]! - product);
        sum[0] = sum[0]! + into[e]! * into[e]!;
      }
  })[0]!;
}

/** w' b for each b, rank × rank, summed block by block. */
function crossProducts(
  team: Team,
  w: TallMatrix,
  others: readonly TallMatrix[],
  { products }: EmbeddingScratch,
): readonly Float64Array[] {
  const { k, rows, bounds } = w;
  const size = k * k;
  const view = (matrix: TallMatrix, block: number) =>
    rowSlice(matrixView(matrix.values, rows, k), bounds[block]!, bounds[block + 1]!);
  const sums = team.sum(bounds.length - 1, others.length * size, (block, into) => {
    if (bounds[block] === bounds[block + 1]) return;
    const product = products.subarray(block * size, (block + 1) * size);
    others.forEach((other, which) => {
      matmul(transposed(view(w, block)), view(other, block), matrixView(product, k, k));
      for (let i = 0; i < size; i++) into[which * size + i] = product[i]!;
    });
  });
  return others.map((_, which) => sums.slice(which * size, (which + 1) * size));
}

/**
 * P with P' (W'W) P = I, for columns that add something new, and columns of 0 for the others: the inverse of the transposed Cholesky
 * factor of W'W with columns brought to length 1.
 */
function orthonormalBasis(gram: Float64Array, n: number): Float64Array {
  const scale = Float64Array.from({ length: n }, (_, i) => (gram[i * n + i]! > 0 ? 1 / Math.sqrt(gram[i * n + i]!) : 0));
  const l = new Float64Array(n * n);
  const inverse = new Float64Array(n * n); // of l, row after row
  for (let i = 0; i < n; i++) {
    let left = scale[i]! > 0 ? 1 : 0;
    for (let j = 0; j < i; j++) {
      if (l[j * n + j] === 0) continue;
      let sum = scale[i]! * gram[i * n + j]! * scale[j]!;
      for (let p = 0; p < j; p++) sum -= l[i * n + p]! * l[j * n + p]!;
      const entry = sum / l[j * n + j]!;
      l[i * n + j] = entry;
      left -= entry * entry;
    }
    if (!(left > LEAST)) {
      l.fill(0, i * n, (i + 1) * n);
      continue;
    }
    const root = Math.sqrt(left);
    l[i * n + i] = root;
    inverse[i * n + i] = 1 / root;
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let p = j; p < i; p++) sum += l[i * n + p]! * inverse[p * n + j]!;
      inverse[i * n + j] = -sum / root;
    }
  }
  return Float64Array.from(
    { length: n * n },
    (_, at) => scale[Math.floor(at / n)]! * inverse[(at % n) * n + Math.floor(at / n)]!,
  );
}

/** P' (W'(U λ U' + S) W) P. */
function projected(
  basis: Float64Array,
  overlap: Float64Array,
  curvature: Float64Array,
  lambda: Float64Array,
  n: number,
): Float64Array {
  const scaled = Float64Array.from(overlap, (value, at) => value * lambda[at % n]!);
  const middle = multiply(scaled, transpose(overlap, n), n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) middle[i * n + j] = middle[i * n + j]! + (curvature[i * n + j]! + curvature[j * n + i]!) / 2;
  return multiply(transpose(basis, n), multiply(middle, basis, n), n);
}

/** The eigenvalues and eigenvectors where the basis has columns, before those of 0 for the others: these would mix with eigenvectors of value 0. */
function eigenWithin(matrix: Float64Array, basis: Float64Array, n: number): Eigen {
  const kept = Array.from({ length: n }, (_, i) => i).filter((i) => basis[i * n + i] !== 0);
  const own = eigenSymmetric(Float64Array.from(kept.flatMap((i) => kept.map((j) => matrix[i * n + j]!))), kept.length);
  const [values, vectors] = [new Float64Array(n), new Float64Array(n * n)];
  values.set(own.values);
  kept.forEach((i, at) => {
    vectors.set(own.vectors.subarray(at * kept.length, (at + 1) * kept.length), i * n);
  });
  return { values, vectors };
}

function multiply(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let p = 0; p < n; p++) {
      const factor = a[i * n + p]!;
      if (factor !== 0) for (let j = 0; j < n; j++) c[i * n + j] = c[i * n + j]! + factor * b[p * n + j]!;
    }
  return c;
}

const transpose = (a: Float64Array, n: number) => Float64Array.from(a, (_, at) => a[(at % n) * n + Math.floor(at / n)]!);

const identity = (n: number) => Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));

import { expect, it } from "vitest";
import { eigenSymmetric } from "./eigen.ts";
import { random } from "./random.ts";

/** A = Q diag(values) Q' for a random orthogonal Q. */
function symmetric(n: number, values: readonly number[], seed: number): Float64Array {
  const draw = random(seed, n);
  const rows: number[][] = [];
  while (rows.length < n) {
    const row = Array.from({ length: n }, () => 2 * draw() - 1);
    for (let pass = 0; pass < 2; pass++)
      for (const other of rows) {
        const dot = row.reduce((sum, x, i) => sum + x * other[i]!, 0);
        for (let i = 0; i < n; i++) row[i] = row[i]! - dot * other[i]!;
      }
    const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
    rows.push(row.map((x) => x / length));
  }
  return Float64Array.from({ length: n * n }, (_, at) =>
    rows.reduce((sum, row, k) => sum + row[Math.floor(at / n)]! * values[k]! * row[at % n]!, 0),
  );
}

/** The largest errors of A V = V diag(values), and of V'V = I. */
function errorsOf(
  matrix: Float64Array,
  n: number,
): { readonly values: Float64Array; readonly error: number; readonly skew: number } {
  const { values, vectors } = eigenSymmetric(matrix, n);
  let [skew, error] = [0, 0];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let [dot, image] = [0, 0];
      for (let k = 0; k < n; k++) {
        dot += vectors[k * n + i]! * vectors[k * n + j]!;
        image += matrix[i * n + k]! * vectors[k * n + j]!;
      }
      skew = Math.max(skew, Math.abs(dot - (i === j ? 1 : 0)));
      error = Math.max(error, Math.abs(image - values[j]! * vectors[i * n + j]!));
    }
  return { values, error, skew };
}

it("finds the eigenvalues and orthonormal eigenvectors of random symmetric matrices", () => {
  for (let seed = 0; seed < 120; seed++) {
    const draw = random(seed, 0xe1);
    const n = 1 + Math.floor(draw() * 24);
    const kind = seed % 4;
    const wanted = Array.from({ length: n }, () =>
      kind === 0 ? 2 * draw() - 1 : kind === 1 ? Math.floor(4 * draw()) : kind === 2 ? 10 ** (12 * draw() - 6) : 0,
    ).sort((a, b) => b - a);
    const { values, error, skew } = errorsOf(symmetric(n, wanted, seed), n);
    const size = Math.max(1e-300, ...wanted.map(Math.abs));
    expect(skew).toBeLessThan(1e-12);
    expect(error).toBeLessThanOrEqual(1e-13 * n * size);
    for (const [i, value] of wanted.entries()) expect(Math.abs(values[i]! - value)).toBeLessThanOrEqual(1e-13 * n * size);
  }
});

it.each([1, 1e-60, 1e60])("takes large matrices of low rank, whose other numbers are rounding, times %s", (factor) => {
  for (let seed = 0; seed < 12; seed++) {
    const draw = random(seed, 0xe2);
    const [n, rank] = [60 + Math.floor(draw() * 40), 1 + Math.floor(draw() * 20)];
    const matrix = new Float64Array(n * n);
    for (let r = 0; r < rank; r++) {
      const sign = draw() < 0.7 ? 1 : -1;
      const row = Array.from({ length: n }, () => (draw() < 0.5 ? 0 : seed % 2 === 0 ? draw() : Math.floor(3 * draw())));
      for (let at = 0; at < n * n; at++) matrix[at] = matrix[at]! + factor * sign * row[Math.floor(at / n)]! * row[at % n]!;
    }
    const { values, error, skew } = errorsOf(matrix, n);
    const size = Math.max(...matrix.map(Math.abs));
    expect(skew).toBeLessThan(1e-12);
    expect(error).toBeLessThanOrEqual(1e-13 * n * size);
    expect(values.filter((value) => Math.abs(value) > 1e-13 * n * n * size).length).toBeLessThanOrEqual(rank);
  }
});

it("reads the lower triangle alone, leaves the matrix as it is, and takes a diagonal one", () => {
  const matrix = Float64Array.of(2, 99, 1, 2);
  expect(Array.from(eigenSymmetric(matrix, 2).values)).toEqual([3, 1].map((x) => expect.closeTo(x, 14)));
  expect(Array.from(matrix)).toEqual([2, 99, 1, 2]);
  expect(Array.from(eigenSymmetric(Float64Array.of(1, 0, 0, 5), 2).values)).toEqual([5, 1]);
  expect(eigenSymmetric(new Float64Array(0), 0).values.length).toBe(0);
});

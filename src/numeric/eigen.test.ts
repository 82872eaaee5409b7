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

it("finds the eigenvalues and orthonormal eigenvectors of random symmetric matrices", () => {
  for (let seed = 0; seed < 120; seed++) {
    const draw = random(seed, 0xe1);
    const n = 1 + Math.floor(draw() * 24);
    const kind = seed % 4;
    const wanted = Array.from({ length: n }, () =>
      kind === 0 ? 2 * draw() - 1 : kind === 1 ? Math.floor(4 * draw()) : kind === 2 ? 10 ** (12 * draw() - 6) : 0,
    ).sort((a, b) => b - a);
    const matrix = symmetric(n, wanted, seed);
    const { values, vectors } = eigenSymmetric(matrix, n);
    const size = Math.max(1e-300, ...wanted.map(Math.abs));
    let [skew, error] = [0, Math.max(...wanted.map((value, i) => Math.abs(values[i]! - value)))];
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
    expect(skew).toBeLessThan(1e-12);
    expect(error).toBeLessThanOrEqual(1e-13 * n * size);
  }
});

it("reads the lower triangle alone, leaves the matrix as it is, and takes a diagonal one", () => {
  const matrix = Float64Array.of(2, 99, 1, 2);
  expect(Array.from(eigenSymmetric(matrix, 2).values)).toEqual([3, 1].map((x) => expect.closeTo(x, 14)));
  expect(Array.from(matrix)).toEqual([2, 99, 1, 2]);
  expect(Array.from(eigenSymmetric(Float64Array.of(1, 0, 0, 5), 2).values)).toEqual([5, 1]);
  expect(eigenSymmetric(new Float64Array(0), 0).values.length).toBe(0);
});

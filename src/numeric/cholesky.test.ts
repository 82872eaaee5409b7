import { describe, expect, it } from "vitest";
import { cholesky, inverse, solve } from "./cholesky.ts";

describe("Cholesky factors", () => {
  // L = [[2, 0], [3, 1]], so L Lᵀ = [[4, 6], [6, 10]].
  const matrix = () => Float64Array.of(4, 6, 6, 10);

  it("by hand", () => {
    const m = matrix();
    expect(cholesky(m, 2)).toBe(true);
    expect([m[0], m[2], m[3]]).toEqual([2, 3, 1]);
    const b = Float32Array.of(4 * 5 + 6 * 7, 6 * 5 + 10 * 7);
    solve(m, 2, b);
    expect([...b]).toEqual([5, 7]);
    expect([...inverse(matrix(), 2)!]).toEqual([10 / 4, -6 / 4, -6 / 4, 4 / 4]);
  });

  it("a matrix that is not positive definite has none, unless pivots are raised", () => {
    expect(cholesky(Float64Array.of(1, 2, 2, 4), 2)).toBe(false);
    expect(inverse(Float64Array.of(1, 2, 2, 3), 2)).toBeUndefined();
    const raised = Float64Array.of(1, 2, 2, 4);
    expect(cholesky(raised, 2, 1e-6)).toBe(true);
    expect(raised[3]).toBe(Math.sqrt(1e-6));
    expect(cholesky(Float64Array.of(Number.NaN, 0, 0, 1), 2, 1e-6)).toBe(false);
  });
});

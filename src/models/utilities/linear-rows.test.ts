import { describe, expect, it } from "vitest";
import { cholesky, solve } from "../../numeric/cholesky.ts";
import { envelopeCholesky, envelopeSolve } from "../../numeric/envelope-cholesky.ts";
import { below, random } from "../../numeric/random.ts";
import { davidson, rankNet, raoKupper } from "../../objectives/index.ts";
import { fitLinearRows, formAt, formsOf, type LinearRows, linearRowsHessian, rowCosts } from "./linear-rows.ts";

describe("a Cholesky factor within an envelope", () => {
  it.each([0, 1, 3, 7, 20])("is that of the matrix: %d", (most) => {
    const r = random(most);
    const n = 20;
    const matrix = new Float64Array(n * n);
    const first = Uint32Array.from({ length: n }, (_, i) => (i === n - 2 ? 0 : Math.max(0, i - below(r, most + 1))));
    for (let i = 0; i < n; i++) {
      for (let j = first[i]!; j < i; j++) matrix[i * n + j] = matrix[j * n + i] = r() - 0.5;
      matrix[i * n + i] = 12;
    }
    const [band, dense] = [matrix.slice(), matrix.slice()];
    const right = Float64Array.from({ length: n }, () => r());
    const [a, b] = [right.slice(), right.slice()];
    expect([envelopeCholesky(band, n, first), cholesky(dense, n)]).toEqual([true, true]);
    envelopeSolve(band, n, first, a);
    solve(dense, n, b);
    a.forEach((value, i) => void expect(value).toBeCloseTo(b[i]!, 12));
  });
  it("a matrix that is not positive definite has none", () => {
    expect(envelopeCholesky(Float64Array.of(1, 2, 2, 1), 2, Uint32Array.of(0, 0))).toBe(false);
  });
});

/** Rows at random: margins of three parameters, tie parameters of two more. */
function drawn(seed: number, objective: LinearRows["objective"]): LinearRows {
  const r = random(seed);
  const n = 40;
  const counts = () => Float64Array.from({ length: n }, () => below(r, 4));
  const margin = formsOf(Array.from({ length: n }, () => [[below(r, 3), r() - 0.5], [below(r, 3), 2 * r() - 1]])); // biome-ignore format: two terms
  const tie = formsOf(Array.from({ length: n }, () => [[3, 1], [4, r() - 0.5]])); // biome-ignore format: two terms
  return {
    ...{ size: 5, objective, wins: counts(), losses: counts(), ties: counts(), margin },
    ...(objective.auxiliary.length > 0 && { tie }),
    penalties: [{ forms: formsOf([[[0, 1], [1, -1]], [[2, 1]], [[4, 1]], [[3, 1]]]), weight: 0.3 }], // biome-ignore format: rows
  };
}

describe.each([rankNet(), davidson(), raoKupper()])("linear rows under $id", (objective) => {
  const rows = drawn(7, objective);
  const total = (params: Float64Array) => {
    const { forms, weight } = rows.penalties![0]!;
    const penalty = Array.from({ length: 4 }, (_, r) => (weight / 2) * formAt(forms, params, r) ** 2);
    return rowCosts(rows, params).reduce((sum, one) => sum + one, 0) + penalty.reduce((sum, one) => sum + one, 0);
  };
  const { params, cost, penalty } = fitLinearRows(rows);
  const moved = (i: number, h: number, j = 0, g = 0) => params.map((x, k) => x + (k === i ? h : 0) + (k === j ? g : 0));

  it("the fit is a minimum: slopes by differences are 0, and every step up", () => {
    expect(cost + penalty).toBeCloseTo(total(params), 10);
    for (let i = 0; i < 5; i++) {
      expect(Math.abs(total(moved(i, 1e-5)) - total(moved(i, -1e-5)))).toBeLessThan(1e-9);
      for (const h of [-0.1, 0.1]) expect(total(moved(i, h))).toBeGreaterThan(total(params) - 1e-12);
    }
  });

  it("second derivatives are those by differences", () => {
    const hessian = linearRowsHessian(rows, params);
    const h = 1e-3;
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 5; j++) {
        const found =
          (total(moved(i, h, j, h)) - total(moved(i, h, j, -h)) - total(moved(i, -h, j, h)) + total(moved(i, -h, j, -h))) /
          (4 * h * h);
        expect(hessian[i * 5 + j]).toBeCloseTo(found, 3);
      }
    }
  });
});

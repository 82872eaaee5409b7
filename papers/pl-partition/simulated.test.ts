import { describe, expect, it } from "vitest";
import { METHODS, recover } from "./recovery.ts";
import { draw, meanSquaredError, TIERS } from "./simulated.ts";

describe("the synthetic data", () => {
  const { p, tiers, oracle } = draw(700, 6, 3);
  it("every list is a full ranking in four tiers, with at most 500 items in the top three", () => {
    for (let q = 0; q < 6; q++) {
      const [from, to] = [tiers.starts[q]!, tiers.starts[q + 1]!];
      expect(new Set(tiers.items!.subarray(from, to)).size).toBe(700);
      expect(new Set(tiers.labels.subarray(from, to)).size).toBe(TIERS);
      const top = tiers.labels.subarray(from, to).filter((label) => label > 0).length;
      expect(top).toBeLessThanOrEqual(500);
      expect(new Set(oracle.labels.subarray(from, to)).size).toBe(top + 1);
    }
  });
  it("p is a distribution whose extremes differ by at most a factor N", () => {
    expect(p.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    expect(Math.max(...p) / Math.min(...p)).toBeLessThanOrEqual(700);
  });
  it("the error of the truth is 0, of equal shares the variance of p", () => {
    expect(meanSquaredError(p.map(Math.log), p)).toBeLessThan(1e-30);
    const variance = p.reduce((sum, one) => sum + (one - 1 / 700) ** 2, 0) / 700;
    expect(meanSquaredError(new Float64Array(700), p)).toBeCloseTo(variance, 15);
  });
});

it.each([
  [10, 100],
  [30, 60],
])("PL-Partition recovers p best of all but the oracle: N = %i, n = %i", (items, n) => {
  const errors = METHODS.filter(({ oracle }) => !oracle).map((method) => ({
    name: method.name,
    error: (recover(method, items, n, 1) + recover(method, items, n, 2)) / 2,
  }));
  const best = errors.reduce((a, b) => (b.error < a.error ? b : a));
  expect(best.name).toBe("PL-Partition");
});

import { describe, expect, it } from "vitest";
import { kendall } from "./kendall.ts";
import { spearman } from "./spearman.ts";

describe("kendall", () => {
  it("agrees with the example of SciPy's kendalltau", () => {
    const tau = kendall().measure(Float64Array.of(12, 2, 1, 12, 2), Float32Array.of(1, 4, 7, 1, 0));
    expect(tau).toBeCloseTo(-4 / Math.sqrt(8 * 9), 15); // 2 pairs agree, 6 do not, 2 are tied in scores, 1 in labels; SciPy: -0.4714
    expect(tau).toBeCloseTo(-0.4714045207910317, 12);
  });
  it("opposite orders give -1, undefined for equal labels, equal scores order nothing", () => {
    expect(kendall().measure(Float64Array.of(1, 2, 3), Float32Array.of(3, 2, 1))).toBe(-1);
    expect(kendall().measure(Float64Array.of(1, 2, 3), Float32Array.of(1, 1, 1))).toBeNaN();
    expect(kendall().measure(Float64Array.of(1, 1, 1), Float32Array.of(1, 2, 3))).toBe(0);
  });
});

describe("spearman", () => {
  it("agrees with the example of SciPy's spearmanr", () => {
    const rho = spearman().measure(Float64Array.of(1, 2, 3, 4, 5), Float32Array.of(5, 6, 7, 8, 7));
    expect(rho).toBeCloseTo(8 / Math.sqrt(10 * 9.5), 15); // ranks 1 2 3.5 5 3.5; SciPy: 0.8208
  });
  it("tied scores in the order of the data are ranked apart", () => {
    const list = [Float64Array.of(1, 1), Float32Array.of(0, 1)] as const;
    expect([spearman().measure(...list), spearman({ ties: "order" }).measure(...list)]).toEqual([0, -1]);
  });
});

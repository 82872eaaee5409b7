import { describe, expect, it } from "vitest";
import { mrr } from "./mrr.ts";

describe("mrr", () => {
  it("one relevant item among three tied ones stands at each place alike", () => {
    expect(mrr().measure(new Float64Array(3), Float32Array.of(0, 1, 0))).toBeCloseTo((1 + 1 / 2 + 1 / 3) / 3, 15);
  });
  it("two relevant items among four tied ones: first with chances 3/6, 2/6 and 1/6", () => {
    expect(mrr().measure(new Float64Array(4), Float32Array.of(0, 1, 0, 2))).toBeCloseTo((3 + 2 / 2 + 1 / 3) / 6, 15);
  });
  it("is 0 when the first relevant item stands beyond k", () => {
    const list = [Float64Array.of(3, 2, 1), Float32Array.of(0, 0, 1)] as const;
    expect([mrr({ k: 2 }).measure(...list), mrr({ k: 3 }).measure(...list)]).toEqual([0, 1 / 3]);
  });
});

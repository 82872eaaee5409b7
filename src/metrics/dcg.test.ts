import { describe, expect, it } from "vitest";
import { dcg } from "./dcg.ts";

describe("dcg", () => {
  it("gains are discounted by log2 of one more than the place", () => {
    const value = dcg().measure(Float64Array.of(3, 2, 1), Float32Array.of(0, 2, 1));
    expect(value).toBeCloseTo(3 / Math.log2(3) + 1 / 2, 14);
  });
  it("two items tied across the cutoff share the first place: scikit-learn's example", () => {
    const value = dcg({ k: 1, gain: "lin" }).measure(Float64Array.of(1, 0, 0, 0, 1), Float32Array.of(10, 0, 0, 1, 5));
    expect(value).toBe((10 + 5) / 2);
  });
  it("the old LETOR tools discount neither of the first two places", () => {
    const value = dcg({ discount: "letor" }).measure(Float64Array.of(4, 3, 2, 1), Float32Array.of(1, 1, 1, 1));
    expect(value).toBeCloseTo(1 + 1 + 1 / Math.log2(3) + 1 / 2, 14);
  });
  it("labels whose power overflows are refused, unless the gain is linear", () => {
    const list = [Float64Array.of(1), Float32Array.of(2000)] as const;
    expect(() => dcg().measure(...list)).toThrow("dcg: 2^l of label 2000 overflows; use gain=lin");
    expect(dcg({ gain: "lin" }).measure(...list)).toBe(2000);
  });
});

import { describe, expect, it } from "vitest";
import { meanAveragePrecision } from "./map.ts";

const placed = (...labels: number[]) => [Float64Array.from(labels, (_, place) => -place), Float32Array.from(labels)] as const;

describe("map", () => {
  it("precision at the places of relevant items", () => {
    expect(meanAveragePrecision().measure(...placed(1, 0, 2, 0, 1))).toBeCloseTo((1 / 1 + 2 / 3 + 3 / 5) / 3, 15);
  });
  it("the cut divides by what the places can hold, or by all relevant items as map_cut does", () => {
    expect(meanAveragePrecision({ k: 2 }).measure(...placed(1, 0, 1, 1))).toBe(1 / 2);
    expect(meanAveragePrecision({ k: 2, divisor: "all" }).measure(...placed(1, 0, 1, 1))).toBe(1 / 3);
    expect(meanAveragePrecision({ k: 2 }).variant).toContain("divided by the smaller of relevant items and 2,");
  });
  it("two tied items, one of them relevant", () => {
    expect(meanAveragePrecision().measure(Float64Array.of(0, 0), Float32Array.of(0, 1))).toBe((1 + 1 / 2) / 2);
  });
  it("rel moves what counts as relevant", () => {
    expect(meanAveragePrecision({ rel: 2 }).measure(...placed(1, 2))).toBe(1 / 2);
    expect(meanAveragePrecision({ rel: 0.5 }).measure(...placed(0.25, 0.5))).toBe(1 / 2);
  });
});

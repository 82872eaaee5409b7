import { describe, expect, it } from "vitest";
import type { Dataset } from "../types.ts";
import { average, psndcg, psp } from "./index.ts";

/** Two lists of three items of a label space of four; items 0 to 3 are relevant in 1, 2, 5 and 20 of 50 training lists. */
const data: Dataset = {
  starts: Uint32Array.of(0, 3, 6),
  labels: Float32Array.of(1, 0, 1, 0, 1, 0),
  items: Uint32Array.of(0, 1, 3, 0, 2, 3),
  labelFrequency: { lists: 50, counts: Uint32Array.of(1, 2, 5, 20) },
  features: { kind: "dense", rows: 6, columns: 0, values: new Float32Array(0) },
  base: 0,
  names: {},
};
const scores = Float64Array.of(1, 2, 3, 1, 2, 3); // hits: item 3 first and item 0 third; item 2 second
const q = (count: number, a = 0.55, b = 1.5) => 1 + (Math.log(50) - 1) * (b + 1) ** a * (count + b) ** -a;

describe("propensity-scored metrics", () => {
  it("psp is the ratio of the mean reached and the mean possible", () => {
    expect(average(psp({ k: 1 }), scores, data).mean).toBeCloseTo((q(20) + 0) / (q(1) + q(5)), 13);
    expect(average(psp({ k: 2 }), scores, data).mean).toBeCloseTo((q(20) + q(5)) / (q(1) + q(20) + q(5)), 13);
    expect(average(psp({ k: 3 }), scores, data).mean).toBeCloseTo(1, 13);
  });

  it("psndcg discounts places and divides each list by that of its relevant items", () => {
    const [second, third] = [1 / Math.log2(3), 1 / Math.log2(4)];
    const reached = (q(20) + q(1) * third) / (1 + second) + (q(5) * second) / 1;
    const possible = (q(1) + q(20) * second) / (1 + second) + q(5);
    expect(average(psndcg({ k: 3 }), scores, data).mean).toBeCloseTo(reached / possible, 13);
  });

  it("A and B are options", () => {
    const metric = psp({ k: 1, a: 0.6, b: 2.6 });
    expect(metric.spec).toBe("psp@1;a=0.6;b=2.6");
    expect(average(metric, scores, data).mean).toBeCloseTo(q(20, 0.6, 2.6) / (q(1, 0.6, 2.6) + q(5, 0.6, 2.6)), 13);
  });

  it("without counts of the training data there is no propensity", () => {
    const { labelFrequency: _, ...rest } = data;
    expect(() => average(psp({ k: 1 }), scores, rest)).toThrow(
      "psp@1 needs to know how often items are relevant in the training data",
    );
  });
});

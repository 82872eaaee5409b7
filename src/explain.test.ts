import { describe, expect, it } from "vitest";
import { build } from "./data/build.ts";
import { explain, whyAbove } from "./explain.ts";
import { fit } from "./fit.ts";
import { learner } from "./models/index.ts";
import { random } from "./numeric/random.ts";
import { objective } from "./objectives/index.ts";

const r = random(4);
const rows = Array.from({ length: 120 }, (_, i) => {
  const features = [r(), r(), r()];
  return { list: Math.floor(i / 10), label: Math.round(2 * features[0]! + features[1]!), features };
});
const data = build(rows);

describe.each(["linear", "linear:scale=list", "linear:scale=none", "trees:rounds=10,min-items=3"])("%s", (text) => {
  const { model } = fit(data, { model: learner(text), objective: objective("pl-partition") });
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  const items = explain(model, data, 3);

  it("items stand in the order of their scores, and reasons sum to what sets them apart from the mean", () => {
    const own = scores.subarray(data.starts[3]!, data.starts[4]!);
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
    expect(items.map(({ index }) => index).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    items.forEach(({ index, score, reasons }, place) => {
      expect(score).toBeCloseTo(own[index]!, 9);
      if (place > 0) expect(score).toBeLessThanOrEqual(items[place - 1]!.score);
      expect(reasons.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score - mean, 9);
    });
  });

  it("why one stands above another: parts that sum to the difference, the largest first", () => {
    const reasons = whyAbove(items[0]!, items[9]!);
    expect(reasons.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(items[0]!.score - items[9]!.score, 9);
    for (let i = 1; i < reasons.length; i++)
      expect(Math.abs(reasons[i]!.contribution)).toBeLessThanOrEqual(Math.abs(reasons[i - 1]!.contribution));
  });

  it("a number of no list is refused, also beyond 32 bits", () => {
    for (const list of [-1, data.starts.length - 1, 0.5, 2 ** 32])
      expect(() => explain(model, data, list)).toThrow(/^(explain|subset).*list/);
  });
});

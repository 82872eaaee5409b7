import { describe, expect, it } from "vitest";
import { clickLog } from "./clicks/click-log.ts";
import { judgedLists } from "./clicks/reference-lists.ts";
import { counterfactualDcg } from "./counterfactual.ts";
import { build } from "./data/build.ts";
import type { PositionBias } from "./position-bias.ts";

const bias = {
  ...{ method: "em", positions: ["1", "2"], propensities: Float64Array.of(1, 0.5) },
  ...{ shown: new Float64Array(2), clicks: new Float64Array(2) },
} satisfies PositionBias;
const data = build(["x", "y", "z"].map((id, i) => ({ list: "q", id, label: 0, features: [i] })));
const shown = (clicked: readonly [boolean, boolean], impression: number) => [
  { query: "q", document: "x", position: 1, clicked: clicked[0], impression },
  { query: "q", document: "y", position: 2, clicked: clicked[1], impression },
];
const log = clickLog([
  ...shown([true, false], 1),
  ...shown([false, true], 2),
  ...shown([false, false], 3),
  ...shown([false, false], 4),
]);

describe("counterfactualDcg", () => {
  // x: 1 click on 4 examinations; y: 1 click on 4 / 2.
  const discount = (rank: number) => 1 / Math.log2(1 + rank);

  it("weighs clicks by the inverse of expected examinations", () => {
    const { ips, logged, unseen, queries, impressions } = counterfactualDcg(log, data, Float64Array.of(1, 3, 2), { bias, k: 3 });
    expect(ips.mean).toBeCloseTo(0.5 * discount(1) + 0.25 * discount(3), 12); // y, z, x
    expect(logged.mean).toBeCloseTo(0.25 * discount(1) + 0.5 * discount(2), 12);
    expect([unseen, queries, impressions]).toEqual([1 / 3, 1, 4]);
  });

  it("doubly robust: what was not shown has the relevance of the model", () => {
    const relevance = [0.9, 0.9, 0.3];
    const { doublyRobust, difference, logged } = counterfactualDcg(log, data, Float64Array.of(1, 3, 2), {
      bias,
      k: 3,
      relevance,
    });
    expect(doublyRobust.mean).toBeCloseTo(0.5 * discount(1) + 0.3 * discount(2) + 0.25 * discount(3), 12);
    expect(difference.mean).toBeCloseTo(doublyRobust.mean - logged.mean, 12);
  });

  it("ranks past k do not count, and propensities are clipped", () => {
    expect(counterfactualDcg(log, data, Float64Array.of(1, 3, 2), { bias, k: 1 }).ips.mean).toBeCloseTo(0.5, 12);
    expect(counterfactualDcg(log, data, Float64Array.of(1, 3, 2), { bias, k: 1, clip: 1 }).ips.mean).toBeCloseTo(0.25, 12);
  });

  it("refuses scores and relevances of another length", () => {
    expect(() => counterfactualDcg(log, data, Float64Array.of(1), { bias })).toThrow(/expected a score for each of the 3 items/);
    expect(() => counterfactualDcg(log, data, new Float64Array(3), { bias, relevance: [1] })).toThrow(/expected 3 numbers/);
    const other = judgedLists(1, 2, 1).data;
    expect(() => counterfactualDcg(log, other, new Float64Array(2), { bias })).toThrow(/no document of the log is in the data/);
  });
});

import { expect, it } from "vitest";
import { chooseBlend, type UsableTrial } from "./auto-blend.ts";
import { autoFolds } from "./auto-folds.ts";
import { build } from "./data/build.ts";
import { precision } from "./metrics/index.ts";
import { random } from "./numeric/random.ts";

/** Lists of ten items, one of them relevant, at a place that changes. */
const listsOf = (lists: number) =>
  build(
    Array.from({ length: 10 * lists }, (_, i) => ({
      list: Math.floor(i / 10),
      label: i % 10 === (7 * Math.floor(i / 10)) % 10 ? 1 : 0,
      features: [0],
    })),
  );
const trial = (scores: Float32Array) => ({ scores }) as unknown as UsableTrial; // a choice needs no more of it
const conditionsOf = (lists: number) => {
  const data = listsOf(lists);
  return { data, folds: autoFolds("test", data, 3, 1), metrics: [precision({ k: 1 })] };
};

it("estimates are means over all lists, each under the blend of the other folds", () => {
  const { data, ...rest } = conditionsOf(40);
  // The relevant item is first but in every fourth list.
  const scores = Float32Array.from(data.labels, (label, i) => (Math.floor(i / 10) % 4 === 3 ? -label : label));
  const { weights, scales, estimates } = chooseBlend([trial(scores), trial(new Float32Array(400))], { data, ...rest }, 1);
  expect(weights.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 14);
  expect(weights[0]).toBeGreaterThan(0.5);
  expect(scales[1]).toBe(1); // scores without a deviation are not scaled
  const { mean, error } = estimates["precision@1"]!;
  expect(mean).toBeCloseTo(30 / 40, 12);
  expect(error).toBeCloseTo(Math.sqrt((0.75 * 0.25) / 39), 12);
});

it("more items than are needed: lists at random decide, and the estimate is of all", () => {
  const { data, ...rest } = conditionsOf(5040);
  const draw = random(3);
  const good = Float32Array.from(data.labels, (label) => 3 * label + draw());
  const bad = Float32Array.from(data.labels, () => draw());
  const { weights, temperature, estimates } = chooseBlend([trial(bad), trial(good)], { data, ...rest }, 1);
  expect(weights[1]).toBeCloseTo((2 / 3 + 1) / 2, 2); // greedy selection begins with both, and the likelihood wants none of the noise
  expect(temperature).toBe(1); // scores without a mistake have no temperature under which they are most likely
  expect(estimates["precision@1"]!.mean).toBe(1);
});

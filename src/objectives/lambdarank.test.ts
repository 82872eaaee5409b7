import { expect, it } from "vitest";
import { answer, farthest } from "../../test/answer.ts";
import { lambdaRank } from "./lambdarank.ts";

const second = 1 / Math.log2(3); // discount of the second place
const third = 1 / 2;

it("equal scores: the pair's change of NDCG, halved, then scaled by log2(1 + 2 force) / (2 force)", () => {
  const lambda = (1 - second) / 2;
  const scale = Math.log2(1 + 2 * lambda) / (2 * lambda);
  const { cost, gradient, hessian } = answer(lambdaRank(), [0, 0], [0, 1]);
  expect(farthest(gradient, [lambda * scale, -lambda * scale])).toBeLessThan(1e-14);
  expect(farthest(hessian, [(lambda / 2) * scale, (lambda / 2) * scale])).toBeLessThan(1e-14);
  expect(cost).toBeCloseTo(1 - second, 14); // the better item stands second
});

it("three items at different scores, two places counted", () => {
  // By score: item 2 (label 0), item 0 (label 2), item 1 (label 1). Gains 0, 3, 1. The best order has DCG 3 + 1/log2 3 at two places.
  const scores = [1, 0.5, 2];
  const ideal = 3 + second;
  const pair = (gap: number, discount: number, margin: number) => {
    const delta = (gap * discount) / ideal / (0.01 + Math.abs(margin));
    return delta / (1 + Math.exp(margin));
  };
  const a = pair(3, 1 - second, 1 - 2); // item 0 over item 2
  const b = pair(1, 1 - third, 0.5 - 2); // item 1 over item 2
  const c = pair(2, second - third, 1 - 0.5); // item 0 over item 1
  const sum = 2 * (a + b + c);
  const scale = Math.log2(1 + sum) / sum;
  const { cost, gradient } = answer(lambdaRank({ truncation: 2 }), scores, [2, 1, 0]);
  expect(farthest(gradient, [-(a + c) * scale, (c - b) * scale, (a + b) * scale])).toBeLessThan(1e-14);
  expect(cost).toBeCloseTo(1 - (3 * second) / ideal, 14);
});

it("pairs below the truncation are left out", () => {
  const { gradient } = answer(lambdaRank({ truncation: 1 }), [3, 2, 1], [2, 1, 0]);
  const { gradient: whole } = answer(lambdaRank({ truncation: 3 }), [3, 2, 1], [2, 1, 0]);
  const from = (g: Float64Array) => g[1]! / g[2]!;
  expect(gradient[0]! + gradient[1]! + gradient[2]!).toBeCloseTo(0, 14);
  expect(from(gradient)).not.toBeCloseTo(from(whole), 3); // the pair of items 1 and 2 is gone
});

it("without norm the force is neither divided nor scaled, and sigmoid steepens it", () => {
  const { gradient } = answer(lambdaRank({ norm: false, sigmoid: 2 }), [1, 0], [0, 1]);
  const lambda = (2 * (1 - second)) / (1 + Math.exp(-2));
  expect(farthest(gradient, [lambda, -lambda])).toBeLessThan(1e-14);
});

it("a list whose labels are all 0 or less teaches nothing", () => {
  expect([...answer(lambdaRank(), [1, 2, 3], [0, -1, 0]).gradient]).toEqual([0, 0, 0]);
});

import { expect, it } from "vitest";
import { answer } from "../../test/answer.ts";
import { cMart } from "./c-mart.ts";
import { mart1 } from "./mart-1.ts";
import { mart2 } from "./mart-2.ts";

it("mart-1 aims at 2^r - 1", () => {
  const { cost, gradient, hessian } = answer(mart1(), [1, 1, 1], [2, 1, 0]);
  expect(cost).toBe((1 - 3) ** 2 + (1 - 1) ** 2 + (1 - 0) ** 2);
  expect([...gradient]).toEqual([-4, 0, 2]);
  expect([...hessian]).toEqual([2, 2, 2]);
});

it("mart-2 aims at r", () => {
  expect(answer(mart2(), [1, 1, 1], [2, 1, 0]).cost).toBe(1 + 0 + 1);
  expect([...answer(mart2(), [0, 0], [-1, 0.5], { weights: [1, 3] }).gradient]).toEqual([2, -3]);
});

it("c-mart aims at the gain over the ideal DCG", () => {
  const ideal = 3 / 1 + 1 / Math.log2(3);
  const { cost } = answer(cMart(), [0, 0, 0], [0, 2, 1]);
  expect(cost).toBeCloseTo((3 / ideal) ** 2 + (1 / ideal) ** 2, 14);
});

it("a label whose power overflows is refused", () => {
  expect(() => answer(mart1(), [0, 0], [2000, 1])).toThrow("2^l of label 2000 is too large: expected labels up to 500");
});

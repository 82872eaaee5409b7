import { expect, it } from "vitest";
import { answer, farthest } from "../../test/answer.ts";
import { xeNdcg } from "./xendcg.ts";

const zero = () => 0; // every γ

it("the plain gradient of two items: softmax less target", () => {
  // γ = 0: targets 2^1 and 2^0 over their sum.
  const { cost, gradient } = answer(xeNdcg({ terms: 1 }), [0, 0], [1, 0], { draw: zero });
  expect(cost).toBeCloseTo(Math.log(2), 14);
  expect(farthest(gradient, [1 / 2 - 2 / 3, 1 / 2 - 1 / 3])).toBeLessThan(1e-15);
});

it("the three terms, by hand", () => {
  // Shares (1, 2, 5) / 8, targets (4, 2, 1) / 7.
  const fraction = [1 / 8, 2 / 8, 5 / 8];
  const first = [1 / 8 - 4 / 7, 2 / 8 - 2 / 7, 5 / 8 - 1 / 7];
  const over = (terms: number[]) => terms.map((term, i) => term / (1 - fraction[i]!));
  const next = (parts: number[]) => parts.map((one, i) => fraction[i]! * (parts.reduce((a, b) => a + b) - one));
  const second = next(over(first));
  const third = next(over(second));
  const { gradient, hessian } = answer(xeNdcg(), [0, Math.log(2), Math.log(5)], [2, 1, 0], { draw: zero });
  expect(
    farthest(
      gradient,
      [0, 1, 2].map((i) => first[i]! + second[i]! + third[i]!),
    ),
  ).toBeLessThan(1e-14);
  expect(
    farthest(
      hessian,
      fraction.map((p) => p * (1 - p)),
    ),
  ).toBeLessThan(1e-15);
});

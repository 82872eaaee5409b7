import { expect, it } from "vitest";
import { answer, farthest } from "../../test/answer.ts";
import { softmax } from "./softmax.ts";

it("the values that the documentation of Rax shows", () => {
  expect(answer(softmax(), [2, 1, 3], [1, 0, 0]).cost).toBeCloseTo(1.4076059, 6);
  // There the mean over two lists is taken, so each gradient is halved.
  const halves = [
    [0.02100503, 0.0570976, -0.07810265],
    [-0.37763578, 0.33262047, 0.04501529],
  ].map((row) => row.map((value) => 2 * value));
  expect(farthest(answer(softmax(), [0, 1, 3], [0, 0, 1]).gradient, halves[0]!)).toBeLessThan(1e-6);
  expect(farthest(answer(softmax(), [1, 2, 0], [1, 0, 0]).gradient, halves[1]!)).toBeLessThan(1e-6);
});

it("labels count by their share of the sum", () => {
  // softmax of (0, ln 2, ln 5) is (1, 2, 5) / 8
  const { cost, gradient } = answer(softmax(), [0, Math.log(2), Math.log(5)], [3, 1, 0]);
  expect(cost).toBeCloseTo((3 / 4) * Math.log(8) + (1 / 4) * Math.log(4), 14);
  expect(farthest(gradient, [1 / 8 - 3 / 4, 2 / 8 - 1 / 4, 5 / 8])).toBeLessThan(1e-15);
});

it("with target=exp the cost is least, and the gradient gone, where the scores are the labels", () => {
  expect(farthest(answer(softmax({ target: "exp" }), [2, 1, 0], [2, 1, 0]).gradient, [0, 0, 0])).toBeLessThan(1e-15);
});

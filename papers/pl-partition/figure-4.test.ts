import { expect, it } from "vitest";
import { midpoint } from "./figure-4.ts";

it("the paper's rule finds what a tier of one item has in closed form, whatever the shift", () => {
  // P = e^2 / (e^2 + e^0 + e^1)
  const wanted = 2 - Math.log(Math.exp(2) + 1 + Math.E);
  for (const shift of [0, 1, 2]) expect(midpoint(Float64Array.of(2, 0, 1), 1, 20_000, shift)).toBeCloseTo(wanted, 4);
});

it("and of two items above one, by adding both orders", () => {
  const [a, b, c] = [Math.exp(1), Math.exp(0.5), 1];
  const both = (a / (a + b + c)) * (b / (b + c)) + (b / (a + b + c)) * (a / (a + c));
  expect(midpoint(Float64Array.of(1, 0.5, 0), 2, 20_000, 1)).toBeCloseTo(Math.log(both), 5);
});

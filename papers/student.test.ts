/** Tail probabilities of Student's t against closed forms and tables. */
import { expect, it } from "vitest";
import { incompleteBeta, twoSided } from "./student.ts";

it("one degree of freedom is the Cauchy distribution", () => {
  for (const t of [0.1, 1, 3, 40]) expect(twoSided(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 12);
});

it("two degrees of freedom have a closed form", () => {
  for (const t of [0.2, 1.5, 9]) expect(twoSided(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 12);
});

it("critical values of the usual table", () => {
  for (const [freedom, t] of [
    [4, 2.776445105],
    [24, 2.063898562],
    [49, 2.009575237],
  ] as const)
    expect(twoSided(t, freedom)).toBeCloseTo(0.05, 8);
});

it("is even in t, 1 at 0 and falls", () => {
  expect(twoSided(0, 7)).toBe(1);
  expect(twoSided(-2, 7)).toBe(twoSided(2, 7));
  expect(twoSided(2.1, 7)).toBeLessThan(twoSided(2, 7));
});

it("the incomplete beta function of whole parameters is a binomial tail", () => {
  // I_x(2, 3) = P(at least 2 of 4 succeed).
  const x = 0.3;
  const tail = 6 * x ** 2 * (1 - x) ** 2 + 4 * x ** 3 * (1 - x) + x ** 4;
  expect(incompleteBeta(x, 2, 3)).toBeCloseTo(tail, 14);
});

/** The corrected resampled t-test. */
import { expect, it } from "vitest";
import { correctedTest } from "./repeated.ts";
import { twoSided } from "./student.ts";

it("is a t-test whose variance is larger by the overlap of training sets", () => {
  // Mean 2, variance 1 over 3 differences: t = 2 / sqrt(1/3 + 1/3).
  expect(correctedTest([1, 2, 3], 1 / 3)).toEqual({
    ...{ mean: 2, t: 2 / Math.sqrt(1 / 3 + 1 / 3), p: twoSided(2 / Math.sqrt(1 / 3 + 1 / 3), 2) },
  });
  expect(correctedTest([1, 2, 3], 0).p).toBeLessThan(correctedTest([1, 2, 3], 1 / 3).p);
});

it("equal differences leave no doubt", () => {
  expect(correctedTest([0, 0, 0], 1 / 3)).toEqual({ mean: 0, t: 0, p: 1 });
  expect(correctedTest([0.5, 0.5], 1 / 3)).toEqual({ mean: 0.5, t: Infinity, p: 0 });
});

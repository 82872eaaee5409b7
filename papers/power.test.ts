import { expect, it } from "vitest";
import { compareValues } from "../src/index.ts";
import { random } from "../src/numeric/random.ts";
import { growthToDecide, listsToDecide } from "./power.ts";

/** Differences as those of a metric are: mostly 0, with a heavy tail. */
const draw = random(11);
const differences = Array.from({ length: 400 }, () => (draw() < 0.5 ? 0 : 0.02 + (draw() - 0.5) ** 3 * 2));
const zeros = differences.map(() => 0);

it("samples of that many lists are decided about 80 times in 100", () => {
  const n = listsToDecide(differences, zeros);
  const decided = Array.from({ length: 200 }, (_, run) => {
    const pick = random(12, run);
    const sample = Array.from({ length: n }, () => differences[Math.floor(pick() * 400)]!);
    return compareValues(sample, sample.map(() => 0), { resamples: 10 }).p < 0.05; // biome-ignore format: one call
  }).filter(Boolean).length;
  expect(decided / 200).toBeGreaterThan(0.7);
  expect(decided / 200).toBeLessThan(0.9);
});

it("half the difference takes four times the lists, and no difference is never decided", () => {
  const n = listsToDecide([1, 2, 3], [0, 0, 0]);
  expect(n).toBe(Math.ceil((2.801585 ** 2 * 1) / 4));
  expect(listsToDecide([1, 0, Number.NaN], [0, 1, 0])).toBe(Infinity);
});

it("a difference of one standard error takes as many more lists as the paired formula says", () => {
  // Mean 2, variance 1 over 3 differences: t = 2 / sqrt(1/3), and the formula asks for the same number of lists.
  expect(3 * growthToDecide(2 / Math.sqrt(1 / 3))).toBeCloseTo((2.801585 ** 2 * 1) / 4, 10);
  expect(growthToDecide(0)).toBe(Infinity);
});

import { describe, expect, it } from "vitest";
import { binomials, multinomial } from "./binomial.ts";
import { chiSquareAbove, logGamma } from "./chi-square.ts";
import { random } from "./random.ts";

describe("binomial numbers", () => {
  it.each([
    [10, 0.3],
    [25, 0.5],
    [1000, 0.004],
    [100_000, 0.37],
  ])("of %d trials with probability %d have their mean and variance, and few have the frequencies of the formula", (n, p) => {
    const draw = binomials(random(n));
    const count = 20_000;
    const values = Array.from({ length: count }, () => draw(n, p));
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
    expect(Math.abs(mean - n * p)).toBeLessThan(4 * Math.sqrt((n * p * (1 - p)) / count));
    expect(variance / (n * p * (1 - p))).toBeGreaterThan(0.95);
    expect(variance / (n * p * (1 - p))).toBeLessThan(1.05);
    expect(values.every((value) => Number.isInteger(value) && value >= 0 && value <= n)).toBe(true);
    if (n > 30) return;
    let chance = (1 - p) ** n; // of k successes
    for (let k = 0; k <= n; chance *= ((n - k) / (k + 1)) * (p / (1 - p)), k++) {
      const found = values.filter((value) => value === k).length;
      expect(Math.abs(found - count * chance)).toBeLessThan(5 * Math.sqrt(count * chance) + 1);
    }
  });

  it("are certain where the probability is 0 or 1", () => {
    const draw = binomials(random(1));
    expect([draw(50, 0), draw(50, 1)]).toEqual([0, 50]);
  });

  it("multinomial: as many as there are, and each kind as often as it should be", () => {
    const counts = Float64Array.of(5, 0, 1000, 20, 75);
    const draw = binomials(random(9));
    const [into, sums] = [new Float64Array(5), new Float64Array(5)];
    for (let i = 0; i < 2000; i++) {
      multinomial(draw, counts, into);
      expect(into.reduce((sum, value) => sum + value, 0)).toBe(1100);
      for (let k = 0; k < 5; k++) sums[k]! += into[k]! / 2000;
    }
    sums.forEach((mean, k) => {
      const variance = counts[k]! * (1 - counts[k]! / 1100);
      expect(Math.abs(mean - counts[k]!)).toBeLessThanOrEqual(4 * Math.sqrt(variance / 2000));
    });
  });
});

describe("chi-square", () => {
  it.each([
    // Two degrees of freedom: e^(-x/2). Others: tables of the 95 % and 99.9 % quantiles.
    [2, 2, Math.exp(-1)],
    [50, 2, Math.exp(-25)],
    [3.841458820694124, 1, 0.05],
    [11.07049769351635, 5, 0.05],
    [10.8275661706627, 1, 0.001],
    [124.342113404004, 100, 0.05],
    [0.003932140000019531, 1, 0.95],
  ])("above %d with %d degrees of freedom", (x, df, wanted) => {
    expect(chiSquareAbove(x, df) / wanted).toBeCloseTo(1, 10);
  });
  it("at the ends", () => {
    expect([chiSquareAbove(0, 3), chiSquareAbove(-1, 3), chiSquareAbove(1, 0), chiSquareAbove(Number.NaN, 3)]).toEqual([
      1,
      1,
      Number.NaN,
      Number.NaN,
    ]);
  });
  it("the logarithm of the gamma function: factorials, and the root of pi at one half", () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
    let factorial = 1;
    for (let n = 1; n < 20; factorial *= n, n++) expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 12);
  });
});

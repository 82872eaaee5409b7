import { describe, expect, it } from "vitest";
import { log } from "../numeric/functions.ts";
import { normalBelow, normalQuantile, normals, Z95 } from "../numeric/normal.ts";
import { random } from "../numeric/random.ts";
import { bootstrapDifference, bootstrapMean, type Interval, quantile } from "./bootstrap.ts";

describe("bootstrap intervals by hand", () => {
  it("equal values have no width", () => {
    expect(bootstrapMean([0.5, 0.5, 0.5], { random: random(1) })).toEqual({
      ...{ mean: 0.5, low: 0.5, high: 0.5, error: 0, lists: 3, leftOut: 0 },
    });
  });

  it("two values 0 and 1: a quarter of the resamples are 0 and a quarter 1, so 95 % reach both and 40 % neither", () => {
    const ends = (level: number) => bootstrapMean([0, 1], { random: random(1), level, kind: "percentile" });
    expect(ends(0.95)).toMatchObject({ mean: 0.5, low: 0, high: 1 });
    expect(ends(0.4)).toMatchObject({ mean: 0.5, low: 0.5, high: 0.5 });
  });

  it("the standard error is that of the mean: 1 to 10 have a variance of 8.25", () => {
    const { error, mean } = bootstrapMean([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], { random: random(2), resamples: 20_000 });
    expect(mean).toBe(5.5);
    expect(error).toBeCloseTo(Math.sqrt(8.25 / 10), 1);
    expect(Math.abs(error - Math.sqrt(0.825))).toBeLessThan(4 * Math.sqrt(0.825 / 40_000)); // √(variance / 2 resamples)
  });

  it("lists for which the metric is undefined are left out, on either side of a difference", () => {
    const blank = Number.NaN;
    expect(bootstrapMean([1, blank, 3], { random: random(1) })).toMatchObject({ mean: 2, lists: 2, leftOut: 1 });
    expect(bootstrapDifference([1, blank, 3, 4], [0, 1, blank, 1], { random: random(1) })).toMatchObject({
      ...{ mean: 2, lists: 2, leftOut: 2 },
    });
    expect(bootstrapMean([blank], { random: random(1) })).toMatchObject({ mean: blank, low: blank, lists: 0, leftOut: 1 });
  });

  it("a list of weight 3 counts three times, one of weight 0 not at all", () => {
    const found = bootstrapMean([1, 5, 100], { random: random(1), weights: [3, 1, 0] });
    expect(found).toMatchObject({ mean: 2, low: 1, high: 5, lists: 2, leftOut: 1 });
    const differences = bootstrapDifference([2, 6, 0], [1, 1, Number.NaN], { random: random(1), weights: [3, 1, 9] });
    expect(differences).toMatchObject({ mean: 2, lists: 2, leftOut: 1 });
  });

  it("places of quantiles: of four values the third stands at 0.6", () => {
    const values = Float64Array.of(1, 2, 3, 4);
    expect([0, 0.2, 0.5, 0.6, 1].map((fraction) => quantile(values, fraction))).toEqual([1, 1, 2.5, 3, 4]);
  });

  it("the numbers of an implementation in Python with the same draws", () => {
    const close = ({ mean, low, high, error }: Interval, expected: readonly number[]) => {
      for (const [i, one] of [mean, low, high, error].entries()) expect(one).toBeCloseTo(expected[i]!, 12);
    };
    const tied = { level: 0.8, resamples: 200 };
    close(bootstrapMean([0, 0, 1, 5], { random: random(5), ...tied }), [1.5, 0.25, 3.75, 1.0382379920522573]);
    const skewed = { random: random(6), level: 0.9, resamples: 300 };
    close(bootstrapMean([3, 1, 4, 1, 5, 9, 2, 6, 50], skewed), [9, 10 / 3, 20.4123116633435, 4.678141104948222]);
    const weighted = { random: random(7), level: 0.5, resamples: 100, weights: [1, 2, 0.5, 3, 1, 1] };
    const expected = [2.823529411764706, 2.124676402882659, 4.138419164765512, 1.2517738075083846];
    close(bootstrapMean([3, 1, 4, 1, 5, 9], weighted), expected);
    // All ten means of the resamples are above the mean.
    const above = bootstrapMean([-100, 1, 2, 3, 4, 5, 6, 7], { random: random(548), level: 0.99, resamples: 10 });
    close(above, [-9, -8.75, 3.2991702746653067, 4.140249589899946]);
  });

  it("refuses a level of 95", () =>
    expect(() => bootstrapMean([1, 2], { random: random(1), level: 95 })).toThrow(
      /level: expected a number between 0 and 1, got 95/,
    ));
});

it("the normal quantile is the inverse of the normal distribution", () => {
  expect(normalQuantile(0.975)).toBeCloseTo(Z95, 9);
  expect(normalQuantile(0.5)).toBeCloseTo(0, 15);
  for (const x of [-8, -3, -1, 0.25, 2]) expect(normalQuantile(normalBelow(x))).toBeCloseTo(x, 9);
  expect([0, 1, 2].map(normalQuantile)).toEqual([-Infinity, Infinity, Number.NaN]);
});

describe("bootstrap intervals over many samples", () => {
  const SAMPLES = 400;
  /** Shares of the samples whose interval lies above the truth, and below it. */
  function misses(n: number, truth: number, kind: "bca" | "percentile", value: (r: () => number) => number) {
    const draw = random(31, n);
    let [above, below] = [0, 0];
    for (let t = 0; t < SAMPLES; t++) {
      const values = Float64Array.from({ length: n }, () => value(draw));
      const { low, high } = bootstrapMean(values, { random: random(t, 7), resamples: 500, kind });
      if (low > truth) above++;
      if (high < truth) below++;
    }
    return { above: above / SAMPLES, below: below / SAMPLES };
  }
  const noise = 4 * Math.sqrt((0.05 * 0.95) / SAMPLES);

  it.each(["bca", "percentile"] as const)("cover the mean of normal values in 95 of 100 samples: %s", (kind) => {
    const { above, below } = misses(100, 0, kind, (draw) => normals(draw)());
    expect(Math.abs(above + below - 0.055)).toBeLessThan(noise); // 100 values: √(99 / 100) of the width, and no t
  });

  it("cover the difference of two systems on the same lists, with weights", () => {
    const draw = normals(random(77));
    let hits = 0;
    for (let t = 0; t < SAMPLES; t++) {
      const easy = Float64Array.from({ length: 100 }, () => 3 * draw()); // what both systems find easy cancels
      const weights = Float64Array.from({ length: 100 }, (_, q) => 1 + (q % 3));
      const [a, b] = [easy.map((one) => one + draw() + 0.2), easy.map((one) => one + draw())];
      const { low, high } = bootstrapDifference(a, b, { random: random(t), resamples: 500, weights });
      if (low <= 0.2 && 0.2 <= high) hits++;
      expect(high - low).toBeLessThan(1.2); // √2 / 10 a standard error, not 3
    }
    expect(Math.abs(hits / SAMPLES - 0.943)).toBeLessThan(noise);
  });

  it("BCa misses a skewed mean less one-sidedly than percentiles do", () => {
    const exponential = (draw: () => number) => -log(1 - draw());
    const [bca, plain] = [misses(40, 1, "bca", exponential), misses(40, 1, "percentile", exponential)];
    expect(Math.abs(bca.below - bca.above)).toBeLessThan(Math.abs(plain.below - plain.above));
    expect(bca.below + bca.above).toBeLessThan(0.1);
  });
});

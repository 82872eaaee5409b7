import { describe, expect, it } from "vitest";
import { calibrate } from "./calibrate.ts";
import { log } from "./numeric/functions.ts";
import { normals } from "./numeric/normal.ts";
import { descending } from "./numeric/order.ts";
import { random } from "./numeric/random.ts";
import { Predictions, type ReliabilityBin } from "./statistics/index.ts";
import { fitTemperature, tierCostAt } from "./temperature.ts";
import type { Dataset } from "./types.ts";

/** Lists drawn from Plackett-Luce at known scores, cut into tiers of the given sizes, best first. */
function simulated(lists: number, sizes: readonly number[], seed: number): { data: Dataset; scores: Float64Array } {
  const n = sizes.reduce((sum, size) => sum + size, 0);
  const grades = sizes.flatMap((size, t) => new Array<number>(size).fill(sizes.length - t));
  const draw = random(seed);
  const normal = normals(draw);
  const scores = Float64Array.from({ length: lists * n }, () => 1.2 * normal());
  const labels = new Float32Array(lists * n);
  for (let q = 0; q < lists; q++) {
    const noisy = scores.slice(q * n, (q + 1) * n).map((score) => score - log(-log(draw())));
    descending(noisy).forEach((item, place) => {
      labels[q * n + item] = grades[place]!;
    });
  }
  const starts = Uint32Array.from({ length: lists + 1 }, (_, q) => q * n);
  return {
    scores,
    data: {
      starts,
      labels,
      features: { kind: "dense", rows: lists * n, columns: 0, values: new Float32Array(0) },
      base: 1,
      names: {},
    },
  };
}

const single = (n: number) => new Array<number>(n).fill(1);

/** How many bins of at least 50 predictions have what was predicted outside of their interval, and how many there are. */
function missed(bins: readonly ReliabilityBin[]): [number, number] {
  const large = bins.filter(({ count }) => count >= 50);
  return [large.filter(({ predicted, low, high }) => predicted < low || predicted > high).length, large.length];
}

describe("the temperature", () => {
  it("of two lists of two items, one in order and one not, solves the mean of two logistics", () => {
    // Leads 3 (right) and 1 (wrong): the slope of log(1 + e^-3b) + log(1 + e^b) is 0 where 3 / (1 + e^3b) = 1 / (1 + e^-b).
    const { data } = simulated(2, [1, 1], 1);
    const scores = Float64Array.of(3, 0, 1, 0);
    const labelled = { ...data, labels: Float32Array.of(1, 0, 0, 1) };
    const { value, limit } = fitTemperature(scores, labelled, Uint32Array.of(0, 1));
    const b = 1 / value;
    expect(limit).toBeUndefined();
    expect(3 / (1 + Math.exp(3 * b))).toBeCloseTo(1 / (1 + Math.exp(-b)), 6);
    expect(tierCostAt(scores, labelled, [0, 1], () => value).cost).toBeCloseTo(
      Math.log1p(Math.exp(-3 * b)) + Math.log1p(Math.exp(b)),
      10,
    );
  });

  it("has a limit where scores make no mistake, and where they are of no use", () => {
    const { data, scores } = simulated(5, [1, 1, 1], 2);
    const all = Uint32Array.of(0, 1, 2, 3, 4);
    expect(fitTemperature(Float64Array.from(data.labels), data, all).limit).toBe("certain");
    expect(
      fitTemperature(
        Float64Array.from(data.labels, (label) => -label),
        data,
        all,
      ).limit,
    ).toBe("useless");
    expect(
      fitTemperature(
        scores.map(() => 2),
        data,
        all,
      ),
    ).toEqual({ value: 1, limit: "useless" });
  });

  it("of true scores three times too large is 3", () => {
    const { data, scores } = simulated(800, single(8), 3);
    const { value } = fitTemperature(
      scores.map((one) => 3 * one),
      data,
      Uint32Array.from({ length: 800 }, (_, q) => q),
    );
    expect(value / 3).toBeGreaterThan(0.94);
    expect(value / 3).toBeLessThan(1.06);
  });
});

describe("reliability", () => {
  it("by hand: bins, means, shares and the expected error", () => {
    const found = new Predictions(0, 2, 2);
    found.add(0, 0.25, 0);
    found.add(0, 0.125, 1);
    found.add(1, 0.375, 0);
    found.add(1, 1, 1);
    const { bins, count, error } = found.reliability(0.95, random(1));
    expect(count).toBe(4);
    expect(bins[0]).toMatchObject({ from: 0, to: 0.5, count: 3, predicted: 0.25 });
    expect(bins[0]!.observed).toBeCloseTo(1 / 3, 14);
    expect(bins[1]).toMatchObject({ from: 0.5, to: 1, count: 1, predicted: 1, observed: 1, low: Number.NaN });
    expect(error).toBeCloseTo((3 * (1 / 3 - 0.25) + 0) / 4, 14);
  });

  it.each([
    ["whole orders", single(8)],
    ["tiers of 2, 3 and 4", [2, 3, 4]],
  ])("of the true model over %s lies within noise", (_, sizes) => {
    const { data, scores } = simulated(600, sizes, 11);
    const { temperature, before, after } = calibrate(scores, data);
    expect(Math.abs(temperature.value - 1)).toBeLessThan(0.1);
    for (const { pairs, top } of [before, after]) {
      const [off, bins] = missed(top.bins);
      expect(bins).toBeGreaterThan(5);
      expect(off).toBeLessThanOrEqual(2); // 5 of 100 intervals miss: three of ten about once in a hundred
      expect(top.error).toBeLessThan(0.02);
      if (sizes.length === 8) expect(missed(pairs.bins)[0]).toBeLessThanOrEqual(2);
      expect(pairs.error).toBeLessThan(sizes.length === 8 ? 0.015 : 0.05);
    }
    expect(after.likelihood).toBeGreaterThan(before.likelihood - 0.02); // one temperature costs next to nothing
  });

  it("of scores three times too large is bad, and good with a temperature", () => {
    const { data, scores } = simulated(600, single(8), 12);
    const { temperature, before, after } = calibrate(
      scores.map((one) => 3 * one),
      data,
    );
    expect(temperature.value).toBeGreaterThan(2.8);
    expect(missed(before.pairs.bins)[0]).toBeGreaterThan(5);
    expect(missed(after.pairs.bins)[0]).toBeLessThanOrEqual(2);
    expect(before.pairs.error).toBeGreaterThan(0.08);
    expect(after.pairs.error).toBeLessThan(0.015);
    expect(after.likelihood).toBeGreaterThan(before.likelihood + 1);
  });

  it("counts every pair of different tiers once, and every item of the lists that are looked at", () => {
    const { data, scores } = simulated(30, [2, 1, 1], 13);
    expect(calibrate(scores, data, { bins: 1, most: 10 }).after).toBeDefined();
    for (const [option, wanted] of [["bins", "at least 1"], ["most", "at least 1 or Infinity"]] as const) // biome-ignore format: one list
      expect(() => calibrate(scores, data, { [option]: 0 })).toThrow(
        `option ${option}: expected a whole number of ${wanted}, got 0`,
      );
    const { lists, after } = calibrate(scores, data, { most: 10 });
    expect([lists, after.pairs.count, after.top.count]).toEqual([30, 30 * (6 - 1), 10 * 4]);
  });

  it("refuses too few lists, and scores that are no numbers", () => {
    const { data, scores } = simulated(4, [1, 1], 14);
    expect(() => calibrate(scores, { ...data, labels: Float32Array.of(1, 1, 0, 1, 0, 1, 0, 1) })).toThrow(
      /at least 4 lists with more than one tier, got 3/,
    );
    expect(() =>
      calibrate(
        scores.map(() => Number.NaN),
        data,
      ),
    ).toThrow(/expected finite scores, got NaN/);
  });
});

import { describe, expect, it } from "vitest";
import { normals } from "./numeric/normal.ts";
import { random } from "./numeric/random.ts";
import { probabilities, rankProbabilities } from "./probabilities.ts";
import type { Dataset, Model } from "./types.ts";

const { log } = Math;

describe("probabilities by hand", () => {
  // Worths 1, 2 and 3: the orders (probability of the first, then of the second among the rest)
  // abc 1/6 2/5, acb 1/6 3/5, bac 2/6 1/4, bca 2/6 3/4, cab 3/6 1/3, cba 3/6 2/3.
  const found = probabilities(Float64Array.of(log(1), log(2), log(3)), { places: [1, 2, 5], level: 0.5 });
  const close = (values: ArrayLike<number>, wanted: number[]) =>
    wanted.forEach((one, i) => {
      expect(values[i]).toBeCloseTo(one, 12);
    });

  it("first places", () => close(found.first, [1 / 6, 2 / 6, 3 / 6]));
  it("the first two places: 1 less the chance of the last", () =>
    close(found.within[1]!.chances, [1 - 1 / 4 - 1 / 3, 1 - 1 / 10 - 1 / 6, 1 - 1 / 15 - 1 / 12]));
  it("the first place of one, and more places than items", () => {
    close(found.within[0]!.chances, [1 / 6, 2 / 6, 3 / 6]);
    close(found.within[2]!.chances, [1, 1, 1]);
  });
  it("pairs", () => close([found.above(0, 1), found.above(2, 0), found.above(1, 1)], [1 / 3, 3 / 4, 1 / 2]));
  it("expected ranks", () => close(found.expected, [1 + 2 / 3 + 3 / 4, 1 + 1 / 3 + 3 / 5, 1 + 1 / 4 + 2 / 5]));
  it("half of the ranks lie between the quarters", () => {
    // Of item a: 1/6, then 1/4 (5/12 in all), then 7/12: a quarter is reached at rank 2 and three quarters at rank 3.
    expect([found.low[0], found.high[0]]).toEqual([2, 3]);
    expect(found.error).toBe(0);
  });
  it("temperature 2 takes the roots of the worths", () =>
    close(probabilities(Float64Array.of(log(1), log(4), log(9)), { temperature: 2 }).first, [1 / 6, 2 / 6, 3 / 6]));
  it("no item, and one", () => {
    expect(probabilities(new Float64Array(0)).first).toHaveLength(0);
    const one = probabilities(Float64Array.of(7));
    expect([one.first[0], one.expected[0], one.low[0], one.high[0]]).toEqual([1, 1, 1, 1]);
  });
});

describe("drawn probabilities", () => {
  it.each([12, 60])("of %d items lie within their stated error of the exact ones", (n) => {
    const normal = normals(random(n));
    const scores = Float64Array.from({ length: n }, () => 1.5 * normal());
    const places = [1, 3, 10];
    const exact = probabilities(scores, { places });
    const drawn = probabilities(scores, { places, exact: 0, draws: 4000, random: random(5) });
    expect(drawn.error).toBe(0.5 / Math.sqrt(4000));
    expect(drawn.expected).toEqual(exact.expected);
    drawn.within.forEach(({ chances }, at) => {
      chances.forEach((chance, i) => {
        expect(Math.abs(chance - exact.within[at]!.chances[i]!)).toBeLessThan(4.5 * drawn.error); // the largest of 180
      });
    });
    for (let i = 0; i < n; i++) {
      expect(Math.abs(drawn.low[i]! - exact.low[i]!)).toBeLessThanOrEqual(1);
      expect(Math.abs(drawn.high[i]! - exact.high[i]!)).toBeLessThanOrEqual(1 + n / 40);
    }
  });

  it("are the same for the same seed", () => {
    const scores = Float64Array.from({ length: 30 }, (_, i) => i / 7);
    const once = () => probabilities(scores, { exact: 0, draws: 200, random: random(3) }).within;
    expect(once()).toEqual(once());
  });
});

describe("lists in order with probabilities", () => {
  const model = {
    id: "fixed",
    columns: { count: 0, base: 1 },
    score: (_: Dataset, into: Float64Array) => into.set([0, log(3), log(2), log(2), 0]),
  } as Model;
  const data: Dataset = {
    starts: Uint32Array.of(0, 3, 5),
    labels: new Float32Array(5),
    features: { kind: "dense", rows: 5, columns: 0, values: new Float32Array(0) },
    base: 1,
    names: { lists: ["x", "y"], entries: ["a", "b", "c", "d", "e"] },
  };

  it("hold for all items of a list, also where only the first are shown", () => {
    const [x, y] = [...rankProbabilities(model, data, { top: 2, pairs: true, places: [1] })];
    expect(x).toMatchObject({
      list: "x",
      error: 0,
      items: [
        { id: "b", rank: 1 },
        { id: "c", rank: 2 },
      ],
    });
    expect(x!.items[0]!.first).toBeCloseTo(1 / 2, 12);
    expect(x!.items[1]!.within["1"]).toBeCloseTo(1 / 3, 12);
    expect(x!.above![0]![1]).toBeCloseTo(3 / 5, 12);
    expect(x!.above).toHaveLength(2);
    expect(y!.items[0]!.expected).toBeCloseTo(1 + 1 / 3, 12);
    expect(y!.items[0]!.interval).toEqual([1, 2]);
  });

  it.each([
    ["a temperature of 0", { temperature: 0 }, /temperature: expected a number above 0, got 0/],
    ["a level of 90", { level: 90 }, /level: expected a number between 0 and 1, got 90/],
    ["three draws", { exact: 0, draws: 3 }, /draws: expected a whole number of at least 100, got 3/],
  ])("refuse %s", (_, options, message) => expect(() => [...rankProbabilities(model, data, options)]).toThrow(message));

  it("refuse scores that are no numbers", () =>
    expect(() => probabilities(Float64Array.of(1, Infinity))).toThrow(/expected finite scores, got Infinity/));
});

describe("sampled probabilities", () => {
  it.each([
    [150, 100],
    [150, 149],
    [150, 150],
    [150, 151],
    [5, 3000],
  ])("of %i items from %i draws: so many are among the first k in every draw", (n, draws) => {
    // biome-ignore format: one claim
    const scores = Float64Array.from({ length: n }, (_, i) => ((i * 7) % n) / 5);
    const { within, low, high } = probabilities(scores, { exact: 0, draws, places: [1, 3, n], level: 0.9 });
    for (const { k, chances } of within) expect(chances.reduce((a, b) => a + b, 0)).toBeCloseTo(k, 9);
    for (const chance of within.flatMap(({ chances }) => [...chances]))
      expect(chance * draws).toBeCloseTo(Math.round(chance * draws), 6);
    for (let i = 0; i < n; i++) {
      expect(low[i]).toBeGreaterThanOrEqual(1);
      expect(high[i]).toBeGreaterThanOrEqual(low[i]!);
      expect(high[i]).toBeLessThanOrEqual(n);
    }
    const best = scores.indexOf(Math.max(...scores));
    expect(within[0]!.chances[best]).toBeGreaterThan(1 / n);
  });
});

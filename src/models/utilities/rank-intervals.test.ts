import { describe, expect, it } from "vitest";
import { normals } from "../../numeric/normal.ts";
import { below, random } from "../../numeric/random.ts";
import { rankIntervals } from "./rank-intervals.ts";
import { drawsOf } from "./uncertainty.ts";

/** Independent utilities of standard error 1, made to sum to zero. */
const independent = (n: number) => Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0) - 1 / n);

/** A covariance of n utilities that sum to zero, at random. */
function anyCovariance(n: number, normal: () => number): Float64Array {
  const rows = Array.from({ length: n }, () => Array.from({ length: n + 2 }, normal));
  const mean = rows[0]!.map((_, c) => rows.reduce((sum, row) => sum + row[c]!, 0) / n);
  const centered = rows.map((row) => row.map((value, c) => value - mean[c]!));
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [a, b] = [centered[Math.floor(at / n)]!, centered[at % n]!];
    return a.reduce((sum, value, c) => sum + value * b[c]!, 0) / n;
  });
}

/** The definition, word by word: sets of ordered pairs, and a quantile over each set. */
function slow(utilities: Float64Array, covariance: Float64Array, draws: readonly Float64Array[], level: number) {
  const n = utilities.length;
  const error = (i: number, j: number) => Math.sqrt(covariance[i * n + i]! + covariance[j * n + j]! - 2 * covariance[i * n + j]!);
  const pairs = Array.from({ length: n * n }, (_, at): [number, number] => [Math.floor(at / n), at % n]).filter(
    ([i, j]) => i !== j,
  );
  const quantile = (share: number, of: readonly [number, number][], shift: (i: number, j: number) => number) => {
    const tops = draws.map((draw) => Math.max(0, ...of.map(([i, j]) => (draw[i]! - draw[j]!) / error(i, j) + shift(i, j))));
    return tops.sort((a, b) => a - b)[Math.ceil(share * tops.length) - 1]!;
  };
  const lead = (i: number, j: number) => (utilities[i]! - utilities[j]!) / error(i, j);
  const alpha = 1 - level;
  const bound = quantile(1 - alpha / 10, pairs, () => 0);
  let critical = quantile(level, pairs, () => 0);
  let open = pairs;
  const rejected: [number, number][] = [];
  for (let step = 0; ; step++) {
    const now = open.filter(([i, j]) => lead(i, j) > critical);
    rejected.push(...now);
    open = open.filter(([i, j]) => lead(i, j) <= critical);
    if (open.length === 0 || (step > 0 && now.length === 0)) break;
    critical = Math.min(
      critical,
      quantile(level + alpha / 10, open, (i, j) => Math.min(0, lead(i, j) + bound)),
    );
  }
  return {
    low: Array.from(utilities, (_, i) => 1 + rejected.filter(([, worse]) => worse === i).length),
    high: Array.from(utilities, (_, i) => n - rejected.filter(([better]) => better === i).length),
  };
}

describe("rank intervals", () => {
  it("are those of the definition, at random", () => {
    const r = random(4);
    const normal = normals(r);
    for (let run = 0; run < 60; run++) {
      const n = 2 + below(r, 6);
      const covariance = anyCovariance(n, normal);
      const spread = [0.5, 2, 6][below(r, 3)]!;
      const utilities = Float64Array.from({ length: n }, () => spread * normal());
      const draws = drawsOf(covariance, n, 100, run);
      const level = [0.8, 0.9, 0.95][below(r, 3)]!;
      const { low, high } = rankIntervals(utilities, covariance, draws, level);
      expect({ low: [...low], high: [...high] }).toEqual(slow(utilities, covariance, draws, level));
    }
  });

  it("two items that are close are compared as if there were only these two, when all others are far away", () => {
    const covariance = independent(5);
    const draws = drawsOf(covariance, 5, 4000, 1);
    // A difference of 2.9 is 2.05 standard errors: beyond 1.96 or so for two items, not beyond 2.73, the critical value of all ten pairs.
    const { low, high } = rankIntervals(Float64Array.of(40, 20, 2.9, 0, -20), covariance, draws);
    expect([[...low], [...high]]).toEqual([[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]); // biome-ignore format: lows and highs
    const close = rankIntervals(Float64Array.of(11.6, 8.7, 5.8, 2.9, 0), covariance, draws);
    expect(close.high[0]).toBe(2); // here each neighbor is a candidate for an error
  });

  it("all of them hold in 92 to 98 of 100 samples where some items are equal, and more often where none are", () => {
    const covariance = independent(5);
    const draws = drawsOf(covariance, 5, 400, 2);
    const samples = drawsOf(covariance, 5, 400, 3);
    const held = (truth: readonly number[]) =>
      samples.filter((noise) => {
        const { low, high } = rankIntervals(noise.map((value, i) => value + truth[i]!), covariance, draws); // biome-ignore format: one call
        return truth.every((own, i) => {
          const [least, most] = [truth.filter((one) => one > own).length + 1, truth.filter((one) => one >= own).length];
          return low[i]! <= least && most <= high[i]!;
        });
      }).length / samples.length;
    for (const truth of [
      [0, 0, 0, 0, 0],
      [12, 0, 0, 0, -12],
      [12, 12, 0, -12, -12],
      [24, 12, 0, 0, -12],
    ]) {
      const share = held(truth);
      expect(share).toBeGreaterThan(0.92);
      expect(share).toBeLessThan(0.98);
    }
    expect(held([24, 12, 0, -12, -24])).toBe(1); // the order is certain, and every method that finds it is always right
  });

  it("without draws every item has every rank", () => {
    const { low, high } = rankIntervals(Float64Array.of(3, 0, -3), independent(3), []);
    expect([[...low], [...high]]).toEqual([[1, 1, 1], [3, 3, 3]]); // biome-ignore format: lows and highs
  });
});

/** Voters of merged ballots are dealt one by one; other lists stay whole. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dataset } from "../types.ts";
import { ballots } from "./ballots.ts";
import { build } from "./build.ts";
import { folds } from "./folds.ts";
import { selectParts, splitIntoParts, splitUnits } from "./parts.ts";
import { split } from "./split.ts";
import { countsOf, splitVoters, totalWeight } from "./voters.ts";

const battles = ballots([["a", "b"], ["b", "a"], [["a", "b"]]], { weights: [70, 20, 10] });

/** The number of voters by ballot, a ballot being its items and labels. */
const tally = ({ starts, items, labels, listWeights }: Dataset) =>
  new Map(
    Array.from({ length: starts.length - 1 }, (_, q) => [
      `${items!.slice(starts[q], starts[q + 1])} ${labels.slice(starts[q], starts[q + 1])}`,
      listWeights![q]!,
    ]),
  );

describe("ballots with counts", () => {
  it("split deals voters: a quarter of 100 is 25, and both parts together are all", () => {
    const [train, held] = split(battles, [0.75, 0.25], 3) as [Dataset, Dataset];
    expect([totalWeight(train), totalWeight(held)]).toEqual([75, 25]);
    for (const [ballot, count] of tally(battles))
      expect((tally(train).get(ballot) ?? 0) + (tally(held).get(ballot) ?? 0)).toBe(count);
    expect(tally(train).get("0,1 1,0")).toBeGreaterThan(40); // 70 voters are not dealt as one
    expect(tally(held).get("0,1 1,0")).toBeGreaterThan(5);
  });

  it("every voter is tested once and validated once", () => {
    const made = folds(battles, 5, 1);
    for (const role of ["test", "valid"] as const)
      for (const [ballot, count] of tally(battles))
        expect(made.reduce((sum, fold) => sum + (tally(fold[role]).get(ballot) ?? 0), 0)).toBe(count);
    for (const { train, valid, test } of made) expect([train, valid, test].map(totalWeight)).toEqual([60, 20, 20]);
  });

  it("any counts into any sizes: parts have their sizes, and no voter is lost or dealt twice", () => {
    const check = (counts: readonly number[], shares: readonly number[], seed: number) => {
      const all = counts.reduce((sum, one) => sum + one, 0);
      const whole = shares.reduce((sum, one) => sum + one, 1);
      const sizes = shares.map((fraction) => Math.floor((all * fraction) / whole));
      const parts = splitVoters(Float32Array.from(counts), sizes, seed);
      for (const [p, part] of parts.entries()) expect(part.reduce((sum, one) => sum + one, 0)).toBe(sizes[p]);
      counts.forEach((count, q) => {
        expect(parts.every((part) => part[q]! >= 0 && Number.isInteger(part[q]!))).toBe(true);
        expect(parts.reduce((sum, part) => sum + part[q]!, 0)).toBeLessThanOrEqual(count);
      });
    };
    const some = (max: number) => fc.array(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 6 });
    fc.assert(fc.property(some(30), some(9), fc.nat(), check), { numRuns: 300 });
    check([2 ** 31, 5, 3 * 2 ** 22], [1, 2, 1], 1); // most are divided evenly, which takes no time
  });

  it("the hypergeometric mean and variance: 40 of 100 voters into a part of 25", () => {
    // Mean 40 · 25/100 = 10, variance 10 · (60/100) · (75/99) = 4.545.
    const drawn = Array.from({ length: 4000 }, (_, seed) => splitVoters(Float32Array.of(40, 60), [25], seed)[0]![0]!);
    const mean = drawn.reduce((sum, one) => sum + one, 0) / 4000;
    const variance = drawn.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 4000;
    expect(Math.abs(mean - 10)).toBeLessThan(4 * Math.sqrt(4.545 / 4000));
    expect(Math.abs(variance / 4.545 - 1)).toBeLessThan(0.1);
  });

  it("too few voters are reported as ballots", () => {
    const two = ballots([["a", "b"]], { weights: [2] });
    expect(() => folds(two, 3, 1)).toThrow("folds: 2 ballots are too few for 3 parts");
    expect(() => split(two, [0.9, 0.05], 1)).toThrow("split: 2 ballots are too few for a part of 0.05");
  });
});

describe("other weights", () => {
  const rows = Array.from({ length: 12 }, (_, i) => ({ list: `q${i >> 1}`, label: i & 1, features: [i], weight: 3 }));

  it("weighted lists with features stay whole", () => {
    const data = build(rows);
    expect([...data.listWeights!]).toEqual([3, 3, 3, 3, 3, 3]);
    expect(countsOf(data)).toBeUndefined();
    expect(splitUnits(data)).toEqual({ count: 6, noun: "lists" });
    const parts = splitIntoParts(data, 3, 1);
    expect(parts.map(({ lists, voters }) => [lists.length, voters])).toEqual([[2, undefined], [2, undefined], [2, undefined]]); // biome-ignore format: rows
    expect([...selectParts(data, parts).listWeights!]).toEqual([3, 3, 3, 3, 3, 3]);
  });

  it("ballots of fractional weight stay whole", () => {
    const data = ballots([["a", "b"], ["b", "a"]], { weights: [0.5, 2] }); // biome-ignore format: short
    expect(countsOf(data)).toBeUndefined();
    expect(splitIntoParts(data, 2, 1).map(({ lists }) => lists.length)).toEqual([1, 1]);
  });
});

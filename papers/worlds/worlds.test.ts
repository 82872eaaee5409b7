/** Simulated worlds follow their definitions, and their fits are compared as the page says. */
import { describe, expect, it } from "vitest";
import { kendall } from "./fits.ts";
import { compare } from "./index.ts";
import { isPairs, simulate, WORLDS } from "./simulate.ts";

describe.each(WORLDS)("the world of %s", (world) => {
  const { utilities, train, test } = simulate(world, 300, 5);

  it("has ballots of the stated sizes", () => {
    const lengths = new Set(Array.from(test.starts.subarray(1), (end, q) => end - test.starts[q]!));
    expect([...lengths]).toEqual([isPairs(world) ? 2 : 7]);
    expect(train.listWeights?.reduce((sum, weight) => sum + weight, 0) ?? train.starts.length - 1).toBe(300);
  });

  it("puts items of high utility in higher tiers", () => {
    const names = test.names.items!;
    const above = test.starts.subarray(0, -1).reduce((sum, from, q) => {
      const to = test.starts[q + 1]!;
      let balance = 0;
      for (let i = from; i < to; i++)
        for (let j = from; j < i; j++) {
          const of = (at: number) => utilities[Number(names[test.items![at]!]!.slice(5))]!;
          balance += Math.sign(test.labels[i]! - test.labels[j]!) * Math.sign(of(i) - of(j));
        }
      return sum + balance;
    }, 0);
    expect(above).toBeGreaterThan(0);
  });

  it("is the same for the same seed", () => {
    expect(simulate(world, 300, 5).train.labels).toEqual(train.labels);
    expect(simulate(world, 300, 6).utilities).not.toEqual(utilities);
  });
});

it("a loss is the mean difference to the right likelihood, with its standard error", () => {
  const outcomes = [1, 2, 3].map((value) => ({ a: { likelihood: -1, tau: 1 }, b: { likelihood: -1 - value, tau: value } }));
  expect(compare(outcomes, "b", "a")).toEqual({ loss: 2, error: Math.sqrt(1 / 3), tau: 2 });
  expect(compare(outcomes, "a", "a")).toEqual({ loss: 0, error: 0, tau: 1 });
});

it("Kendall's tau of the same order is 1, and items without a fit do not count", () => {
  expect(kendall(Float64Array.of(1, 2, 3), Float64Array.of(5, 6, 9))).toBe(1);
  expect(kendall(Float64Array.of(1, 2, 3), Float64Array.of(9, Number.NaN, 5))).toBe(-1);
});

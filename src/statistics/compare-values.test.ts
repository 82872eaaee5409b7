import { describe, expect, it } from "vitest";
import { compareValues } from "./compare-values.ts";
import { holm } from "./holm.ts";
import { paired } from "./paired.ts";

const blank = Number.NaN;

describe("holm", () => {
  it("multiplies the smallest of four by 4, the next by 3, and never falls", () => {
    // Ascending: 0.01 * 4, 0.015 * 3, 0.03 * 2, 0.04 * 1 = 0.04, which is raised to 0.06.
    const corrected = holm([0.03, 0.01, 0.04, 0.015]);
    [0.06, 0.04, 0.06, 0.045].forEach((wanted, i) => {
      expect(corrected[i]).toBeCloseTo(wanted, 15);
    });
  });
  it("stops at 1, and one alone stays as it is", () => {
    expect(holm([0.6, 0.9])).toEqual([1, 1]);
    expect(holm([0.2])).toEqual([0.2]);
  });
  it("does not count what could not be compared", () => expect(holm([0.02, blank, 0.5])).toEqual([0.04, blank, 0.5]));
});

describe("two vectors of values", () => {
  it("are taken list by list, without those for which a metric is undefined", () => {
    const { differences, lists, leftOut } = paired([1, blank, 0.5, 3], [0.5, 1, 0.5, blank]);
    expect([Array.from(differences), Array.from(lists), leftOut]).toEqual([[0.5, 0], [0, 2], 2]);
    expect(() => paired([1], [1, 2])).toThrow(/as many values on both sides, got 1 and 2/);
  });

  it("a difference in the last bits is none", () => expect(paired([0.1 + 0.2], [0.3]).differences[0]).toBe(0));

  it("are compared by difference, test and wins", () => {
    const found = compareValues([0.6, 0.7, 0.2, 0.5, blank], [0.5, 0.5, 0.3, 0.5, 1]);
    // 0.1 + 0.2 - 0.1 over 4 lists; of the sums 0.4, 0.2, 0.2, 0 and their opposites all but two of eight are as far as 0.2.
    expect(found.difference.mean).toBeCloseTo(0.05, 15);
    expect(found).toMatchObject({ p: 6 / 8, exact: true, error: 0, wins: 2, ties: 1, losses: 1 });
    expect(found.difference).toMatchObject({ lists: 4, leftOut: 1 });
  });

  it("weights move both the difference and the test", () => {
    // 3 * 1 - 2 over a weight of 5; |3 - 2| = 1, and of 5, 1, -1, -5 all are as far.
    const found = compareValues([1, 0], [0, 1], { weights: [3, 2] });
    expect(found.difference.mean).toBeCloseTo(0.2, 15);
    expect(found.p).toBe(1);
    // 3 - 1 - 1 = 1 with weights; without them 1 - 1 - 1 = -1, as near to 0 as can be.
    expect(compareValues([1, 0, 0], [0, 1, 1], { weights: [3, 1, 1] }).p).toBe(1);
    expect(compareValues([1, 1, 0], [0, 0, 1], { weights: [3, 3, 1] }).p).toBe(4 / 8);
  });

  it("the same seed gives the same answer", () => {
    const [a, b] = [0, 1].map((s) => Array.from({ length: 60 }, (_, q) => ((q * (7 + s)) % 13) / 13));
    expect(compareValues(a!, b!, { seed: 4, rounds: 500 })).toEqual(compareValues(a!, b!, { seed: 4, rounds: 500 }));
  });
});

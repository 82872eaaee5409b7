import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normals } from "../numeric/normal.ts";
import { random } from "../numeric/random.ts";
import { randomizationTest } from "./randomization.ts";

const p = (...differences: number[]) => randomizationTest(differences, random(1)).p;

/** The largest distance of the shares of sorted p-values from a uniform distribution, times √n: 1.95 is passed once in a thousand. */
function kolmogorov(ps: number[]): number {
  const sorted = ps.slice().sort((a, b) => a - b);
  const n = sorted.length;
  return Math.sqrt(n) * Math.max(...sorted.map((one, i) => Math.max((i + 1) / n - one, one - i / n)));
}

describe("the randomization test by hand", () => {
  it("five lists that all win: 2 of 32 signings are as far out", () => expect(p(0.1, 0.4, 0.2, 0.3, 0.5)).toBe(2 / 32));
  it("3 + 2 - 1 = 4: of the sums 6, 4, 2, 0 and their opposites, two and two are as far", () => expect(p(3, 2, -1)).toBe(4 / 8));
  it("1 + 1 - 1: no sum of three ones lies nearer to 0", () => expect(p(1, 1, -1)).toBe(1));
  it("lists without a difference say nothing", () => expect(p(0, 0.1, 0, 0.4, 0.2, 0)).toBe(2 / 8));
  it("no difference at all is no evidence", () => expect(p(0, 0, 0)).toBe(1));
  it("no list is no answer", () => expect(p()).toBeNaN());
  it("sums equal but for rounding count as equal: 0.1 + 0.2 - 0.3", () => expect(p(0.1, 0.2, -0.3)).toBe(1));
});

describe("the randomization test", () => {
  it("refuses what is no number", () =>
    expect(() => p(1, Number.NaN)).toThrow(/leave out the lists for which the metric is undefined/));

  it("is the same for the two directions, and 21 wins of one size have p = (1 + 0) / (1 + rounds)", () => {
    const wins = Array.from({ length: 21 }, () => 0.5);
    const found = randomizationTest(wins, random(3), 999); // a random signing agrees in all signs once in 2^20
    expect(found).toMatchObject({ p: 1 / 1000, exact: false, rounds: 999 });
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 9 }), (values) => {
        expect(p(...values)).toEqual(p(...values.map((value) => -value)));
      }),
    );
  });

  it("where no signing is nearer to 0, all that are drawn count: 12 wins and 12 losses of one size have p = 1", () => {
    const even = Array.from({ length: 24 }, (_, i) => (i < 12 ? 0.5 : -0.5));
    expect(randomizationTest(even, random(3), 99)).toMatchObject({ p: 1, exact: false, rounds: 99 });
  });

  it("drawn signings agree with all of them within four standard errors", () => {
    // 20 differences enumerated; the same 20 and a twenty-first too small to matter are drawn.
    const draw = normals(random(11));
    for (let t = 0; t < 10; t++) {
      const values = Array.from({ length: 20 }, () => draw() + 0.3);
      const exact = randomizationTest(values, random(1));
      const sampled = randomizationTest([...values, 1e-11], random(t), 50_000);
      expect([exact.exact, sampled.exact]).toEqual([true, false]);
      expect(Math.abs(exact.p - sampled.p)).toBeLessThan(4 * sampled.error + 1 / 50_000);
    }
  });

  it.each([
    ["normal", 30, (draw: () => number) => draw()],
    ["heavy-tailed", 45, (draw: () => number) => draw() / (0.05 + Math.abs(draw()))],
    ["enumerated", 14, (draw: () => number) => draw()],
  ])("gives uniform p-values where there is no difference: %s values", (_, n, value) => {
    const draw = normals(random(5, n));
    const ps = Array.from(
      { length: 2000 },
      (_, t) =>
        randomizationTest(
          Array.from({ length: n }, () => value(draw)),
          random(9, t),
          999,
        ).p,
    );
    expect(kolmogorov(ps)).toBeLessThan(1.95);
    // Never too small, also in the tail: 2000 draws of a probability of at most 0.05, 4 standard deviations.
    expect(ps.filter((one) => one <= 0.05).length / 2000).toBeLessThan(0.05 + 4 * Math.sqrt((0.05 * 0.95) / 2000));
  });

  it("finds a difference of half a standard deviation in 50 lists nine times out of ten", () => {
    const draw = normals(random(21));
    const found = Array.from(
      { length: 200 },
      (_, t) =>
        randomizationTest(
          Array.from({ length: 50 }, () => draw() + 0.5),
          random(t),
          999,
        ).p < 0.05,
    );
    expect(found.filter(Boolean).length / 200).toBeGreaterThan(0.87); // the t-test's power is 0.93
  });
});

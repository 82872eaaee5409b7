import { describe, expect, it } from "vitest";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/tier-cost.ts";
import { below, random } from "./random.ts";
import { DOUBLE, SINGLE, type TierList, tierCost, tierLists } from "./tier-cost.ts";

const draw = random(12);
const listFor = tierLists();

/** Fills the list with tiers of the given sizes. */
function fill(sizes: readonly number[], score: (place: number) => number, weight: (tier: number) => number = () => 1): TierList {
  const list = listFor(sizes.reduce((sum, size) => sum + size, 0));
  list.count = sizes.length;
  list.starts[0] = 0;
  sizes.forEach((size, t) => {
    list.starts[t + 1] = list.starts[t]! + size;
    list.weights[t] = weight(t);
  });
  for (let p = 0; p < list.n; p++) list.scores[p] = score(p);
  return list;
}

it("tiers above the first with a weight do not count: derivatives are 0 there, and below as without them", () => {
  for (const compute of [tierCost, plain.tierCost]) {
    const scores = [2, -1, 0.5, 1, 0, -0.5];
    const rest = fill([1, 2, 1], (p) => scores[p + 2]!);
    const cost = compute(rest, DOUBLE, true);
    const [gradient, hessian] = [rest.gradient.slice(0, 4), rest.hessian.slice(0, 4)];
    const all = fill([2, 1, 2, 1], (p) => scores[p]!, (t) => (t === 0 ? 0 : 1)); // biome-ignore format: one call
    expect(compute(all, DOUBLE, true)).toBe(cost);
    expect([...all.gradient.slice(0, 6)].map((one) => one + 0)).toEqual([0, 0, ...gradient]);
    expect([...all.hessian.slice(0, 6)].map((one) => one + 0)).toEqual([0, 0, ...hessian]);
  }
});

describe("the likelihood of tiers: compiled and plain give the same bits", () => {
  const check = (list: TierList) => {
    expect(kernels()).not.toBeNull();
    for (const fine of [DOUBLE, SINGLE])
      for (const hessians of [true, false]) {
        const n = list.n;
        const cost = tierCost(list, fine, hessians);
        const [gradient, hessian] = [list.gradient.slice(0, n), list.hessian.slice(0, n)];
        expect(plain.tierCost(list, fine, hessians)).toBe(cost);
        expect(list.gradient.slice(0, n)).toEqual(gradient);
        if (hessians) expect(list.hessian.slice(0, n)).toEqual(hessian);
        expect([cost, ...gradient, ...hessian].every(Number.isFinite)).toBe(true);
      }
  };

  it("for lists as they occur, with and without weights", () => {
    for (let iteration = 0; iteration < 200; iteration++) {
      const sizes = Array.from({ length: 1 + below(draw, 6) }, () => 1 + below(draw, 40));
      check(fill(sizes, () => (draw() - 0.5) * 10));
      check(
        fill(
          sizes,
          () => draw() * 3,
          (t) => (t % 3 === 1 ? 0 : draw()),
        ),
      );
    }
  });

  it("for scores far apart, tiers of thousands, and masses that no float64 could hold as a product", () => {
    for (const spread of [100, 1000, 10_000])
      for (let iteration = 0; iteration < 20; iteration++) check(fill([3, 17, 1, 20], () => (draw() - 0.5) * spread));
    check(fill([3001, 500], () => draw()));
    check(fill([400, 3], (p) => (p < 400 ? -50 - draw() * 20 : 0)));
    check(fill([400, 3], (p) => (p < 400 ? 70 + draw() * 20 : 0)));
  });
});

describe("the likelihood of tiers", () => {
  it("of two before one, by hand: both orders of the two", () => {
    const list = fill([2, 1], (p) => Math.log([2, 3, 5][p]!));
    // Masses 2, 3 and 5: first 2 then 3, or first 3 then 2, out of 10.
    expect(tierCost(list, DOUBLE, true)).toBeCloseTo(-Math.log((2 / 10) * (3 / 8) + (3 / 10) * (2 / 7)), 13);
  });

  it("of two before one: cost and slopes as the orders of the two give them, however far apart the scores", () => {
    for (const [x, y] of [
      [0, 0],
      [0.3, -0.7],
      [3, -40],
      [-50, -59],
      [79, 78],
      [20, -20],
    ] as const) {
      const list = fill([2, 1], (p) => [x, y, 0][p]!);
      const cost = tierCost(list, DOUBLE, true);
      const [a, b] = [Math.exp(x), Math.exp(y)];
      const sum = 1 + a + b;
      const [one, other] = [x + y - Math.log(sum) - Math.log1p(b), x + y - Math.log(sum) - Math.log1p(a)]; // x first, y first
      const log = Math.max(one, other) + Math.log1p(Math.exp(-Math.abs(one - other)));
      expect(cost).toBeCloseTo(-log, 12);
      const [fraction, rest] = [Math.exp(one - log), Math.exp(other - log)];
      expect(list.gradient[0]).toBeCloseTo(-(fraction * (1 - a / sum) + rest * (1 - a / sum - a / (1 + a))), 12);
      expect(list.gradient[1]).toBeCloseTo(-(rest * (1 - b / sum) + fraction * (1 - b / sum - b / (1 + b))), 12);
      // Second derivatives of either order, and how the first ones differ between them.
      const spread = fraction * rest * (a / (1 + a)) ** 2;
      const curvature = (a * (1 + b)) / sum ** 2 + (rest * a) / (1 + a) ** 2 - spread;
      expect(list.hessian[0]).toBeCloseTo(curvature, 12);
    }
  });

  it("scores that are not numbers give no number, and an end", () => {
    expect(
      tierCost(
        fill([3, 2], () => Number.NaN),
        DOUBLE,
        true,
      ),
    ).toBeNaN();
    expect(
      plain.tierCost(
        fill([3, 2], () => Number.NaN),
        DOUBLE,
        true,
      ),
    ).toBeNaN();
  });
});

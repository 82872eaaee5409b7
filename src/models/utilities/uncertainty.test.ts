import { describe, expect, it } from "vitest";
import { ballots } from "../../data/ballots.ts";
import { fit } from "../../fit.ts";
import { inverse } from "../../numeric/cholesky.ts";
import { log } from "../../numeric/functions.ts";
import { normalBelow, normals, Z95 } from "../../numeric/normal.ts";
import { descending } from "../../numeric/order.ts";
import { random } from "../../numeric/random.ts";
import { objective } from "../../objectives/index.ts";
import { isUtilities, learner } from "../index.ts";
import { quasiVariances } from "./quasi-variances.ts";
import { rankIntervals } from "./rank-intervals.ts";
import { drawsOf, probabilityAbove, rankSummaries, topProbabilities } from "./uncertainty.ts";

it("without any error the larger utility is above for sure", () => {
  const utilities = Float64Array.of(2, 1, 1);
  const none = new Float64Array(9);
  const above = (i: number, j: number) => probabilityAbove(utilities, none, i, j);
  expect([above(0, 1), above(1, 0), above(0, 0), above(1, 2)]).toEqual([1, 0, 0.5, 0]);
});

describe("the normal distribution", () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [Z95, 0.975],
    [-3, 0.0013498980316300933],
    [-6, 9.865876450376946e-10],
    [6, 0.9999999990134123],
  ])("is below %d with probability %d", (x, wanted) => {
    expect(Math.abs(normalBelow(x) / wanted - 1)).toBeLessThan(1e-12);
  });
  it("draws have mean 0 and variance 1, within four standard errors", () => {
    const draw = normals(random(1));
    const values = Array.from({ length: 20_000 }, draw);
    expect(Math.abs(values.reduce((sum, x) => sum + x, 0) / 20_000)).toBeLessThan(4 / Math.sqrt(20_000));
    expect(Math.abs(values.reduce((sum, x) => sum + x * x, 0) / 20_000 - 1)).toBeLessThan(4 * Math.sqrt(2 / 20_000));
  });
});

it("the inverse of [[4, 2], [2, 3]] is [[3, -2], [-2, 4]] / 8; a singular matrix has none", () => {
  [3 / 8, -2 / 8, -2 / 8, 4 / 8].forEach((wanted, at) => {
    expect(inverse(Float64Array.of(4, 2, 2, 3), 2)![at]).toBeCloseTo(wanted, 14);
  });
  expect(inverse(Float64Array.of(1, 1, 1, 1), 2)).toBeUndefined();
});

describe("quasi-variances", () => {
  it("of independent estimates are their variances", () => {
    const q = quasiVariances(Float64Array.of(1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4), 4);
    [1, 2, 3, 4].forEach((wanted, i) => void expect(q[i]).toBeCloseTo(wanted, 6));
  });
  it("of three estimates reproduce all three differences", () => {
    // Variances of differences: 1 + 2 - 2·0.5 = 2, 1 + 3 - 2·0.2 = 3.6, 2 + 3 - 2·0.1 = 4.8, so q_1 = (2 + 3.6 - 4.8) / 2 = 0.4, and so on.
    const q = quasiVariances(Float64Array.of(1, 0.5, 0.2, 0.5, 2, 0.1, 0.2, 0.1, 3), 3);
    [0.4, 1.6, 3.2].forEach((wanted, i) => void expect(q[i]).toBeCloseTo(wanted, 6));
  });
});

describe("ranks", () => {
  // Three independent utilities with standard error 1 before they are made to sum to zero.
  const covariance = Float64Array.of(2, -1, -1, -1, 2, -1, -1, -1, 2).map((value) => value / 3);
  const draws = drawsOf(covariance, 3, 4000, 1);

  it("draws have the covariance", () => {
    for (const [i, j] of [
      [0, 0],
      [0, 1],
      [2, 2],
      [1, 2],
    ] as const) {
      const mean = draws.reduce((sum, draw) => sum + draw[i]! * draw[j]!, 0) / draws.length;
      expect(Math.abs(mean - covariance[i * 3 + j]!)).toBeLessThan(0.06);
    }
  });
  it("an item far ahead has rank 1 for sure; two that are close share ranks", () => {
    const { low, high } = rankIntervals(Float64Array.of(20, 0.1, 0), covariance, draws);
    expect([[...low], [...high]]).toEqual([[1, 2, 2], [1, 3, 3]]); // biome-ignore format: lows and highs
  });
  it("the simultaneous quantile is that of the studentised range", () => {
    // For three means, q(0.95; 3, ∞) = 3.314, so a difference beyond 3.314 / √2 · √2 = 3.314 counts.
    const near = rankIntervals(Float64Array.of(3.2, 0.1, 0), covariance, draws);
    const far = rankIntervals(Float64Array.of(3.5, 0.1, 0), covariance, draws);
    expect([[...near.low], [...near.high]]).toEqual([[1, 1, 1], [3, 3, 3]]); // biome-ignore format: lows and highs
    expect([[...far.low], [...far.high]]).toEqual([[1, 2, 2], [1, 3, 3]]); // biome-ignore format: lows and highs
  });
  it("equal utilities: each is first with probability 1/3, and above another with 1/2", () => {
    const { first, expected } = rankSummaries(new Float64Array(3), draws);
    for (let i = 0; i < 3; i++) {
      expect(Math.abs(first[i]! - 1 / 3)).toBeLessThan(0.03);
      expect(Math.abs(expected[i]! - 2)).toBeLessThan(0.06);
      expect(Math.abs(topProbabilities(new Float64Array(3), draws, 2)[i]! - 2 / 3)).toBeLessThan(0.03);
    }
    expect(probabilityAbove(new Float64Array(3), covariance, 0, 1)).toBe(0.5);
    expect(probabilityAbove(Float64Array.of(Math.SQRT2, 0, 0), covariance, 0, 1)).toBeCloseTo(normalBelow(1), 12);
  });
});

describe("95 % intervals of utilities", () => {
  // TIERWISE_SLOW=1 draws all 200 data sets.
  const sets = process.env.TIERWISE_SLOW ? 200 : 40;
  const truth = Float64Array.of(1, 0.5, 0.2, 0, -0.4, -1.3);
  it.each(["strict", "tied"])(`cover the truth between 92 and 98 times in 100, over ${sets} sets of %s ballots`, (kind) => {
    let [inside, all] = [0, 0];
    for (let set = 0; set < sets; set++) {
      const r = random(set, kind === "tied" ? 1 : 0);
      const given = Array.from({ length: 150 }, () => {
        const order = [...descending(truth.map((value) => value - log(-log(r()))))].map(String);
        return kind === "strict" ? order : [order.slice(0, 2), order[2]!, order.slice(3)];
      });
      const { model } = fit(ballots(given, { items: ["0", "1", "2", "3", "4", "5"] }), {
        model: learner("utilities"),
        objective: objective("pl-partition"),
      });
      if (!isUtilities(model)) throw new Error("expected utilities");
      const { utilities, uncertainty } = model.fit;
      truth.forEach((value, i) => {
        all++;
        if (Math.abs(utilities[i]! - value) <= Z95 * uncertainty!.errors[i]!) inside++;
      });
    }
    expect(inside / all).toBeGreaterThan(0.92);
    expect(inside / all).toBeLessThan(0.98);
  });
});

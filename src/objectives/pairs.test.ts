/** Pairwise objectives against the plain sum over pairs, tools' examples, and published estimates. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answer, farthest } from "../../test/answer.ts";
import { sharedFile } from "../../test/shared.ts";
import { random } from "../numeric/random.ts";
import type { Objective } from "../types.ts";
import { davidson } from "./davidson.ts";
import { objective } from "./index.ts";
import { rankRegress } from "./rank-regress.ts";
import { rankNet } from "./ranknet.ts";
import { rankSvm } from "./ranksvm.ts";
import { raoKupper } from "./rao-kupper.ts";

interface Margin {
  cost(margin: number): number;
  slope(margin: number): number;
  hessian(margin: number): number;
}

/** The reference implementation: all pairs, one after the other. */
function plain({ cost, slope, hessian: curvature }: Margin, scores: number[], labels: number[], weights: number[]) {
  const sum = { cost: 0, gradient: new Float64Array(scores.length), hessian: new Float64Array(scores.length) };
  for (let i = 0; i < scores.length; i++) {
    for (let j = 0; j < scores.length; j++) {
      if (labels[i]! <= labels[j]!) continue;
      const margin = scores[i]! - scores[j]!;
      sum.cost += weights[i]! * cost(margin);
      sum.gradient[i] = sum.gradient[i]! + weights[i]! * slope(margin);
      sum.gradient[j] = sum.gradient[j]! - weights[i]! * slope(margin);
      sum.hessian[i] = sum.hessian[i]! + weights[i]! * curvature(margin);
      sum.hessian[j] = sum.hessian[j]! + weights[i]! * curvature(margin);
    }
  }
  return sum;
}

const miss = (margin: number) => 1 / (1 + Math.exp(margin));
const twins: [Objective, Margin][] = [
  [rankNet(), { cost: (m) => Math.log(1 + Math.exp(-m)), slope: (m) => -miss(m), hessian: (m) => miss(m) * miss(-m) }],
  [rankSvm(), { cost: (m) => Math.max(0, 1 - m), slope: (m) => (m < 1 ? -1 : 0), hessian: (m) => (m < 1 ? 1 : 0) }],
  [rankRegress(), { cost: (m) => (1 - m) ** 2, slope: (m) => -2 * (1 - m), hessian: () => 2 }],
];

describe.each(twins)("$id", (given, margin) => {
  it("agrees with the plain sum over pairs, for few and many labels, with tied scores and weights", () => {
    const r = random(41);
    for (const [n, grades] of [
      [2, 2],
      [40, 3],
      [60, 60],
      [1500, 4],
    ] as const) {
      // Quarters make scores tie and margins hit 1 exactly, where the hinge has its corner.
      const scores = Array.from({ length: n }, () => Math.round(16 * r() - 8) / 4);
      const labels = Array.from({ length: n }, () => Math.floor(grades * r()));
      const weights = Array.from({ length: n }, () => Math.fround(0.5 + r()));
      const ours = answer(given, scores, labels, { weights });
      const theirs = plain(margin, scores, labels, weights);
      expect(Math.abs(ours.cost - theirs.cost)).toBeLessThan(1e-11 * (1 + Math.abs(theirs.cost)));
      expect(farthest(ours.gradient, theirs.gradient)).toBeLessThan(1e-11 * n);
      expect(farthest(ours.hessian, theirs.hessian)).toBeLessThan(1e-11 * n);
    }
  });

  it("20,000 items with 500 above: the best item is pulled up by every item it does not lead, and all stays finite", () => {
    const n = 20_000;
    const scores = Float64Array.from({ length: n }, (_, i) => (i < 500 ? 0 : 2));
    const labels = Float32Array.from({ length: n }, (_, i) => (i < 500 ? 1 : 0));
    const gradient = new Float64Array(n);
    const cost = given.evaluate(scores, labels, { gradient }, random(1));
    const pairs = 500 * (n - 500);
    expect(Math.abs(cost / (pairs * margin.cost(-2)) - 1)).toBeLessThan(1e-11);
    expect(Math.abs(gradient[0]! / ((n - 500) * margin.slope(-2)) - 1)).toBeLessThan(1e-11);
    expect(Math.abs(gradient[n - 1]! / (-500 * margin.slope(-2)) - 1)).toBeLessThan(1e-11);
  }, 60_000);
});

it("the values that the documentation of Rax shows", () => {
  expect(answer(rankSvm(), [2, 1, 3], [1, 0, 0]).cost).toBe(2);
  expect(answer(rankNet(), [2, 1, 3], [1, 0, 0]).cost).toBeCloseTo(1.6265235, 6);
});

it("other tools' names are understood, also those with a colon", () => {
  expect(objective("rank:pairwise").id).toBe("ranknet");
  expect(objective("rank:ndcg:truncation=5").spec).toBe("lambdarank:truncation=5");
  expect(objective("rank_xendcg").id).toBe("xendcg");
});

describe.each([raoKupper(), davidson()])("$id", (given) => {
  const chance = (scores: number[], labels: number[]) => Math.exp(-answer(given, scores, labels).cost);

  it("win, loss and tie are all that can happen", () => {
    for (const d of [-3, 0, 0.7, 12])
      for (const x of [-2, 0, 1.5])
        expect(chance([d, 0, x], [1, 0]) + chance([d, 0, x], [0, 1]) + chance([d, 0, x], [0, 0])).toBeCloseTo(1, 12);
  });

  it("the curvature of the tie parameter is the slope of its gradient", () => {
    const labels = [2, 1, 1, 0];
    const at = (x: number) => answer(given, [0.4, -0.2, 0.9, 0.1, x], labels);
    const slope = (at(0.3 + 1e-5).gradient[4]! - at(0.3 - 1e-5).gradient[4]!) / 2e-5;
    expect(at(0.3).hessian[4]).toBeCloseTo(slope, 6);
  });
});

it("rao-kupper at θ = 2 and equal scores: 1/3 each", () => {
  expect(answer(raoKupper(), [1, 1, 0], [1, 0]).cost).toBeCloseTo(Math.log(3), 14);
  expect(answer(raoKupper(), [1, 1, 0], [1, 1]).cost).toBeCloseTo(Math.log(3), 14);
});

it("davidson at ν = 2, φ = 4 and 1: 4, 1 and 2·2 of 9", () => {
  const scores = [Math.log(4), 0, Math.log(2)];
  expect(answer(davidson(), scores, [1, 0]).cost).toBeCloseTo(Math.log(9 / 4), 14);
  expect(answer(davidson(), scores, [0, 1]).cost).toBeCloseTo(Math.log(9), 14);
  expect(answer(davidson(), scores, [0, 0]).cost).toBeCloseTo(Math.log(9 / 4), 14);
});

const file = sharedFile("data/plackettluce-r/pudding.csv");
describe.skipIf(!existsSync(file))("the pudding data of Davidson 1970", () => {
  it("worths and tie parameter agree with the fit published with PlackettLuce for R", () => {
    const rows = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").map(Number));
    const given = davidson();
    const params = new Float64Array(7);
    const gradient = new Float64Array(3);
    const hessian = new Float64Array(3);
    for (let iteration = 0; iteration < 400; iteration++) {
      const [sum, curvature] = [new Float64Array(7), new Float64Array(7)];
      for (const [i, j, , wins, losses, ties] of rows as [number, number, number, number, number, number][]) {
        const scores = Float64Array.of(params[i - 1]!, params[j - 1]!, params[6]!);
        for (const [count, labels] of [
          [wins, Float32Array.of(1, 0)],
          [losses, Float32Array.of(0, 1)],
          [ties, Float32Array.of(0, 0)],
        ] as const) {
          given.evaluate(scores, labels, { gradient, hessian }, random(1));
          [i - 1, j - 1, 6].forEach((at, k) => {
            sum[at] = sum[at]! + count * gradient[k]!;
            curvature[at] = curvature[at]! + count * hessian[k]!;
          });
        }
      }
      for (let k = 0; k < 7; k++) params[k] = params[k]! - (0.5 * sum[k]!) / curvature[k]!;
    }
    const worths = [...params.subarray(0, 6)].map(Math.exp);
    const total = worths.reduce((a, b) => a + b);
    const printed = [0.1388005, 0.1729985, 0.161742, 0.165393, 0.1586805, 0.2023855];
    expect(
      farthest(
        worths.map((worth) => worth / total),
        printed,
      ),
    ).toBeLessThan(5e-5);
    expect(Math.exp(params[6]!)).toBeCloseTo(0.7468147, 3);
  });
});

describe("davidson", () => {
  it("the terms of wins, losses and ties together are the sum of the terms of each", () => {
    const r = random(21);
    for (let run = 0; run < 100; run++) {
      const [margin, x] = [20 * (r() - 0.5), 4 * (r() - 0.5)];
      const [wins, losses, ties] = [10 * r(), 10 * r(), 10 * r()];
      const { win, tie, sum } = davidson().pairs!.at([x]);
      const won = { ...win(margin) }; // a term is overwritten by the next call
      const lost = { ...win(-margin) };
      const tied = { ...tie!(margin) };
      const all = sum!(margin, wins, losses, ties);
      for (const key of ["cost", "slope", "curvature", "slopeX", "curvatureX", "mixed"] as const) {
        const sign = key === "slope" || key === "mixed" ? -1 : 1; // odd in the margin
        expect(all[key]).toBeCloseTo(wins * won[key] + sign * losses * lost[key] + ties * tied[key], 10);
      }
    }
  });
});

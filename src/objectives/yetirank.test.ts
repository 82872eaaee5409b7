/** YetiRank against its expectation: over all rankings by their chances, in closed form or by quadrature. */
import { describe, expect, it } from "vitest";
import { answer, permutations } from "../../test/answer.ts";
import { metric } from "../metrics/index.ts";
import { random } from "../numeric/random.ts";
import { objective } from "./index.ts";
import type { YetiRankOptions } from "./yetirank.ts";
import { yetiRank } from "./yetirank.ts";

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** The chance of a ranking when Gumbel noise is on the scores: Plackett-Luce. */
function gumbelChance(order: readonly number[], scores: readonly number[]): number {
  return order.reduce((chance, item, p) => {
    const left = order.slice(p).reduce((sum, other) => sum + Math.exp(scores[other]!), 0);
    return (chance * Math.exp(scores[item]!)) / left;
  }, 1);
}

/** The same for logistic noise on two or three scores: the one in the middle is z, the first is above and the last below. */
function logisticChance(order: readonly number[], scores: readonly number[]): number {
  const [a, b, c] = order.map((item) => scores[item]!) as [number, number, number | undefined];
  const step = 1e-3;
  let sum = 0;
  for (let z = -60; z < 60; z += step) {
    const density = sigmoid(z - b) * sigmoid(b - z);
    sum += step * density * sigmoid(a - z) * (c === undefined ? 1 : sigmoid(z - c));
  }
  return sum;
}

/** The expected gradient, ranking by ranking; weights of pairs by measuring again after each swap. */
function expected(scores: readonly number[], labels: readonly number[], options: Partial<YetiRankOptions>): number[] {
  const { mode = "classic", decay = 0.85, noise = "logistic", neighbors = 1, top = Infinity } = options;
  const gradient = scores.map(() => 0);
  const text = `${mode}${top === Infinity ? "" : `@${top}`}`;
  const value = (order: readonly number[]) => {
    const places = Float64Array.from(scores, (_, i) => -order.indexOf(i));
    return metric(text).measure(places, Float32Array.from(labels));
  };
  for (const order of permutations(scores.map((_, i) => i))) {
    const chance = noise === "gumbel" ? gumbelChance(order, scores) : logisticChance(order, scores);
    for (let p = 0; p < order.length; p++)
      for (let q = p + 1; q < Math.min(order.length, p + 1 + neighbors); q++) {
        const [a, b] = [order[p]!, order[q]!];
        const swapped = order.map((item) => (item === a ? b : item === b ? a : item));
        const weight =
          mode === "classic" ? decay ** p * Math.abs(labels[a]! - labels[b]!) : Math.abs(value(swapped) - value(order));
        const [better, worse] = labels[a]! > labels[b]! ? [a, b] : [b, a];
        const force = labels[a] === labels[b] ? 0 : chance * weight * sigmoid(scores[worse]! - scores[better]!);
        gradient[better]! -= force;
        gradient[worse]! += force;
      }
  }
  return gradient;
}

describe("the gradient averages to its expectation, within four standard errors", () => {
  it.each<[Partial<YetiRankOptions>, number]>([
    [{ noise: "gumbel" }, 4],
    [{ noise: "gumbel", decay: 0.5, neighbors: 2 }, 4],
    [{ noise: "gumbel", mode: "dcg", neighbors: 3 }, 4],
    [{ noise: "gumbel", mode: "ndcg", top: 2, neighbors: 2 }, 4],
    [{ noise: "gumbel", mode: "mrr", neighbors: 3 }, 4],
    [{ noise: "gumbel", mode: "map", top: 3, neighbors: 3 }, 4],
    [{ noise: "gumbel", mode: "err" }, 4],
    [{}, 3],
    [{ mode: "ndcg" }, 3],
    [{}, 2],
  ])("%j, %d items", (options, n) => {
    const scores = [0.3, -0.4, 1, 0.1].slice(0, n);
    const labels = [2, 1, 0, 3].slice(0, n);
    const wanted = expected(scores, labels, options);
    expect(Math.max(...wanted.map(Math.abs))).toBeGreaterThan(0.01);
    const cost = yetiRank({ ...options, permutations: 1 });
    const draws = 20_000;
    const [sum, squares] = [scores.map(() => 0), scores.map(() => 0)];
    for (let seed = 0; seed < draws; seed++)
      answer(cost, scores, labels, { draw: random(seed) }).gradient.forEach((one, i) => {
        sum[i]! += one;
        squares[i]! += one * one;
      });
    wanted.forEach((one, i) => {
      const mean = sum[i]! / draws;
      const error = Math.sqrt((squares[i]! / draws - mean * mean) / draws);
      expect(Math.abs(mean - one), `${i}: ${mean} for ${one}`).toBeLessThan(4 * error + 1e-9);
    });
  });
});

it("two items: the pair's cost and derivatives, whatever the noise", () => {
  const { cost, gradient, hessian } = answer(yetiRank({ permutations: 7 }), [1, 0], [0, 3]);
  const miss = sigmoid(1);
  expect(cost).toBeCloseTo(3 * Math.log(1 + Math.E), 13);
  expect(gradient[1]).toBeCloseTo(-3 * miss, 13);
  expect(hessian[0]).toBeCloseTo(3 * miss * (1 - miss), 13);
});

it("the mean over permutations of one stream is the objective with as many", () => {
  const [scores, labels] = [[0.2, 0.1, -1, 0.7, 0], [1, 0, 2, 0, 1]]; // biome-ignore format: short
  const draw = random(9);
  const single = yetiRank({ permutations: 1, mode: "ndcg" });
  const sum = new Float64Array(5);
  for (let round = 0; round < 4; round++)
    answer(single, scores, labels, { draw }).gradient.forEach((one, i) => {
      sum[i]! += one / 4;
    });
  const four = answer(yetiRank({ permutations: 4, mode: "ndcg" }), scores, labels, { draw: random(9) });
  four.gradient.forEach((one, i) => {
    expect(one).toBeCloseTo(sum[i]!, 14);
  });
});

it("lists without a relevant item say nothing in the modes of metrics, and something in the classic one", () => {
  for (const mode of ["ndcg", "mrr", "map", "err"] as const)
    expect([...answer(yetiRank({ mode }), [1, 2, 3], [0, -1, 0]).gradient]).toEqual([0, 0, 0]);
  expect(answer(yetiRank(), [1, 2, 3], [0, -1, 0]).gradient[1]).toBeGreaterThan(0);
});

it.each([
  ["yetirank:mode=nDCG", /objective yetirank, option mode: expected one of classic, dcg, ndcg, mrr, map, err, got "nDCG"/],
  ["yetirank:permutations=0", /option permutations: expected a whole number above 0, got "0"/],
  ["yetirank:decay=1.5", /option decay: expected a number above 0 and of at most 1, got "1.5"/],
  ["yetirank:noise=gauss", /option noise: expected one of logistic, gumbel, got "gauss"/],
])("refuses %s", (text, message) => expect(() => objective(text)).toThrow(message));

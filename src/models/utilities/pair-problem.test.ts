import { describe, expect, it } from "vitest";
import { ballots } from "../../data/ballots.ts";
import { withHeap } from "../../numeric/heap.ts";
import { random, shuffle } from "../../numeric/random.ts";
import { objective } from "../../objectives/index.ts";
import { finiteDifferenceHessian } from "../../optimizers/index.ts";
import { runSolo } from "../../teams/solo.ts";
import type { Dataset, Run } from "../../types.ts";
import { makeProblem } from "../shared/optimize.ts";
import { type Contests, contestsOf, PairIndex, pairsIn } from "./contests.ts";
import { pairProblem } from "./pair-problem.ts";

const names = Array.from({ length: 8 }, (_, i) => `item ${i}`);
const SPECS = ["ranknet", "ranknet:ties=half", "davidson", "rao-kupper"];

/** Pairs, or pairs and longer ballots, with ties and weights; `weighted` gives items weights too. */
function draw(longest: number, weighted: boolean, seed: number): Dataset {
  const r = random(seed);
  const given = Array.from({ length: 60 }, () => {
    const order = shuffle([...names], r).slice(0, 2 + Math.floor(r() * (longest - 1)));
    const tiers: string[][] = [];
    while (order.length > 0) tiers.push(order.splice(0, r() < 0.4 ? 2 : 1));
    return tiers;
  });
  const data = ballots(given, { items: names, weights: given.map(() => 1 + Math.floor(3 * r())) });
  return weighted ? { ...data, itemWeights: data.labels.map(() => 0.5 + r()) } : data;
}

const scorer = (size: number) => ({
  size,
  penalized: size,
  score(params: Float64Array, { starts, items }: Dataset, q: number, into: Float64Array) {
    for (let at = starts[q]!; at < starts[q + 1]!; at++) into[at - starts[q]!] = params[items![at]!]!;
  },
  backward({ starts, items }: Dataset, q: number, gradient: Float64Array, into: Float64Array) {
    for (let at = starts[q]!; at < starts[q + 1]!; at++) into[items![at]!]! += gradient[at - starts[q]!]!;
  },
});

describe.each(SPECS)("%s", (spec) => {
  const cost = objective(spec);
  const size = 8 + cost.auxiliary.length;

  it.each([
    ["pairs", 2, false],
    ["pairs and longer ballots", 6, false],
    ["ballots with weights of items", 5, true],
  ] as const)("%s: merged counts have the cost, the gradient and the hessian of the lists", (_, longest, weighted) => {
    for (let seed = 1; seed <= 5; seed++) {
      const data = draw(longest, weighted, seed);
      const r = random(seed, 9);
      const at = Float64Array.from({ length: size }, () => 2 * r() - 1);
      withHeap((heap) =>
        runSolo((team) => {
          const run = { seed: 1, team, afterRound: () => "continue" } as Run;
          const slow = makeProblem(data, cost, run, scorer(8), 0.1, heap);
          const total = data.listWeights!.reduce((sum, weight) => sum + weight, 0);
          const fast = pairProblem(contestsOf(data, 8, cost.ties === "event"), cost, total, team, 0.1);
          const [a, b] = [new Float64Array(size), new Float64Array(size)];
          expect(fast.evaluate(at, a, 0)).toBeCloseTo(slow.evaluate(at, b, 0), 11);
          a.forEach((value, i) => void expect(value).toBeCloseTo(b[i]!, 12));

          const exact = fast.hessian(at);
          const matrix = exact.matrix();
          const differences = finiteDifferenceHessian(slow, at);
          const direction = Float64Array.from({ length: size }, () => 2 * r() - 1);
          exact.times(direction, a);
          differences.times(direction, b);
          for (let i = 0; i < size; i++) {
            expect(a[i]).toBeCloseTo(b[i]!, 7);
            expect(exact.diagonal[i]).toBeCloseTo(matrix[i * size + i]!, 12);
            const product = direction.reduce((sum, x, j) => sum + matrix[i * size + j]! * x, 0);
            expect(a[i]).toBeCloseTo(product, 12);
            for (let j = 0; j < i; j++) expect(matrix[i * size + j]).toBeCloseTo(matrix[j * size + i]!, 13);
          }
        }),
      );
    }
  });

  it("covariates: gradient and hessian are slopes of the cost", () => {
    const r = random(77);
    const rows = 40;
    const of = (value: () => number) => Float64Array.from({ length: rows }, value);
    const first = Uint32Array.from({ length: rows }, (_, i) => i % 5);
    const contests: Contests = {
      ...{ items: 5, first, second: first.map((i) => (i + 1 + Math.floor(4 * r())) % 5) },
      ...{ wins: of(r), losses: of(() => (r() < 0.5 ? 0 : r())), ties: of(r) },
      ...{ covariates: Float64Array.from({ length: 2 * rows }, () => 2 * r() - 1), covariateCount: 2 },
    };
    runSolo((team) => {
      const problem = pairProblem(contests, cost, rows, team, 0);
      const n = problem.size;
      expect(n).toBe(7 + cost.auxiliary.length);
      const at = Float64Array.from({ length: n }, () => 2 * r() - 1);
      const gradient = new Float64Array(n);
      problem.evaluate(at, gradient, 0);
      const matrix = problem.hessian(at).matrix();
      const unit = new Float64Array(n);
      const column = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        const moved = (step: number) =>
          problem.evaluate(
            at.map((x, j) => x + (i === j ? step : 0)),
            column,
            0,
          );
        expect(gradient[i]).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 8);
        unit.fill(0)[i] = 1;
        finiteDifferenceHessian(problem, at).times(unit, column);
        for (let j = 0; j < n; j++) expect(matrix[i * n + j]).toBeCloseTo(column[j]!, 7);
        problem.hessian(at).times(unit, column);
        for (let j = 0; j < n; j++) expect(matrix[i * n + j]).toBeCloseTo(column[j]!, 13);
      }
    });
  });
});

describe("contests", () => {
  it("pairs are numbered in the order in which they first come, through every growth of the table", () => {
    const index = new PairIndex();
    const seen = new Map<string, number>();
    const r = random(5);
    for (let i = 0; i < 40_000; i++) {
      const [a, b] = [Math.floor(200 * r()), Math.floor(200 * r())];
      const known = seen.get(`${a} ${b}`) ?? seen.size;
      seen.set(`${a} ${b}`, known);
      expect(index.of(a, b)).toBe(known);
    }
    expect(index.count).toBe(seen.size);
  });

  it("one row for each pair of items: a over b twice, b over a once and a tie", () => {
    const data = ballots([["b", "a"], ["a", "b"], [["a", "b"]]], { weights: [1, 2, 1] });
    expect(pairsIn(data)).toBe(3);
    const found = contestsOf(data, 2, true); // b is item 0
    expect([[...found.first], [...found.second]]).toEqual([[0], [1]]);
    expect([[...found.wins], [...found.losses], [...found.ties]]).toEqual([[1], [2], [1]]);
    expect([...contestsOf(data, 2, false).ties]).toEqual([0]);
  });
});

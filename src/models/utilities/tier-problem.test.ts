import { describe, expect, it } from "vitest";
import { ballots } from "../../data/ballots.ts";
import { heap } from "../../numeric/heap.ts";
import { random, shuffle } from "../../numeric/random.ts";
import { plPartition } from "../../objectives/index.ts";
import { runSolo } from "../../teams/solo.ts";
import type { Dataset, Run } from "../../types.ts";
import { makeProblem } from "../shared/optimize.ts";
import { sampledStages, stagesOf } from "./stages.ts";
import { tierProblem } from "./tier-problem.ts";

const names = Array.from({ length: 9 }, (_, i) => `item ${i}`);

/** Random ballots over some of nine items: strict ones, or in tiers of up to four. */
function draw(tied: boolean, seed: number): Dataset {
  const r = random(seed);
  const given = Array.from({ length: 40 }, () => {
    const order = shuffle([...names], r).slice(0, 2 + Math.floor(r() * 8));
    const tiers: string[][] = [];
    while (order.length > 0) tiers.push(order.splice(0, tied ? 1 + Math.floor(r() * 4) : 1));
    return tiers;
  });
  return ballots(given, { items: names, weights: given.map((_, i) => 1 + (i % 3)) });
}

const place = (seed: number) => {
  const r = random(seed);
  return Float64Array.from(names, () => 3 * r() - 1.5);
};

describe.each([
  ["strict", false],
  ["tied", true],
])("%s ballots", (_, tied) => {
  const data = draw(tied, 3);
  const w = place(4);

  it("cost and gradient are those of pl-partition", () => {
    runSolo((team) => {
      const shape = {
        size: 9,
        penalized: 9,
        score(params: Float64Array, { starts, items }: Dataset, q: number, into: Float64Array) {
          for (let at = starts[q]!; at < starts[q + 1]!; at++) into[at - starts[q]!] = params[items![at]!]!;
        },
        backward({ starts, items }: Dataset, q: number, gradient: Float64Array, into: Float64Array) {
          for (let at = starts[q]!; at < starts[q + 1]!; at++) into[items![at]!]! += gradient[at - starts[q]!]!;
        },
      };
      const slow = makeProblem(data, plPartition(), { seed: 1, team, afterRound: () => "continue" } as Run, shape, 0.1, heap);
      const fast = tierProblem(stagesOf(data, 9), team, 0.1);
      const [a, b] = [new Float64Array(9), new Float64Array(9)];
      expect(fast.evaluate(w, a, 0)).toBeCloseTo(slow.evaluate(w, b, 0), 11);
      a.forEach((value, i) => void expect(value).toBeCloseTo(b[i]!, 11));
    });
  });

  it("second derivatives are the slopes of the gradient, along a direction and as a whole", () => {
    runSolo((team) => {
      const problem = tierProblem(stagesOf(data, 9), team, 0.1);
      const x = place(5);
      const step = 1e-5;
      const at = (by: number) => {
        const gradient = new Float64Array(9);
        problem.evaluate(
          w.map((value, i) => value + by * x[i]!),
          gradient,
          0,
        );
        return gradient;
      };
      const [ahead, behind] = [at(step), at(-step)];
      const curvature = problem.hessian(w);
      const found = new Float64Array(9);
      curvature.times(x, found);
      const matrix = curvature.matrix();
      for (let i = 0; i < 9; i++) {
        const slope = (ahead[i]! - behind[i]!) / (2 * step);
        expect(found[i]).toBeCloseTo(slope, 7);
        expect(x.reduce((sum, value, j) => sum + matrix[i * 9 + j]! * value, 0)).toBeCloseTo(slope, 7);
        expect(curvature.diagonal[i]).toBeGreaterThanOrEqual(matrix[i * 9 + i]! - 1e-12);
      }
    });
  });
});

it("tiers of many items: rough second derivatives have four digits", () => {
  const many = Array.from({ length: 100 }, (_, i) => `item ${i}`);
  const r = random(6);
  const given = Array.from({ length: 6 }, () => {
    const order = shuffle([...many], r);
    return [order.slice(0, 45), order.slice(45, 50), order.slice(50, 99), order.slice(99)];
  });
  runSolo((team) => {
    const problem = tierProblem(stagesOf(ballots(given, { items: many }), 100), team, 0);
    const [w, x] = [1, 2].map(() => Float64Array.from(many, () => 3 * r() - 1.5)) as [Float64Array, Float64Array];
    const along = (by: number) => {
      const gradient = new Float64Array(100);
      problem.evaluate(w.map((value, i) => value + by * x[i]!), gradient, 0); // biome-ignore format: one line
      return gradient;
    };
    const [ahead, behind, rough, precise] = [along(1e-4), along(-1e-4), new Float64Array(100), new Float64Array(100)];
    problem.roughHessian(w).times(x, rough);
    problem.hessian(w).times(x, precise);
    for (let i = 0; i < 100; i++) {
      const slope = (ahead[i]! - behind[i]!) / 2e-4;
      expect(precise[i]).toBeCloseTo(slope, 5);
      expect(rough[i]).toBeCloseTo(slope, 3);
    }
  });
});

it("one list of three has the sums of its lists", () => {
  const names = ["a", "b", "c", "d"];
  const lists = [
    ["a", ["b", "c"], "d"],
    ["d", "a"],
    ["b", "c"],
    [["a", "d"], "c"],
    ["c", "b", "a"],
    ["a", "b"],
    ["b", "d", ["a", "c"]],
  ];
  const weights = lists.map((_, q) => q + 1);
  const some = sampledStages(stagesOf(ballots(lists, { items: names, weights }), 4), 3);
  const same = stagesOf(ballots([0, 3, 6].map((q) => lists[q]!), { items: names, weights: [1, 4, 7] }), 4); // biome-ignore format: one line
  expect({ ...some, longest: 0 }).toEqual({ ...same, longest: 0 });
});

it("a spread of utilities beyond what numbers hold costs infinitely much", () => {
  runSolo((team) => {
    const problem = tierProblem(stagesOf(draw(false, 1), 9), team, 0);
    expect(problem.evaluate(place(1).with(0, 1000), new Float64Array(9), 0)).toBe(Infinity);
  });
});

it.each([0, 1, -1])(
  "a strict ballot of 500 items whose utilities fall by %s from place to place: products beyond floats count",
  (step) => {
    const n = 500;
    const all = Array.from({ length: n }, (_, i) => `item ${i}`);
    const params = Float64Array.from(all, (_, i) => -step * i);
    // The item of place p is chosen from those of p and later ones.
    let wanted = 0;
    for (let p = 0; p < n; p++) {
      let rest = 0;
      for (let i = p; i < n; i++) rest += Math.exp(params[i]! - params[p]!);
      wanted += Math.log(rest);
    }
    const data = ballots([all], { items: all });
    runSolo((team) => {
      const problem = tierProblem(stagesOf(data, n), team, 0);
      expect(problem.evaluate(params, new Float64Array(n), 0) / wanted).toBeCloseTo(1, 11);
    });
  },
);

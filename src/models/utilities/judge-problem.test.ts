import { describe, expect, it } from "vitest";
import { type Battle, battles } from "../../data/battles.ts";
import { below, random } from "../../numeric/random.ts";
import { davidson, objective, rankNet } from "../../objectives/index.ts";
import type { Objective } from "../../types.ts";
import { judgedRows } from "./judge-fit.ts";
import { judgeProblem } from "./judge-problem.ts";

function drawn(seed: number, judges: number, each: number, k: number) {
  const r = random(seed, 0x1d);
  const rows = Array.from({ length: judges * each }, (_, at): Battle => {
    const i = below(r, 4);
    const winner = (["first", "second", "tie"] as const)[below(r, 3)]!;
    return {
      ...{ first: `i${i}`, second: `i${(i + 1 + below(r, 3)) % 4}`, winner, cluster: `j${at % judges}`, count: 1 + below(r, 3) },
      ...{ weight: 0.5 + r(), covariates: Array.from({ length: k }, () => r() - 0.5) },
    };
  });
  return battles(rows, { covariates: Array.from({ length: k }, (_, c) => `x${c}`) });
}

/** Minus the log of the marginal likelihood by Riemann sums with 20,000 steps. */
function slowCost(data: ReturnType<typeof drawn>, cost: Objective, params: Float64Array, ghost: number): number {
  const k = data.covariateNames.length;
  const n = data.items.length + (ghost > 0 ? 1 : 0);
  const tau = params[params.length - 1]!;
  const outcomes = cost.pairs!.at(params.subarray(n + k, params.length - 1));
  const costOf = (kind: number, d: number) =>
    kind === 0 ? outcomes.win(d).cost : kind === 1 ? outcomes.win(-d).cost : (outcomes.tie?.(d).cost ?? 0);
  let sum = 0;
  for (let i = 0; ghost > 0 && i < n - 1; i++)
    for (const kind of [0, 1]) sum += ghost * costOf(kind, params[i]! - params[n - 1]!);
  for (let j = 0; j < data.clusterNames!.length; j++) {
    let mass = 0;
    const step = 0.001;
    for (let u = -10; u <= 10; u += step) {
      let total = (u * u) / 2;
      for (let r = 0; r < data.first.length; r++) {
        if (data.clusters![r] !== j) continue;
        let m = params[data.first[r]!]! - params[data.second[r]!]!;
        for (let c = 0; c < k; c++) m += data.covariates[r * k + c]! * params[n + c]!;
        total += data.counts[r]! * data.weights![r]! * costOf(data.outcome[r]!, (1 + tau * u) * m);
      }
      mass += Math.exp(-total);
    }
    sum -= Math.log((mass * step) / Math.sqrt(2 * Math.PI));
  }
  return sum;
}

const cases: [string, Objective, number, number][] = [
  ["ranknet", rankNet(), 0, 0],
  ["ranknet:ties=half", rankNet({ ties: "half" }), 2, 0.5],
  ["davidson", davidson(), 1, 0],
  ["rao-kupper", objective("rao-kupper"), 1, 0.5],
];

describe.each(cases)("judges under %s", (_, cost, k, ghost) => {
  const data = drawn(3, 4, 7, k);
  const problem = judgeProblem(judgedRows(data, ghost), cost);
  const r = random(5);
  const params = Float64Array.from({ length: problem.size }, () => 2 * r() - 1);
  params[problem.size - 1] = 0.8;

  it("the cost is the marginal likelihood, integrated slowly", () => {
    expect(problem.cost(params)).toBeCloseTo(slowCost(data, cost, params, ghost), 7);
    expect(problem.derivatives(params).cost).toBeCloseTo(problem.cost(params), 9);
  });

  it("gradient and Hessian are derivatives of the cost", () => {
    const { gradient, hessian } = problem.derivatives(params);
    const h = 1e-4;
    for (let i = 0; i < problem.size; i++) {
      const [up, down] = [params.slice(), params.slice()];
      up[i]! += h;
      down[i]! -= h;
      expect(gradient[i]).toBeCloseTo((problem.cost(up) - problem.cost(down)) / (2 * h), 5);
      const [above, below] = [problem.derivatives(up).gradient, problem.derivatives(down).gradient];
      for (let j = 0; j < problem.size; j++)
        expect(hessian[i * problem.size + j]).toBeCloseTo((above[j]! - below[j]!) / (2 * h), 5);
    }
  });

  it("products are the sum over judges of outer products of their gradients", () => {
    const { products } = problem.derivatives(params);
    const expected = new Float64Array(products.length);
    const names = data.clusterNames!;
    names.forEach((_, j) => {
      const { clusters } = data;
      const keep = [...clusters!.keys()].filter((row) => clusters![row] === j);
      const one = {
        ...data,
        ...{
          first: data.first.filter((_, row) => keep.includes(row)),
          second: data.second.filter((_, row) => keep.includes(row)),
        },
        ...{
          outcome: data.outcome.filter((_, row) => keep.includes(row)),
          counts: data.counts.filter((_, row) => keep.includes(row)),
        },
        weights: data.weights!.filter((_, row) => keep.includes(row)),
        clusters: clusters!.filter((_, row) => keep.includes(row)),
        covariates: Float64Array.from(keep.flatMap((row) => [...data.covariates.subarray(row * k, row * k + k)])),
      };
      const { gradient } = judgeProblem(
        { ...judgedRows(one, 0), items: data.items.length + (ghost > 0 ? 1 : 0) },
        cost,
      ).derivatives(params);
      for (let a = 0; a < problem.size; a++)
        for (let b = 0; b < problem.size; b++) expected[a * problem.size + b]! += gradient[a]! * gradient[b]!;
    });
    expected.forEach((value, at) => void expect(products[at]).toBeCloseTo(value, 8));
  });
});

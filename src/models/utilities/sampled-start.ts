/**
 * Where to begin with many ballots. One ballot of eight is fitted first, with a weak prior. Its second derivatives are close to those of all ballots, which are
 * the expensive part, so all ballots are then fitted with these, corrected by what each step shows of the true ones (BFGS; Nocedal and Wright,
 * Numerical Optimization, section 6.1). Few steps are needed, each of which costs one gradient. Newton's method goes on from there, and has nothing
 * left to do unless the steps ended early.
 */
import { random } from "../../numeric/random.ts";
import { newton } from "../../optimizers/newton.ts";
import type { Problem, Team } from "../../types.ts";
import { type Stages, sampledStages } from "./stages.ts";
import { type TierProblem, tierProblem } from "./tier-problem.ts";

const SAMPLED = 20_000; // entries of which a sample of the ballots has at least as many, and at least 20 for each item
const MATRIX = 300; // items: beyond, a matrix of second derivatives costs as much as it saves

const ROUGHLY = 1e-5; // largest entry of the gradient with which the fit to a sample ends

/** The fit of the problem of these ballots, or close to it. Undefined if there are not many. */
export function sampledStart(
  stages: Stages,
  problem: TierProblem,
  team: Team,
  l2: number,
  tolerance = 1e-13,
): Float64Array | undefined {
  const sample = 8;
  if (stages.order.length < sample * Math.max(SAMPLED, 20 * stages.items)) return undefined;
  const some = sampledStages(stages, sample);
  const rough = tierProblem(some, team, l2 + 1 / some.total);
  const start = sampledStart(some, rough, team, l2, ROUGHLY) ?? new Float64Array(stages.items);
  const minimize = (one: Problem, goal: number) =>
    newton({ tolerance: goal, iterations: 40 }).minimize(one, start, random(1), () => "continue");
  minimize({ ...rough, hessian: rough.roughHessian }, ROUGHLY); // nothing is left to do where the sample was sampled itself
  if (stages.items <= MATRIX) minimize(withSecants(problem, rough.roughHessian(start).matrix()), tolerance);
  return start;
}

/** The problem with another Hessian, which is corrected after each step to agree with the change of the gradient along it. */
function withSecants(problem: Problem, matrix: Float64Array): Problem {
  const n = problem.size;
  let here: { readonly params: Float64Array; readonly gradient: Float64Array } | undefined;
  let latest: typeof here;
  const times = (x: Float64Array, into: Float64Array) => {
    for (let i = 0, at = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++, at++) sum += matrix[at]! * x[j]!;
      into[i] = sum;
    }
  };
  return {
    ...problem,
    evaluate(params, gradient, round) {
      const cost = problem.evaluate(params, gradient, round);
      latest = { params: params.slice(), gradient: gradient.slice() };
      return cost;
    },
    hessian() {
      // Newton's method asks for the Hessian at the place that it evaluated last.
      if (here && latest) correct(matrix, n, times, here, latest);
      here = latest;
      return { diagonal: Float64Array.from({ length: n }, (_, i) => matrix[i * n + i]!), times };
    },
  };
}

/** The update of BFGS: the least change that makes the matrix times the step the change of the gradient. */
function correct(
  matrix: Float64Array,
  n: number,
  times: (x: Float64Array, into: Float64Array) => void,
  before: { readonly params: Float64Array; readonly gradient: Float64Array },
  after: { readonly params: Float64Array; readonly gradient: Float64Array },
): void {
  const step = after.params.map((value, i) => value - before.params[i]!);
  const change = after.gradient.map((value, i) => value - before.gradient[i]!);
  const expected = new Float64Array(n);
  times(step, expected);
  let [curvature, old] = [0, 0];
  for (let i = 0; i < n; i++) {
    curvature += step[i]! * change[i]!;
    old += step[i]! * expected[i]!;
  }
  if (!(curvature > 1e-3 * old)) return; // rounding
  for (let i = 0, at = 0; i < n; i++)
    for (let j = 0; j < n; j++, at++)
      matrix[at] = matrix[at]! + (change[i]! * change[j]!) / curvature - (expected[i]! * expected[j]!) / old;
}

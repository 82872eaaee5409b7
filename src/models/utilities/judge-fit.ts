/** Fits battles with a discrimination for each judge by Newton's method with damping (Levenberg-Marquardt), from the fit of equal judges. */
import type { Battles } from "../../data/battles.ts";
import { InputError } from "../../input-error.ts";
import { cholesky, solve } from "../../numeric/cholesky.ts";
import type { Objective } from "../../types.ts";
import { type JudgeDerivatives, type JudgedRows, type JudgeProblem, judgeProblem } from "./judge-problem.ts";
import { type PairFit, penalizeShift } from "./pair-fit.ts";

export interface JudgeFit {
  readonly problem: JudgeProblem;
  /** Utilities, the ghost's, coefficients, the auxiliary parameter, τ. */
  readonly params: Float64Array;
  /** At the estimate, of the ghost's battles too. */
  readonly at: JudgeDerivatives;
}

/** The battles in the order of their judges, and those of a ghost, against which every item wins and loses `ghost` times. */
export function judgedRows(data: Battles, ghost: number): JudgedRows {
  const { items, first, second, outcome, counts, weights, clusters, clusterNames, covariates, covariateNames } = data;
  const k = covariateNames.length;
  const judges = clusterNames!.length;
  const rows = first.length;
  const starts = new Uint32Array(judges + 1);
  for (const judge of clusters!) starts[judge + 1] = starts[judge + 1]! + 1;
  for (let j = 0; j < judges; j++) starts[j + 1] = starts[j + 1]! + starts[j]!;
  const next = starts.slice();
  const all = rows + (ghost > 0 ? 2 * items.length : 0);
  const order = new Uint32Array(rows);
  for (let r = 0; r < rows; r++) {
    const judge = clusters![r]!;
    order[next[judge]!] = r;
    next[judge] = next[judge]! + 1;
  }
  const n = items.length;
  const column = (of: (r: number) => number, ghostly: (i: number) => number) => (_: unknown, at: number) =>
    at < rows ? of(order[at]!) : ghostly(at - rows);
  const length = { length: all };
  return {
    ...{ items: ghost > 0 ? n + 1 : n, judges, starts },
    first: Uint32Array.from(
      length,
      column(
        (r) => first[r]!,
        (i) => i >> 1,
      ),
    ),
    second: Uint32Array.from(
      length,
      column(
        (r) => second[r]!,
        () => n,
      ),
    ),
    outcome: Uint8Array.from(
      length,
      column(
        (r) => outcome[r]!,
        (i) => i & 1,
      ),
    ),
    weights: Float64Array.from(
      length,
      column(
        (r) => counts[r]! * (weights ? weights[r]! : 1),
        () => ghost,
      ),
    ),
    covariates: Float64Array.from({ length: all * k }, (_, at) =>
      at < rows * k ? covariates[order[Math.floor(at / k)]! * k + (at % k)]! : 0,
    ),
    covariateCount: k,
  };
}

const ROUNDS = 200;
const LONGEST = 3; // step of a parameter: utilities and the spread are of the order of 1, and beyond is no quadratic
const FAR = 40; // a margin that only a search without end reaches

/** Fits from `start`, the fit of equal judges. `afterRound` is called with the number of rounds done. */
export function fitJudges(
  rows: JudgedRows,
  objective: Objective,
  start: PairFit,
  afterRound?: (round: number) => void,
): JudgeFit {
  const problem = judgeProblem(rows, objective);
  const { size } = problem;
  let params = new Float64Array(size);
  params.set(start.params);
  params[size - 1] = 0.5; // 0 is a saddle point where judges differ
  let at = problem.derivatives(params);
  let damping = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    if (at.gradient.every((slope) => Math.abs(slope) <= 1e-10 * start.total)) break;
    const found = step(problem, params, at, damping, rows.items);
    afterRound?.(round);
    if (!found) break; // rounding: no step lowers the cost
    params = found.params;
    damping = found.damping;
    at = problem.derivatives(params);
  }
  // Judges are as likely on either side of the mean, so the sign of τ means nothing.
  params[size - 1] = Math.abs(params[size - 1]!);
  const far = params.subarray(0, rows.items);
  if (Math.max(...far) - Math.min(...far) > FAR)
    throw new InputError(
      "the maximum-likelihood estimate with judges does not exist, because judges can explain every vote against the order; add a prior, such as ghost 0.5",
    );
  return { problem, params, at: problem.derivatives(params) };
}

/** A step that lowers the cost, with as little damping as that takes. */
function step(problem: JudgeProblem, params: Float64Array, at: JudgeDerivatives, damping: number, items: number) {
  const { size } = problem;
  const scale = at.hessian.reduce((sum, value, i) => (i % (size + 1) === 0 ? sum + Math.abs(value) : sum), 0) / size;
  let factor = damping < 1e-6 ? 0 : damping / 10;
  for (let attempt = 0; attempt < 40; attempt++, factor = Math.max(1e-6, factor * 10)) {
    const matrix = at.hessian.slice();
    penalizeShift(matrix, size, items);
    for (let i = 0; i < size; i++) matrix[i * size + i] = matrix[i * size + i]! + factor * scale;
    if (!cholesky(matrix, size)) continue;
    const direction = at.gradient.slice();
    solve(matrix, size, direction);
    if (!(largest(direction) < LONGEST)) continue;
    const next = params.map((value, i) => value - direction[i]!);
    const cost = problem.cost(next);
    if (cost < at.cost || (factor === 0 && cost <= at.cost + 1e-13 * Math.abs(at.cost) && better(problem, next, at)))
      return { params: next, damping: factor };
  }
  return undefined;
}

const largest = (values: Float64Array) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Where costs differ by rounding only, the gradient decides. */
const better = (problem: JudgeProblem, params: Float64Array, at: JudgeDerivatives) =>
  largest(problem.derivatives(params).gradient) < largest(at.gradient) / 2;

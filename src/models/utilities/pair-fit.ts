/** Fits contests under an objective of pairs by Newton's method, from battles to parameters, and the covariance of the parameters. */
import type { Battles } from "../../data/battles.ts";
import { InputError } from "../../input-error.ts";
import { inverse } from "../../numeric/cholesky.ts";
import { random } from "../../numeric/random.ts";
import { newton } from "../../optimizers/newton.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Dataset, Objective } from "../../types.ts";
import { areConnected, requireConnected } from "./connected.ts";
import { type Contests, PairIndex } from "./contests.ts";
import { fillTerms, marginOf, pairProblem, rowTerms } from "./pair-problem.ts";
import { stagesOf } from "./stages.ts";

/** Fitted contests: parameters are utilities, the ghost's where there is one, coefficients of covariates, then the auxiliary parameter. */
export interface PairFit {
  readonly contests: Contests;
  readonly objective: Objective;
  readonly params: Float64Array;
  /** Total cost, of the ghost's battles too. */
  readonly cost: number;
  /** Weight of all battles, of the ghost's too. */
  readonly total: number;
}

/** The contests of battles, merged by pair where there are no covariates; `counts` replaces those of the rows. */
export function contestsOfBattles(data: Battles, counts: Float64Array = data.counts): Contests {
  const { items, first, second, outcome, weights, covariates, covariateNames } = data;
  const k = covariateNames.length;
  const rows = first.length;
  const index = new PairIndex();
  const sums = new Float64Array(3 * rows);
  for (let r = 0; r < rows; r++) {
    const turned = k === 0 && first[r]! > second[r]!;
    const row = k > 0 ? r : turned ? index.of(second[r]!, first[r]!) : index.of(first[r]!, second[r]!);
    const kind = outcome[r] === 2 ? 2 : turned ? 1 - outcome[r]! : outcome[r]!;
    sums[3 * row + kind] = sums[3 * row + kind]! + counts[r]! * (weights ? weights[r]! : 1);
  }
  const count = k > 0 ? rows : index.count;
  const of = (kind: number) => Float64Array.from({ length: count }, (_, row) => sums[3 * row + kind]!);
  return {
    items: items.length,
    ...(k > 0 ? { first, second } : { first: index.first.slice(0, count), second: index.second.slice(0, count) }),
    ...{ wins: of(0), losses: of(1), ties: of(2) },
    ...(k > 0 && { covariates, covariateCount: k }),
  };
}

/** The contests and those of a ghost item, against which every item wins and loses `times`. */
export function withGhostContests(contests: Contests, times: number): Contests {
  if (times === 0) return contests;
  const { items: n, first, second, wins, losses, ties, covariates, covariateCount: k = 0 } = contests;
  const joined = <A extends Uint32Array | Float64Array>(from: A, more: (i: number) => number) => {
    const into = (from instanceof Uint32Array ? new Uint32Array(from.length + n) : new Float64Array(from.length + n)) as A;
    into.set(from);
    for (let i = 0; i < n; i++) into[from.length + i] = more(i);
    return into;
  };
  const grown = new Float64Array((first.length + n) * k);
  if (covariates) grown.set(covariates);
  return {
    items: n + 1,
    ...{ first: joined(first, (i) => i), second: joined(second, () => n) },
    ...{ wins: joined(wins, () => times), losses: joined(losses, () => times), ties: joined(ties, () => 0) },
    ...(k > 0 && { covariates: grown, covariateCount: k }),
  };
}

/** Contests as ballots of two items, for the check of whether an estimate exists. */
function ballotsOf({ first, second, wins, losses, ties }: Contests, names: readonly string[]): Dataset {
  const [items, labels]: [number[], number[]] = [[], []];
  for (let r = 0; r < first.length; r++) {
    const [i, j] = [first[r]!, second[r]!];
    if (wins[r]! > 0) {
      items.push(i, j);
      labels.push(1, 0);
    }
    if (losses[r]! > 0) {
      items.push(j, i);
      labels.push(1, 0);
    }
    if (ties[r]! > 0) {
      items.push(i, j);
      labels.push(0, 0);
    }
  }
  return {
    starts: Uint32Array.from({ length: items.length / 2 + 1 }, (_, q) => 2 * q),
    labels: Float32Array.from(labels),
    items: Uint32Array.from(items),
    features: { kind: "dense", rows: items.length, columns: 0, values: new Float32Array(0) },
    base: 1,
    names: { items: names },
  };
}

const FAR = 20; // a margin, of odds of 10^8 to 1, that only a search without end reaches

/** Fits the contests; `names` are those of the items, for messages, and `start` the parameters to begin at. */
export function fitPairs(contests: Contests, objective: Objective, names: readonly string[], start?: Float64Array): PairFit {
  if (!areConnected(contests, objective)) {
    const ballots = ballotsOf(contests, names);
    requireConnected(ballots, stagesOf(ballots, contests.items), objective);
  }
  const { wins, losses, ties, covariateCount: k = 0 } = contests;
  let total = 0;
  for (let r = 0; r < wins.length; r++) total += wins[r]! + losses[r]! + ties[r]!;
  const problem = pairProblem(contests, objective, total, soloTeam(), 0);
  const params = start ? start.slice() : new Float64Array(problem.size);
  if (!start) objective.auxiliary.forEach(({ initial }, e) => void (params[contests.items + k + e] = initial));
  newton().minimize(problem, params, random(1), () => "continue");
  if (k > 0 && contests.first.some((_, r) => Math.abs(marginOf(contests, params, r)) > FAR))
    throw new InputError(
      "the maximum-likelihood estimate does not exist, because the covariates separate the outcomes perfectly; leave some out",
    );
  const cost = problem.evaluate(params, new Float64Array(problem.size), 0) * total;
  return { contests, objective, params, cost, total };
}

/** The second derivatives of the total cost, with a common shift of all utilities penalized so that they can be inverted, and `ridge` added. */
export function informationOf({ contests, objective, params, total }: PairFit, ridge = 0): Float64Array {
  const matrix = pairProblem(contests, objective, total, soloTeam(), 0).hessian(params).matrix();
  const [size, n] = [params.length, contests.items];
  for (let at = 0; at < matrix.length; at++) matrix[at] = matrix[at]! * total;
  penalizeShift(matrix, size, n);
  for (let i = 0; i < n; i++) matrix[i * size + i] = matrix[i * size + i]! + ridge;
  return matrix;
}

/** Penalizes a common shift of the first n parameters, which costs nothing, so that the matrix can be inverted. */
export function penalizeShift(matrix: Float64Array, size: number, n: number): void {
  let scale = 0;
  for (let i = 0; i < n; i++) scale += matrix[i * size + i]! / n;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) matrix[i * size + j] = matrix[i * size + j]! + scale / n;
}

/**
 * The sum over clusters of the outer products of their gradients, the middle of the sandwich estimator: Σ_c g_c g_cᵀ. Without clusters each battle
 * is one, so that a row of n equal battles adds n times. With C clusters it is multiplied by C / (C - 1).
 */
export function gradientProducts(data: Battles, { contests, objective, params }: PairFit, clustered: boolean): Float64Array {
  const { first, second, outcome, counts, weights, clusters, covariates, covariateNames } = data;
  const [k, n, size] = [covariateNames.length, contests.items, params.length];
  const own: Contests = { ...contests, first, second, ...(k > 0 && { covariates }) };
  const outcomes = objective.pairs!.at(params.subarray(n + k));
  const terms = rowTerms();
  const products = new Float64Array(size * size);
  const gradient = new Float64Array(size);
  const touched: number[] = [];
  const add = (i: number, value: number) => {
    if (gradient[i] === 0) touched.push(i);
    gradient[i] = gradient[i]! + value;
  };
  const addRow = (r: number, weight: number) => {
    const kind = outcome[r]!;
    fillTerms(outcomes, marginOf(own, params, r), kind === 0 ? 1 : 0, kind === 1 ? 1 : 0, kind === 2 ? 1 : 0, terms);
    add(first[r]!, weight * terms.slope);
    add(second[r]!, -weight * terms.slope);
    for (let c = 0; c < k; c++) add(n + c, weight * terms.slope * covariates[r * k + c]!);
    if (n + k < size) add(size - 1, weight * terms.slopeX);
  };
  const flush = (times: number) => {
    for (const i of new Set(touched))
      for (const j of new Set(touched)) products[i * size + j] = products[i * size + j]! + times * gradient[i]! * gradient[j]!;
    for (const i of touched) gradient[i] = 0;
    touched.length = 0;
  };
  if (!clustered || !clusters) {
    for (let r = 0; r < first.length; r++) {
      addRow(r, weights ? weights[r]! : 1);
      flush(counts[r]!);
    }
    return products;
  }
  const order = Uint32Array.from(clusters.keys()).sort((a, b) => clusters[a]! - clusters[b]! || a - b);
  let count = 0;
  order.forEach((r, at) => {
    addRow(r, counts[r]! * (weights ? weights[r]! : 1));
    if (at + 1 < order.length && clusters[order[at + 1]!] === clusters[r]) return;
    flush(1);
    count++;
  });
  return count > 1 ? products.map((value) => (value * count) / (count - 1)) : products;
}

const SINGULAR = 1e11;

/** A covariance of the parameters: utilities that sum to zero, without the ghost's, then the others. */
export interface PairCovariance {
  /** Of the utilities, items × items. */
  readonly utilities: Float64Array;
  /** Of the coefficients and the auxiliary parameter, k × k. */
  readonly others: Float64Array;
}

/** The inverse of the information, or the sandwich with `middle` between two of them. Undefined where it is singular. */
export function pairCovariance(fit: PairFit, items: number, middle?: Float64Array, ridge = 0): PairCovariance | undefined {
  return covarianceFrom(informationOf(fit, ridge), fit.params.length - fit.contests.items, items, middle);
}

/** The same from the information, which is overwritten, of utilities, the ghost's, and k other parameters. */
export function covarianceFrom(
  information: Float64Array,
  k: number,
  items: number,
  middle?: Float64Array,
): PairCovariance | undefined {
  const size = Math.sqrt(information.length);
  const diagonal = Float64Array.from({ length: size }, (_, i) => information[i * size + i]!);
  const bread = inverse(information, size);
  // The variance of a parameter times its own information is 1 where it depends on no other; rounding hides that a matrix is singular.
  if (!bread || diagonal.some((own, i) => !(own * bread[i * size + i]! < SINGULAR))) return undefined;
  const all = middle ? product(product(bread, middle, size), bread, size) : bread;
  const means = Float64Array.from({ length: items }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < items; j++) sum += all[i * size + j]!;
    return sum / items;
  });
  const mean = means.reduce((sum, one) => sum + one, 0) / items;
  const utilities = new Float64Array(items * items);
  for (let i = 0; i < items; i++)
    for (let j = 0; j < items; j++) utilities[i * items + j] = all[i * size + j]! - means[i]! - means[j]! + mean;
  const others = Float64Array.from({ length: k * k }, (_, at) => {
    const [i, j] = [size - k + Math.floor(at / k), size - k + (at % k)];
    return all[i * size + j]!;
  });
  return { utilities, others };
}

/** The product of two n × n matrices. */
export function product(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const into = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const factor = a[i * n + k]!;
      if (factor === 0) continue;
      for (let j = 0; j < n; j++) into[i * n + j] = into[i * n + j]! + factor * b[k * n + j]!;
    }
  }
  return into;
}

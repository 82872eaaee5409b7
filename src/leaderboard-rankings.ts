/**
 * Leaderboards from rankings of any number of items, with covariates of an item in a ranking (a horse's weight in a race, the position at which an answer
 * was shown) and features of the items. The score of item i in ranking b is
 *
 *   θ_i + x_ib · β,   and with features or shrinkage   θ_i = γ_0 + z_i · γ + u_i,   u_i ~ N(0, τ²)
 *
 * under the tier likelihood, or an objective of pairs. Errors are those of the observed information; robust ones (a sandwich with each ranking as one
 * observation), which are right also where pairs of one ranking are not independent; or with shrinkage, posterior standard deviations. τ is given, or it
 * has the highest adjusted marginal likelihood and errors contain its own (leaderboard-shrinkage.ts).
 */
import { checkData, checkOptions, type Kinds, oneOf, someObjective } from "./arguments.ts";
import { InputError } from "./input-error.ts";
import { checkSize, isLikelihood, type LeaderboardOptions, type LeaderboardParameter, leaderboardKinds } from "./leaderboard.ts";
import { checkFeatures, type ItemDesign, type ItemFeatures, standardized } from "./leaderboard-features.ts";
import { type Design, designOf, namedRankings, requireIndependent } from "./leaderboard-rankings-design.ts";
import { drawsFor, intervalOf, type LeaderboardRating, ratedItems } from "./leaderboard-ratings.ts";
import { averagedCovariance, bestShrinkage } from "./leaderboard-shrinkage.ts";
import { requireConnected } from "./models/utilities/connected.ts";
import { penalizeShift, product } from "./models/utilities/pair-fit.ts";
import { addBackward, fillScores, hasExactHessian, rankingProblem, totalOf } from "./models/utilities/ranking-problem.ts";
import { stagesOf } from "./models/utilities/stages.ts";
import { drawsOf } from "./models/utilities/uncertainty.ts";
import { cholesky, inverse } from "./numeric/cholesky.ts";
import { log } from "./numeric/functions.ts";
import { random } from "./numeric/random.ts";
import { plPartition } from "./objectives/pl-partition.ts";
import { newton } from "./optimizers/newton.ts";
import type { Dataset, Objective } from "./types.ts";

/** How a leaderboard is made from rankings. */
export interface RankingLeaderboardOptions
  extends Pick<LeaderboardOptions, "level" | "scale" | "anchor" | "anchorItem" | "seed"> {
  /** The tier likelihood, or an objective of pairs: `rankNet()`, `davidson()` or `raoKupper()`. Default: `plPartition()`. */
  readonly objective?: Objective;
  /** Standard errors. Default: "information" under the tier likelihood, or else "robust". */
  readonly errors?: "information" | "robust";
  /** Features of the items, towards which items with few rankings shrink; items without rankings are rated too. Default: none. */
  readonly itemFeatures?: ItemFeatures;
  /**
   * Standard deviation τ of utilities from what their features say, or from their mean; "auto" is that of the highest adjusted marginal likelihood.
   * Default: "auto" with features, or else none.
   */
  readonly shrinkage?: number | "auto";
}

/** An item of a leaderboard from rankings. */
export interface RankingLeaderboardItem extends LeaderboardRating {
  /** Number of rankings that the item is in. */
  readonly rankings: number;
}

/** A leaderboard from rankings, its items from the best to the worst. */
export interface RankingLeaderboard {
  /** Items, the best first. */
  readonly items: readonly RankingLeaderboardItem[];
  /** Coefficients β of the covariates. */
  readonly covariates: readonly LeaderboardParameter[];
  /** Coefficients γ of the features of items. */
  readonly features: readonly LeaderboardParameter[];
  /** What the objective learned besides. */
  readonly auxiliary: readonly LeaderboardParameter[];
  /** Standard deviation τ of utilities from what their features say, where they shrink. */
  readonly shrinkage?: number;
  /** Log of the marginal likelihood at τ, up to a constant. */
  readonly logMarginal?: number;
  /** Spec of the objective. */
  readonly objective: string;
  /** Where the standard errors come from. */
  readonly errors: "information" | "robust" | "posterior";
  /** Level of the intervals. */
  readonly level: number;
  /** The scale of the ratings. */
  readonly scale: "log" | "elo";
  /** The anchor in words. */
  readonly anchor: string;
  /** Number of rankings, or the sum of their weights. */
  readonly rankings: number;
  /** Total cost of the rankings: minus the log-likelihood under the tier likelihood. */
  readonly cost: number;
  /** Whether the cost is minus a log-likelihood. */
  readonly likelihood: boolean;
  /** Utilities in the order of the items, summing to zero. */
  readonly utilities: Float64Array;
  /** Covariance of the utilities, items × items, in the order of the items. */
  readonly covariance: Float64Array;
}

const WHO = "leaderboardOfRankings";
const MOST = 1500; // items of which τ is searched: every one that is tried takes a matrix of items × items
const FLAT = 1e3; // error of a coefficient, in log-odds by a standard deviation, that only a search without end leaves

const kinds: Kinds<RankingLeaderboardOptions> = {
  ...{ level: leaderboardKinds.level, scale: leaderboardKinds.scale, seed: leaderboardKinds.seed },
  ...{ anchor: leaderboardKinds.anchor, anchorItem: leaderboardKinds.anchorItem, errors: oneOf("information", "robust") },
  objective: {
    wanted: "plPartition(), or an objective of pairs: rankNet(), davidson() or raoKupper()",
    fits: (value) => someObjective.fits(value) && hasExactHessian(value as Objective),
  },
  itemFeatures: { wanted: "features, { names, items }", fits: (value) => typeof value === "object" && value !== null },
  shrinkage: {
    wanted: 'a number above 0, or "auto"',
    fits: (value) => value === "auto" || (Number.isFinite(value) && (value as number) > 0),
  },
};

/** What is fitted: rankings with numbered items, and the design. */
interface Setting {
  readonly data: Dataset;
  readonly names: readonly string[];
  readonly design: Design;
  readonly objective: Objective;
}

/** A leaderboard from rankings whose items have names; the features of the data are covariates of an item in a ranking. */
export function leaderboardOfRankings(given: Dataset, options: RankingLeaderboardOptions = {}): RankingLeaderboard {
  checkData(WHO, given);
  checkOptions(WHO, options, kinds);
  const { objective = plPartition(), itemFeatures, shrinkage = itemFeatures ? "auto" : undefined } = options;
  if (shrinkage !== undefined && options.errors !== undefined)
    throw new InputError(`${WHO}, option errors: utilities that shrink have posterior errors; leave errors out`);
  const { data, names: own } = namedRankings(WHO, given);
  if (itemFeatures) checkFeatures(WHO, own, itemFeatures);
  const names = itemFeatures ? [...new Set([...own, ...itemFeatures.items.keys()])] : own;
  checkSize(names.length);
  const byItem: ItemDesign | undefined = itemFeatures && standardized(WHO, names, itemFeatures);
  const design = designOf(WHO, data, byItem, itemFeatures?.names ?? []);
  if (shrinkage === undefined)
    requireConnected({ ...data, names: { items: names } }, stagesOf(data, names.length), objective, "shrinkage, such as 1");
  requireIndependent(WHO, data, names.length, design, shrinkage !== undefined);
  if (shrinkage === "auto" && names.length > MOST)
    throw new InputError(`${WHO}: ${names.length} items are too many to search the shrinkage; give it as a number`);
  const setting: Setting = { data, names, design, objective };
  const fit = (tau: number, start?: Float64Array) => fitAt(setting, tau, start);
  const found = shrinkage === undefined ? fit(Infinity) : shrinkage === "auto" ? bestShrinkage(fit) : fit(shrinkage);
  const errors =
    shrinkage !== undefined ? "posterior" : (options.errors ?? (objective.likelihood === "tiers" ? "information" : "robust"));
  const covariance = (one: RankingFit) => covarianceOf(setting, one, errors === "robust");
  const all = shrinkage === "auto" ? averagedCovariance(found, fit, covariance) : covariance(found);
  return assemble(setting, found, { ...options, errors }, all, byItem);
}

interface RankingFit {
  readonly tau: number;
  readonly params: Float64Array;
  /** Total cost of the rankings, without the prior. */
  readonly cost: number;
  /** Minus the log of the marginal likelihood, up to a constant; NaN without a prior. */
  readonly marginal: number;
  /** Second derivatives of the total cost and the prior. */
  readonly information: Float64Array;
}

/** Parameters: utilities, or their deviations from the features; coefficients of features, then of covariates; the tie parameter. */
function fitAt({ data, names, design, objective }: Setting, tau: number, start?: Float64Array): RankingFit {
  const n = names.length;
  const total = totalOf(data);
  const problem = rankingProblem(data, n, design, objective, tau === Infinity ? 0 : 1 / (tau * tau * total));
  const params = start ? start.slice() : new Float64Array(problem.size);
  if (!start) objective.auxiliary.forEach(({ initial }, e) => void (params[n + design.columns + e] = initial));
  newton().minimize(problem, params, random(1), () => "continue");
  const information = problem.hessian(params).matrix();
  for (let at = 0; at < information.length; at++) information[at] = information[at]! * total;
  const all = problem.evaluate(params, new Float64Array(problem.size), 0) * total;
  if (tau === Infinity) return { tau, params, cost: all, marginal: Number.NaN, information };
  let penalty = 0;
  for (let i = 0; i < n; i++) penalty += params[i]! ** 2 / (2 * tau * tau);
  return { tau, params, cost: all - penalty, marginal: all + n * log(tau) + halfLogDet(information, problem.size), information };
}

function halfLogDet(information: Float64Array, size: number): number {
  const root = information.slice();
  if (!cholesky(root, size)) throw separated();
  let sum = 0;
  for (let i = 0; i < size; i++) sum += log(root[i * size + i]!);
  return sum;
}

const separated = () =>
  new InputError(
    `${WHO}: the estimate does not exist, because the covariates or features separate the rankings perfectly; leave some out`,
  );

/** The covariance of all parameters: the inverse of the information, or the sandwich. */
function covarianceOf(setting: Setting, { params, information, tau }: RankingFit, robust: boolean): Float64Array {
  const { names, data, design, objective } = setting;
  const [n, size, matrix] = [names.length, params.length, information.slice()];
  if (tau === Infinity) penalizeShift(matrix, size, n);
  const bread = inverse(matrix, size);
  if (!bread) throw separated();
  for (let c = n; c < n + design.columns; c++) if (!(bread[c * size + c]! < FLAT * FLAT)) throw separated();
  if (!robust) return bread;
  const { starts, labels, listWeights } = data;
  const scores = new Float64Array(labels.length);
  fillScores(data, n, design, params, scores);
  const extra = objective.auxiliary.length;
  const middle = new Float64Array(size * size);
  for (let q = 0; q + 1 < starts.length; q++) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const gradient = new Float64Array(to - from + extra);
    const own = Float64Array.from([...scores.subarray(from, to), ...params.subarray(size - extra)]);
    objective.evaluate(own, labels.subarray(from, to), { gradient }, random(1));
    const by = new Float64Array(size);
    addBackward(data, n, design, (e) => gradient[e - from]!, by, from, to);
    for (let e = 0; e < extra; e++) by[size - extra + e] = gradient[to - from + e]!;
    const weight = listWeights ? listWeights[q]! : 1;
    const touched = [...by.keys()].filter((i) => by[i] !== 0);
    for (const i of touched) for (const j of touched) middle[i * size + j] = middle[i * size + j]! + weight * by[i]! * by[j]!;
  }
  return product(product(bread, middle, size), bread, size);
}

/** Utilities that sum to zero, u_i + z_i · γ, and their covariance. */
function utilitiesOf(n: number, size: number, params: Float64Array, all: Float64Array, byItem: ItemDesign | undefined) {
  const k = byItem?.columns ?? 0;
  const z = (i: number, c: number) => byItem!.values[i * k + c]!;
  const rows = new Float64Array(n * size); // of the linear map times the covariance, centered
  const utilities = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    utilities[i] = params[i]!;
    for (let j = 0; j < size; j++) rows[i * size + j] = all[i * size + j]!;
    for (let c = 0; c < k; c++) {
      utilities[i] = utilities[i]! + z(i, c) * params[n + c]!;
      for (let j = 0; j < size; j++) rows[i * size + j] = rows[i * size + j]! + z(i, c) * all[(n + c) * size + j]!;
    }
  }
  const center = (values: Float64Array, stride: number, from: number) => {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += values[i * stride + from]! / n;
    for (let i = 0; i < n; i++) values[i * stride + from] = values[i * stride + from]! - mean;
  };
  center(utilities, 1, 0);
  for (let j = 0; j < size; j++) center(rows, size, j);
  const covariance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = rows[i * size + j]!;
      for (let c = 0; c < k; c++) sum += z(j, c) * rows[i * size + n + c]!;
      covariance[i * n + j] = sum;
    }
    center(covariance.subarray(i * n, (i + 1) * n), 1, 0);
  }
  return { utilities, covariance };
}

function assemble(
  setting: Setting,
  fit: RankingFit,
  options: Omit<RankingLeaderboardOptions, "errors"> & Pick<RankingLeaderboard, "errors">,
  all: Float64Array, // the covariance of all parameters
  byItem: ItemDesign | undefined,
): RankingLeaderboard {
  const { data, names, design, objective } = setting;
  const { level = 0.95, seed = 1, errors } = options;
  const [n, size] = [names.length, fit.params.length];
  const { utilities, covariance } = utilitiesOf(n, size, fit.params, all, byItem);
  const noise = drawsOf(covariance, n, drawsFor(n), seed);
  const { rated, order, anchor, scale } = ratedItems(WHO, names, utilities, covariance, noise, { ...options, level });
  const counts = new Float64Array(n);
  for (let q = 0; q + 1 < data.starts.length; q++)
    for (let e = data.starts[q]!; e < data.starts[q + 1]!; e++)
      counts[data.items![e]!] = counts[data.items![e]!]! + (data.listWeights ? data.listWeights[q]! : 1);
  const parameter = (name: string, at: number, scaling: number): LeaderboardParameter => {
    const [value, error] = [fit.params[at]! / scaling, Math.sqrt(all[at * size + at]!) / scaling];
    const [low, high] = intervalOf(value, error, level);
    return { name, value, error, low, high };
  };
  const coefficients = design.names.map((name, c) => parameter(name, n + c, design.scales[c]!));
  const k = byItem?.columns ?? 0;
  return {
    items: rated.map((item, place) => ({ ...item, rankings: counts[order[place]!]! })),
    ...{ covariates: coefficients.slice(k), features: coefficients.slice(0, k) },
    auxiliary: objective.auxiliary.map(({ name }, e) => parameter(name, n + design.columns + e, 1)),
    ...(errors === "posterior" && { shrinkage: fit.tau, logMarginal: -fit.marginal }),
    ...{ objective: objective.spec, errors, level, scale, anchor, rankings: totalOf(data), cost: fit.cost },
    likelihood:
      isLikelihood(objective) &&
      (objective.likelihood === "tiers" || data.starts.every((at, q) => q === 0 || at - data.starts[q - 1]! <= 2)),
    utilities: Float64Array.from(order, (i) => utilities[i]!),
    covariance: Float64Array.from({ length: n * n }, (_, at) => covariance[order[Math.floor(at / n)]! * n + order[at % n]!]!),
  };
}

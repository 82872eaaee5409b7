/**
 * Leaderboards whose utilities lean on features of the items, for items with few battles or none:
 *
 *   θ_i = γ_0 + x_i · γ + u_i,   u_i ~ N(0, τ²)
 *
 * Utilities are the most probable ones given τ, and their errors posterior standard deviations, from the second derivatives. τ is given, or it has the
 * highest adjusted marginal likelihood (leaderboard-shrinkage.ts), in Laplace's approximation over utilities and all other parameters (flat priors, as in REML):
 *
 *   -log m(τ) = cost + Σ u_i² / 2τ² + n log τ + ½ log det H(τ)
 *
 * with H the second derivatives of the first two terms at their minimum, without the common shift of all utilities. Without features items are shrunk
 * towards their mean. Where τ is estimated, errors contain that of τ.
 */
import { checkOptions, isNumbers, type Kinds, numberAbove } from "./arguments.ts";
import type { Battles } from "./data/battles.ts";
import { describeValue, InputError, quote } from "./input-error.ts";
import {
  assemble,
  checkBattles,
  dropRare,
  type Leaderboard,
  type LeaderboardOptions,
  type LeaderboardParameter,
  leaderboardKinds,
  settleObjective,
} from "./leaderboard.ts";
import { drawsFor } from "./leaderboard-ratings.ts";
import { rowsOfBattles } from "./leaderboard-rows.ts";
import { averagedCovariance, bestShrinkage } from "./leaderboard-shrinkage.ts";
import { fitLinearRows, formsOf, type LinearRows, linearRowsHessian } from "./models/utilities/linear-rows.ts";
import { contestsOfBattles } from "./models/utilities/pair-fit.ts";
import { drawsOf } from "./models/utilities/uncertainty.ts";
import { cholesky, inverse } from "./numeric/cholesky.ts";
import { log } from "./numeric/functions.ts";
import { normalQuantile } from "./numeric/normal.ts";
import type { Objective } from "./types.ts";

/** Features of items. */
export interface ItemFeatures {
  /** Names of the features; none shrinks items towards their mean. */
  readonly names: readonly string[];
  /** The numbers of each item. Items without battles are rated by their features. */
  readonly items: ReadonlyMap<string, readonly number[]>;
}

/** How a leaderboard with features is made. */
export interface LeaderboardFeaturesOptions
  extends Pick<LeaderboardOptions, "objective" | "level" | "minBattles" | "scale" | "anchor" | "anchorItem" | "seed"> {
  /** Standard deviation τ of a utility from what its features say. Default: by adjusted marginal likelihood. */
  readonly shrinkage?: number;
}

/** A leaderboard with coefficients of the features of items. */
export interface FeatureLeaderboard extends Leaderboard {
  /** Coefficients γ of the features. */
  readonly features: readonly LeaderboardParameter[];
  /** Standard deviation τ of a utility from what its features say. */
  readonly shrinkage: number;
  /** Log of the marginal likelihood at τ, up to a constant. */
  readonly logMarginal: number;
}

const kinds: Kinds<LeaderboardFeaturesOptions> = {
  ...{ objective: leaderboardKinds.objective, level: leaderboardKinds.level, minBattles: leaderboardKinds.minBattles },
  ...{ scale: leaderboardKinds.scale, anchor: leaderboardKinds.anchor, anchorItem: leaderboardKinds.anchorItem },
  ...{ seed: leaderboardKinds.seed, shrinkage: numberAbove(0) },
};

const WHO = "leaderboardWithFeatures";
const MOST = 1500; // items: every τ that is tried takes a matrix of items × items

/** A leaderboard from battles and features of the items. */
export function leaderboardWithFeatures(
  given: Battles,
  features: ItemFeatures,
  options: LeaderboardFeaturesOptions = {},
): FeatureLeaderboard {
  checkBattles(WHO, given);
  checkOptions(WHO, options, kinds);
  const { data: kept, leftOut } = dropRare(given, options.minBattles ?? 0);
  checkFeatures(WHO, kept.items, features);
  const added = [...features.items.keys()].filter((name) => !given.items.includes(name));
  const data: Battles = { ...kept, items: [...kept.items, ...added] };
  const n = data.items.length;
  if (n > MOST) throw new InputError(`${WHO}: ${n} items are too many; leave out those with few battles (minBattles)`);
  const objective = settleObjective(data, options.objective);
  const design = standardized(WHO, data.items, features);
  const fit = (tau: number, start?: Float64Array) => fitAt(data, objective, design, tau, start);
  const found = options.shrinkage === undefined ? bestShrinkage(fit) : fit(options.shrinkage);
  const posterior = ({ information, rows }: ShrunkFit) => inverse(information.slice(), rows.size)!;
  const covariance = options.shrinkage === undefined ? averagedCovariance(found, fit, posterior) : posterior(found);
  return board(data, features, design, found, covariance, { ...options, objective }, leftOut);
}

/** Refuses features that are not numbers, or that lack one of the items. */
export function checkFeatures(who: string, items: readonly string[], features: ItemFeatures): void {
  if (typeof features !== "object" || features === null || !Array.isArray(features.names) || !(features.items instanceof Map))
    throw new InputError(`${who}: expected features, { names, items } with items a Map, got ${describeValue(features)}`);
  for (const [name, values] of features.items)
    if (!isNumbers(values) || values.length !== features.names.length || !Array.from(values).every(Number.isFinite))
      throw new InputError(
        `${who}: expected ${features.names.length} numbers as features of ${quote(String(name))}, got ${describeValue(values)}`,
      );
  const missing = items.filter((name) => !features.items.has(name));
  if (missing.length > 0)
    throw new InputError(
      `${who}: ${missing.length} items have no features: ${missing
        .slice(0, 5)
        .map((name) => quote(name))
        .join(", ")}${missing.length > 5 ? ", ..." : ""}; add them, or leave these items out`,
    );
}

/** Features by item with mean 0 and standard deviation 1, so that no unit makes the matrix ill-conditioned. */
export interface ItemDesign {
  readonly columns: number;
  readonly values: Float64Array;
  readonly scales: Float64Array;
}

export function standardized(who: string, items: readonly string[], { names, items: given }: ItemFeatures): ItemDesign {
  const [n, columns] = [items.length, names.length];
  const values = Float64Array.from(items.flatMap((name) => [...given.get(name)!]));
  const scales = new Float64Array(columns);
  for (let c = 0; c < columns; c++) {
    let [mean, square] = [0, 0];
    for (let i = 0; i < n; i++) mean += values[i * columns + c]! / n;
    for (let i = 0; i < n; i++) square += (values[i * columns + c]! - mean) ** 2 / n;
    if (!(square > 1e-24 * mean * mean))
      throw new InputError(`${who}: the feature ${quote(names[c]!)} is the same for all items; leave it out`);
    scales[c] = Math.sqrt(square);
    for (let i = 0; i < n; i++) values[i * columns + c] = (values[i * columns + c]! - mean) / scales[c]!;
  }
  return { columns, values, scales };
}

interface ShrunkFit {
  readonly tau: number;
  readonly rows: LinearRows;
  readonly params: Float64Array;
  readonly cost: number;
  /** Minus the log of the marginal likelihood, up to a constant. */
  readonly marginal: number;
  /** The second derivatives, with the common shift penalized. */
  readonly information: Float64Array;
}

/** Parameters: utilities, covariates, the tie parameter, γ_0, γ. */
function fitAt(data: Battles, objective: Objective, design: ItemDesign, tau: number, start?: Float64Array): ShrunkFit {
  const n = data.items.length;
  const plain = rowsOfBattles(data, { objective });
  const at = plain.size;
  const size = at + 1 + design.columns;
  const forms = formsOf(
    data.items.map((_, i) => [
      ...([[i, 1], [at, -1]] as const), // biome-ignore format: θ_i - γ_0
      ...Array.from({ length: design.columns }, (_, c) => [at + 1 + c, -design.values[i * design.columns + c]!] as const),
    ]),
  );
  const rows: LinearRows = { ...plain, size, penalties: [{ forms, weight: 1 / tau ** 2 }] };
  const { params, cost, penalty } = fitLinearRows(rows, start);
  const information = linearRowsHessian(rows, params);
  const free = [...Array(n).keys(), at]; // a common shift of these changes nothing
  for (const i of free) for (const j of free) information[i * size + j] = information[i * size + j]! + 1 / (n + 1);
  const root = information.slice();
  if (!cholesky(root, size))
    throw new InputError(
      `${WHO}: the features or covariates depend on each other, so their coefficients are not determined; leave some out`,
    );
  let logDet = 0;
  for (let i = 0; i < size; i++) logDet += 2 * log(root[i * size + i]!);
  return { tau, rows, params, cost, marginal: cost + penalty + n * log(tau) + logDet / 2, information };
}

function board(
  data: Battles,
  { names }: ItemFeatures,
  { scales }: ItemDesign,
  { tau, rows, params, cost, marginal }: ShrunkFit,
  all: Float64Array, // the covariance of all parameters
  options: LeaderboardFeaturesOptions & { readonly objective: Objective },
  leftOut: readonly string[],
): FeatureLeaderboard {
  const [n, size, own] = [data.items.length, rows.size, rows.size - names.length - 1];
  const { level = 0.95, seed = 1 } = options;
  const mean = (i: number) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += all[i * size + j]! / n;
    return sum;
  };
  const means = Array.from({ length: n }, (_, i) => mean(i));
  const middle = means.reduce((sum, one) => sum + one / n, 0);
  const utilities = Float64Array.from(
    { length: n * n },
    (_, at) => all[Math.floor(at / n) * size + (at % n)]! - means[Math.floor(at / n)]! - means[at % n]! + middle,
  );
  const k = own - n;
  const others = Float64Array.from({ length: k * k }, (_, at) => all[(n + Math.floor(at / k)) * size + n + (at % k)]!);
  const center = params.subarray(0, n).reduce((sum, value) => sum + value / n, 0);
  const centered = params.slice(0, n).map((value) => value - center);
  const fit = {
    contests: contestsOfBattles(data),
    objective: options.objective,
    params: params.subarray(0, own),
    cost,
    total: 0,
  };
  const settled = { ...options, ghost: 0, errors: "information", level } as const;
  const draws = drawsOf(utilities, n, drawsFor(n), seed);
  const found = { covariance: { utilities, others } };
  const z = normalQuantile((1 + level) / 2);
  const features = names.map((name, c): LeaderboardParameter => {
    const at = own + 1 + c;
    const [value, error] = [params[at]! / scales[c]!, Math.sqrt(all[at * size + at]!) / scales[c]!];
    return { name, value, error, low: value - z * error, high: value + z * error };
  });
  return {
    ...assemble(data, fit, settled, leftOut, centered, found, draws),
    ...{ features, shrinkage: tau, logMarginal: -marginal },
  };
}

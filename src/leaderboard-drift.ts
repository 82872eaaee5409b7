/**
 * Utilities that drift: battles are split into periods, each item has a utility in each, and its steps from period to period are normal numbers
 * with standard deviation σ, so that a period with few battles borrows from its neighbors. σ is given, or it is the one of a grid with the highest
 * held-out likelihood; then 0, utilities that stay, is one of them, and errors are averaged over the grid by adjusted marginal likelihood, since those given
 * the chosen σ would be too small (leaderboard-shrinkage.ts).
 */
import { checkOptions, type Kinds, numberFrom, seedNumber, someFunction, wholeFrom } from "./arguments.ts";
import type { Battles } from "./data/battles.ts";
import { checkBattles, type LeaderboardOptions, leaderboardKinds, settleObjective } from "./leaderboard.ts";
import { heldOut, type ModelComparison, type NamedModel } from "./leaderboard-compare.ts";
import { fitBattles } from "./leaderboard-errors.ts";
import { periodsOf } from "./leaderboard-periods.ts";
import { ELO } from "./leaderboard-ratings.ts";
import { rowsOfBattles, WEAK } from "./leaderboard-rows.ts";
import { shrinkageWeights } from "./leaderboard-shrinkage.ts";
import { envelopeOf, fitLinearRows, type LinearRows, linearRowsHessian } from "./models/utilities/linear-rows.ts";
import { envelopeCholesky, envelopeSolve } from "./numeric/envelope-cholesky.ts";
import { log } from "./numeric/functions.ts";
import { normalQuantile } from "./numeric/normal.ts";

/** How drift is fitted. */
export interface LeaderboardDriftOptions extends Pick<LeaderboardOptions, "objective" | "level" | "scale" | "anchor" | "seed"> {
  /** Number of periods at most. Default: 8. */
  readonly periods?: number;
  /** Standard deviation of a utility's step between periods. Default: by cross-validation. */
  readonly step?: number;
  /** Parts of the cross-validation. Default: 5. */
  readonly parts?: number;
  /** Called with the share of the work that is done. */
  readonly onProgress?: (share: number) => void;
}

/** Utilities over time. */
export interface LeaderboardDrift {
  /** The periods, the earliest first. */
  readonly periods: readonly {
    /** First time of the period. */
    readonly from: string;
    /** Last time of the period. */
    readonly to: string;
    /** Number of battles. */
    readonly battles: number;
  }[];
  /** Items, the best of the last period first. */
  readonly items: readonly {
    /** Name of the item. */
    readonly name: string;
    /** Rating in each period, with its standard error and interval, relative to the mean of all items. */
    readonly ratings: readonly {
      /** Rating on the scale. */
      readonly rating: number;
      /** Standard error of the rating. */
      readonly error: number;
      /** Lower end of the interval. */
      readonly low: number;
      /** Upper end of the interval. */
      readonly high: number;
      /** Battles of the item in the period. */
      readonly battles: number;
    }[];
    /** Rating of the last period minus that of the first. */
    readonly change: number;
    /** Standard error of the change. */
    readonly changeError: number;
  }[];
  /** Standard deviation of a utility's step between periods. */
  readonly step: number;
  /** Held-out likelihoods of the steps that were tried, if any; 0 is no drift. */
  readonly comparison?: readonly (ModelComparison & {
    /** The step. */
    readonly step: number;
  })[];
  /** Spec of the objective. */
  readonly objective: string;
  /** Level of the intervals. */
  readonly level: number;
  /** Scale of the ratings. */
  readonly scale: "log" | "elo";
}

export const driftKinds: Kinds<LeaderboardDriftOptions> = {
  ...{ objective: leaderboardKinds.objective, level: leaderboardKinds.level, scale: leaderboardKinds.scale },
  ...{ anchor: leaderboardKinds.anchor, seed: seedNumber, onProgress: someFunction },
  ...{ periods: wholeFrom(2), step: numberFrom(1e-4), parts: wholeFrom(2) },
};

const STEPS = [0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8];
const MOST = 6000; // utilities: more take gigabytes

/** Utilities over time, from battles whose slices are times: numbers or dates. */
export function leaderboardDrift(data: Battles, options: LeaderboardDriftOptions = {}): LeaderboardDrift {
  checkBattles("leaderboardDrift", data);
  checkOptions("leaderboardDrift", options, driftKinds);
  const { periods: wanted = 8, level = 0.95, scale = "log", parts = 5, seed = 1, onProgress } = options;
  const objective = settleObjective(data, options.objective);
  const n = data.items.length;
  const found = periodsOf("leaderboardDrift", data, Math.min(wanted, Math.max(2, Math.floor(MOST / n))));
  const count = found.names.length;
  const ridge = WEAK;
  fitBattles(data, objective, 0); // refuses battles without an estimate, and names the items
  const timed = (step: number) =>
    step === 0 ? { objective, ridge } : { objective, ridge, periods: found.of, periodCount: count, step };
  const tried: NamedModel[] = STEPS.map((step) => ({ name: step === 0 ? "no drift" : `step ${step}`, ...timed(step) }));
  const comparison =
    options.step === undefined
      ? heldOut("leaderboardDrift", data, tried, { parts, seed, ...(onProgress && { onProgress }) }).map((one, s) => ({
          ...one,
          step: STEPS[s]!,
        }))
      : undefined;
  const step = options.step ?? comparison!.reduce((best, one) => (one.logLikelihood > best.logLikelihood ? one : best)).step;

  // Without drift a step that is next to none gives all periods the same utilities, with the errors of all battles.
  const fitAt = (tau: number, start?: Float64Array) =>
    fitPeriods(rowsOfBattles(data, { ...timed(tau), ridge: 0 }), n, count, tau, start);
  const fit = fitAt(step || 1e-4);
  const { params } = fit;
  const fits = comparison ? STEPS.slice(1).map((one) => fitAt(one, params)) : [fit];
  const variance = averagedVariances(fits, params, n, count);
  const factor = scale === "elo" ? ELO : 1;
  const anchor = options.anchor ?? (scale === "elo" ? 1000 : 0);
  const z = normalQuantile((1 + level) / 2);
  const battles = battlesBy(data, found.of, count);
  const mean = params.subarray(0, n * count).reduce((sum, value) => sum + value, 0) / (n * count);
  const items = data.items.map((name, i) => ({
    name,
    ratings: Array.from({ length: count }, (_, t) => {
      const [rating, error] = [anchor + factor * (params[t * n + i]! - mean), factor * Math.sqrt(variance.own(i, t))];
      return { rating, error, low: rating - z * error, high: rating + z * error, battles: battles[t]![i]! };
    }),
    change: step === 0 ? 0 : factor * (params[(count - 1) * n + i]! - params[i]!),
    changeError: factor * Math.sqrt(variance.change(i)),
  }));
  return {
    periods: found.names.map((name, t) => ({ ...name, battles: battles[t]!.reduce((sum, one) => sum + one, 0) / 2 })),
    items: items.sort((a, b) => b.ratings[count - 1]!.rating - a.ratings[count - 1]!.rating),
    ...{ step, ...(comparison && { comparison }), objective: objective.spec, level, scale },
  };
}

interface PeriodFit {
  /** The standard deviation of steps. */
  readonly tau: number;
  readonly params: Float64Array;
  /** Minus the log of the marginal likelihood in Laplace's approximation, up to a constant. */
  readonly marginal: number;
  /** The variance of a contrast of parameters in which those of all items sum to zero. */
  variance(contrast: Float64Array): number;
}

function fitPeriods(rows: LinearRows, n: number, count: number, tau: number, start?: Float64Array): PeriodFit {
  const { params, cost, penalty } = fitLinearRows(rows, start);
  const { size } = rows;
  const first = envelopeOf(rows);
  const matrix = linearRowsHessian(rows, params);
  let scale = 0;
  for (let i = 0; i < size; i++) scale += matrix[i * size + i]! / size;
  matrix[0] = matrix[0]! + scale; // fixes the common shift of all utilities, which contrasts do not depend on
  if (!envelopeCholesky(matrix, size, first)) return { tau, params, marginal: Infinity, variance: () => Number.NaN };
  let halfLogDet = -log(scale) / 2; // without that of the shift
  for (let i = 0; i < size; i++) halfLogDet += log(matrix[i * size + i]!);
  return {
    ...{ tau, params, marginal: cost + penalty + n * (count - 1) * log(tau) + halfLogDet },
    variance(contrast) {
      const solved = contrast.slice();
      envelopeSolve(matrix, size, first, solved);
      return Math.max(0, dot(contrast, solved));
    },
  };
}

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/**
 * Variances around the estimate `params` of utilities relative to the mean of their period, and of changes from the first period to the last,
 * averaged over fits with different steps by their adjusted marginal likelihood.
 */
function averagedVariances(fits: readonly PeriodFit[], params: Float64Array, n: number, count: number) {
  const weights = shrinkageWeights(fits);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const of = (contrast: Float64Array) =>
    fits.reduce((sum, fit, f) => {
      if (weights[f] === 0) return sum;
      return sum + (weights[f]! / total) * (fit.variance(contrast) + (dot(contrast, fit.params) - dot(contrast, params)) ** 2);
    }, 0);
  const relative = (into: Float64Array, i: number, t: number, sign: number) => {
    for (let j = 0; j < n; j++) into[t * n + j] = into[t * n + j]! - sign / n;
    into[t * n + i] = into[t * n + i]! + sign;
    return into;
  };
  const size = params.length;
  return {
    own: (i: number, t: number) => of(relative(new Float64Array(size), i, t, 1)),
    change: (i: number) => of(relative(relative(new Float64Array(size), i, count - 1, 1), i, 0, -1)),
  };
}

/** Battles by period and item. */
function battlesBy({ items, first, second, counts }: Battles, period: Uint32Array, count: number): Float64Array[] {
  const found = Array.from({ length: count }, () => new Float64Array(items.length));
  counts.forEach((times, r) => {
    const own = found[period[r]!]!;
    own[first[r]!] = own[first[r]!]! + times;
    own[second[r]!] = own[second[r]!]! + times;
  });
  return found;
}

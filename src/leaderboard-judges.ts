/**
 * A leaderboard that allows for the reliability of judges: each has a discrimination α, by which the margins are multiplied (models/utilities/
 * judge-problem.ts), so that votes of careless judges count less and those of hostile ones, with α below 0, count against. α is normal around 1
 * with a standard deviation that is estimated, so that judges with few battles are shrunk towards the mean. Standard errors are clustered by judge
 * (a sandwich), which holds where α is not normal, or from the marginal likelihood.
 */
import { checkOptions } from "./arguments.ts";
import type { Battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import {
  assemble,
  checkBattles,
  checkSize,
  dropRare,
  isLikelihood,
  type Leaderboard,
  type LeaderboardOptions,
  type LeaderboardParameter,
  leaderboardKinds,
  settleObjective,
} from "./leaderboard.ts";
import { centered, fitBattles } from "./leaderboard-errors.ts";
import { drawsFor } from "./leaderboard-ratings.ts";
import { fitJudges, type JudgeFit, judgedRows } from "./models/utilities/judge-fit.ts";
import type { JudgedRows } from "./models/utilities/judge-problem.ts";
import { covarianceFrom, type PairCovariance, type PairFit, penalizeShift } from "./models/utilities/pair-fit.ts";
import { drawsOf } from "./models/utilities/uncertainty.ts";
import { chiSquareAbove } from "./numeric/chi-square.ts";
import { exp } from "./numeric/functions.ts";
import { normalBelow, normalQuantile } from "./numeric/normal.ts";
import { holm } from "./statistics/holm.ts";
import type { PairOutcomes } from "./types.ts";

/** How reliable a judge is. */
export interface Judge {
  /** Name of the judge. */
  readonly name: string;
  /** Number of battles that the judge decided. */
  readonly battles: number;
  /** Discrimination: 1 for the mean judge, 0 for one who votes at random, below 0 for one who votes against the others. */
  readonly reliability: number;
  /** Its standard error: the posterior standard deviation. */
  readonly error: number;
  /** Lower end of its interval. */
  readonly low: number;
  /** Upper end of its interval. */
  readonly high: number;
  /** Share of the battles with a winner that the item with the higher rating won; NaN if all are ties. */
  readonly agreement: number;
  /** Standardized residual against the mean judge: negative for one who agrees with the ratings less than expected. */
  readonly z: number;
  /** Probability of as little agreement if the judge were like the mean one, corrected for the number of judges by Holm's method. */
  readonly p: number;
}

/** A leaderboard with the reliability of its judges. */
export interface JudgedLeaderboard {
  /** The leaderboard. Utilities are those of a judge of mean reliability. */
  readonly board: Leaderboard;
  /** Judges, those who disagree most first. */
  readonly judges: readonly Judge[];
  /** Standard deviation of the reliability over judges. */
  readonly spread: LeaderboardParameter;
  /** Likelihood ratio test of whether judges differ, if it is defined. */
  readonly test?: {
    /** Twice the gain in log-likelihood. */
    readonly statistic: number;
    /** Probability of as large a statistic if judges do not differ. */
    readonly p: number;
  };
  /** Why there is no test. */
  readonly untested?: string;
}

/** A leaderboard from battles whose clusters are judges. Its errors are "clustered", the default, or "information". */
export function leaderboardWithJudges(data: Battles, options: LeaderboardOptions = {}): JudgedLeaderboard {
  checkBattles("leaderboardWithJudges", data);
  checkOptions("leaderboardWithJudges", options, leaderboardKinds);
  if (!data.clusters || !data.clusterNames)
    throw new InputError("leaderboardWithJudges: expected battles with clusters, which are the judges, and these have none");
  const { data: kept, leftOut } = dropRare(data, options.minBattles ?? 0);
  const { ghost = 0, level = 0.95, seed = 1, errors = "clustered" } = options;
  const objective = settleObjective(kept, options.objective);
  if (errors !== "clustered" && errors !== "information")
    throw new InputError(`leaderboardWithJudges, option errors: expected "clustered" or "information", got "${errors}"`);
  const n = kept.items.length;
  checkSize(n);
  const equal = fitBattles(kept, objective, ghost);
  const rows = judgedRows(kept, ghost);
  const fit = fitJudges(rows, objective, equal, (round) => options.onProgress?.(round / (round + 4)));
  const { all, utilities: covariance } = covarianceOf(fit, rows, n, errors === "clustered");
  const last = fit.params.length - 1;
  const others = last - rows.items;
  const width = others + 1;
  const found = {
    utilities: covariance,
    others: Float64Array.from({ length: others * others }, (_, at) => all[Math.floor(at / others) * width + (at % others)]!),
  };
  const pairFit: PairFit = { ...equal, params: fit.params.subarray(0, last), cost: fit.at.cost };
  const utilities = centered(fit.params, n);
  const noise = drawsOf(covariance, n, drawsFor(n), seed);
  const settled = { ...options, objective, ghost, errors, level };
  const board = assemble(kept, pairFit, settled, leftOut, utilities, { covariance: found }, noise);
  const z = normalQuantile((1 + level) / 2);
  const [value, error] = [fit.params[last]!, Math.sqrt(all[width * width - 1]!)];
  const spread = { name: "spread of judges", value, error, low: Math.max(0, value - z * error), high: value + z * error };
  const untested =
    ghost > 0
      ? "a likelihood ratio test needs a fit without a prior"
      : !isLikelihood(objective)
        ? `the cost of ${objective.spec} is no likelihood`
        : kept.weights
          ? "battles with weights have no likelihood"
          : undefined;
  const statistic = Math.max(0, 2 * (equal.cost - fit.at.cost));
  return {
    board: { ...board, cost: fit.at.cost, parameters: board.parameters + 1 },
    judges: judgesOf(kept, rows, fit, pairFit, z),
    spread,
    // A standard deviation of 0 is at the end of its range, so the statistic is 0 half the time (Self and Liang 1987).
    ...(untested === undefined ? { test: { statistic, p: statistic > 0 ? chiSquareAbove(statistic, 1) / 2 : 1 } } : { untested }),
  };
}

/** The covariance of the utilities, and of all other parameters including the spread. */
function covarianceOf({ at, params }: JudgeFit, rows: JudgedRows, items: number, clustered: boolean) {
  const size = params.length;
  const information = at.hessian.slice();
  penalizeShift(information, size, rows.items);
  const there = rows.starts.filter((start, j) => j < rows.judges && rows.starts[j + 1]! > start).length;
  const middle = clustered ? at.products.map((value) => (there > 1 ? (value * there) / (there - 1) : value)) : undefined;
  const found: PairCovariance | undefined = covarianceFrom(information, size - rows.items, items, middle);
  if (!found)
    throw new InputError(
      "leaderboardWithJudges: the information matrix is singular, so that judges and items cannot be told apart; add a prior, such as ghost 0.5, or use equal judges",
    );
  return { utilities: found.utilities, all: found.others };
}

function judgesOf(data: Battles, rows: JudgedRows, fit: JudgeFit, { objective, params }: PairFit, z95: number): Judge[] {
  const { first, second, outcome, counts, weights, clusters, clusterNames, covariates, covariateNames } = data;
  const k = covariateNames.length;
  const { mean, error } = fit.problem.posterior(fit.params);
  const outcomes = objective.pairs!.at(params.subarray(rows.items + k));
  const likelihood = isLikelihood(objective);
  const [battles, right, decided, score, variance] = Array.from({ length: 5 }, () => new Float64Array(rows.judges));
  const add = (to: Float64Array | undefined, j: number, value: number) => void (to![j] = to![j]! + value);
  for (let r = 0; r < first.length; r++) {
    const [j, count, weight] = [clusters![r]!, counts[r]!, weights ? weights[r]! : 1];
    let margin = params[first[r]!]! - params[second[r]!]!;
    add(battles, j, count);
    if (outcome[r] !== 2) {
      add(decided, j, count);
      if (margin !== 0 && margin > 0 === (outcome[r] === 0)) add(right, j, count);
    }
    for (let c = 0; c < k; c++) margin += covariates[r * k + c]! * params[rows.items + c]!;
    const term = outcome[r] === 2 ? outcomes.tie?.(margin) : outcomes.win(outcome[r] === 1 ? -margin : margin);
    if (!term) continue;
    add(score, j, -count * weight * (outcome[r] === 1 ? -term.slope : term.slope) * margin);
    add(variance, j, count * weight * weight * expectedSquare(outcomes, margin, likelihood) * margin * margin);
  }
  const there = Array.from(clusterNames!.keys()).filter((j) => battles![j]! > 0); // the battles of others were left out
  const z = there.map((j) => (variance![j]! > 0 ? score![j]! / Math.sqrt(variance![j]!) : 0));
  const p = holm(z.map(normalBelow));
  const judges = there.map((j, at) => ({
    ...{ name: clusterNames![j]!, battles: battles![j]!, reliability: mean[j]!, error: error[j]! },
    ...{ low: mean[j]! - z95 * error[j]!, high: mean[j]! + z95 * error[j]! },
    ...{ agreement: right![j]! / decided![j]!, z: z[at]!, p: p[at]! },
  }));
  return judges.sort((a, b) => a.z - b.z || (a.name < b.name ? -1 : 1));
}

/** The mean over outcomes of the squared derivative by the margin. Where a tie has no probability, over wins and losses. */
function expectedSquare(outcomes: PairOutcomes, margin: number, likelihood: boolean): number {
  let [sum, mass] = [0, 0];
  for (let kind = 0; kind < (likelihood && outcomes.tie ? 3 : 2); kind++) {
    const { cost, slope } = kind === 2 ? outcomes.tie!(margin) : outcomes.win(kind === 0 ? margin : -margin);
    const probability = exp(-cost);
    sum += probability * slope * slope;
    mass += probability;
  }
  return sum / mass;
}

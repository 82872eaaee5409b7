/**
 * A leaderboard from battles of two: utilities under an objective of pairs, on a scale and with an anchor of choice, with standard errors by the
 * observed information, robust ones that hold where the model does not (Huber-White sandwich), ones clustered by voter or prompt, or
 * a bootstrap by battle or by cluster; and simultaneous rank intervals. The file is long because over a third of it documents the options
 * and the result.
 */
import {
  checkOptions,
  fraction,
  type Kinds,
  numberFrom,
  oneOf,
  seedNumber,
  someFunction,
  someObjective,
  wholeFrom,
} from "./arguments.ts";
import { type Battles, NO_SLICE, selectBattles } from "./data/battles.ts";
import { describeValue, InputError } from "./input-error.ts";
import {
  asymptoticErrors,
  type BattleErrors,
  bootstrapErrors,
  centered,
  fitBattles,
  LEADERBOARD_ERRORS,
  type LeaderboardErrors,
} from "./leaderboard-errors.ts";
import { drawsFor, intervalOf, type LeaderboardRating, ratedItems } from "./leaderboard-ratings.ts";
import type { PairFit } from "./models/utilities/pair-fit.ts";
import { drawsOf } from "./models/utilities/uncertainty.ts";
import { davidson } from "./objectives/davidson.ts";
import { rankNet } from "./objectives/ranknet.ts";
import type { Objective } from "./types.ts";

/** How a leaderboard is made. */
export interface LeaderboardOptions {
  /** An objective of pairs: `rankNet()`, which is Bradley-Terry, `davidson()` or `raoKupper()`. Default: `davidson()` if there are ties. */
  readonly objective?: Objective;
  /** Prior: wins and losses of each item against a ghost item. Default: 0. */
  readonly ghost?: number;
  /** Standard errors. Default: "clustered" for battles with clusters, or else "information". */
  readonly errors?: LeaderboardErrors;
  /**
   * Added to the diagonal of the information for each battle when errors that are no bootstrap are computed, which narrows the intervals of items
   * with few battles; arena-rank adds 1e-5. Default: 0.
   */
  readonly errorRidge?: number;
  /** Resamples of a bootstrap. Default: 200. */
  readonly resamples?: number;
  /** Level of the intervals. Default: 0.95. */
  readonly level?: number;
  /** Items with fewer battles are left out, with their battles, until none is left. Default: 0. */
  readonly minBattles?: number;
  /** Scale of ratings: "log", the utility itself, or "elo", 400 / ln 10 times it. Default: "log". */
  readonly scale?: "log" | "elo";
  /** Rating of the anchor. Default: 0 for the scale "log", 1000 for "elo". */
  readonly anchor?: number;
  /** Item that has the rating of the anchor; without one, it is the mean of all ratings. */
  readonly anchorItem?: string;
  /** Seed of the bootstrap and of the draws for rank intervals. Default: 1. */
  readonly seed?: number;
  /** Called during a bootstrap with the share of the resamples that are done. */
  readonly onProgress?: (share: number) => void;
}

/** An item of a leaderboard. */
export interface LeaderboardItem extends LeaderboardRating {
  /** Number of battles. */
  readonly battles: number;
  /** Number of battles won. */
  readonly wins: number;
  /** Number of battles lost. */
  readonly losses: number;
  /** Number of ties. */
  readonly ties: number;
}

/** A fitted number with its error and interval. */
export interface LeaderboardParameter {
  /** What it is: a covariate, or what the objective learns. */
  readonly name: string;
  /** The estimate, in utilities: no scale applies. */
  readonly value: number;
  /** Standard error. */
  readonly error: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

/** A leaderboard, its items from the best to the worst. */
export interface Leaderboard {
  /** Items, the best first. */
  readonly items: readonly LeaderboardItem[];
  /** Coefficients of the covariates. */
  readonly covariates: readonly LeaderboardParameter[];
  /** What the objective learned besides: the weight of ties, if there are any. */
  readonly auxiliary: readonly LeaderboardParameter[];
  /** Spec of the objective. */
  readonly objective: string;
  /** Where the standard errors come from. */
  readonly errors: LeaderboardErrors;
  /** Level of the intervals. */
  readonly level: number;
  /** The scale of the ratings. */
  readonly scale: "log" | "elo";
  /** The anchor in words. */
  readonly anchor: string;
  /** Number of battles. */
  readonly battles: number;
  /** Total cost of the battles: minus the log-likelihood, unless ties are half wins. */
  readonly cost: number;
  /** Whether the cost is minus a log-likelihood. */
  readonly likelihood: boolean;
  /** Number of parameters that the battles determine. */
  readonly parameters: number;
  /** The prior: wins and losses of each item against a ghost item. */
  readonly ghost: number;
  /** Items that were left out because they have too few battles. */
  readonly leftOut: readonly string[];
  /** Resamples that were fitted, and those that had no estimate; only for a bootstrap. */
  readonly resamples?: {
    /** Number of resamples that could be fitted. */
    readonly fitted: number;
    /** Number of resamples without an estimate, which are left out. */
    readonly failed: number;
  };
  /** Utilities in the order of the items, summing to zero. */
  readonly utilities: Float64Array;
  /** Covariance of the utilities, items × items, in the order of the items. */
  readonly covariance: Float64Array;
}

export const leaderboardKinds: Kinds<LeaderboardOptions> = {
  objective: {
    wanted: "an objective of pairs: rankNet(), davidson() or raoKupper()",
    fits: (value) => someObjective.fits(value) && (value as Objective).pairs !== undefined,
  },
  ...{
    ghost: numberFrom(0),
    errorRidge: numberFrom(0),
    errors: oneOf(...LEADERBOARD_ERRORS),
    resamples: wholeFrom(20),
    level: fraction,
  },
  ...{ minBattles: numberFrom(0), scale: oneOf("log", "elo") },
  anchor: { wanted: "a number", fits: (value) => Number.isFinite(value) },
  anchorItem: { wanted: "the name of an item", fits: (value) => typeof value === "string" && value !== "" },
  ...{ seed: seedNumber, onProgress: someFunction },
};

const MOST = 4000; // items: the covariance of more takes minutes and gigabytes

export function checkBattles(who: string, data: unknown): asserts data is Battles {
  const given = data as Partial<Battles> | null | undefined;
  if (typeof given !== "object" || !(given?.first instanceof Uint32Array) || !(given.counts instanceof Float64Array))
    throw new InputError(`${who}: expected battles, as battles or readBattles give them, got ${describeValue(data)}`);
  const rows = given.first.length;
  const { second, outcome, counts, weights, clusters, slices, covariates, covariateNames = [] } = given;
  const whole = [second, outcome, counts, weights ?? counts, clusters ?? second, slices ?? second].every(
    (one) => one?.length === rows,
  );
  if (!whole || covariates?.length !== rows * covariateNames.length || !Array.isArray(given.items))
    throw new InputError(`${who}: the battles do not hold together: their columns differ in length`);
  if (rows === 0) throw new InputError(`${who}: there are no battles`);
  const { items, first, sliceNames = [], clusterNames } = data as Battles;
  for (let r = 0; r < rows; r++) {
    const slice = slices?.[r] ?? NO_SLICE;
    const isWhole =
      first[r]! < items.length &&
      second![r]! < items.length &&
      outcome![r]! <= 2 &&
      counts![r]! >= 0 &&
      (slice < sliceNames.length || slice === NO_SLICE) &&
      (!clusters || !clusterNames || clusters[r]! < clusterNames.length);
    if (!isWhole)
      throw new InputError(`${who}: the battles do not hold together: row ${r + 1} has a number of no item, outcome, slice or cluster, or a count below 0`); // biome-ignore format: one line
  }
}

/** A leaderboard from battles. */
export function leaderboard(data: Battles, options: LeaderboardOptions = {}): Leaderboard {
  checkBattles("leaderboard", data);
  checkOptions("leaderboard", options, leaderboardKinds);
  const { data: kept, leftOut } = dropRare(data, options.minBattles ?? 0);
  const { ghost = 0, level = 0.95, seed = 1 } = options;
  const objective = settleObjective(kept, options.objective);
  const errors = options.errors ?? (kept.clusters ? "clustered" : "information");
  if (errors.startsWith("clustered") && !kept.clusters)
    throw new InputError(`leaderboard, option errors: ${errors} errors need battles with clusters, and these have none`);
  const n = kept.items.length;
  checkSize(n);
  const fit = fitBattles(kept, objective, ghost);
  const utilities = centered(fit.params, n);
  const found = errors.endsWith("bootstrap")
    ? bootstrapErrors(kept, fit, ghost, errors === "clustered-bootstrap", options)
    : asymptoticErrors(kept, fit, errors, options.errorRidge ?? 0);
  const draws = found.draws?.map((draw) => draw.map((value, i) => value - utilities[i]!));
  const noise = draws ?? drawsOf(found.covariance.utilities, n, drawsFor(n), seed);
  return assemble(kept, fit, { ...options, objective, ghost, errors, level }, leftOut, utilities, found, noise);
}

export function checkSize(n: number): void {
  if (n > MOST)
    throw new InputError(
      `leaderboard: ${n} items are too many for intervals, which need a matrix of items × items; leave out those with few battles (minBattles), or fit utilities with errors=no`,
    );
}

/** Without the items of fewer battles than `least`, and so on until all have enough. */
export function dropRare(data: Battles, least: number): { data: Battles; leftOut: string[] } {
  const leftOut: string[] = [];
  for (let kept = data; ; ) {
    const counts = battlesOf(kept);
    const rare = counts.map((count) => (count < least ? 1 : 0));
    const names = kept.items.filter((_, i) => rare[i] === 1 && counts[i]! > 0);
    if (names.length === 0) return { data: kept, leftOut };
    leftOut.push(...names);
    const { first, second } = kept;
    kept = selectBattles(kept, (r) => rare[first[r]!] === 0 && rare[second[r]!] === 0);
    if (kept.first.length === 0)
      throw new InputError(`leaderboard, option minBattles: no two items have ${least} battles each; choose a smaller number`);
  }
}

function battlesOf({ items, first, second, counts }: Battles): Float64Array {
  const found = new Float64Array(items.length);
  for (let r = 0; r < first.length; r++) {
    found[first[r]!] = found[first[r]!]! + counts[r]!;
    found[second[r]!] = found[second[r]!]! + counts[r]!;
  }
  return found;
}

/** The objective, or its default: Davidson's if there are ties, and Bradley-Terry otherwise. */
export const settleObjective = ({ outcome }: Battles, given?: Objective) =>
  given ?? (outcome.includes(2) ? davidson() : rankNet());

/** Whether the cost of pairs is minus a log-likelihood. */
export const isLikelihood = (objective: Objective) => objective.likelihood !== undefined || objective.ties === "silent";

export type SettledOptions = LeaderboardOptions & Required<Pick<LeaderboardOptions, "objective" | "ghost" | "errors" | "level">>;

/** The leaderboard of a fit with its errors; `noise` are draws of the errors of utilities. */
export function assemble(
  data: Battles,
  fit: PairFit,
  options: SettledOptions,
  leftOut: readonly string[],
  utilities: Float64Array,
  found: BattleErrors,
  noise: readonly Float64Array[],
): Leaderboard {
  const { objective, ghost, errors, level } = options;
  const n = utilities.length;
  const covariance = found.covariance.utilities;
  const { order, anchor, scale, rated } = ratedItems(
    "leaderboard",
    data.items,
    utilities,
    covariance,
    noise,
    options,
    found.draws,
  );
  const tally = tallyOf(data);
  const items = rated.map((item, place): LeaderboardItem => {
    const [wins, losses, ties] = tally.map((counts) => counts[order[place]!]!) as [number, number, number];
    return { ...item, battles: wins + losses + ties, wins, losses, ties };
  });
  const others = [...data.covariateNames, ...objective.auxiliary.map(({ name }) => name)].map((name, e): LeaderboardParameter => {
    const value = fit.params[fit.contests.items + e]!;
    const error = Math.sqrt(found.covariance.others[e * (fit.params.length - fit.contests.items) + e]!);
    const [low, high] = intervalOf(value, error, level, found.others?.map((draw) => draw[e]!)); // biome-ignore format: one line
    return { name, value, error, low, high };
  });
  const k = data.covariateNames.length;
  // Without a tie its parameter tends to minus infinity, where the model has none.
  const auxiliary = data.outcome.includes(2) ? others.slice(k) : [];
  return {
    items,
    ...{ covariates: others.slice(0, k), auxiliary, objective: objective.spec, errors, level, scale },
    anchor,
    battles: data.counts.reduce((sum, count) => sum + count, 0),
    ...{ cost: costOf(data, fit), likelihood: isLikelihood(objective) },
    parameters: n - 1 + k + auxiliary.length,
    ...{ ghost, leftOut },
    ...(found.draws && { resamples: { fitted: found.draws.length, failed: found.failed! } }),
    utilities: Float64Array.from(order, (i) => utilities[i]!),
    covariance: Float64Array.from({ length: n * n }, (_, k) => covariance[order[Math.floor(k / n)]! * n + order[k % n]!]!),
  };
}

/** The cost of the battles alone, without those of a ghost. */
function costOf(data: Battles, { contests, objective, params, cost }: PairFit): number {
  if (contests.items === data.items.length) return cost;
  const k = data.covariateNames.length;
  const outcomes = objective.pairs!.at(params.subarray(contests.items + k));
  const { first, second, outcome, counts, weights, covariates } = data;
  let sum = 0;
  for (let r = 0; r < first.length; r++) {
    let margin = params[first[r]!]! - params[second[r]!]!;
    for (let c = 0; c < k; c++) margin += covariates[r * k + c]! * params[contests.items + c]!;
    const term = outcome[r] === 2 ? outcomes.tie?.(margin) : outcomes.win(outcome[r] === 0 ? margin : -margin);
    sum += counts[r]! * (weights ? weights[r]! : 1) * (term?.cost ?? 0);
  }
  return sum;
}

/** Wins, losses and ties by item. */
function tallyOf({ items, first, second, outcome, counts }: Battles): readonly Float64Array[] {
  const tally = [0, 1, 2].map(() => new Float64Array(items.length));
  for (let r = 0; r < first.length; r++) {
    const kind = outcome[r]!;
    const add = (which: number, i: number) => void (tally[which]![i] = tally[which]![i]! + counts[r]!);
    add(kind, first[r]!);
    add(kind === 2 ? 2 : 1 - kind, second[r]!);
  }
  return tally;
}

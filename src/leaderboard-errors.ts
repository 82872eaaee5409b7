/**
 * Standard errors of the parameters that `leaderboard` fits: from the information matrix, from the sandwich by battle or by cluster, or from a
 * bootstrap.
 */
import type { Battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import {
  contestsOfBattles,
  fitPairs,
  gradientProducts,
  type PairCovariance,
  type PairFit,
  pairCovariance,
  withGhostContests,
} from "./models/utilities/pair-fit.ts";
import { binomials, multinomial } from "./numeric/binomial.ts";
import { below, random } from "./numeric/random.ts";
import type { Objective } from "./types.ts";

/** Where standard errors come from. */
export type LeaderboardErrors = "information" | "robust" | "clustered" | "bootstrap" | "clustered-bootstrap";

/** All of `LeaderboardErrors`. */
export const LEADERBOARD_ERRORS: readonly LeaderboardErrors[] = [
  "information",
  "robust",
  "clustered",
  "bootstrap",
  "clustered-bootstrap",
];

/** Fits the battles with counts of their own or others, and a prior. */
export function fitBattles(
  data: Battles,
  objective: Objective,
  ghost: number,
  counts?: Float64Array,
  start?: Float64Array,
): PairFit {
  return fitPairs(withGhostContests(contestsOfBattles(data, counts), ghost), objective, data.items, start);
}

/** The utilities among the parameters, shifted to sum to zero. */
export function centered(params: Float64Array, n: number): Float64Array {
  const own = params.slice(0, n);
  const mean = own.reduce((sum, value) => sum + value, 0) / n;
  return own.map((value) => value - mean);
}

/** What is known about the errors of a fit. */
export interface BattleErrors {
  readonly covariance: PairCovariance;
  /** Of a bootstrap: utilities that sum to zero, and the other parameters. */
  readonly draws?: readonly Float64Array[];
  readonly others?: readonly Float64Array[];
  readonly failed?: number;
}

interface BootstrapOptions {
  readonly resamples?: number;
  readonly seed?: number;
  readonly onProgress?: (share: number) => void;
}

/** Errors by the observed information or the sandwich. */
export function asymptoticErrors(data: Battles, fit: PairFit, errors: LeaderboardErrors, ridge: number): BattleErrors {
  const middle = errors === "information" ? undefined : gradientProducts(data, fit, errors === "clustered");
  const covariance = pairCovariance(fit, data.items.length, middle, ridge * data.counts.reduce((sum, count) => sum + count, 0));
  if (covariance) return { covariance };
  throw new InputError(
    data.covariateNames.length > 0
      ? "leaderboard: the covariates depend on each other or on the items, so their coefficients are not determined; leave some out"
      : "leaderboard: the information matrix is singular; add a prior, such as ghost 0.5",
  );
}

/** Errors by fitting resampled battles or clusters. */
export function bootstrapErrors(
  data: Battles,
  fit: PairFit,
  ghost: number,
  clustered: boolean,
  options: BootstrapOptions,
): BattleErrors {
  const { resamples = 200, seed = 1, onProgress } = options;
  if (!clustered && data.counts.some((count) => !Number.isInteger(count)))
    throw new InputError("leaderboard: a bootstrap draws battles one by one, so counts must be whole numbers");
  const n = data.items.length;
  const draws: Float64Array[] = [];
  const others: Float64Array[] = [];
  const counts = new Float64Array(data.counts.length);
  let [failed, why] = [0, ""];
  for (let b = 0; b < resamples; b++) {
    const generator = random(seed, b, 0xba77);
    if (clustered) drawClusters(data, counts, generator);
    else multinomial(binomials(generator), data.counts, counts);
    try {
      const { params } = fitBattles(data, fit.objective, ghost, counts, fit.params);
      draws.push(centered(params, n));
      others.push(params.slice(fit.contests.items));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      failed++;
      why = error.message;
    }
    onProgress?.((b + 1) / resamples);
  }
  if (draws.length < 10)
    throw new InputError(`leaderboard: only ${draws.length} of ${resamples} resamples could be fitted: ${why}`);
  return { covariance: { utilities: covarianceOfDraws(draws), others: covarianceOfDraws(others) }, draws, others, failed };
}

/** As many clusters as there are, drawn with replacement: writes the counts of all rows. */
function drawClusters({ clusters, counts }: Battles, into: Float64Array, generator: () => number): void {
  const there = [...new Set(clusters!)];
  const times = new Map<number, number>(there.map((cluster) => [cluster, 0]));
  for (let c = 0; c < there.length; c++) {
    const cluster = there[below(generator, there.length)]!;
    times.set(cluster, times.get(cluster)! + 1);
  }
  for (let r = 0; r < counts.length; r++) into[r] = counts[r]! * times.get(clusters![r]!)!;
}

function covarianceOfDraws(draws: readonly Float64Array[]): Float64Array {
  const n = draws[0]!.length;
  const means = Float64Array.from({ length: n }, (_, i) => draws.reduce((sum, draw) => sum + draw[i]!, 0) / draws.length);
  const covariance = new Float64Array(n * n);
  for (const draw of draws)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        covariance[i * n + j] = covariance[i * n + j]! + ((draw[i]! - means[i]!) * (draw[j]! - means[j]!)) / (draws.length - 1);
  return covariance;
}

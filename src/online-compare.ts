/**
 * Online ratings beside the batch fit, by prediction of the next battle: every system sees the battles one after another and predicts each before
 * it learns from it; the batch fit, with a ghost prior, is repeated at the beginning of each of several slices of time, on all battles before. Scores count
 * the battles after the first slice, for all alike. With y = 1, 0 or 1/2 for a tie and E the expected score, win + tie / 2: log-loss
 * -y log E - (1 - y) log(1 - E), Brier score (y - E)², and accuracy over battles with a winner.
 */
import { check, checkOptions, type Kinds, numberAbove, someFunction, wholeFrom } from "./arguments.ts";
import { type Battle, battles as battlesOf } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { type LeaderboardOptions, leaderboardKinds, settleObjective } from "./leaderboard.ts";
import { fitBattles } from "./leaderboard-errors.ts";
import { exp, log } from "./numeric/functions.ts";
import { Z95 } from "./numeric/normal.ts";
import { onlineRatings, type RatedBattle } from "./online-ratings.ts";
import { elo, glicko2, type RatingSystem, trueSkill } from "./ratings/index.ts";
import type { PairOutcomes } from "./types.ts";

/** How ratings are compared. */
export interface CompareRatingsOptions extends Pick<LeaderboardOptions, "objective"> {
  /** Systems of ratings. Default: `[elo(), glicko2(), trueSkill()]`. */
  readonly systems?: readonly RatingSystem[];
  /** Slices of time; the batch fit is repeated at the beginning of each but the first. Default: 10. */
  readonly slices?: number;
  /** Prior of the batch fit: wins and losses of each item against a ghost item. Default: 0.5. */
  readonly ghost?: number;
  /** Called with the share of the work that is done. */
  readonly onProgress?: (share: number) => void;
}

/** How well ratings predict. */
export interface RatingsScore {
  /** Spec of the system, or of the objective of the batch fit. */
  readonly name: string;
  /** Mean log-loss. */
  readonly logLoss: number;
  /** Mean Brier score. */
  readonly brier: number;
  /** Share of battles with a winner that was expected to win; an expected tie counts half. */
  readonly accuracy: number;
  /** Mean log-loss minus that of the batch fit; absent for the batch fit. */
  readonly difference?: number;
  /** Lower end of its 95 % interval, over battles. */
  readonly low?: number;
  /** Upper end of the interval. */
  readonly high?: number;
}

/** A comparison of ratings. */
export interface RatingsComparison {
  /** The batch fit, then the systems, in the order given. */
  readonly scores: readonly RatingsScore[];
  /** Number of battles that count. */
  readonly battles: number;
  /** Number of battles of the first slice, which do not. */
  readonly first: number;
}

/** A battle in the order of time, with the rating period where there are some. */
export interface TimedBattle extends RatedBattle {
  /** Name of the rating period; a new one begins where it changes. */
  readonly period?: string;
}

const kinds: Kinds<CompareRatingsOptions> = {
  objective: leaderboardKinds.objective,
  systems: {
    wanted: "an array of systems of ratings, such as [elo()]",
    fits: (value) => Array.isArray(value) && value.every((one) => typeof one?.expect === "function"),
  },
  ...{ slices: wholeFrom(2), ghost: numberAbove(0), onProgress: someFunction },
};

const LEAST = 1e-15; // probabilities are kept from 0, whose logarithm is not finite
const SCORE = { first: 1, second: 0, tie: 0.5 };

/** Compares online ratings with the batch fit on battles in the order of time. */
export function compareRatings(battles: readonly TimedBattle[], options: CompareRatingsOptions = {}): RatingsComparison {
  check("compareRatings", battles, { wanted: "an array of battles in the order of time", fits: Array.isArray });
  checkOptions("compareRatings", options, kinds);
  const { systems = [elo(), glicko2(), trueSkill()], slices = 10, ghost = 0.5, onProgress } = options;
  const n = battles.length;
  if (n < 2 * slices) throw new InputError(`compareRatings: ${n} battles are too few for ${slices} slices`);
  const from = Math.floor(n / slices);
  const objective = settleObjective(battlesOf(battles.map(plain)), options.objective);
  const batch = batchExpectations(battles, slices, { objective, ghost }, (share) => onProgress?.(share / (systems.length + 1)));
  const online = systems.map((system, s) => {
    const expected = onlineExpectations(battles, system);
    onProgress?.((s + 2) / (systems.length + 1));
    return expected;
  });
  const losses = [batch, ...online].map((expected) =>
    Float64Array.from(battles, ({ winner }, t) => lossOf(expected[t]!, SCORE[winner])),
  );
  const scores = [batch, ...online].map((expected, s): RatingsScore => {
    let [brier, right, decided] = [0, 0, 0];
    for (let t = from; t < n; t++) {
      const y = SCORE[battles[t]!.winner];
      brier += (y - expected[t]!) ** 2 / (n - from);
      if (y === 0.5) continue;
      decided++;
      right += expected[t] === 0.5 ? 0.5 : expected[t]! > 0.5 === (y === 1) ? 1 : 0;
    }
    const logLoss = mean(losses[s]!.subarray(from));
    const name = s === 0 ? `leaderboard (${objective.spec})` : systems[s - 1]!.spec;
    const own = { name, logLoss, brier, accuracy: right / decided };
    if (s === 0) return own;
    const differences = losses[s]!.map((value, t) => value - losses[0]![t]!).subarray(from);
    const difference = mean(differences);
    const spread = Math.sqrt(mean(differences.map((value) => (value - difference) ** 2)) / (n - from - 1));
    return { ...own, difference, low: difference - Z95 * spread, high: difference + Z95 * spread };
  });
  return { scores, battles: n - from, first: from };
}

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
const plain = ({ first, second, winner }: TimedBattle): Battle => ({ first, second, winner });

function lossOf(expected: number, y: number): number {
  const e = Math.min(1 - LEAST, Math.max(LEAST, expected));
  return -y * log(e) - (1 - y) * log(1 - e);
}

function onlineExpectations(battles: readonly TimedBattle[], system: RatingSystem): Float64Array {
  const ratings = onlineRatings(system);
  return Float64Array.from(battles, (battle, t) => {
    if (t > 0 && battle.period !== battles[t - 1]!.period) ratings.endPeriod();
    const { win, tie } = ratings.expect(battle.first, battle.second);
    ratings.update(battle);
    return win + tie / 2;
  });
}

/** What the fit to all battles before the slice expects. Items without battles are as good as the ghost. */
function batchExpectations(
  battles: readonly TimedBattle[],
  slices: number,
  { objective, ghost }: Required<Pick<CompareRatingsOptions, "objective" | "ghost">>,
  onProgress: (share: number) => void,
): Float64Array {
  const n = battles.length;
  const expected = new Float64Array(n).fill(0.5);
  for (let s = 1; s < slices; s++) {
    const [from, to] = [Math.floor((s * n) / slices), Math.floor(((s + 1) * n) / slices)];
    const before = battlesOf(battles.slice(0, from).map(plain));
    const { params, contests } = fitBattles(before, objective, ghost);
    const places = new Map(before.items.map((name, i) => [name, i]));
    const outcomes = objective.pairs!.at(params.subarray(contests.items));
    const utility = (name: string) => params[places.get(name) ?? contests.items - 1]!; // the ghost is the last item
    for (let t = from; t < to; t++) expected[t] = scoreAt(outcomes, utility(battles[t]!.first) - utility(battles[t]!.second));
    onProgress(s / (slices - 1));
  }
  return expected;
}

/** The expected score at a margin: the win and half the tie. Where ties have no probability, the win. */
function scoreAt(outcomes: PairOutcomes, margin: number): number {
  const win = exp(-outcomes.win(margin).cost);
  const loss = exp(-outcomes.win(-margin).cost);
  return win + (1 - win - loss) / 2;
}

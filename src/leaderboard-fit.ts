/**
 * Does a leaderboard's model hold? Observed against expected wins and ties, pair by pair.
 *
 * The score of a pair is wins and half the ties. Its residual, observed minus expected, has the variance V - J C Jᵀ, with V that of the score given
 * the parameters, J its derivatives by the parameters and C their covariance: parameters that follow the data make residuals smaller. The same for
 * ties. p-values are corrected for the number of pairs by Holm's method.
 *
 * The test of all pairs is Pearson's chi-square over the outcomes of each pair. Where expected counts are small its p-value comes from battles drawn
 * from the model and fitted again, otherwise from the chi-square distribution.
 *
 * Cycles are triples whose majorities go round. A cycle is as sure as its least sure majority, a binomial test of wins against losses, corrected by
 * Holm's method for the two directions of all triples that were compared.
 */
import { checkOptions, fraction, type Kinds, numberFrom, seedNumber, someFunction, wholeFrom } from "./arguments.ts";
import type { Battles } from "./data/battles.ts";
import { InputError } from "./input-error.ts";
import { checkBattles, type LeaderboardOptions, leaderboardKinds, settleObjective } from "./leaderboard.ts";
import { type Cycle, cyclesOf } from "./leaderboard-cycles.ts";
import { fitBattles } from "./leaderboard-errors.ts";
import type { Contests } from "./models/utilities/contests.ts";
import { contestsOfBattles, fitPairs, informationOf, type PairFit, withGhostContests } from "./models/utilities/pair-fit.ts";
import { binomials } from "./numeric/binomial.ts";
import { chiSquareAbove } from "./numeric/chi-square.ts";
import { inverse } from "./numeric/cholesky.ts";
import { exp } from "./numeric/functions.ts";
import { normalBelow } from "./numeric/normal.ts";
import { random } from "./numeric/random.ts";
import { holm } from "./statistics/holm.ts";
import type { PairOutcomes } from "./types.ts";

/** How the fit is judged. */
export interface LeaderboardFitOptions extends Pick<LeaderboardOptions, "objective" | "ghost" | "seed"> {
  /** Battles drawn from the model for the test of all pairs; 0 uses the chi-square distribution. Default: 200 where counts are small, else 0. */
  readonly simulations?: number;
  /** Corrected p-values below this are called surprising. Default: 0.05. */
  readonly threshold?: number;
  /** Called with the share of the simulations that are done. */
  readonly onProgress?: (share: number) => void;
}

/** A pair of items: what happened, and what the model expects. */
export interface PairResiduals {
  /** The item with the higher utility. */
  readonly first: string;
  /** The other. */
  readonly second: string;
  /** Number of battles. */
  readonly battles: number;
  /** Wins of the first. */
  readonly wins: number;
  /** Wins of the second. */
  readonly losses: number;
  /** Ties. */
  readonly ties: number;
  /** Expected wins of the first. */
  readonly expectedWins: number;
  /** Expected wins of the second. */
  readonly expectedLosses: number;
  /** Expected ties. */
  readonly expectedTies: number;
  /** Standardized residual of wins and half the ties of the first. */
  readonly score: number;
  /** Standardized residual of the ties; NaN where the model has none. */
  readonly tie: number;
  /** p-value of the score, corrected for the number of pairs. */
  readonly scoreP: number;
  /** p-value of the ties, corrected for the number of pairs. */
  readonly tieP: number;
}

/** How well the model of a leaderboard fits. */
export interface LeaderboardFit {
  /** Spec of the objective. */
  readonly objective: string;
  /** All pairs, the most surprising first. */
  readonly pairs: readonly PairResiduals[];
  /** Pearson's test of all pairs together. */
  readonly test: {
    /** Pearson's chi-square statistic. */
    readonly statistic: number;
    /** Degrees of freedom: outcomes of pairs that are free, minus parameters. */
    readonly df: number;
    /** Probability of as large a statistic if the model holds. */
    readonly p: number;
    /** Number of simulations that the p-value comes from; 0: the chi-square distribution. */
    readonly simulations: number;
  };
  /** Majorities that go round, and that survive the correction. */
  readonly cycles: readonly Cycle[];
  /** Triples of which all three pairs were compared. */
  readonly triples: number;
  /** Majorities that go round, sure or not. */
  readonly cyclesSeen: number;
  /** Threshold of corrected p-values. */
  readonly threshold: number;
}

const kinds: Kinds<LeaderboardFitOptions> = {
  ...{ objective: leaderboardKinds.objective, ghost: numberFrom(0), seed: seedNumber },
  ...{ simulations: wholeFrom(0), threshold: fraction, onProgress: someFunction },
};

/** Judges the fit of a leaderboard's model to battles, pair by pair and as a whole, and looks for cycles. */
export function leaderboardFit(data: Battles, options: LeaderboardFitOptions = {}): LeaderboardFit {
  checkBattles("leaderboardFit", data);
  checkOptions("leaderboardFit", options, kinds);
  if (data.weights) throw new InputError("leaderboardFit: battles with weights have no expected counts");
  if (data.covariateNames.length > 0)
    throw new InputError("leaderboardFit: expected battles without covariates, which make battles of a pair differ");
  const { ghost = 0, threshold = 0.05, seed = 1 } = options;
  const objective = settleObjective(data, options.objective);
  const ties = data.outcome.includes(2);
  if (ties && objective.auxiliary.length === 0)
    throw new InputError(`leaderboardFit: ${objective.spec} gives ties no probability; choose davidson or rao-kupper`);
  const fit = fitBattles(data, objective, ghost);
  const contests = contestsOfBattles(data);
  const { pairs, statistic, small } = residualsOf(data, contests, fit, ties);
  const parameters = data.items.length - 1 + (ties ? 1 : 0);
  const df = pairs.length * (ties ? 2 : 1) - parameters;
  const simulations = options.simulations ?? (small ? 200 : 0);
  const simulated =
    simulations > 0 && df > 0 ? simulate(data, contests, fit, ghost, ties, simulations, seed, options.onProgress) : [];
  const above = simulated.filter((one) => one >= statistic - 1e-9).length;
  const p = df <= 0 ? Number.NaN : simulated.length > 0 ? (1 + above) / (1 + simulated.length) : chiSquareAbove(statistic, df);
  const { cycles, triples, seen } = cyclesOf(data.items, contests, threshold);
  const surprise = ({ score, tie }: PairResiduals) => Math.max(Math.abs(score), Number.isNaN(tie) ? 0 : Math.abs(tie));
  return {
    objective: objective.spec,
    pairs: pairs.sort((a, b) => surprise(b) - surprise(a)),
    test: { statistic, df: Math.max(0, df), p, simulations: simulated.length },
    ...{ cycles, triples, cyclesSeen: seen, threshold },
  };
}

/** Probabilities of a win, a loss and a tie at a margin. */
function chancesOf(outcomes: PairOutcomes, margin: number, ties: boolean): [number, number, number] {
  // Costs are read at once: an outcome's term is overwritten by the next.
  const win = exp(-outcomes.win(margin).cost);
  const loss = exp(-outcomes.win(-margin).cost);
  return ties ? [win, loss, exp(-outcomes.tie!(margin).cost)] : [win / (win + loss), loss / (win + loss), 0];
}

/** The derivative of chances by the margin and the tie parameter: P times minus the slope of its cost. */
function slopesOf(outcomes: PairOutcomes, margin: number, [win, loss, tie]: readonly number[], ties: boolean) {
  const one = outcomes.win(margin);
  const [winD, winX] = [-win! * one.slope, -win! * one.slopeX];
  const other = outcomes.win(-margin);
  const [lossD, lossX] = [loss! * other.slope, -loss! * other.slopeX];
  const none = ties ? outcomes.tie!(margin) : undefined;
  return { winD, winX, lossD, lossX, tieD: none ? -tie! * none.slope : 0, tieX: none ? -tie! * none.slopeX : 0 };
}

function residualsOf({ items }: Battles, contests: Contests, fit: PairFit, ties: boolean) {
  const { params } = fit;
  const [n, size] = [fit.contests.items, params.length];
  const outcomes = fit.objective.pairs!.at(params.subarray(n));
  const covariance = inverse(informationOf(fit), size);
  let [statistic, expectedSmall, cells] = [0, 0, 0];
  const found = Array.from(contests.first.keys(), (r) => {
    let [i, j, wins, losses] = [contests.first[r]!, contests.second[r]!, contests.wins[r]!, contests.losses[r]!];
    if (params[i]! < params[j]!) [i, j, wins, losses] = [j, i, losses, wins];
    const tied = contests.ties[r]!;
    const battles = wins + losses + tied;
    const margin = params[i]! - params[j]!;
    const chances = chancesOf(outcomes, margin, ties);
    const [win, loss, tie] = chances;
    for (const [seen, chance] of [
      [wins, win],
      [losses, loss],
      [tied, tie],
    ] as const) {
      // biome-ignore format: three outcomes
      if (chance === 0) continue;
      statistic += (seen - battles * chance) ** 2 / (battles * chance);
      cells++;
      if (battles * chance < 5) expectedSmall++;
    }
    const slope = slopesOf(outcomes, margin, chances, ties);
    /** Variance of a residual whose expectation has these derivatives. */
    const variance = (own: number, byMargin: number, byTie: number) => {
      if (!covariance) return battles * own;
      const j0: [number, number][] = [[i, byMargin], [j, -byMargin], ...(n < size ? [[n, byTie] as [number, number]] : [])]; // biome-ignore format: three terms
      let explained = 0;
      for (const [a, x] of j0) for (const [b, y] of j0) explained += x * y * covariance[a * size + b]!;
      return battles * own - battles * battles * explained;
    };
    const mean = win + tie / 2;
    const scoreVariance = variance(win + tie / 4 - mean * mean, slope.winD + slope.tieD / 2, slope.winX + slope.tieX / 2);
    const tieVariance = ties ? variance(tie * (1 - tie), slope.tieD, slope.tieX) : 0;
    // A residual that the parameters explain in full, as that of an item's only pair, has no variance and says nothing.
    const over = (residual: number, of: number) => (of > 1e-9 * battles ? residual / Math.sqrt(of) : 0);
    return {
      ...{ first: items[i]!, second: items[j]!, battles, wins, losses, ties: tied },
      ...{ expectedWins: battles * win, expectedLosses: battles * loss, expectedTies: battles * tie },
      score: over(wins + tied / 2 - battles * mean, scoreVariance),
      tie: ties ? over(tied - battles * tie, tieVariance) : Number.NaN,
    };
  });
  const p = (z: number) => (Number.isNaN(z) ? Number.NaN : Math.min(1, 2 * normalBelow(-Math.abs(z))));
  const [scoreP, tieP] = [holm(found.map(({ score }) => p(score))), holm(found.map(({ tie }) => p(tie)))];
  const pairs = found.map((one, r): PairResiduals => ({ ...one, scoreP: scoreP[r]!, tieP: tieP[r]! }));
  return { pairs, statistic, small: expectedSmall > 0.2 * cells };
}

/** Pearson's statistics of battles drawn from the fitted model, each after a fit of its own. */
function simulate(
  data: Battles,
  contests: Contests,
  fit: PairFit,
  ghost: number,
  ties: boolean,
  times: number,
  seed: number,
  onProgress: ((share: number) => void) | undefined,
): number[] {
  const n = fit.contests.items;
  const outcomes = fit.objective.pairs!.at(fit.params.subarray(n));
  const chances = Array.from(contests.first, (i, r) =>
    chancesOf(outcomes, fit.params[i]! - fit.params[contests.second[r]!]!, ties),
  );
  const found: number[] = [];
  for (let s = 0; s < times; s++) {
    const binomial = binomials(random(seed, s, 0xf17));
    const drawn: Contests = {
      ...contests,
      wins: contests.wins.slice(),
      losses: contests.losses.slice(),
      ties: contests.ties.slice(),
    };
    chances.forEach(([win, loss, tie], r) => {
      const battles = contests.wins[r]! + contests.losses[r]! + contests.ties[r]!;
      const decided = battles - binomial(battles, tie);
      drawn.ties[r] = battles - decided;
      drawn.wins[r] = binomial(decided, win / (win + loss));
      drawn.losses[r] = decided - drawn.wins[r]!;
    });
    try {
      const again = fitPairs(withGhostContests(drawn, ghost), fit.objective, data.items, fit.params);
      found.push(residualsOf(data, drawn, again, ties).statistic);
    } catch (error) {
      if (!(error instanceof InputError)) throw error; // a draw without an estimate says nothing
    }
    onProgress?.((s + 1) / times);
  }
  return found;
}

/**
 * One leaderboard for each slice of the battles, such as a language, and a likelihood ratio test of whether the slices differ: twice the gain in
 * log-likelihood by fitting each slice with parameters of its own is a chi-square number, if they do not, with as many degrees of freedom as
 * parameters are added. The tie parameter is one of them for every slice, also for one without ties, whose estimate is at its bound: that it has none
 * is a difference to the others. If no slice has ties there is no such parameter. Not defined with a prior or where the cost is no likelihood
 * (ties as half wins).
 */
import { checkOptions } from "./arguments.ts";
import { type Battles, NO_SLICE, selectBattles } from "./data/battles.ts";
import { InputError, quote } from "./input-error.ts";
import {
  checkBattles,
  isLikelihood,
  type Leaderboard,
  type LeaderboardOptions,
  leaderboard,
  leaderboardKinds,
} from "./leaderboard.ts";
import { chiSquareAbove } from "./numeric/chi-square.ts";
import { davidson } from "./objectives/davidson.ts";
import { rankNet } from "./objectives/ranknet.ts";

/** The leaderboards of the slices, and whether they differ. */
export interface SlicedLeaderboard {
  /** A leaderboard for each slice, in the order in which slices come in the battles. */
  readonly slices: readonly {
    /** Name of the slice. */
    readonly name: string;
    /** Its leaderboard. */
    readonly board: Leaderboard;
  }[];
  /** The leaderboard of the battles of all slices, and of those that have none. */
  readonly pooled: Leaderboard;
  /** How many battles have no slice; the test is without them. Absent if all have one. */
  readonly unsliced?: number;
  /** The likelihood ratio test, if it is defined. */
  readonly test?: {
    /** Twice the gain in log-likelihood. */
    readonly statistic: number;
    /** Degrees of freedom. */
    readonly df: number;
    /** Probability of as large a statistic if the slices do not differ. */
    readonly p: number;
  };
  /** Why there is no test. */
  readonly untested?: string;
}

/** A leaderboard for each slice of battles that have slices, and a test of whether they differ. */
export function leaderboardBySlice(data: Battles, options: LeaderboardOptions = {}): SlicedLeaderboard {
  checkBattles("leaderboardBySlice", data);
  checkOptions("leaderboardBySlice", options, leaderboardKinds);
  const { slices, sliceNames } = data;
  if (!slices || !sliceNames) throw new InputError("leaderboardBySlice: expected battles with slices, and these have none");
  // The same objective for all: a slice without ties would otherwise have another default.
  const objective = options.objective ?? (data.outcome.includes(2) ? davidson() : rankNet());
  const all = { ...options, objective };
  if (sliceNames.length === 0) throw new InputError("leaderboardBySlice: no battle has a slice");
  const boards = sliceNames.map((name, s) => {
    try {
      return {
        name,
        board: leaderboard(
          selectBattles(data, (r) => slices[r] === s),
          all,
        ),
      };
    } catch (error) {
      throw error instanceof InputError ? new InputError(`slice ${quote(name)}: ${error.message}`) : error;
    }
  });
  // Items that a slice left out are missing from its likelihood, so they must be from the pooled one.
  const out = boards.map(({ board }) => new Set(board.leftOut));
  const { items, first, second, counts } = data;
  const isKept = (r: number) => {
    const gone = out[slices[r]!]!;
    return !gone.has(items[first[r]!]!) && !gone.has(items[second[r]!]!);
  };
  const isSliced = (r: number) => slices[r] !== NO_SLICE;
  const sliced = leaderboard(
    selectBattles(data, (r) => isSliced(r) && isKept(r)),
    { ...all, minBattles: 0 },
  );
  const unsliced = counts.reduce((sum, count, r) => (isSliced(r) ? sum : sum + count), 0);
  const pooled = unsliced === 0 ? sliced : leaderboard(selectBattles(data, (r) => !isSliced(r) || isKept(r)), all); // biome-ignore format: one line
  const found = { slices: boards, pooled, ...(unsliced > 0 && { unsliced }) };
  const untested =
    (options.ghost ?? 0) > 0
      ? "a likelihood ratio test needs a fit without a prior"
      : !isLikelihood(objective)
        ? `the cost of ${objective.spec} is no likelihood`
        : data.weights
          ? "battles with weights have no likelihood"
          : boards.length < 2
            ? "there is one slice"
            : undefined;
  if (untested !== undefined) return { ...found, untested };
  const sum = (of: (board: Leaderboard) => number) => boards.reduce((total, { board }) => total + of(board), 0);
  const statistic = Math.max(0, 2 * (sliced.cost - sum(({ cost }) => cost)));
  const shared = sliced.covariates.length + sliced.auxiliary.length; // of every slice
  const df = sum(({ items: { length } }) => length - 1 + shared) - sliced.parameters;
  return { ...found, test: { statistic, df, p: chiSquareAbove(statistic, df) } };
}

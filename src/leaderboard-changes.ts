/**
 * Compares two leaderboards from different battles, such as those of two months: who moved, beyond chance? Utilities are compared relative to the
 * mean of the items that both have, since only differences are identified. The battles must be independent: none may be in both.
 */
import { checkOptions, numberAbove } from "./arguments.ts";
import { describeValue, InputError } from "./input-error.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { ELO } from "./leaderboard-ratings.ts";
import { chiSquareAbove } from "./numeric/chi-square.ts";
import { inverse } from "./numeric/cholesky.ts";
import { normalBelow } from "./numeric/normal.ts";
import { holm } from "./statistics/holm.ts";

/** How one item moved. */
export interface LeaderboardChange {
  /** Name of the item. */
  readonly name: string;
  /** Place on the first leaderboard, from 1. */
  readonly rankBefore: number;
  /** Place on the second leaderboard. */
  readonly rankAfter: number;
  /** Change of the rating relative to the mean of the common items, on the scale of the second leaderboard. */
  readonly change: number;
  /** Its standard error. */
  readonly error: number;
  /** Probability of as large a change if nothing changed, corrected for the number of items by Holm's method. */
  readonly p: number;
  /** Whether it moved beyond chance: p is below the threshold. */
  readonly moved: boolean;
}

/** How a leaderboard changed. */
export interface LeaderboardChanges {
  /** Items of both, those that rose most first. */
  readonly items: readonly LeaderboardChange[];
  /** Items of the second leaderboard alone. */
  readonly added: readonly string[];
  /** Items of the first leaderboard alone. */
  readonly removed: readonly string[];
  /** Test of whether anything changed: Wald's chi-square statistic of all changes together. */
  readonly test: {
    /** Wald's statistic. */
    readonly statistic: number;
    /** Degrees of freedom. */
    readonly df: number;
    /** Probability of as large a statistic if nothing changed. */
    readonly p: number;
  };
}

/** How changes are judged. */
export interface LeaderboardChangesOptions {
  /** Corrected p-values below this are called moves. Default: 0.05. */
  readonly threshold?: number;
}

const isBoard = (value: unknown): value is Leaderboard =>
  typeof value === "object" && value !== null && "covariance" in value && "items" in value && "utilities" in value;

/** How the second leaderboard differs from the first, item by item. */
export function leaderboardChanges(
  before: Leaderboard,
  after: Leaderboard,
  options: LeaderboardChangesOptions = {},
): LeaderboardChanges {
  for (const board of [before, after])
    if (!isBoard(board))
      throw new InputError(`leaderboardChanges: expected a leaderboard, as leaderboard gives one, got ${describeValue(board)}`);
  checkOptions("leaderboardChanges", options, { threshold: numberAbove(0) });
  const { threshold = 0.05 } = options;
  const places = (board: Leaderboard) => new Map(board.items.map(({ name }, i) => [name, i]));
  const [old, now] = [places(before), places(after)];
  const names = [...old.keys()].filter((name) => now.has(name));
  const m = names.length;
  if (m < 2) throw new InputError(`leaderboardChanges: expected two items or more that both leaderboards have, got ${m}`);
  const [from, to] = [names.map((name) => old.get(name)!), names.map((name) => now.get(name)!)];
  const one = relative(before, from);
  const other = relative(after, to);
  const change = other.utilities.map((value, i) => value - one.utilities[i]!);
  const covariance = other.covariance.map((value, at) => value + one.covariance[at]!);
  const errors = change.map((_, i) => Math.sqrt(covariance[i * m + i]!));
  const p = holm(Array.from(change, (value, i) => Math.min(1, 2 * normalBelow(-Math.abs(value) / errors[i]!))));
  const factor = after.scale === "elo" ? ELO : 1;
  const items = names.map((name, i) => ({
    ...{ name, rankBefore: from[i]! + 1, rankAfter: to[i]! + 1, change: factor * change[i]!, error: factor * errors[i]! },
    ...{ p: p[i]!, moved: p[i]! < threshold },
  }));
  const only = (board: Leaderboard, there: ReadonlyMap<string, number>) =>
    board.items.map(({ name }) => name).filter((name) => !there.has(name));
  return {
    items: items.sort((a, b) => b.change - a.change),
    ...{ added: only(after, old), removed: only(before, now), test: wald(change, covariance) },
  };
}

/** Utilities and covariance of some items, relative to their mean. */
function relative({ utilities, covariance }: Leaderboard, places: readonly number[]) {
  const [n, m] = [utilities.length, places.length];
  const mean = places.reduce((sum, i) => sum + utilities[i]!, 0) / m;
  const rows = places.map((i) => places.reduce((sum, j) => sum + covariance[i * n + j]!, 0) / m);
  const all = rows.reduce((sum, row) => sum + row, 0) / m;
  return {
    utilities: Float64Array.from(places, (i) => utilities[i]! - mean),
    covariance: Float64Array.from({ length: m * m }, (_, at) => {
      const [i, j] = [Math.floor(at / m), at % m];
      return covariance[places[i]! * n + places[j]!]! - rows[i]! - rows[j]! + all;
    }),
  };
}

/** dᵀ V⁻¹ d, where V has no inverse along a common shift; a shift is added there, and changes none of it, since d sums to zero. */
function wald(change: Float64Array, covariance: Float64Array) {
  const m = change.length;
  let scale = 0;
  for (let i = 0; i < m; i++) scale += covariance[i * m + i]! / m;
  const inverted = inverse(
    covariance.map((value) => value + scale),
    m,
  );
  let statistic = inverted ? 0 : Number.NaN;
  if (inverted)
    for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) statistic += change[i]! * inverted[i * m + j]! * change[j]!;
  return { statistic, df: m - 1, p: chiSquareAbove(statistic, m - 1) };
}

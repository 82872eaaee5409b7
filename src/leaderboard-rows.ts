/**
 * Battles as rows of linear forms, for models with more parameters than one utility by item and one tie parameter: utilities by period, which walk
 * at random, and tie parameters by item,
 *
 *   x_ij = Σ_f (g_if φ_jf + g_jf φ_if)
 *
 * where φ is constant and x_ij = g_i + g_j ("item"), or the cosines of leaderbot's factored ties, √(2/n) cos(π (i - ½)(f - ½) / n) for item i in the
 * order of their names and factor f.
 *
 * Parameters: utilities, period after period; coefficients of covariates; tie parameters.
 */
import type { Battles } from "./data/battles.ts";
import { PairIndex } from "./models/utilities/contests.ts";
import { type Forms, formsOf, type LinearRows } from "./models/utilities/linear-rows.ts";
import { contestsOfBattles } from "./models/utilities/pair-fit.ts";
import { cosine } from "./numeric/cosine.ts";
import type { Objective } from "./types.ts";

/** How ties depend on the items: one parameter for all, one for each item, or this many factors for each item. */
export type TieParameters = "one" | "item" | number;

/** What a model of battles has. */
export interface RowModel {
  readonly objective: Objective;
  readonly ties?: TieParameters;
  /** Period of each row of the battles, from 0. */
  readonly periods?: Uint32Array;
  readonly periodCount?: number;
  /** Standard deviation of a utility's step from one period to the next. */
  readonly step?: number;
  /** Weight of half the squares of utilities, of the first period, and of tie parameters. Default: 0. */
  readonly ridge?: number;
}

/** Weight of a weak prior, as much as half a win and half a loss against an average item. */
export const WEAK = 0.25;

type Term = readonly [at: number, by: number];

/** The rows of battles under a model; `counts` replaces those of the battles. */
export function rowsOfBattles(data: Battles, model: RowModel, counts: Float64Array = data.counts): LinearRows {
  const { periods, periodCount = 1 } = model;
  const parts = Array.from({ length: periodCount }, (_, t) => ({
    t,
    contests: contestsOfBattles(data, periods ? counts.map((count, r) => (periods[r] === t ? count : 0)) : counts),
  }));
  const rows = parts.flatMap(({ t, contests }) =>
    Array.from(contests.first.keys())
      .filter((r) => contests.wins[r]! > 0 || contests.losses[r]! > 0 || contests.ties[r]! > 0)
      .map((r) => ({ t, r, contests })),
  );
  return linearRows(
    data,
    model,
    rows.map(({ t, r, contests }) => ({
      ...{ t, first: contests.first[r]!, second: contests.second[r]!, at: r, covariates: contests.covariates },
      ...{ wins: contests.wins[r]!, losses: contests.losses[r]!, ties: contests.ties[r]! },
    })),
  );
}

/** One row for each row of the battles, with one battle. */
export function singleRows(data: Battles, model: RowModel): LinearRows {
  const { first, second, outcome, covariates } = data;
  const rows = Array.from(first, (i, r) => ({
    ...{ t: model.periods?.[r] ?? 0, first: i, second: second[r]!, at: r, covariates },
    ...{ wins: outcome[r] === 0 ? 1 : 0, losses: outcome[r] === 1 ? 1 : 0, ties: outcome[r] === 2 ? 1 : 0 },
  }));
  return linearRows(data, model, rows);
}

interface Row {
  readonly t: number;
  readonly first: number;
  readonly second: number;
  /** Row of the covariates. */
  readonly at: number;
  readonly covariates: Float64Array | undefined;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}

function linearRows(data: Battles, model: RowModel, rows: readonly Row[]): LinearRows {
  const { objective, ties = "one", periodCount = 1, step, ridge = 0 } = model;
  const [n, k] = [data.items.length, data.covariateNames.length];
  const base = n * periodCount + k;
  const margins = rows.map(({ t, first, second, at, covariates }): Term[] => {
    const x = Array.from({ length: k }, (_, c): Term => [n * periodCount + c, covariates![at * k + c]!]);
    return [[t * n + first, 1], [t * n + second, -1], ...x]; // biome-ignore format: one row
  });
  const tie = objective.auxiliary.length === 0 ? undefined : tieForms(ties, data.items, base);
  const size = base + (tie?.count ?? 0);
  const weak = [...Array(n).keys(), ...Array.from({ length: size - base }, (_, e) => base + e)];
  return {
    ...{ size, objective, margin: formsOf(margins) },
    ...{ wins: Float64Array.from(rows, ({ wins }) => wins), losses: Float64Array.from(rows, ({ losses }) => losses) },
    ties: Float64Array.from(rows, (row) => row.ties),
    ...(tie && { tie: formsOf(rows.map(({ first, second }) => tie.of(first, second))) }),
    penalties: [
      ...(step !== undefined && periodCount > 1 ? [{ forms: walk(n, periodCount), weight: 1 / step ** 2 }] : []),
      ...(ridge > 0 ? [{ forms: formsOf(weak.map((at): Term[] => [[at, 1]])), weight: ridge }] : []),
    ],
  };
}

/** The steps of utilities from each period to the next. */
const walk = (n: number, periodCount: number): Forms =>
  formsOf(Array.from({ length: n * (periodCount - 1) }, (_, at): Term[] => [[at + n, 1], [at, -1]])); // biome-ignore format: one step

function tieForms(ties: TieParameters, names: readonly string[], base: number) {
  const n = names.length;
  if (ties === "one") return { count: 1, of: (): Term[] => [[base, 1]] };
  if (ties === "item") return { count: n, of: (i: number, j: number): Term[] => [[base + i, 1], [base + j, 1]] }; // biome-ignore format: one line
  const order = [...names.keys()].sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
  const place = new Uint32Array(n);
  order.forEach((i, at) => void (place[i] = at));
  const phi = (i: number, f: number) => Math.sqrt(2 / n) * cosine((Math.PI / n) * (place[i]! + 0.5) * (f + 0.5));
  return {
    count: n * ties,
    of: (i: number, j: number): Term[] =>
      Array.from({ length: ties }, (_, f): Term[] => [[base + i * ties + f, phi(j, f)], [base + j * ties + f, phi(i, f)]]).flat(), // biome-ignore format: one line
  };
}

/**
 * How many parameters the battles can determine: without the common shift of utilities, and turns of tie factors that change nothing; no more tie
 * parameters than pairs.
 */
export function parametersOf(data: Battles, { objective, ties = "one", periodCount = 1 }: RowModel): number {
  const n = data.items.length;
  const factors = ties === "item" ? n : ties === "one" ? 1 : n * ties - (ties * (ties - 1)) / 2;
  const pairs = new PairIndex();
  data.first.forEach((i, r) => void pairs.of(Math.min(i, data.second[r]!), Math.max(i, data.second[r]!)));
  return n * periodCount - 1 + data.covariateNames.length + (objective.auxiliary.length > 0 ? Math.min(factors, pairs.count) : 0);
}

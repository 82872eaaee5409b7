/** What `tierwise leaderboard` prints besides leaderboards: the fit of the model, comparisons of models, drift, features of items. */

import { epochSeconds } from "../data/table/cell-text.ts";
import { dateText } from "../data/table/texts.ts";
import type { ModelComparison } from "../leaderboard-compare.ts";
import type { LeaderboardDrift } from "../leaderboard-drift.ts";
import type { FeatureLeaderboard } from "../leaderboard-features.ts";
import type { LeaderboardFit } from "../leaderboard-fit.ts";
import { more, parameterTable, printBoard } from "./leaderboard-output.ts";
import { figure, print, tableText } from "./output.ts";

export const fitTable = ({ pairs }: LeaderboardFit) => {
  const ties = pairs.some(({ expectedTies }) => expectedTies > 0);
  return {
    head: [
      ...["item", "against", "battles", "wins", "expected", "losses", "expected", ...(ties ? ["ties", "expected"] : [])],
      ...["residual", "p", ...(ties ? ["residual of ties", "p of ties"] : [])],
    ],
    rows: pairs.map((one) => [
      ...[one.first, one.second, one.battles, one.wins, one.expectedWins, one.losses, one.expectedLosses],
      ...(ties ? [one.ties, one.expectedTies] : []),
      ...[one.score, one.scoreP, ...(ties ? [one.tie, one.tieP] : [])],
    ]),
  };
};

/** The first rows with so many digits behind the point by column; undefined leaves a column as it is. */
function fixedText(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  digits: readonly (number | undefined)[],
) {
  const texts = rows.map((row) =>
    row.map((value, c) =>
      digits[c] === undefined || typeof value === "string" ? value : Number.isNaN(value) ? "-" : value.toFixed(digits[c]),
    ),
  );
  const width = (c: number) => Math.max(head[c]!.length, ...texts.map((row) => String(row[c]).length));
  const pad = (value: string | number, c: number) => (digits[c] === undefined ? value : String(value).padStart(width(c)));
  return tableText({ head: head.map((title, c) => String(pad(title, c))), rows: texts.map((row) => row.map(pad)) });
}

export function printFit(found: LeaderboardFit, most: number): void {
  const { test, cycles, cyclesSeen, triples, pairs, threshold, objective } = found;
  const surprising = pairs.filter(({ scoreP, tieP }) => scoreP < threshold || tieP < threshold).length;
  print(`Observed and expected results of ${figure(pairs.length)} pairs under ${objective}, the most surprising first\n`);
  const { head, rows } = fitTable(found);
  const digits = head.map((title) => (title === "expected" ? 1 : /^residual/.test(title) ? 2 : /^p/.test(title) ? 4 : undefined));
  print(`${fixedText(head, rows.slice(0, most), digits)}${more(pairs.length, most)}`);
  const lines = [
    "Residuals are standardized; p is corrected for the number of pairs by Holm's method.",
    Number.isNaN(test.p)
      ? "There are no more pairs than parameters, so the model cannot be tested."
      : `${test.p < threshold ? "The model does not hold" : "Nothing speaks against the model"}: chi-square ${figure(test.statistic)}, ${figure(test.df)} degrees of freedom, p = ${figure(test.p)}${test.simulations > 0 ? `, from ${test.simulations} simulations` : ""}`,
    `${figure(surprising)} of ${figure(pairs.length)} pairs are surprising at ${threshold}.`,
    triples === 0
      ? "No three items were all compared with each other."
      : `Majorities go round in ${figure(cyclesSeen)} of ${figure(triples)} triples, ${cycles.length === 0 ? "none" : figure(cycles.length)} of them beyond chance.`,
    ...cycles
      .slice(0, most)
      .map(
        ({ items: [a, b, c], results, p }) =>
          `  ${a} > ${b} > ${c} > ${a}: ${results.map((one) => one.join("-")).join(", ")}, p = ${figure(p)}`,
      ),
  ];
  print(`\n${lines.join("\n")}`);
}

export const comparisonTable = (found: readonly ModelComparison[]) => ({
  head: ["model", "parameters", "log-likelihood", "difference", "low 95 %", "high 95 %"],
  rows: found.map((one) => [one.model, one.parameters, one.logLikelihood, one.difference, one.low, one.high]),
});

const six = (value: number) => value.toFixed(6);

export function printComparison(found: readonly ModelComparison[], parts: number): void {
  const { head, rows } = comparisonTable(found);
  print(fixedText(head, rows, [undefined, undefined, 6, 6, 6, 6]));
  const best = found.reduce((top, one) => (one.logLikelihood > top.logLikelihood ? one : top));
  print(
    `\nMean log-likelihood of a held-out battle, ${parts} parts, and its difference from the first model. The best is ${best.model}.`,
  );
}

export const driftTable = ({ items, periods }: LeaderboardDrift) => ({
  head: ["item", ...periods.map(({ from }) => from), "change", "error"],
  rows: items.map(({ name, ratings, change, changeError }) => [
    ...[name, ...ratings.map(({ rating }) => rating), change, changeError],
  ]),
});

/** As CSV: a row for each item and period. */
export const driftRows = ({ items, periods }: LeaderboardDrift) => ({
  head: ["item", "from", "to", "rating", "error", "low", "high", "battles"],
  rows: items.flatMap(({ name, ratings }) =>
    ratings.map((one, t) => [name, periods[t]!.from, periods[t]!.to, one.rating, one.error, one.low, one.high, one.battles]),
  ),
});

const [EARLIEST, LATEST] = [1e9, 4.1e9]; // seconds since 1970: September 2001 and December 2099

/** The periods with days instead of numbers, if all of these are times since 1970; with the time of day too, where periods begin on the same day. */
export function withDates(periods: LeaderboardDrift["periods"]): LeaderboardDrift["periods"] {
  const seconds = (text: string) => epochSeconds(Number(text));
  const isTime = (text: string) => seconds(text) >= EARLIEST && seconds(text) < LATEST;
  if (!periods.every(({ from, to }) => isTime(from) && isTime(to))) return periods;
  const days = new Set(periods.map(({ from }) => dateText(seconds(from)).slice(0, 10)));
  const text = (time: string) => dateText(seconds(time)).slice(0, days.size < periods.length ? 16 : 10).replace("T", " "); // biome-ignore format: one chain
  return periods.map((period) => ({ ...period, from: text(period.from), to: text(period.to) }));
}

export function printDrift(found: LeaderboardDrift, most: number): void {
  const { step, comparison, scale, objective } = found;
  const periods = withDates(found.periods);
  const digits = scale === "elo" ? 1 : 4;
  const { head, rows } = driftTable({ ...found, periods });
  print(
    `Ratings in ${periods.length} periods under ${objective}, in ${scale === "elo" ? "Elo points" : "utilities"}, the last period's best first\n`,
  );
  const columns = head.map((_, c) => (c === 0 ? undefined : digits));
  print(`${fixedText(head, rows.slice(0, most), columns)}${more(rows.length, most)}`);
  const battles = periods.map(
    ({ from, to, battles: count }) => `${from === to ? from : `${from} to ${to}`}: ${figure(count)} battles`,
  );
  print(`\n${battles.join("\n")}`);
  const [still, best] = [comparison?.[0], comparison?.find((one) => one.step === step)];
  print(
    still && best
      ? step === 0
        ? "\nUtilities do not drift: no step between periods predicts held-out battles better than none."
        : `\nA step of ${step} utilities between periods predicts held-out battles best, by ${six(best.difference)} (95 %: ${six(best.low)} to ${six(best.high)}) of log-likelihood per battle over no drift.`
      : `\nThe standard deviation of a step between periods is ${step} utilities.`,
  );
}

export function printFeatures(board: FeatureLeaderboard, most: number): void {
  printBoard(board, most);
  if (board.features.length > 0) {
    const { head, rows } = parameterTable(board.features);
    print(`\n${tableText({ head: ["feature of items", ...head.slice(1)], rows })}`);
  }
  print(
    `\nUtilities differ from what the features say with standard deviation ${figure(board.shrinkage)}; errors are posterior standard deviations.${board.shrinkage < 0.002 ? " The features explain all differences, so errors are too small; give --shrinkage for wider ones." : ""}`,
  );
}

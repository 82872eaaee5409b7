/** Judges, and what decides the first place, as text. */

import type { FirstPlaceRemoval, LeaderboardInfluence } from "../leaderboard-influence.ts";
import type { JudgedLeaderboard } from "../leaderboard-judges.ts";
import { boardJson, printBoard } from "./leaderboard-output.ts";
import { figure, print, tableText } from "./output.ts";

export const judgeTable = ({ judges, board }: JudgedLeaderboard) => ({
  head: [
    "judge",
    "battles",
    "reliability",
    "error",
    `low ${100 * board.level} %`,
    `high ${100 * board.level} %`,
    "agreement",
    "z",
    "p",
  ],
  rows: judges.map(({ name, battles, reliability, error, low, high, agreement, z, p }) => [
    ...[name, battles, reliability, error, low, high, Number.isNaN(agreement) ? "-" : agreement, z, p],
  ]),
});

export function printJudges(found: JudgedLeaderboard, most: number): void {
  const { board, judges, spread, test, untested } = found;
  printBoard(board, most);
  const { head, rows } = judgeTable(found);
  const more = judges.length > most ? `\n... and ${judges.length - most} more (--all shows them)` : "";
  print(`\nJudges, those who disagree most first:\n\n${tableText({ head, rows: rows.slice(0, most) })}${more}\n`);
  print(
    `Reliability multiplies differences of utilities: 1 is the mean judge, 0 votes at random, below 0 against the others. p is corrected for the number of judges by Holm's method.`,
  );
  const range = `standard deviation ${figure(spread.value)} (${figure(spread.low)} to ${figure(spread.high)})`;
  print(
    test
      ? `Judges ${test.p < 0.05 ? "differ" : "do not differ beyond chance"} in reliability, ${range}: likelihood ratio ${figure(test.statistic)}, p = ${figure(test.p)}`
      : `Reliability of judges: ${range}; no test, because ${untested}`,
  );
}

export const judgesJson = ({ board, ...rest }: JudgedLeaderboard) => ({ board: boardJson(board), ...rest });

const FRAGILE = 0.01; // of the battles

/** Whether so few battles decide the first place that it should be said. */
export const isFragile = ({ battles }: FirstPlaceRemoval, all: number) => battles <= Math.max(2, FRAGILE * all);

export function fragilityLine({ fewest, battles, first }: LeaderboardInfluence): string {
  if (!fewest) return `No removal of battles was found that changes the first place, ${first}.`;
  return `Removing ${figure(fewest.battles)} of ${figure(battles)} battles would change the first place, from ${first} to ${fewest.newFirst}.`;
}

export function printInfluence(found: LeaderboardInfluence, most: number): void {
  const { fewest, clusters } = found;
  print(`\n${fragilityLine(found)}`);
  if (fewest) {
    const head = ["removed", "of", "first", "second", "won by", ...(fewest.removed[0]!.cluster === undefined ? [] : ["cluster"])];
    const rows = fewest.removed.map(({ count, of, first, second, winner, cluster }) => [
      ...[count, of, first, second, winner === "tie" ? "tie" : winner === "first" ? first : second],
      ...(cluster === undefined ? [] : [cluster]),
    ]);
    const more = rows.length > most ? `\n... and ${rows.length - most} more (--all shows them)` : "";
    print(`\n${tableText({ head, rows: rows.slice(0, most) })}${more}`);
  }
  if (!clusters) return;
  for (const { clusters: names, battles, newFirst } of clusters.single)
    print(`\nWithout the ${figure(battles)} battles of ${names[0]}, ${newFirst} would be first.`);
  if (clusters.fewest && clusters.single.length === 0) {
    const { clusters: names, battles, newFirst } = clusters.fewest;
    print(`\nWithout ${names.length} clusters (${figure(battles)} battles), ${newFirst} would be first: ${names.join(", ")}`);
  }
  if (!clusters.fewest) print("\nNo removal of clusters was found that changes the first place.");
}

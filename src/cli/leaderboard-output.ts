/** Leaderboards as text, tables and JSON. */
import { counted } from "../counted.ts";
import type { Leaderboard } from "../leaderboard.ts";
import type { LeaderboardChanges } from "../leaderboard-changes.ts";
import type { SlicedLeaderboard } from "../leaderboard-slices.ts";
import type { Table } from "../types.ts";
import { csvText, figure, markdownText, print, printRaw, tableText } from "./output.ts";

export const rankText = ({ rankLow, rankHigh }: Pick<Leaderboard["items"][number], "rankLow" | "rankHigh">) =>
  rankLow === rankHigh ? `${rankLow}` : `${rankLow}-${rankHigh}`;

/** The numbers as they are, for programs. */
export function table({ items, level }: Leaderboard) {
  const ends = ["low", "high"].map((end) => `${end} ${100 * level} %`);
  return {
    head: ["rank", "item", "rating", "error", ...ends, "best with probability", "battles", "wins", "losses", "ties"],
    rows: items.map((item) => [
      ...[rankText(item), item.name, item.rating, item.error, item.low, item.high],
      ...[item.best, item.battles, item.wins, item.losses, item.ties],
    ]),
  };
}

/** The same for people: ratings, in the columns from the third to the sixth, with the digits that their scale deserves. */
export function ratingText({ head, rows }: Pick<Table, "head" | "rows">, scale: "log" | "elo") {
  const digits = scale === "elo" ? 1 : 4;
  const texts = rows.map((row) => row.map((value, c) => (c >= 2 && c <= 5 ? Number(value).toFixed(digits) : value)));
  const widths = head.map((_, c) => Math.max(head[c]!.length, ...texts.map((row) => String(row[c]).length)));
  return {
    head: head.map((title, c) => (c >= 2 && c <= 5 ? title.padStart(widths[c]!) : title)),
    rows: texts.map((row) => row.map((value, c) => (c >= 2 && c <= 5 ? String(value).padStart(widths[c]!) : value))),
  };
}

/** For a README: ranks, ratings with intervals and battles. */
export function printMarkdown(board: Leaderboard): void {
  const digits = board.scale === "elo" ? 0 : 2;
  const rows = board.items.map((item) => [
    ...[rankText(item), item.name, item.rating.toFixed(digits), `${item.low.toFixed(digits)} to ${item.high.toFixed(digits)}`],
    item.battles,
  ]);
  printRaw(markdownText({ head: ["rank", "item", "rating", `${figure(100 * board.level)} % interval`, "battles"], rows }));
  print(`\n${figure(board.battles)} battles under ${board.objective}; ranks are simultaneous intervals.`);
}

export const parameterTable = (parameters: Leaderboard["covariates"]) => ({
  head: ["parameter", "value", "error", "low", "high"],
  rows: parameters.map(({ name, value, error, low, high }) => [name, value, error, low, high]),
});

function first<T extends { readonly rows: readonly unknown[] }>(of: T, most: number): T {
  return { ...of, rows: of.rows.slice(0, most) };
}

export const more = (rows: number, most: number) => (rows > most ? `\n... and ${rows - most} more (--all shows them)` : "");

export function printBoard(board: Leaderboard, most: number): void {
  const { objective: cost, errors, anchor, scale, likelihood, leftOut, ghost, resamples } = board;
  const facts = [
    `${figure(board.battles)} battles of ${board.items.length} items under ${cost}, ratings in ${scale === "elo" ? "Elo points" : "utilities"}, ${anchor}`,
    `${likelihood ? "log-likelihood" : "minus cost"} ${figure(-board.cost)}, ${errors} errors, simultaneous ${100 * board.level} % rank intervals${ghost > 0 ? `, ghost=${ghost}` : ""}`,
    ...(resamples
      ? [`${resamples.fitted} resamples${resamples.failed > 0 ? `, and ${resamples.failed} without an estimate left out` : ""}`]
      : []),
    ...(leftOut.length > 0
      ? [
          `${counted(leftOut.length, "item")} left out with too few battles: ${leftOut.slice(0, 8).join(", ")}${leftOut.length > 8 ? ", ..." : ""}`,
        ]
      : []),
  ];
  print(facts.join("\n"));
  print(`\n${tableText(first(ratingText(table(board), board.scale), most))}${more(board.items.length, most)}`);
  const parameters = [...board.covariates, ...board.auxiliary];
  if (parameters.length > 0) print(`\n${tableText(parameterTable(parameters))}`);
}

export function printSlices({ slices, pooled, unsliced, test, untested }: SlicedLeaderboard, most: number, csv?: true): void {
  if (csv) {
    const rows = slices.flatMap(({ name, board }) => table(board).rows.map((row) => [name, ...row]));
    printRaw(csvText({ head: ["slice", ...table(pooled).head], rows }));
    return;
  }
  for (const { name, board } of [...slices, { name: unsliced === undefined ? "all slices" : "all battles", board: pooled }]) {
    print(`${name}\n`);
    printBoard(board, most);
    print("");
  }
  print(
    test
      ? `The slices ${test.p < 0.05 ? "differ" : "do not differ beyond chance"}: likelihood ratio ${figure(test.statistic)}, ${test.df} degrees of freedom, p = ${figure(test.p)}`
      : `No test of whether the slices differ: ${untested}`,
  );
}

export const changeTable = ({ items }: LeaderboardChanges) => ({
  head: ["item", "place before", "place now", "change", "error", "p", "moved"],
  rows: items.map(({ name, rankBefore, rankAfter, change, error, p, moved }) => [
    ...[name, rankBefore, rankAfter, change, error, p, moved ? "yes" : "no"],
  ]),
});

export function printChanges(changes: LeaderboardChanges, most: number): void {
  const { test, added, removed } = changes;
  print(`${tableText(first(changeTable(changes), most))}${more(changes.items.length, most)}`);
  const lines = [
    `Changes of ratings relative to the mean of the common items; p is corrected for their number by Holm's method.`,
    `${test.p < 0.05 ? "The leaderboard changed" : "No change beyond chance"}: Wald's statistic ${figure(test.statistic)}, ${test.df} degrees of freedom, p = ${figure(test.p)}`,
    ...(added.length > 0 ? [`new: ${added.join(", ")}`] : []),
    ...(removed.length > 0 ? [`gone: ${removed.join(", ")}`] : []),
  ];
  print(`\n${lines.join("\n")}`);
}

/** Without the matrices, which are for code. */
export function boardJson({ utilities, covariance: _, ...board }: Leaderboard) {
  return { ...board, utilities: [...utilities] };
}

export const slicesJson = ({ slices, pooled, ...rest }: SlicedLeaderboard) => ({
  slices: slices.map(({ name, board }) => ({ name, board: boardJson(board) })),
  pooled: boardJson(pooled),
  ...rest,
});

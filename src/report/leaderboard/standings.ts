/** The leaderboard itself: a table that is a caterpillar plot, sorted and filtered in the page. */
import { counted } from "../../counted.ts";
import type { Leaderboard, LeaderboardParameter } from "../../leaderboard.ts";
import { rankText } from "../../models/utilities/model.ts";
import { figure } from "../figure.ts";
import { html, type Markup } from "../markup.ts";
import type { Section } from "../page.ts";
import { pageTable } from "../table.ts";
import { strip, stripScale } from "./strip.ts";

export function standings(board: Leaderboard): Section {
  const { items, level, scale, leftOut } = board;
  const digits = scale === "elo" ? 0 : 2;
  const across = stripScale(
    items.flatMap(({ low, high }) => [low, high]),
    130,
  );
  const mean = items.reduce((sum, { rating }) => sum + rating / items.length, 0);
  const percent = (share: number) => (Number.isNaN(share) ? "-" : `${(100 * share).toFixed(1)} %`);
  const rows = items.map((item) => [
    item.name,
    { value: item.rankLow + item.rankHigh / 1e6, shown: rankText(item.rankLow, item.rankHigh) },
    { value: item.rating, shown: strip(item.rating, item.low, item.high, across, mean) },
    { value: item.rating, shown: item.rating.toFixed(digits) },
    { value: item.error, shown: html`${item.low.toFixed(digits)} to ${item.high.toFixed(digits)}` },
    item.battles,
    { value: item.wins / item.battles || 0, shown: percent(item.wins / item.battles) },
    { value: item.ties / item.battles || 0, shown: percent(item.ties / item.battles) },
    { value: item.best, shown: item.best >= 0.0005 ? item.best.toFixed(3) : "0" },
  ]);
  return {
    id: "standings",
    title: "Leaderboard",
    body: html`<p>Ratings are ${scale === "elo" ? "Elo points" : "utilities, whose differences are log-odds"}; ${board.anchor}. Bars are intervals of ${figure(100 * level)}\u00a0%, and the dashed line is the mean. Ranks are simultaneous intervals: with probability ${figure(100 * level)}\u00a0% all of them hold together. A click on a head sorts.</p>
<p class="filter" hidden><label for="find">Filter</label><input type="search" id="find" data-filter="board" placeholder="name"><output for="find"></output></p>
${pageTable({
  caption: "Items with ranks, ratings and battles",
  id: "board",
  tall: true,
  head: ["item", "rank", `${figure(100 * level)} % interval`, "rating", "from, to", "battles", "won", "tied", "best with prob."],
  rows,
})}${leftOut.length > 0 ? html`<p class="note">${counted(leftOut.length, "item")} left out, with too few battles.</p>` : undefined}`,
  };
}

/** Fitted numbers with their intervals. */
export function parameterTable(caption: string, what: string, all: readonly LeaderboardParameter[]): Markup {
  const across = stripScale([0, ...all.flatMap(({ low, high }) => [low, high])]);
  return pageTable({
    caption,
    head: [what, "estimate", "interval", "error", "low", "high"],
    rows: all.map(({ name, value, error, low, high }) => [
      name,
      value,
      { value, shown: strip(value, low, high, across, 0) },
      ...[error, low, high],
    ]),
  });
}

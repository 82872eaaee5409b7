/** Battles of each item by outcome, and ties by how close the two items are. */
import type { Leaderboard } from "../../leaderboard.ts";
import type { LeaderboardFit } from "../../leaderboard-fit.ts";
import { figure } from "../figure.ts";
import { html, type Markup } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import { PAGE } from "../theme.ts";
import { shortNames } from "./matrix.ts";

const MOST = 30;

export function battlesSection(plotter: Plotter, board: Leaderboard, fit: LeaderboardFit | undefined): Section {
  const ties = board.items.some((item) => item.ties > 0);
  return {
    id: "battles",
    title: ties ? "Battles and ties" : "Battles",
    body: html`<div class="figures">${outcomes(plotter, board, ties)}${fit && ties ? tiesByMargin(plotter, board, fit) : undefined}</div>`,
  };
}

const KINDS = [
  ["won", PAGE.series[0]!],
  ["tied", PAGE.series[4]!],
  ["lost", PAGE.series[1]!],
] as const;

function outcomes({ plot, figure: draw }: Plotter, { items }: Leaderboard, ties: boolean): Markup {
  const shown = items.filter(({ battles }) => battles > 0).slice(0, MOST);
  const names = shortNames(shown.map(({ name }) => name));
  const bars = shown.flatMap((item, i) =>
    ([["won", item.wins], ["tied", item.ties], ["lost", item.losses]] as const).map(([kind, count]) => ({
      name: names[i]!,
      count,
      fill: KINDS.find(([one]) => one === kind)![1],
      title: `${item.name}: ${figure(count)} ${kind}`,
    })),
  ); // biome-ignore format: one list
  const left = 14 + 6.8 * Math.max(...names.map((name) => name.length));
  return draw(
    {
      ...{ height: 70 + 18 * names.length, marginLeft: left },
      x: { label: "battles", grid: true, ticks: 4 },
      y: { domain: names, label: null, tickSize: 0 },
      style: { fontSize: "12px" },
      marks: [plot.barX(bars, { x: "count", y: "name", fill: "fill", fillOpacity: 0.75, title: "title", order: null, insetTop: 1, insetBottom: 1 }), plot.ruleX([0])], // biome-ignore format: two marks
    },
    {
      title: "Battles by item",
      alt: `Battles by item: ${shown
        .slice(0, 8)
        .map(({ name, battles }) => `${name} ${figure(battles)}`)
        .join(", ")}.`,
      legend: KINDS.filter(([kind]) => ties || kind !== "tied"),
      ...(items.length > shown.length && { caption: `The first ${shown.length} of ${figure(items.length)} items.` }),
    },
  );
}

/** The observed and the expected share of ties of pairs that are about as far apart. */
function tiesByMargin({ plot, figure: draw }: Plotter, board: Leaderboard, { pairs }: LeaderboardFit): Markup {
  const utility = new Map(board.items.map(({ name }, i) => [name, board.utilities[i]!]));
  const known = pairs
    .filter(({ first, second }) => utility.has(first) && utility.has(second))
    .map((pair) => ({ ...pair, margin: utility.get(pair.first)! - utility.get(pair.second)! }))
    .sort((a, b) => a.margin - b.margin);
  const total = known.reduce((sum, { battles }) => sum + battles, 0);
  const count = Math.max(1, Math.min(12, Math.floor(known.length / 2)));
  const bins = Array.from({ length: count }, () => ({ battles: 0, ties: 0, expected: 0, margin: 0 }));
  let done = 0;
  for (const { battles, ties, expectedTies, margin } of known) {
    const bin = bins[Math.min(count - 1, Math.floor((count * done) / total))]!;
    bin.battles += battles;
    bin.ties += ties;
    bin.expected += expectedTies;
    bin.margin += battles * margin;
    done += battles;
  }
  const points = bins
    .filter(({ battles }) => battles > 0)
    .map(({ battles, ties, expected, margin }) => ({
      margin: margin / battles,
      observed: ties / battles,
      fitted: expected / battles,
    }));
  const [observed, fitted] = [PAGE.series[0]!, PAGE.series[1]!];
  return draw(
    {
      x: { label: "difference of utilities", grid: true },
      y: { label: "share of ties", grid: true, zero: true, tickFormat: "%" },
      marks: [
        plot.line(points, { x: "margin", y: "fitted", stroke: fitted, strokeWidth: 2 }),
        plot.dot(points, { x: "margin", y: "observed", fill: observed, r: 4 }),
        plot.ruleY([0]),
      ],
    },
    {
      title: "Ties between near and far",
      alt: `Share of ties by difference of utilities, observed and fitted: ${points.map(({ margin, observed: a, fitted: b }) => `at ${margin.toFixed(2)} ${(100 * a).toFixed(0)} and ${(100 * b).toFixed(0)} %`).join(", ")}.`,
      legend: [
        ["observed", observed],
        ["fitted", fitted],
      ],
      caption: "Pairs are grouped by the difference of their utilities, with about equally many battles in each group.",
    },
  );
}

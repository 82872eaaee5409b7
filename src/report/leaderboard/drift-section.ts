/** Ratings over time: lines with intervals for the leading items, and the changes of all. */
import type { LeaderboardDrift } from "../../leaderboard-drift.ts";
import { figure } from "../figure.ts";
import { html, type Markup } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import { truncate } from "../svg.ts";
import { pageTable } from "../table.ts";
import { PAGE } from "../theme.ts";
import { strip, stripScale } from "./strip.ts";

const LINES = 6; // as many as there are colors
const ROWS = 40;

export function driftSection(plotter: Plotter, drift: LeaderboardDrift): Section {
  const { comparison, step } = drift;
  const found = comparison?.find((one) => one.step === step);
  const words =
    !comparison || !found
      ? html`The standard deviation of a utility's step between periods is ${String(step)}.`
      : step === 0
        ? html`<strong>Utilities do not drift</strong>: no step between periods predicts held-out battles better than none.`
        : html`<strong>Utilities drift</strong>: a step of ${String(step)} between periods predicts held-out battles best, by ${found.difference.toFixed(5)} (${found.low.toFixed(5)} to ${found.high.toFixed(5)}) of log-likelihood per battle over no drift.`;
  if (step === 0) return { id: "drift", title: "Over time", body: html`<p>${words}</p>` }; // flat lines and changes of 0 show nothing
  const moved = [...drift.items]
    .sort((a, b) => Math.abs(b.change / b.changeError) - Math.abs(a.change / a.changeError))
    .slice(0, ROWS);
  const ends = moved.flatMap(({ change, changeError }) => [change - 1.96 * changeError, change + 1.96 * changeError]);
  const across = stripScale([0, ...ends]);
  const digits = drift.scale === "elo" ? 0 : 2;
  return {
    id: "drift",
    title: "Over time",
    body: html`<p>${words}</p><div class="columns"><div>${chart(plotter, drift)}</div><div><h3>Changes from the first period to the last</h3>${pageTable(
      {
        caption: "Changes from the first period to the last",
        head: ["item", "change", "interval", "error"],
        rows: moved.map(({ name, change, changeError }) => [
          name,
          { value: change, shown: `${change > 0 ? "+" : ""}${change.toFixed(digits)}` },
          { value: change, shown: strip(change, change - 1.96 * changeError, change + 1.96 * changeError, across, 0) },
          { value: changeError, shown: changeError.toFixed(digits) },
        ]),
      },
    )}</div></div>`,
  };
}

function chart({ plot, figure: draw }: Plotter, { items, periods, scale, level }: LeaderboardDrift): Markup {
  const shown = items.slice(0, LINES);
  const points = shown.flatMap(({ ratings }, i) =>
    ratings.map(({ rating, low, high }, t) => ({
      t: t + 1,
      rating,
      low,
      high,
      item: i,
      color: PAGE.series[i % PAGE.series.length]!,
    })),
  );
  return draw(
    {
      height: 360,
      x: { label: "period", ticks: periods.length, tickFormat: (t: number) => (Number.isInteger(t) ? String(t) : "") },
      y: { label: scale === "elo" ? "rating (Elo points)" : "utility", grid: true },
      marks: [
        plot.areaY(points, { x: "t", y1: "low", y2: "high", z: "item", fill: "color", fillOpacity: 0.14 }),
        plot.line(points, { x: "t", y: "rating", z: "item", stroke: "color", strokeWidth: 2 }),
        plot.dot(points, { x: "t", y: "rating", fill: "color", r: 3 }),
      ],
    },
    {
      title: "Ratings of the leading items",
      alt: `Ratings in ${periods.length} periods: ${shown.map(({ name, ratings }) => `${name} from ${ratings[0]!.rating.toFixed(1)} to ${ratings.at(-1)!.rating.toFixed(1)}`).join(", ")}.`,
      legend: shown.map(({ name }, i) => [truncate(name, 30), PAGE.series[i % PAGE.series.length]!] as const),
      caption: html`Areas are intervals of ${figure(100 * level)}\u00a0%. Periods: ${periods.map(({ from, to }, t) => `${t + 1}: ${from === to ? from : `${from} to ${to}`}`).join("; ")}.`,
    },
  );
}

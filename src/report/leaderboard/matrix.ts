/** Who wins against whom: the observed share of decided battles of each pair, and the fitted probability beside it. */
import type { Battles } from "../../data/battles.ts";
import type { Leaderboard } from "../../leaderboard.ts";
import { logistic } from "../../numeric/functions.ts";
import { figure } from "../figure.ts";
import { html, type Markup } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import { truncate } from "../svg.ts";
import { PAGE, VEIL } from "../theme.ts";

const MOST = 30; // items
const NUMBERS = 12; // items up to which cells hold numbers

interface Square {
  readonly row: string;
  readonly column: string;
  readonly share: number;
  readonly title: string;
}

/** Names cut to a length at which they stay different. */
export function shortNames(names: readonly string[], length = 22): string[] {
  const cut = names.map((name) => truncate(name, length));
  return cut.map((name, i) =>
    cut.indexOf(name) === i && cut.lastIndexOf(name) === i ? name : `${truncate(name, length - 4)} ${i + 1}`,
  );
}

export function matrix(plotter: Plotter, data: Battles, board: Leaderboard): Section {
  const shown = board.items.slice(0, MOST);
  const names = shown.map(({ name }) => name);
  const short = shortNames(names);
  const at = data.items.map((name) => names.indexOf(name));
  const n = shown.length;
  const won = new Float64Array(n * n);
  data.first.forEach((first, r) => {
    const [i, j] = [at[first]!, at[data.second[r]!]!];
    if (i < 0 || j < 0 || data.outcome[r] === 2) return;
    const to = data.outcome[r] === 0 ? i * n + j : j * n + i;
    won[to] = won[to]! + data.counts[r]!;
  });
  const squares = (share: (i: number, j: number) => number, words: (i: number, j: number) => string): Square[] =>
    shown
      .flatMap((_, i) => shown.map((_, j) => ({ i, j })))
      .filter(({ i, j }) => i !== j && !Number.isNaN(share(i, j)))
      .map(({ i, j }) => ({ row: short[i]!, column: short[j]!, share: share(i, j), title: words(i, j) }));
  const observed = squares(
    (i, j) => won[i * n + j]! / (won[i * n + j]! + won[j * n + i]!),
    (i, j) => `${names[i]} won ${figure(won[i * n + j]!)} and lost ${figure(won[j * n + i]!)} against ${names[j]}`,
  );
  const chance = (i: number, j: number) => logistic(board.utilities[i]! - board.utilities[j]!);
  const fitted = squares(
    chance,
    (i, j) => `${names[i]} beats ${names[j]} in ${(100 * chance(i, j)).toFixed(1)} % of decided battles`,
  );
  const part = board.items.length > n ? ` The first ${n} of ${figure(board.items.length)} items.` : "";
  return {
    id: "matrix",
    title: "Who beats whom",
    body: html`<p>The share of decided battles that the item of the row wins against that of the column, as observed and as fitted; pairs without a decided battle are empty.${part}</p>
<div class="figures matrix" style="grid-template-columns:repeat(auto-fit,minmax(min(100%,${Math.ceil(sizesOf(short).width)}px),1fr))">${draw(plotter, "Observed", observed, short)}${draw(plotter, "Fitted", fitted, short)}</div>
<ul class="legend"><li><i style="background:var(--c1)"></i>wins more than half</li><li><i style="background:var(--c2)"></i>wins less than half</li></ul>`,
  };
}

/** Pixels: of the names, of a cell, and of the whole. Beyond half a page the second matrix stands below the first. */
function sizesOf(names: readonly string[]): { left: number; width: number } {
  const left = 14 + 6.6 * Math.max(...names.map((name) => name.length));
  const size = Math.max(14, Math.min(44, (450 - left) / names.length));
  return { left, width: left + size * names.length + 12 };
}

function draw({ plot, figure: drawn }: Plotter, title: string, squares: readonly Square[], names: readonly string[]): Markup {
  const { left, width } = sizesOf(names);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">${drawn(
    {
      ...{ width, height: width },
      ...{ marginLeft: left, marginTop: left, marginBottom: 8, marginRight: 8 },
      x: { domain: names, axis: "top", label: null, tickRotate: -90, tickSize: 0 },
      y: { domain: names, label: null, tickSize: 0 },
      style: { fontSize: names.length > 15 ? "11px" : "12px" },
      marks: [
        plot.cell(squares, {
          ...{ x: "column", y: "row", inset: 0.5 },
          fill: ({ share }: Square) => PAGE.series[share >= 0.5 ? 0 : 1]!,
          fillOpacity: ({ share }: Square) => 2 * VEIL * Math.abs(share - 0.5) + 0.03,
          title: "title",
        }),
        ...(names.length <= NUMBERS
          ? [
              plot.text(squares, {
                x: "column",
                y: "row",
                text: ({ share }: Square) => String(Math.round(100 * share)),
                fill: "currentColor",
              }),
            ]
          : []),
      ],
    },
    {
      title,
      alt: `${title} shares of wins, item against item: ${squares
        .slice(0, 6)
        .map((one) => one.title)
        .join("; ")}.`,
    },
  )}</div>`;
}

/** Whether the model holds: expected against observed results, the most surprising pairs, and cycles. */
import type { LeaderboardFit } from "../../leaderboard-fit.ts";
import { figure } from "../figure.ts";
import { html, type Markup } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import { pageTable } from "../table.ts";
import { PAGE } from "../theme.ts";

const SHOWN = 15;

export function fitSection(plotter: Plotter, fit: LeaderboardFit): Section {
  const { test, pairs, threshold, triples, cyclesSeen, cycles } = fit;
  const surprising = pairs.filter(({ scoreP, tieP }) => scoreP < threshold || tieP < threshold).length;
  const verdict = Number.isNaN(test.p)
    ? html`There are no more pairs than parameters, so the model cannot be tested.`
    : html`<strong>${test.p < threshold ? "The model does not hold exactly" : "Nothing speaks against the model"}</strong>: Pearson's chi-square is ${figure(test.statistic)} with ${figure(test.df)} degrees of freedom, p = ${test.p < 1e-4 ? "below 0.0001" : figure(test.p)}${test.simulations > 0 ? `, from ${test.simulations} simulations` : ""}.`;
  const round =
    triples === 0
      ? "No three items were all compared with each other."
      : `Majorities go round in ${figure(cyclesSeen)} of ${figure(triples)} triples of items, ${cycles.length === 0 ? "none" : figure(cycles.length)} of them beyond chance.`;
  return {
    id: "fit",
    title: "Does the model hold?",
    body: html`<p>${verdict} ${figure(surprising)} of ${figure(pairs.length)} pairs are surprising at ${String(threshold)}, corrected for their number by Holm's method. ${round}</p>
<div class="columns"><div>${scatter(plotter, fit)}</div><div>${surprises(fit)}${cycles.length > 0 ? cycleTable(fit) : undefined}</div></div>`,
  };
}

const DOTS = 1500;

function scatter({ plot, figure: draw }: Plotter, { pairs }: LeaderboardFit): Markup {
  const known = [...pairs].sort((a, b) => b.battles - a.battles).slice(0, DOTS);
  const dots = known.map((one) => ({
    expected: (one.expectedWins + one.expectedTies / 2) / one.battles,
    observed: (one.wins + one.ties / 2) / one.battles,
    battles: one.battles,
  }));
  const least = Math.max(0, Math.min(...dots.flatMap(({ expected, observed }) => [expected, observed])) - 0.02);
  return draw(
    {
      height: 380,
      x: { label: "expected score", grid: true, domain: [least, 1], tickFormat: "%" },
      y: { label: "observed score", grid: true, domain: [least, 1], tickFormat: "%" },
      r: { range: [1, 8] },
      marks: [
        plot.line(
          [
            [least, least],
            [1, 1],
          ],
          { stroke: "var(--faint)", strokeDasharray: "4 3" },
        ),
        plot.dot(dots, { x: "expected", y: "observed", r: "battles", fill: PAGE.series[0]!, fillOpacity: 0.35 }),
      ],
    },
    {
      title: "Observed and expected scores of pairs",
      alt: `A dot for each of ${figure(dots.length)} pairs, the larger the more battles: wins and half the ties of the better item, expected and observed.`,
      caption: html`Wins and half the ties of the better item.${pairs.length > DOTS ? ` The ${figure(DOTS)} pairs with most battles.` : ""}`,
    },
  );
}

function surprises({ pairs }: LeaderboardFit): Markup {
  const ties = pairs.some(({ expectedTies }) => expectedTies > 0);
  return html`<h3>The most surprising pairs</h3>${pageTable({
    caption: "The most surprising pairs",
    head: ["pair", "residual", ...(ties ? ["of ties"] : []), "wins", "losses", ...(ties ? ["ties"] : [])],
    rows: pairs.slice(0, SHOWN).map((one) => {
      const cell = (seen: number, expected: number) => ({
        value: seen,
        shown: html`${figure(seen)}<small>exp. ${expected.toFixed(expected < 10 ? 1 : 0)}</small>`,
      });
      const residual = (value: number) => ({ value, shown: (Math.round(10 * value) / 10 || 0).toFixed(1) });
      return [
        { value: `${one.first} ${one.second}`, shown: html`${one.first}<small>against ${one.second}</small>` },
        residual(one.score),
        ...(ties ? [residual(one.tie)] : []),
        ...[cell(one.wins, one.expectedWins), cell(one.losses, one.expectedLosses)],
        ...(ties ? [cell(one.ties, one.expectedTies)] : []),
      ];
    }),
  })}<p class="note">Below the numbers of battles, those expected. Residuals are in standard errors; those of scores count wins and half the ties.</p>`;
}

const cycleTable = ({ cycles }: LeaderboardFit): Markup =>
  html`<h3>Cycles beyond chance</h3>${pageTable({
    caption: "Cycles",
    head: ["each beats the next, and the last the first", "results", "p"],
    rows: cycles
      .slice(0, SHOWN)
      .map(({ items, results, p }) => [items.join(" > "), results.map((one) => one.join("-")).join(", "), p]),
  })}`;

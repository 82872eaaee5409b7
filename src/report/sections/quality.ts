/** Quality of the model: means with intervals, next to other models and baselines, and per-list differences. */
import { counted } from "../../counted.ts";
import { compareValues, holm } from "../../statistics/index.ts";
import { figure, interval } from "../figure.ts";
import { html, type Markup, type Piece } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import { meanOf, type ReportData, type System, units } from "../report-data.ts";
import { truncate } from "../svg.ts";
import { type Cell, pageTable } from "../table.ts";
import { PAGE } from "../theme.ts";

const ROLES = ["training", "validation"] as const;

export function quality(plotter: Plotter, found: ReportData): Section {
  const { systems, metrics, judged, role } = found;
  const lists = judged.data.starts.length - 1;
  const warning = role && ROLES.some((one) => one === role) && cautions[role as (typeof ROLES)[number]];
  return {
    id: "quality",
    title: "Quality",
    body: html`<p>Means over ${counted(lists, "list")} of ${judged.name}, ${judged.data.listWeights ? "weighted by their weights, " : undefined}with 95 % intervals from drawing ${judged.data.items && judged.data.labelSpaceSize === undefined ? "the voters" : "the lists"} again.</p>
${warning ? html`<p class="note"><strong>Mind:</strong> ${warning}</p>` : undefined}
${means(found)}
<div class="figures">${dots(plotter, found)}${differences(plotter, found)}</div>
${against(found)}
<h3>What the metrics are</h3>
<ul>${metrics.map(({ spec, variant }) => html`<li><strong>${spec}</strong>: ${variant}${leftOut(systems[0]!, spec)}</li>`)}</ul>`,
  };
}

const cautions = {
  training: "these are the training lists themselves, on which any model looks better than it is.",
  validation: "the round that was kept is the best on these lists, so the means flatter a little.",
} as const;

function leftOut({ result }: System, text: string): Piece {
  const { skipped } = result.details[text]!;
  return skipped > 0 ? html`. <span class="note">Here ${counted(skipped, "list")}.</span>` : undefined;
}

function means(found: ReportData): Markup {
  const { systems, metrics } = found;
  const cell = (who: System, m: number): Cell => {
    const { mean, low, high } = meanOf(found, who, metrics[m]!);
    return { value: mean, shown: html`${figure(mean)}<small>${interval(low, high)}</small>` };
  };
  return pageTable({
    caption: "Means of the metrics",
    head: ["ranked by", ...metrics.map(({ spec }) => spec)],
    rows: systems.map((who) => [
      { value: who.name, shown: html`${who.name}<small>${who.about}</small>` },
      ...metrics.map((_, m) => cell(who, m)),
    ]),
    marked: 0,
  });
}

function dots({ plot, figure: draw }: Plotter, found: ReportData): Markup {
  const { systems, main } = found;
  const rows = systems.map((who) => ({ ...meanOf(found, who, main), name: truncate(who.name, 44), role: who.role }));
  const colour = (role: System["role"]) =>
    role === "model" ? PAGE.series[0]! : role === "rival" ? PAGE.series[1]! : "var(--faint)";
  const bars = rows.filter(({ low }) => !Number.isNaN(low));
  return draw(
    {
      height: 80 + 48 * rows.length,
      marginTop: 10,
      marginLeft: 12,
      marginRight: 16,
      x: { label: main.spec, grid: true, nice: true },
      y: { axis: null, domain: rows.map(({ name }) => name), padding: 0.6 },
      marks: [
        plot.ruleY(bars, { y: "name", x1: "low", x2: "high", stroke: ({ role }) => colour(role), strokeWidth: 3, dy: 8 }),
        plot.dot(rows, { y: "name", x: "mean", fill: ({ role }) => colour(role), r: 5, dy: 8 }),
        plot.text(rows, {
          y: "name",
          frameAnchor: "left",
          text: "name",
          textAnchor: "start",
          dy: -9,
        }),
      ],
    },
    {
      title: `${main.spec}, with intervals`,
      alt: rows.map(({ name, mean, low, high }) => `${name}: ${figure(mean)} (${interval(low, high)})`).join("; "),
    },
  );
}

/** The difference list by list to the strongest other, sorted. */
function differences({ plot, figure: draw }: Plotter, found: ReportData): Markup | undefined {
  const { systems, main } = found;
  const [ours, ...others] = systems;
  const sign = main.better === "higher" ? 1 : -1;
  const strongest = [...others].sort((a, b) => sign * (b.result.metrics[main.spec]! - a.result.metrics[main.spec]!))[0];
  if (!ours || !strongest) return undefined;
  const [a, b] = [ours, strongest].map(({ result }) => result.details[main.spec]!.values) as [Float64Array, Float64Array];
  const all = Array.from(a, (value, q) => value - b[q]!)
    .filter((value) => !Number.isNaN(value))
    .sort((x, y) => y - x);
  const step = Math.max(1, all.length / 400);
  const rows = Array.from({ length: Math.min(all.length, 400) }, (_, i) => ({
    from: i / Math.min(all.length, 400),
    to: (i + 1) / Math.min(all.length, 400),
    difference: all[Math.floor(i * step)]!,
  }));
  const count = (test: (value: number) => boolean) => all.filter(test).length;
  const [better, worse] = [count((value) => sign * value > 1e-9), count((value) => sign * value < -1e-9)];
  return draw(
    {
      height: 80 + 48 * systems.length,
      x: { label: "share of the lists", percent: true, ticks: 5 },
      y: { label: `difference in ${main.spec}`, grid: true, nice: true },
      marks: [
        plot.rectY(rows, {
          x1: "from",
          x2: "to",
          y: "difference",
          fill: ({ difference }) => (sign * difference > 0 ? PAGE.series[0]! : PAGE.series[1]!),
          insetLeft: 0,
          insetRight: 0,
        }),
        plot.ruleY([0]),
      ],
    },
    {
      title: `List by list against ${truncate(strongest.name, 40)}`,
      alt: `The model is better on ${counted(better, "list")}, equal on ${all.length - better - worse} and worse on ${worse}.`,
      caption: `Better on ${better}, equal on ${all.length - better - worse}, worse on ${worse} of ${counted(all.length, "list")}; lists are sorted by the difference.`,
    },
  );
}

function against(found: ReportData): Markup | undefined {
  const { systems, main, seed = 1 } = found;
  const [ours, ...others] = systems;
  if (!ours || others.length === 0) return undefined;
  const value = (who: System) => units(found, who.result.details[main.spec]!.values);
  const all = others.map((other) => {
    const { values, weights } = value(ours);
    return compareValues(values, value(other).values, { seed, ...(weights && { weights }) });
  });
  const corrected = holm(all.map(({ p }) => p));
  return html`<h3>Differences in ${main.spec}</h3>${pageTable({
    caption: `Differences in ${main.spec} between the model and others`,
    head: ["against", "difference", "95 % interval", "better / equal / worse", "p", html`p after Holm`],
    rows: others.map(({ name }, i) => {
      const { difference, wins, ties, losses, p } = all[i]!;
      return [
        name,
        difference.mean,
        { value: difference.low, shown: interval(difference.low, difference.high) },
        {
          value: wins - losses,
          shown: main.better === "higher" ? `${wins} / ${ties} / ${losses}` : `${losses} / ${ties} / ${wins}`,
        },
        chance(p),
        chance(corrected[i]!),
      ];
    }),
  })}<p class="note">p is of the two-sided paired randomization test; Holm's correction is for ${counted(others.length, "comparison")}.</p>`;
}

const chance = (p: number): Cell => ({ value: p, shown: p < 0.0001 ? "below 0.0001" : figure(p) });

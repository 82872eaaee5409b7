/** The bias curve of a log of clicks: how likely each position is examined, beside how often it is clicked. */
import { counted } from "../../counted.ts";
import type { PositionBias } from "../../position-bias.ts";
import { figure } from "../figure.ts";
import { html } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import { PAGE } from "../theme.ts";

const [PROPENSITY, RATE] = [PAGE.series[0]!, PAGE.series[1]!];

export function biasCurve({ plot, figure: draw }: Plotter, bias: PositionBias): Section {
  const { positions, propensities, low, high, shown, clicks, method } = bias;
  const first = clicks[0]! / shown[0]!;
  const names = ["examined", "clicked"];
  const rows = positions.flatMap((name, k) => [
    { k: k + 1, name: "examined", value: propensities[k]!, low: low?.[k], high: high?.[k], position: name },
    {
      k: k + 1,
      name: "clicked",
      value: first > 0 ? clicks[k]! / shown[k]! / first : 0,
      low: undefined,
      high: undefined,
      position: name,
    },
  ]);
  const bars = rows.filter((row) => row.low !== undefined);
  const total = clicks.reduce((sum, one) => sum + one, 0);
  const body = html`<p>By ${method}, from ${counted(total, "click")} on ${counted(shown[0]!, "result page")}: the probability that a position is examined,
relative to the first, and the rate of clicks, which also depends on what was shown there.</p>
<div class="figures">${draw(
    {
      height: 300,
      x: {
        label: "position",
        ticks: positions.length < 30 ? rows.filter(({ name }) => name === "examined").map(({ k }) => k) : 10,
        tickFormat: (k: number) => positions[k - 1] ?? "",
      },
      y: {
        label: "relative to the first position",
        domain: [0, Math.max(1, ...rows.map(({ value, high: end }) => end ?? value))],
        grid: true,
      },
      color: { domain: names, range: [PROPENSITY, RATE] },
      marks: [
        plot.ruleX(bars, { x: "k", y1: "low", y2: "high", stroke: "name", strokeOpacity: 0.5 }),
        plot.line(rows, { x: "k", y: "value", stroke: "name", strokeWidth: 1.5 }),
        plot.dot(rows, { x: "k", y: "value", fill: "name", r: 3 }),
      ],
    },
    {
      title: "Position bias",
      alt: `Propensities by position: ${positions.map((name, k) => `${name}: ${figure(propensities[k]!)}`).join("; ")}.`,
      caption: low ? "Lines through dots are intervals, clustered by query." : "",
      legend: names.map((name, i) => [name, [PROPENSITY, RATE][i]!] as const),
    },
  )}</div>`;
  return { id: "position-bias", title: "Position bias", body };
}

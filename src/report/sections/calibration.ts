/** Calibration of the model: predicted against observed frequencies, of pairs and of the first tier. */
import { type CalibrationResult, calibrate } from "../../calibrate.ts";
import { counted } from "../../counted.ts";
import { score } from "../../evaluate.ts";
import { InputError } from "../../input-error.ts";
import type { Reliability } from "../../statistics/index.ts";
import { figure } from "../figure.ts";
import { html, type Markup } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import type { ReportData } from "../report-data.ts";
import { PAGE } from "../theme.ts";

const [BEFORE, AFTER] = [PAGE.series[1]!, PAGE.series[0]!];

export function calibration(plotter: Plotter, { judged, file, seed = 1 }: ReportData): Section | undefined {
  const { data } = judged;
  if (data.labelSpaceSize !== undefined) return undefined;
  const [id, title] = ["calibration", "Calibration"];
  try {
    const { temperature, lists, before, after } = calibrate(score(file.model, data), data, { seed, most: 400 });
    return {
      ...{ id, title },
      body: html`<p>Under Plackett-Luce, scores are log-worths, from which probabilities follow. They fit these lists best when divided by the
temperature ${figure(temperature.value)}; with it the mean log-likelihood of a list's tiers goes from ${figure(before.likelihood)} to
${figure(after.likelihood)} (${counted(lists, "list")}, each judged with the temperature of the other half).</p>
<div class="figures">${plots(plotter, before, after)}</div>`,
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error; // too few lists
    return { ...{ id, title }, body: html`<p class="note">${error.message}</p>` };
  }
}

const plots = (plotter: Plotter, before: CalibrationResult, after: CalibrationResult): Markup[] => [
  reliability(plotter, before.pairs, after.pairs, 0.5, {
    title: "Pairs: the better item has the higher score",
    what: "pairs of different tiers",
  }),
  reliability(plotter, before.top, after.top, 0, { title: "Items: in the first tier of the list", what: "items" }),
];

interface Words {
  readonly title: string;
  readonly what: string;
}

function reliability(
  { plot, figure: draw }: Plotter,
  before: Reliability,
  after: Reliability,
  from: number,
  { title, what }: Words,
) {
  const rows = [
    ...before.bins.map((bin) => ({ ...bin, name: "as it is" })),
    ...after.bins.map((bin) => ({ ...bin, name: "with temperature" })),
  ];
  const least = Math.min(from, ...rows.map(({ observed }) => observed));
  const bars = rows.filter(({ low }) => !Number.isNaN(low)).map((row) => ({ ...row, low: Math.max(least, row.low) }));
  const names = ["as it is", "with temperature"];
  return draw(
    {
      height: 340,
      x: { label: "predicted probability", domain: [from, 1], ticks: 5 },
      y: { label: "observed share", domain: [least, 1], grid: true, ticks: 6 },
      color: { domain: names, range: [BEFORE, AFTER] },
      marks: [
        plot.line([[from, from], [1, 1]], { stroke: "currentColor", strokeDasharray: "4 3", strokeOpacity: 0.7 }), // biome-ignore format: two points
        plot.ruleX(bars, { x: "predicted", y1: "low", y2: "high", stroke: "name", strokeOpacity: 0.5 }),
        plot.line(rows, { x: "predicted", y: "observed", stroke: "name", strokeWidth: 1.5 }),
        plot.dot(rows, { x: "predicted", y: "observed", fill: "name", r: ({ count }) => Math.sqrt(count) }),
      ],
      r: { range: [2, 7] },
    },
    {
      title,
      alt: `Predicted against observed with the temperature: ${after.bins.map(({ predicted, observed }) => `${predicted.toFixed(2)}: ${observed.toFixed(2)}`).join("; ")}.`,
      caption: `On the dashed line predictions are as often right as they say. Mean distance from it: ${figure(before.error)} as it is, ${figure(after.error)} with temperature (${figure(after.count)} ${what}). Lines through dots are 95 % intervals.`,
      legend: names.map((name, i) => [name, [BEFORE, AFTER][i]!] as const),
    },
  );
}

/** Feature effects: which features matter, and how the score depends on them. */
import { counted } from "../../counted.ts";
import { type Effect, type Effects, effects } from "../../effects.ts";
import { columnName } from "../../models/shared/columns.ts";
import { figure } from "../figure.ts";
import { html, type Markup, type Piece } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import type { ReportData } from "../report-data.ts";
import { truncate } from "../svg.ts";
import { pageTable } from "../table.ts";
import { PAGE } from "../theme.ts";

const FIRST = PAGE.series[0]!;
const WALKS = 40_000; // items times trees that are taken apart: some seconds

export function features(plotter: Plotter, found: ReportData): Section {
  const { judged, file, main, seed = 1 } = found;
  const ballots = judged.data.items && judged.data.labelSpaceSize === undefined;
  const rows = Math.max(
    200,
    Math.min(1500, Math.floor(WALKS / ((file.model.stages?.count ?? 1) * (file.model.stages?.trees ?? 1)))),
  );
  const result = ballots ? undefined : effects(file.model, judged.data, { metric: main, seed, rows });
  const nameOf = (c: number) => columnName(result?.columns ?? file.model.columns, c);
  return {
    id: "features",
    title: "Feature effects",
    body: result
      ? html`<p>${how(result, main.spec)}</p><div class="figures">${bars(plotter, result, nameOf)}${result.effects.map((one) => effectCurve(plotter, one, nameOf(one.feature), result))}</div>${learned(found)}`
      : html`<p class="note">${none(found)}</p>${learned(found)}`,
  };
}

const how = ({ how: method, rows }: Effects, metric: string) =>
  method === "contributions"
    ? `What a feature adds to an item's score, against the mean of the list, since only differences within a list change its order (${counted(rows, "item")}).`
    : `The model cannot be explained by feature, so permutation importance is shown: the bars are what ${metric} loses when a feature's values are shuffled, and the curves are partial dependence of the score of one item (${counted(rows, "item")}).`;

const none = ({ judged }: ReportData) =>
  judged.data.labelSpaceSize !== undefined
    ? "Every list ranks the whole label space, whose labels have no features of their own: a feature belongs to the list and raises some labels above others, so there is no single curve to draw."
    : judged.data.features.columns === 0
      ? "These data have no features."
      : "The features are too many to plot one by one.";

function bars({ plot, figure: draw }: Plotter, { sizes, how: method }: Effects, nameOf: (c: number) => string): Markup {
  const rows = Array.from(sizes.keys())
    .filter((c) => sizes[c]! > 0)
    .sort((a, b) => sizes[b]! - sizes[a]! || a - b)
    .slice(0, 12)
    .map((c) => ({ name: truncate(nameOf(c), 22), size: sizes[c]! }));
  const longest = Math.max(...rows.map(({ name }) => name.length), 3);
  return draw(
    {
      height: 60 + 22 * rows.length,
      marginTop: 8,
      marginLeft: 14 + 7.4 * longest,
      x: { label: method === "contributions" ? "mean absolute effect on the score" : "loss of the metric", grid: true, ticks: 5 },
      y: { label: null, domain: rows.map(({ name }) => name), tickSize: 0 },
      marks: [plot.barX(rows, { y: "name", x: "size", fill: FIRST, insetTop: 2, insetBottom: 2 }), plot.ruleX([0])],
    },
    {
      title: "The largest effects",
      alt: `Features by size of effect: ${rows.map(({ name, size }) => `${name} ${figure(size)}`).join(", ")}.`,
    },
  );
}

function effectCurve({ plot, figure: draw }: Plotter, effect: Effect, name: string, { how: method, columns }: Effects): Markup {
  const { curve: curvePoints, points, missing } = effect;
  const dots = points.map(([value, part]) => ({ value, part }));
  const ends = [curvePoints[0], curvePoints.at(-1)];
  // Yes or no, or a category: nothing lies between the two values, so no line joins them.
  const isTruth = curvePoints.every(({ value }) => value === 0 || value === 1);
  const words = columns.encoding ? ["no", "yes"] : ["0", "1"];
  const x = isTruth
    ? { domain: [-0.5, 1.5], ticks: [0, 1], tickFormat: (value: number) => words[value]! }
    : { nice: true, ticks: 6 };
  return draw(
    {
      height: 240,
      x: { label: `feature ${truncate(name, 30)}`, ...x },
      y: { label: method === "contributions" ? "adds to the score" : "score against the others", grid: true, nice: true },
      marks: [
        plot.ruleY([0], { strokeOpacity: 0.5 }),
        isTruth
          ? plot.ruleX(curvePoints, { x: "value", y1: "low", y2: "high", stroke: FIRST, strokeOpacity: 0.15, strokeWidth: 36 })
          : plot.areaY(curvePoints, { x: "value", y1: "low", y2: "high", fill: FIRST, fillOpacity: 0.15 }),
        plot.dot(dots, { x: "value", y: "part", fill: FIRST, fillOpacity: 0.3, r: 1.8 }),
        isTruth
          ? plot.dot(curvePoints, { x: "value", y: "mean", fill: FIRST, r: 5 })
          : plot.lineY(curvePoints, { x: "value", y: "mean", stroke: FIRST, strokeWidth: 2 }),
        ...(missing ? [plot.ruleY([missing.mean], { stroke: PAGE.series[1]!, strokeDasharray: "4 3" })] : []),
      ],
    },
    {
      title: `Feature ${truncate(name, 40)}`,
      alt: `The effect of feature ${name} runs from ${figure(ends[0]?.mean ?? Number.NaN)} at ${figure(ends[0]?.value ?? Number.NaN)} to ${figure(ends[1]?.mean ?? Number.NaN)} at ${figure(ends[1]?.value ?? Number.NaN)}.`,
      caption: `${isTruth ? "The large dots are means, the bars hold" : "The line is the mean, the band holds"} four of five items${missing ? `; the dashed line is the effect of a missing value, ${figure(missing.mean)}` : ""}.`,
    },
  );
}

/** What the model reports about its features, such as gains or weights. */
export function learned({ file }: Pick<ReportData, "file">): Piece {
  const MOST = 12;
  return file.model.describe().tables.map(({ title, head, rows }) => {
    const shown = rows.slice(0, MOST);
    const table = pageTable({ caption: title, head, rows: shown });
    return html`<h3>${title}</h3>${table}${rows.length > MOST ? html`<p class="note">The first ${MOST} of ${figure(rows.length)}; <code>tierwise show --all</code> has the rest.</p>` : undefined}`;
  });
}

/** Which true tier lands where. */
import { counted } from "../../counted.ts";
import { score } from "../../evaluate.ts";
import { type Range, type TierConfusion, tierConfusion } from "../../statistics/tier-confusion.ts";
import { figure } from "../figure.ts";
import { html, type Markup } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import type { ReportData } from "../report-data.ts";
import { PAGE, VEIL } from "../theme.ts";

export function tiers(plotter: Plotter, { judged, file }: ReportData): Section | undefined {
  const { data } = judged;
  if (data.labelSpaceSize !== undefined || data.items) return undefined;
  const confusion = tierConfusion(score(file.model, data), data);
  if (confusion.lists === 0) return undefined;
  const right = confusion.counts.reduce((sum, row, t) => sum + row[t]!, 0) / total(confusion.counts);
  return {
    id: "tiers",
    title: "Tiers and places",
    body: html`<p>In the ideal order of a list every place belongs to a tier. ${(100 * right).toFixed(1)} % of the items stand on a place of
their own tier (${counted(confusion.lists, "list")}${confusion.leftOut > 0 ? `; ${counted(confusion.leftOut, "list")} of one tier left out` : ""}).</p>
<div class="figures">${squares(plotter, confusion)}${groups(plotter, confusion)}</div>`,
  };
}

const total = (rows: readonly Float64Array[]) => rows.reduce((sum, row) => sum + row.reduce((a, b) => a + b, 0), 0);

const labels = ({ from, to }: Range) => (from === to ? figure(from) : `${figure(from)} to ${figure(to)}`);
const places = ({ from, to }: Range) => (from === to ? `${from}` : to === Infinity ? `${from}+` : `${from}-${to}`);

const squares = (plotter: Plotter, { tiers, counts }: TierConfusion) =>
  heat(plotter, {
    rows: tiers.map(labels),
    columns: tiers.map(labels),
    counts,
    across: "tier that the place belongs to",
    title: "Which tier's places an item takes",
    caption: "Shares of each row. A perfect order has 100 on the diagonal.",
  });

const groups = (plotter: Plotter, { tiers, groups: all, places: counts }: TierConfusion) =>
  heat(plotter, {
    rows: tiers.map(labels),
    columns: all.map(places),
    counts,
    across: "place in the list",
    title: "On which places the tiers land",
    caption: "Shares of each row. Tied scores share their places.",
  });

interface Heat {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly counts: readonly Float64Array[];
  readonly across: string;
  readonly title: string;
  readonly caption: string;
}

function heat({ plot, figure: draw }: Plotter, { rows, columns, counts, across, title, caption }: Heat): Markup {
  const cells = counts.flatMap((row, r) => {
    const sum = row.reduce((a, b) => a + b, 0);
    return Array.from(row, (count, c) => ({ row: rows[r]!, column: columns[c]!, share: sum > 0 ? count / sum : 0, count }));
  });
  return draw(
    {
      height: 84 + 40 * rows.length,
      marginLeft: 20 + 7.4 * Math.max(...rows.map((row) => row.length), 5),
      marginTop: 30,
      marginBottom: 46,
      x: { label: across, domain: columns, labelAnchor: "center", labelArrow: "none", tickSize: 0 },
      y: { label: "label", domain: rows, labelArrow: "none", labelAnchor: "top", tickSize: 0 },
      marks: [
        plot.cell(cells, {
          x: "column",
          y: "row",
          fill: PAGE.series[0]!,
          fillOpacity: ({ share: fraction }) => VEIL * fraction,
          inset: 1,
          stroke: "var(--grid)",
          title: ({ count }) => `${Number(count.toFixed(2))} items`,
        }),
        plot.text(cells, {
          x: "column",
          y: "row",
          text: ({ share: fraction }) => (100 * fraction).toFixed(fraction > 0 && fraction < 0.1 ? 1 : 0),
          fontSize: 13,
        }),
      ],
    },
    {
      title,
      alt: `${title}, in percent: ${cells.map(({ row, column, share: fraction }) => `label ${row}, ${column}: ${(100 * fraction).toFixed(0)}`).join("; ")}.`,
      caption,
    },
  );
}

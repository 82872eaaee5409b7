/** How the lists differ: the distribution of the main metric over them, and the best and the worst with their documents. */
import { counted } from "../../counted.ts";
import { subset } from "../../data/subset.ts";
import { type Ranked, rank } from "../../rank.ts";
import { figure } from "../figure.ts";
import { html, type Markup } from "../markup.ts";
import type { Section } from "../page.ts";
import type { Plotter } from "../plotter.ts";
import type { ReportData } from "../report-data.ts";
import { pageTable } from "../table.ts";
import { PAGE } from "../theme.ts";

const SHOWN = 3; // lists at either end
const DEEP = 8; // documents of a list, and those of the best label below

export function lists(plotter: Plotter, found: ReportData): Section {
  const { main, systems } = found;
  const values = systems[0]!.result.details[main.spec]!.values;
  const sign = main.better === "higher" ? 1 : -1;
  const size = (q: number) => found.judged.data.starts[q + 1]! - found.judged.data.starts[q]!;
  const measured = Array.from(values.keys()).filter((q) => !Number.isNaN(values[q]!));
  const goodFirst = [...measured].sort((a, b) => sign * (values[b]! - values[a]!) || size(b) - size(a) || a - b);
  const badFirst = [...measured].sort((a, b) => sign * (values[a]! - values[b]!) || size(b) - size(a) || a - b);
  const count = Math.min(SHOWN, Math.floor(measured.length / 2));
  const block = (title: string, some: readonly number[]) =>
    html`<div><h3>${title}</h3>${some.map((q) => documents(found, q, values[q]!))}</div>`;
  return {
    id: "lists",
    title: "List by list",
    body: html`<div class="figures">${histogram(
      plotter,
      found,
      measured.map((q) => values[q]!),
    )}${bySize(plotter, found, measured, values)}</div>
${
  count === 0
    ? undefined
    : html`<div class="columns">${block("The worst lists", badFirst.slice(0, count))}${block("The best lists", goodFirst.slice(0, count))}</div>
<p class="note">Among equals, long lists come first. A bold label is the best of its list.</p>`
}`,
  };
}

const BINS = 20;

function histogram({ plot, figure: draw }: Plotter, { main }: ReportData, values: readonly number[]): Markup {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, middle, high] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map(
    (one) => one ?? Number.NaN,
  ) as [number, number, number];
  const width = (high - low) / BINS || 0.05; // of one value alone, some width to see it
  const counts = new Uint32Array(BINS);
  for (const value of values) counts[Math.min(BINS - 1, Math.floor((value - low) / width))]!++;
  const bins = Array.from(counts, (count, i) => ({ from: low + i * width, to: low + (i + 1) * width, count }));
  return draw(
    {
      x: { label: main.spec },
      y: { label: "lists", grid: true },
      marks: [
        plot.rectY(bins, { x1: "from", x2: "to", y: "count", fill: PAGE.series[0]!, insetLeft: 0.5, insetRight: 0.5 }),
        plot.ruleY([0]),
        ...(Number.isNaN(middle) ? [] : [plot.ruleX([middle], { stroke: "currentColor", strokeDasharray: "4 3" })]),
      ],
    },
    {
      title: `${main.spec} over the lists`,
      alt: `A histogram of ${main.spec} over ${counted(values.length, "list")}: from ${figure(low)} to ${figure(high)}, median ${figure(middle)}.`,
      caption: `The dashed line is the median, ${figure(middle)}.`,
    },
  );
}

/** Whether long lists are harder. */
function bySize(
  { plot, figure: draw }: Plotter,
  found: ReportData,
  measured: readonly number[],
  values: Float64Array,
): Markup | undefined {
  const { judged, main } = found;
  if (judged.data.labelSpaceSize !== undefined || judged.data.items) return undefined;
  const { starts } = judged.data;
  const step = Math.max(1, Math.ceil(measured.length / 600));
  const points = measured.filter((_, i) => i % step === 0).map((q) => ({ size: starts[q + 1]! - starts[q]!, value: values[q]! }));
  const sizes = points.map(({ size }) => size);
  if (sizes.length < 2 || Math.min(...sizes) === Math.max(...sizes)) return undefined;
  return draw(
    {
      x: {
        label: "items in the list",
        type: Math.max(...sizes) > 20 * Math.min(...sizes) ? "log" : "linear",
        nice: true,
        ticks: 6,
      },
      y: { label: main.spec, grid: true, nice: true },
      marks: [plot.dot(points, { x: "size", y: "value", fill: PAGE.series[0]!, fillOpacity: 0.4, r: 3 })],
    },
    {
      title: "Short and long lists",
      alt: `${main.spec} against the number of items, a dot for each of ${counted(points.length, "list")}.`,
      caption: step > 1 ? `A dot for ${points.length} of the lists.` : "A dot for each list.",
    },
  );
}

function documents({ judged, file, main }: ReportData, q: number, value: number): Markup {
  const { data } = judged;
  const depth = data.labelSpaceSize === undefined ? Infinity : DEEP + 2;
  const [ranked] = [...rank(file.model, subset(data, [q]), depth)] as [Ranked];
  const best = Math.max(...ranked.items.map(({ label = 0 }) => label));
  const shown = ranked.items
    .filter(({ label }, place) => place < DEEP || (label === best && best > 0 && place < DEEP + 40))
    .slice(0, DEEP + 4);
  const more = ranked.items.length - shown.length;
  const name = data.names.lists?.[q] ?? String(q + 1);
  const judgedThere = data.starts[q + 1]! - data.starts[q]!;
  return html`<p><strong>${name}</strong>: ${main.spec} ${figure(value)}, ${
    data.labelSpaceSize === undefined ? counted(judgedThere, "item") : `${counted(judgedThere, "item")} judged relevant`
  }</p>${pageTable({
    caption: `Items of list ${name} in the order of the model`,
    head: ["place", "item", "label", "score"],
    rows: shown.map(({ rank: place, id, label = 0, score }) => [
      place,
      id,
      { value: label, shown: label === best && best > 0 ? html`<span class="hit">${figure(label)}</span>` : figure(label) },
      score,
    ]),
    sortable: false,
  })}${more > 0 ? html`<p class="note">${more} more</p>` : undefined}`;
}

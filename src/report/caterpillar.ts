/** A caterpillar plot: one line per item, best on top, a dot at its estimate and a bar over its interval, with its rank interval. */
import type { Estimate } from "../types.ts";
import { drawing, escaped, label, line, PAPER, type Palette, round, ticks, truncate } from "./svg.ts";

export interface CaterpillarOptions {
  readonly title: string;
  /** What the numbers are. */
  readonly axis: string;
  /** Items drawn at most. */
  readonly most?: number;
  readonly palette?: Palette;
  /** Width of the part with the bars. */
  readonly across?: number;
}

const ROW = 20;
const TOP = 78;
const BOTTOM = 56;

export function caterpillar(all: readonly Estimate[], options: CaterpillarOptions): string {
  const { title, axis, most = 200, palette = PAPER, across = 460 } = options;
  const { faint, grid } = palette;
  const colour = palette.series[0]!;
  const shown = all.slice(0, most);
  const longest = Math.max(...shown.map(({ name }) => Math.min(36, name.length)), 4);
  const left = 24 + 7 * longest;
  const ranks = Math.max(46, 14 + 7.5 * Math.max(...shown.map(({ rank }) => rank.length)));
  const width = left + across + ranks + 24;
  const height = TOP + ROW * shown.length + BOTTOM;
  const ends = shown.flatMap(({ low, high }) => [low, high]);
  const [least, greatest] = [Math.min(...ends), Math.max(...ends)];
  const pad = (greatest - least || 1) * 0.04;
  const x = (value: number) => left + (across * (value - least + pad)) / (greatest - least + 2 * pad);
  const foot = TOP + ROW * shown.length;
  const body = [
    label(truncate(title, 80), { at: [24, 30], size: 17, bold: true }),
    label(
      all.length > shown.length
        ? `the best ${shown.length} of ${all.length} items; bars are 95 % intervals`
        : "bars are 95 % intervals",
      { at: [24, 50], fill: faint },
    ),
    label("rank", { at: [left + across + ranks, TOP - 10], anchor: "end", fill: faint }),
    ...ticks(least - pad, greatest + pad).flatMap((value) => [
      line(x(value), TOP - 4, x(value), foot, grid),
      label(String(value).replace("-", "−"), { at: [x(value), foot + 18], anchor: "middle", fill: faint }),
    ]),
    ...(least < 0 && greatest > 0 ? [line(x(0), TOP - 4, x(0), foot, faint, 1, ' stroke-dasharray="3 3"')] : []),
    label(axis, { at: [left + across / 2, foot + 42], anchor: "middle" }),
  ];
  shown.forEach(({ name, value, low, high, rank }, row) => {
    const y = TOP + ROW * (row + 0.5);
    body.push(
      label(truncate(name, 36), { at: [left - 12, y + 4], anchor: "end" }),
      line(x(low), y, x(high), y, colour, 2, ' stroke-opacity="0.55" stroke-linecap="round"'),
      `<circle cx="${round(x(value))}" cy="${round(y)}" r="4" fill="${colour}"><title>${escaped(`${name}: ${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}), rank ${rank}`)}</title></circle>`,
      label(rank, { at: [left + across + ranks, y + 4], anchor: "end" }),
    );
  });
  return drawing(Math.round(width), Math.round(height), title, body, palette);
}

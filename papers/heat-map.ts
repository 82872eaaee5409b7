/**
 * A table as colors: the darker, the higher within its column, with the number in every cell and a mark where chance does not explain it.
 */
import { drawing, label, PAPER, round } from "./internal.ts";

export interface Heat {
  readonly value: number; // NaN: nothing there
  readonly mark?: string; // after the number
}

export interface HeatMapOptions {
  readonly title: string;
  readonly note: string;
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  readonly groups?: readonly { readonly name: string; readonly columns: number }[]; // over the columns
}

const { ink: INK, faint: FAINT } = PAPER;
const [ROW, WIDE, TOP] = [21, 76, 104];

export function heatMap(
  cells: readonly (readonly Heat[])[],
  { title, note, columns, rows, groups = [] }: HeatMapOptions,
): string {
  const left = 30 + 7 * Math.max(...rows.map((row) => row.length));
  const ranges = columns.map((_, c) => {
    const values = cells.map((row) => row[c]!.value).filter((value) => !Number.isNaN(value));
    return [Math.min(...values), Math.max(...values)] as const;
  });
  const shade = (value: number, c: number) => {
    const [low, high] = ranges[c]!;
    return high > low ? (value - low) / (high - low) : 0.5;
  };
  const body = [label(title, { at: [24, 30], size: 17, bold: true }), label(note, { at: [24, 50], fill: FAINT })];
  let at = 0;
  for (const { name, columns: count } of groups) {
    body.push(label(name, { at: [left + WIDE * (at + count / 2), TOP - 28], anchor: "middle", bold: true }));
    at += count;
  }
  columns.forEach((name, c) => {
    body.push(label(name, { at: [left + WIDE * (c + 0.5), TOP - 10], anchor: "middle", fill: FAINT }));
  });
  rows.forEach((name, r) => {
    const y = TOP + ROW * r;
    body.push(label(name, { at: [left - 10, y + 14], anchor: "end" }));
    cells[r]!.forEach(({ value, mark = "" }, c) => {
      const x = left + WIDE * c;
      if (Number.isNaN(value)) {
        body.push(label("–", { at: [x + WIDE / 2, y + 14], anchor: "middle", fill: FAINT }));
        return;
      }
      const fraction = shade(value, c);
      body.push(
        `<rect x="${round(x + 1)}" y="${round(y + 1)}" width="${WIDE - 2}" height="${ROW - 2}" fill="${colour(fraction)}"/>`,
        label(`${value.toFixed(3)}${mark}`, {
          at: [x + WIDE / 2, y + 14],
          anchor: "middle",
          fill: fraction > 0.6 ? "#ffffff" : INK,
        }),
      );
    });
  });
  return drawing(Math.round(left + WIDE * columns.length + 24), TOP + ROW * rows.length + 24, title, body);
}

/** From nearly white to blue; the upper half has most of the range, since poor systems stretch it. */
function colour(fraction: number): string {
  const t = fraction * fraction;
  const mix = (from: number, to: number) =>
    Math.round(from + (to - from) * t)
      .toString(16)
      .padStart(2, "0");
  return `#${mix(0xf2, 0x00)}${mix(0xf6, 0x5a)}${mix(0xfa, 0x9c)}`;
}

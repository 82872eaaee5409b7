/** Lines over two axes, both in powers of ten, with a legend beside them. */
import { drawing, label, line, PAPER, round } from "./svg.ts";

export interface Series {
  readonly name: string;
  /** Numbers above 0. */
  readonly points: readonly (readonly [number, number])[];
  readonly dashed?: true;
}

export interface LinesOptions {
  readonly title: string;
  readonly note?: string;
  readonly x: string;
  readonly y: string;
}

const { faint: FAINT, grid: GRID, series: COLOURS } = PAPER;
const [LEFT, TOP, PLOT, HIGH, LEGEND, BOTTOM] = [84, 76, 420, 290, 170, 58];

export function lines(series: readonly Series[], { title, note = "", x, y }: LinesOptions): string {
  const points = series.flatMap((one) => one.points);
  const range = (values: readonly number[]) => {
    const logs = values.map(Math.log10);
    const [low, high] = [Math.floor(Math.min(...logs) + 1e-9), Math.ceil(Math.max(...logs) - 1e-9)];
    return high > low ? [low, high] as const : [low, low + 1] as const; // biome-ignore format: both ways
  };
  const [xLow, xHigh] = range(points.map(([at]) => at));
  const [yLow, yHigh] = range(points.map(([, value]) => value));
  const px = (value: number) => LEFT + (PLOT * (Math.log10(value) - xLow)) / (xHigh - xLow);
  const py = (value: number) => TOP + HIGH - (HIGH * (Math.log10(value) - yLow)) / (yHigh - yLow);
  const powers = (low: number, high: number) => {
    const step = Math.ceil((high - low) / 8);
    return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, k) => low + k * step);
  };
  const power = (exponent: number) => `10${[...String(exponent)].map((digit) => SUPERSCRIPTS[digit]!).join("")}`;
  const foot = TOP + HIGH;
  const body = [
    label(title, { at: [24, 30], size: 17, bold: true }),
    label(note, { at: [24, 50], fill: FAINT }),
    ...powers(xLow, xHigh).flatMap((exponent) => [
      line(px(10 ** exponent), TOP, px(10 ** exponent), foot, GRID),
      label(power(exponent), { at: [px(10 ** exponent), foot + 20], anchor: "middle", fill: FAINT }),
    ]),
    ...powers(yLow, yHigh).flatMap((exponent) => [
      line(LEFT, py(10 ** exponent), LEFT + PLOT, py(10 ** exponent), GRID),
      label(power(exponent), { at: [LEFT - 10, py(10 ** exponent) + 4], anchor: "end", fill: FAINT }),
    ]),
    label(x, { at: [LEFT + PLOT / 2, foot + 44], anchor: "middle" }),
    label(y, { at: [26, TOP + HIGH / 2], anchor: "middle", turned: true }),
  ];
  body.push(...traces(series, px, py));
  return drawing(LEFT + PLOT + LEGEND, foot + BOTTOM, title, body);
}

/** The lines of series with their points, and a legend beside the plot. */
export function traces(series: readonly Series[], px: (x: number) => number, py: (y: number) => number): string[] {
  return series.flatMap(({ name, points, dashed }, s) => {
    const colour = COLOURS[s % COLOURS.length]!;
    const path = points.map(([at, value], i) => `${i === 0 ? "M" : "L"}${round(px(at))} ${round(py(value))}`).join("");
    const dashes = dashed ? ' stroke-dasharray="6 4"' : "";
    const level = TOP + 12 + 22 * s;
    return [
      `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>`,
      ...points.map(([at, value]) => `<circle cx="${round(px(at))}" cy="${round(py(value))}" r="3.5" fill="${colour}"/>`),
      line(LEFT + PLOT + 18, level, LEFT + PLOT + 42, level, colour, 2, dashes),
      label(name, { at: [LEFT + PLOT + 50, level + 4] }),
    ];
  });
}

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹",
}; // biome-ignore format: one line

/** Lines over two plain axes; lines over powers of ten are in src/report/lines.ts. */
import { drawing, type LinesOptions, label, line, PAPER, type Series, ticks, traces } from "./internal.ts";

const { faint: FAINT, grid: GRID } = PAPER;
const [LEFT, TOP, PLOT, HIGH, LEGEND, BOTTOM] = [84, 76, 420, 290, 190, 58];

export function curve(series: readonly Series[], { title, note = "", x, y }: LinesOptions): string {
  const points = series.flatMap((one) => one.points);
  const range = (values: readonly number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const pad = (high - low || Math.abs(high) || 1) * 0.06;
    return [low - pad, high + pad] as const;
  };
  const [xLow, xHigh] = range(points.map(([at]) => at));
  const [yLow, yHigh] = range(points.map(([, value]) => value));
  const px = (value: number) => LEFT + (PLOT * (value - xLow)) / (xHigh - xLow);
  const py = (value: number) => TOP + HIGH - (HIGH * (value - yLow)) / (yHigh - yLow);
  const foot = TOP + HIGH;
  const body = [
    label(title, { at: [24, 30], size: 17, bold: true }),
    label(note, { at: [24, 50], fill: FAINT }),
    ...ticks(xLow, xHigh).flatMap((value) => [
      line(px(value), TOP, px(value), foot, GRID),
      label(String(value), { at: [px(value), foot + 20], anchor: "middle", fill: FAINT }),
    ]),
    ...ticks(yLow, yHigh).flatMap((value) => [
      line(LEFT, py(value), LEFT + PLOT, py(value), GRID),
      label(String(value), { at: [LEFT - 10, py(value) + 4], anchor: "end", fill: FAINT }),
    ]),
    label(x, { at: [LEFT + PLOT / 2, foot + 44], anchor: "middle" }),
    label(y, { at: [26, TOP + HIGH / 2], anchor: "middle", turned: true }),
  ];
  body.push(...traces(series, px, py));
  return drawing(LEFT + PLOT + LEGEND, foot + BOTTOM, title, body);
}

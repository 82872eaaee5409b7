/** Common parts of SVG figures: colors, text and axis ticks. SVG is written as text, without dependencies. */

/** The colors of a drawing. */
export interface Palette {
  readonly ink: string;
  readonly faint: string;
  readonly grid: string;
  /** Behind it; absent where it stands on a page. */
  readonly paper?: string;
  readonly series: readonly string[];
}

/** For a file of its own. The series can be distinguished by people who see colors differently (Okabe and Ito). */
export const PAPER: Palette = {
  ink: "#1f2933",
  faint: "#7b8794",
  grid: "#e4e7eb",
  paper: "#ffffff",
  series: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"],
};

export const escaped = (text: string) =>
  text.replace(/[<>&"']/g, (letter) => `&#${letter.charCodeAt(0)};`).replace(/[\p{Cc}]/gu, " ");

/** At most `most` letters, on one line. */
export function truncate(text: string, most: number): string {
  const line = text.replace(/[\r\n]+/g, " "); // drawings would put the rest on another line
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** About `count` round numbers between two ends. */
export function ticks(low: number, high: number, count = 6): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= raw * 0.999)!; // biome-ignore format: one chain
  const found: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

export const round = (value: number) => String(Math.round(value * 100) / 100);

/** A drawing of that size, letters of 12 pixels unless they say otherwise. */
export function drawing(width: number, height: number, title: string, body: readonly string[], { ink, paper } = PAPER): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="${ink}">`,
    `<title>${escaped(title)}</title>`,
    ...(paper ? [`<rect width="${width}" height="${height}" fill="${paper}"/>`] : []),
    ...body,
    "</svg>\n",
  ].join("\n");
}

export interface TextOptions {
  readonly at: readonly [number, number];
  readonly anchor?: "start" | "middle" | "end";
  readonly size?: number;
  readonly fill?: string;
  readonly bold?: boolean;
  /** A quarter to the left, about its own place. */
  readonly turned?: boolean;
}

export function label(text: string, { at: [x, y], anchor = "start", size, fill, bold, turned }: TextOptions): string {
  const more = [
    size === undefined ? "" : ` font-size="${size}"`,
    fill === undefined ? "" : ` fill="${fill}"`,
    bold ? ' font-weight="bold"' : "",
    turned ? ` transform="rotate(-90 ${round(x)} ${round(y)})"` : "",
  ];
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${more.join("")}>${escaped(text)}</text>`;
}

export const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, width = 1, more = "") =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}" stroke-width="${width}"${more}/>`;

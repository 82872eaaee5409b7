/** The colors of a report by day and by night. All pairs that carry words or lines have contrast enough; a test computes it. */
import type { Palette } from "./svg.ts";

export interface Theme {
  /** Behind everything. */
  readonly page: string;
  /** Behind tables' heads, code and figures. */
  readonly card: string;
  readonly ink: string;
  /** Words that matter less. */
  readonly faint: string;
  /** Lines that only guide. */
  readonly grid: string;
  /** By day after Okabe and Ito, darker for contrast with white. */
  readonly series: readonly string[];
}

export const LIGHT: Theme = {
  page: "#ffffff",
  card: "#f3f5f7",
  ink: "#1b2430",
  faint: "#55606c",
  grid: "#d5dae0",
  series: ["#0072b2", "#c44e00", "#00785a", "#a8497f", "#8a6100", "#4a5a9c"],
};

export const DARK: Theme = {
  page: "#12161c",
  card: "#1c222b",
  ink: "#e7eaef",
  faint: "#a6b0bc",
  grid: "#38414d",
  series: ["#5db8ee", "#ff9d5c", "#42d1a2", "#e79fc8", "#e5ba52", "#a9b6f2"],
};

/** The most that a color of the series may cover what lies behind words. */
export const VEIL = 0.5;

/** The theme as declarations of a style sheet: --page, --ink, --c1 and so on. */
export const declarations = ({ series, ...rest }: Theme): string =>
  [...Object.entries(rest).map(([name, colour]) => `--${name}:${colour}`), ...series.map((c, i) => `--c${i + 1}:${c}`)].join(";");

/** The same names where a drawing stands inside a page and follows its theme. */
export const PAGE: Palette = {
  ink: "currentColor",
  faint: "var(--faint)",
  grid: "var(--grid)",
  series: LIGHT.series.map((_, i) => `var(--c${i + 1})`),
};

/** An interval as a bar with a dot, small enough for a cell of a table. */
import { html, type Markup, raw } from "../markup.ts";
import { round } from "../svg.ts";

export interface StripScale {
  readonly least: number;
  readonly greatest: number;
  readonly width: number;
}

/** The scale that holds all intervals; where it contains 0 or another mark, that is a dashed line. */
export function stripScale(ends: readonly number[], width = 170): StripScale {
  const [least, greatest] = [Math.min(...ends), Math.max(...ends)];
  const pad = (greatest - least || 1) * 0.04;
  return { least: least - pad, greatest: greatest + pad, width };
}

export function strip(value: number, low: number, high: number, { least, greatest, width }: StripScale, mark?: number): Markup {
  const x = (at: number) => round((width * (at - least)) / (greatest - least));
  const line =
    mark !== undefined && mark > least && mark < greatest
      ? html`<line x1="${x(mark)}" x2="${x(mark)}" y1="-5" y2="21" stroke="var(--faint)" stroke-dasharray="2 3"/>`
      : undefined;
  const bar = raw(
    `<line x1="${x(low)}" x2="${x(high)}" y1="8" y2="8" stroke="var(--c1)" stroke-width="3" stroke-opacity="0.5" stroke-linecap="round"/><circle cx="${x(value)}" cy="8" r="4" fill="var(--c1)"/>`,
  );
  return html`<svg class="strip" width="${width}" height="16" viewBox="0 0 ${width} 16" aria-hidden="true">${line}${bar}</svg>`;
}

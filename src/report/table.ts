/** Tables of a report: numbers to the right, wide ones in a frame that scrolls, long ones sorted by a touch on a head. */
import { figure } from "./figure.ts";
import { html, type Markup, type Piece } from "./markup.ts";

/** A cell that shows one thing and sorts by another. */
export interface Cell {
  readonly shown: Piece;
  readonly value: number | string;
}

export interface PageTable {
  /** For screen readers. */
  readonly caption: string;
  readonly head: readonly Piece[];
  readonly rows: readonly (readonly (string | number | Cell)[])[];
  /** The row that the page is about. */
  readonly marked?: number;
  /** True unless there is nothing to sort. */
  readonly sortable?: boolean;
  /** For a filter of its rows. */
  readonly id?: string;
  /** Whether a table of many rows scrolls in a frame of its own, names on one line. */
  readonly tall?: boolean;
}

export function pageTable({ caption, head, rows, marked, sortable = rows.length > 1, id, tall = false }: PageTable): Markup {
  const numeric = head.map((_, c) => rows.length > 0 && rows.every((row) => typeof sortedBy(row[c]!) === "number"));
  const kind = (c: number) => (numeric[c] ? html` class="number"` : undefined);
  const line = (row: PageTable["rows"][number], r: number) =>
    html`<tr${r === marked ? html` class="ours"` : undefined}>${row.map((one, c) =>
      c === 0
        ? html`<th scope="row"${kind(c)}${sorting(one)}>${shownOf(one)}</th>`
        : html`<td${kind(c)}${sorting(one)}>${shownOf(one)}</td>`,
    )}</tr>\n`;
  return html`<div class="scroll${tall ? " tall" : ""}" tabindex="0" role="region" aria-label="${caption}"><table${id === undefined ? undefined : html` id="${id}"`}${sortable ? html` data-sortable` : undefined}>
<thead><tr>${head.map((one, c) => html`<th scope="col"${kind(c)}>${one}</th>`)}</tr></thead>
<tbody>${rows.map(line)}</tbody></table></div>\n`;
}

const isCell = (one: string | number | Cell): one is Cell => typeof one === "object";
const sortedBy = (one: string | number | Cell) => (isCell(one) ? one.value : one);
const shownOf = (one: string | number | Cell): Piece => (isCell(one) ? one.shown : typeof one === "number" ? figure(one) : one);
const sorting = (one: string | number | Cell) =>
  isCell(one) || typeof one === "number" ? html` data-value="${String(sortedBy(one))}"` : undefined;

/** Names and what they are. */
export const factList = (facts: readonly (readonly [name: string, what: Piece])[]): Markup =>
  html`<dl class="facts">${facts.map(([name, what]) => html`<dt>${name}</dt><dd>${what}</dd>\n`)}</dl>\n`;

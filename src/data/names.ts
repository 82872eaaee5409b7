/** Names of lists and items in results: as in the data, or numbers from 1; and names as words of run files and cells of tables. */
import { CONTROL } from "../printable.ts";
import type { Dataset } from "../types.ts";

export const listName = ({ names }: Dataset, list: number): string => names.lists?.[list] ?? String(list + 1);

/** Of entry `entry`, which belongs to list `list`. */
export const entryName = ({ names, items, starts }: Dataset, list: number, entry: number): string =>
  names.entries?.[entry] || (items && names.items?.[items[entry]!]) || String(entry - starts[list]! + 1);

/** In a run of TREC columns stand between blanks, so a name must hold none, and no control characters either. */
export const oneWord = (name: string): string => name.replace(CONTROL, " ").replace(/\s+/g, "_");

/** In a table with tabs between its columns a name must hold none, and no other control characters either. */
export const oneCell = (name: string): string => name.replace(CONTROL, "\n").replace(/\n+/g, " ");

const FORMULA = /^'*[=+\-@\t\r]/;
const NUMERAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * A text as a cell of a table that a spreadsheet may open: one that it would take for a formula gets an apostrophe in front, by which spreadsheets
 * mark text. Numbers stay as they are. `fromSpreadsheet` takes it away again.
 */
export const forSpreadsheet = (text: string): string => (FORMULA.test(text) && !NUMERAL.test(text) ? `'${text}` : text);

/** The text that `forSpreadsheet` has written. */
export const fromSpreadsheet = (cell: string): string => {
  const text = cell.startsWith("'") ? cell.slice(1) : cell;
  return forSpreadsheet(text) === cell ? text : cell;
};

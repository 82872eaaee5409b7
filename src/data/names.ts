/** Names of lists and items in results: as in the data, or numbers from 1. */
import type { Dataset } from "../types.ts";

export const listName = ({ names }: Dataset, list: number): string => names.lists?.[list] ?? String(list + 1);

/** Of entry `entry`, which belongs to list `list`. */
export const entryName = ({ names, items, starts }: Dataset, list: number, entry: number): string =>
  names.entries?.[entry] || (items && names.items?.[items[entry]!]) || String(entry - starts[list]! + 1);

/** What a terminal obeys instead of showing it: control characters, line separators, and what turns the direction of text. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text with such characters as JSON escapes them (so JSON stays the same JSON), but for those of `kept`. */
export const visible = (text: string, kept = ""): string =>
  text.replace(CONTROL, (one) => (kept.includes(one) ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`));

/** In a run of TREC columns stand between blanks, so a name must hold none, and no control characters either. */
export const oneWord = (name: string): string => name.replace(CONTROL, " ").replace(/\s+/g, "_");

/** In a table with tabs between its columns a name must hold none, and no other control characters either. */
export const oneCell = (name: string): string => name.replace(CONTROL, "\n").replace(/\n+/g, " ");

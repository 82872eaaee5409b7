/** What lists and their items are called where results speak of them: as in the data, or by number from 1 where those name none. */
import type { Dataset } from "../types.ts";

export const listName = ({ names }: Dataset, list: number): string => names.lists?.[list] ?? String(list + 1);

/** Of entry `entry`, which belongs to list `list`. */
export const entryName = ({ names, items, starts }: Dataset, list: number, entry: number): string =>
  names.entries?.[entry] || (items && names.items?.[items[entry]!]) || String(entry - starts[list]! + 1);

/** In a run of TREC columns stand between blanks, so a name must hold none. */
export const oneWord = (name: string): string => name.replace(/\s+/g, "_");

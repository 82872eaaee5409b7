/** The list and the items that a command names. */
import { InputError, quote } from "../input-error.ts";
import { suggest } from "../part.ts";
import type { Dataset } from "../types.ts";

/** The list of an id; the first where none is given. */
export function listNamed({ names, starts }: Dataset, wanted: string | undefined): number {
  if (wanted === undefined) return 0;
  const known = names.lists ?? Array.from({ length: starts.length - 1 }, (_, q) => String(q + 1));
  const found = known.indexOf(wanted);
  if (found < 0) throw new InputError(`--query: the data have no list ${quote(wanted)}; ${suggest(wanted, known)}`);
  return found;
}

/** Document ids of a list, or places in it from 1 where the data name none. */
export function idsOf({ names, starts }: Dataset, list: number): (index: number) => string {
  return (index) => names.entries?.[starts[list]! + index] || String(index + 1);
}

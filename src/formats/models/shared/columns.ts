/** Features of models of other tools, by name where the file names them. */
import { InputError, quote } from "../../../input-error.ts";
import type { Columns } from "../../../types.ts";

/** Columns with the names of a file; names that only number the features, such as Column_0 or f0, are none. */
export function namesFor(
  count: number,
  base: 0 | 1,
  names: readonly string[],
  where: string,
  numbered: (column: number) => string,
): Columns {
  checkNames(names, where);
  if (names.every((name, c) => name === numbered(c))) return { count, base };
  if (base === 0 && names.every((name, c) => name === numbered(c + 1))) return { count, base: 1 };
  return { count, base, names };
}

/** Refuses two features of the same name, by which columns of data could not be found. `where` is what the error begins with. */
export function checkNames(names: readonly string[], where: string): void {
  const known = new Set<string>();
  for (const name of names) {
    if (known.has(name)) throw new InputError(`${where}: two features have the name ${quote(name)}`);
    known.add(name);
  }
}

/** A count of rows as the whole number that other tools want: at least 1 where anything came. */
export const countOf = (items: number): number => (items > 0 ? Math.max(1, Math.min(2 ** 31 - 1, Math.round(items))) : 0);

/** The largest of many numbers, and at least `least`. */
export function largest(values: Iterable<number>, least: number): number {
  for (const value of values) if (value > least) least = value;
  return least;
}

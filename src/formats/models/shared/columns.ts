/** Features of models of other tools, by name where the file names them. */
import type { Columns } from "../../../types.ts";

/** Columns with the names of a file; names that only number the features, such as Column_0 or f0, are none. */
export function namesFor(count: number, base: 0 | 1, names: readonly string[], numbered: (column: number) => string): Columns {
  if (names.every((name, c) => name === numbered(c))) return { count, base };
  if (base === 0 && names.every((name, c) => name === numbered(c + 1))) return { count, base: 1 };
  return { count, base, names };
}

/** A count of rows as the whole number that other tools want: at least 1 where anything came. */
export const countOf = (items: number): number => (items > 0 ? Math.max(1, Math.min(2 ** 31 - 1, Math.round(items))) : 0);

/** The largest of many numbers, and at least `least`. */
export function largest(values: Iterable<number>, least: number): number {
  for (const value of values) if (value > least) least = value;
  return least;
}

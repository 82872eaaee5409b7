/** Numbers of things as people read them. */

/** 3005 → 3,005 */
export const thousands = (count: number): string => count.toLocaleString("en-US");

/** 1 row, 2 rows, 3,005 rows */
export const counted = (count: number, noun: string): string => `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`;

/** "feature a is", or "features a, b and 3 more are". */
export function few(names: readonly string[], noun: string): string {
  const some = names.slice(0, 5).join(", ");
  return `${noun}${names.length === 1 ? "" : "s"} ${some}${names.length > 5 ? ` and ${names.length - 5} more` : ""} ${names.length === 1 ? "is" : "are"}`;
}

/** What leaves out the first of some columns, after --ignore. */
export const ignoring = (names: readonly string[]): string =>
  names.slice(0, 5).map((name) => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name))).join(","); // biome-ignore format: one chain

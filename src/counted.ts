/** Numbers of things as people read them. */

/** 3005 → 3,005 */
export const thousands = (count: number): string => count.toLocaleString("en-US");

/** 1 row, 2 rows, 3,005 rows */
export const counted = (count: number, noun: string): string => `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`;

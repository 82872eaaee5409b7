/**
 * Holm's correction of several p-values, which controls the family-wise error rate: in ascending order the k-th of m is multiplied by
 * m - k + 1, capped at 1, and none is less than the one before. Holm 1979, https://www.jstor.org/stable/4615733
 */
import { check } from "../arguments.ts";

const isP = (value: unknown) => typeof value === "number" && !(value < 0 || value > 1);

/** Corrected p-values in the order given. NaN, a comparison that could not be made, stays and does not count. */
export function holm(ps: readonly number[]): number[] {
  check("holm", ps, { wanted: "an array of p-values from 0 to 1", fits: (value) => Array.isArray(value) && value.every(isP) });
  const order = ps
    .map((p, i) => ({ p, i }))
    .filter(({ p }) => !Number.isNaN(p))
    .sort((a, b) => a.p - b.p || a.i - b.i);
  const corrected = ps.map(() => Number.NaN);
  let least = 0;
  order.forEach(({ p, i }, k) => {
    least = Math.max(least, Math.min(1, p * (order.length - k)));
    corrected[i] = least;
  });
  return corrected;
}

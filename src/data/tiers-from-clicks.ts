/**
 * Tiers from the clicks on one page of results, given in the order in which they were shown. A clicked item stands above those that were
 * passed over on the way: the items above the last click that were not clicked (skip above: Joachims 2002, Optimizing Search Engines using
 * Clickthrough Data). What lies below the last click was perhaps never seen, and there are three ways to take it:
 *
 *   leave-out  it says nothing and is left out: clicked 1, skipped 0
 *   between    it is better than skipped and worse than clicked: clicked 2, unseen 1, skipped 0
 *   below      not clicked is not clicked: clicked 1, all else 0
 *
 * A page without a click says nothing.
 */
import type { TierLabels } from "./tiers-from-ratings.ts";

export interface ClickOptions {
  readonly unseen?: "leave-out" | "between" | "below";
}

export function tiersFromClicks(clicks: ArrayLike<number | boolean>, { unseen = "leave-out" }: ClickOptions = {}): TierLabels {
  const clicked = Array.from(clicks, (click) => Number(click) > 0);
  const last = clicked.lastIndexOf(true);
  if (last < 0) return { entries: new Uint32Array(0), labels: new Float32Array(0) };
  const n = unseen === "leave-out" ? last + 1 : clicked.length;
  const top = unseen === "between" ? 2 : 1;
  const labels = Float32Array.from({ length: n }, (_, i) => (clicked[i] ? top : i > last && unseen === "between" ? 1 : 0));
  return { entries: Uint32Array.from({ length: n }, (_, i) => i), labels };
}

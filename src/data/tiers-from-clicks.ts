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
import { check, checkOptions, isNumbers, oneOf } from "../arguments.ts";
import { describeValue, InputError } from "../input-error.ts";
import type { TierLabels } from "./tiers-from-ratings.ts";

/** Options of `tiersFromClicks`. */
export interface ClickOptions {
  /** Items below the last click: left out, better than skipped and worse than clicked, or the same as skipped. Default: "leave-out". */
  readonly unseen?: "leave-out" | "between" | "below";
}

/**
 * Tiers from the clicks on one result page, in the order shown; a click is `true` or a number above 0. Clicked items are above the items
 * skipped before the last click.
 *
 * ```ts
 * tiersFromClicks([0, 1, 0, 1, 0]).labels; // 0 1 0 1: the last item was perhaps never seen and is left out
 * ```
 */
export function tiersFromClicks(clicks: ArrayLike<number | boolean>, options: ClickOptions = {}): TierLabels {
  check("tiersFromClicks", clicks, { wanted: "an array of clicks, each a number or true or false", fits: isNumbers });
  checkOptions("tiersFromClicks", options, { unseen: oneOf("leave-out", "between", "below") });
  const { unseen = "leave-out" } = options;
  const clicked = Array.from(clicks, (click, i) => {
    if (typeof click !== "boolean" && !(typeof click === "number" && click >= 0))
      throw new InputError(
        `tiersFromClicks: expected a number of at least 0, true or false, got ${describeValue(click)} at ${i}`,
      );
    return Number(click) > 0;
  });
  const last = clicked.lastIndexOf(true);
  if (last < 0) return { entries: new Uint32Array(0), labels: new Float32Array(0) };
  const n = unseen === "leave-out" ? last + 1 : clicked.length;
  const top = unseen === "between" ? 2 : 1;
  const labels = Float32Array.from({ length: n }, (_, i) => (clicked[i] ? top : i > last && unseen === "between" ? 1 : 0));
  return { entries: Uint32Array.from({ length: n }, (_, i) => i), labels };
}

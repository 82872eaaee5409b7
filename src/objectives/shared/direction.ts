/**
 * Backward variant of the stagewise objectives, sequential elimination: the worst tier is chosen first, from all items, then the second worst from the rest. An item
 * is eliminated the sooner the lower its score, so its potential is e^-w; scores change sign, and with them the gradient. Truyen et al.,
 * section 4, leave the potential open: e^w would throw out the best first.
 */
import { choice } from "../../part.ts";
import type { Evaluate } from "./declare.ts";
import { scratch } from "./scratch.ts";

export const direction = choice(
  ["forward", "backward"],
  "order of the choices; forward: the best item first, backward: the worst is eliminated first",
);

export type Direction = (typeof direction)["default"];

/** The objective as it is, or on mirrored scores. The tiers must come from a finder of the same direction. */
export function inDirection(direction: Direction, evaluate: Evaluate): Evaluate {
  if (direction === "forward") return evaluate;
  const mirrors = scratch();
  return (scores, labels, into, random, weights) => {
    const n = scores.length;
    const mirror = mirrors(n).subarray(0, n);
    for (let i = 0; i < n; i++) mirror[i] = -scores[i]!;
    const cost = evaluate(mirror, labels, into, random, weights);
    for (let i = 0; i < n; i++) into.gradient[i] = -into.gradient[i]!;
    return cost;
  };
}

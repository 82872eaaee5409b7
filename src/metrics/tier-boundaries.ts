/**
 * How surely the scores keep tiers apart: the mean over the boundaries of a list, between one label and the next lower one, of the
 * Plackett-Luce probability that every item above the boundary comes before every item below,
 *
 *   mean over m < M of P(S_1 ∪ ... ∪ S_m before the rest)
 *
 * with the scores as log-worths. Each is one integral (numeric/tier-cost.ts).
 */

import { exp } from "../numeric/functions.ts";
import type { Fields } from "../part.ts";
import { scorePart } from "./shared/metric-part.ts";
import { logLikelihood, temperature, temperatureText, tiersOf } from "./shared/tiers.ts";

/** Options of `tierBoundaries`. */
export interface TierBoundariesOptions {
  /** What scores are divided by before they are log-worths. A number above 0. Default: 1. */
  readonly temperature: number;
}

const fields: Fields<TierBoundariesOptions> = { temperature };

/** Probability that items above a boundary between tiers come before those below; `tier-boundaries` on the command line. */
export const tierBoundaries = scorePart(
  "tier-boundaries",
  "probability that items above a boundary between tiers come before those below",
  fields,
  (options, spec) => {
    const logProbability = logLikelihood(spec, options.temperature);
    return {
      description: `mean over boundaries of P(all above before all below) under Plackett-Luce, ${temperatureText(options.temperature)}`,
      requires: "two different labels",
      value(scores, labels) {
        const { order, starts } = tiersOf(labels);
        const inner = starts.slice(1, -1);
        let sum = 0;
        for (const at of inner) sum += exp(logProbability(scores, order, [0, at, order.length]));
        return inner.length === 0 ? Number.NaN : sum / inner.length;
      },
    };
  },
);

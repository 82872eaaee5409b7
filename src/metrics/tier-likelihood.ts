/**
 * How likely the scores make the tiers of a list: the log of the Plackett-Luce probability of its ordered partition S_1 > ... > S_M by label,
 *
 *   log P = Σ_{m < M} log P(S_m before all below)
 *
 * with the scores as log-worths and the order within a tier unknown. Ma et al., AISTATS 2021. It is at most 0; n tied scores give
 * log(Π |S_m|! / n!), what guessing reaches. Scores of objectives that are no likelihood have another scale, which `temperature` can mend.
 */
import type { Fields } from "../part.ts";
import { scorePart } from "./shared/metric-part.ts";
import { logLikelihood, temperature, temperatureText, tiersOf } from "./shared/tiers.ts";

/** Options of `tierLikelihood`. */
export interface TierLikelihoodOptions {
  /** What scores are divided by before they are log-worths. A number above 0. Default: 1. */
  readonly temperature: number;
}

const fields: Fields<TierLikelihoodOptions> = { temperature };

/** Log of the Plackett-Luce probability of a list's tiers; `tier-likelihood` on the command line. */
export const tierLikelihood = scorePart(
  "tier-likelihood",
  "log of the Plackett-Luce probability of a list's tiers",
  fields,
  (options, spec) => {
    const logProbability = logLikelihood(spec, options.temperature);
    return {
      description: `log P of the tiers under Plackett-Luce, ${temperatureText(options.temperature)}`,
      requires: "two different labels",
      value(scores, labels) {
        const { order, starts } = tiersOf(labels);
        return starts.length < 3 ? Number.NaN : logProbability(scores, order, starts);
      },
    };
  },
  ["log-likelihood"],
);

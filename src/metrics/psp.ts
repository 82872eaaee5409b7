/**
 * Propensity-scored precision: hits among the first k count by how seldom their item is relevant, against the best that k places could hold,
 *
 *   PSP@k = mean_i (Σ_{j <= k} y(j) q(j)) / mean_i (the k largest q of relevant items)
 *
 * a ratio of two means over the lists, not a mean of ratios, as the Extreme Classification Repository has it. Jain et al. 2016. Tied scores
 * under ties=best and worst go by label, not by rarity.
 */
import type { Fields } from "../part.ts";
import { discounted, idealOf } from "./shared/gains.ts";
import { metricPart } from "./shared/metric-part.ts";
import { inversePropensities, propensityFields, propensityText } from "./shared/propensity.ts";
import { cutoffText, k, rel, relevanceText, relevantIn } from "./shared/relevance.ts";

/** Options of `psp`. */
export interface PspOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** Least label that counts as relevant. Default: 1. */
  readonly rel: number;
  /** A of the propensities. A number of at least 0. Default: 0.55. */
  readonly a: number;
  /** B of the propensities. A number of at least 0. Default: 1.5. */
  readonly b: number;
}

const fields: Fields<PspOptions> = { k, rel, ...propensityFields };

/** Precision among the first k, rare items counting more; `psp` on the command line. */
export const psp = metricPart(
  "psp",
  "precision among the first k, rare items counting more",
  fields,
  (options, spec) => {
    let ones = new Float64Array(16).fill(1);
    const factors = (depth: number) => (ones.length >= depth ? ones : (ones = new Float64Array(2 * depth).fill(1)));
    return {
      description: `${relevanceText(options.rel)}, ${cutoffText(options.k)}, ${propensityText(options)}, ratio of the mean reached and the mean possible`,
      requires: "a relevant item",
      value(list, labels, frequency) {
        if (relevantIn(labels, options.rel) === 0) return Number.NaN;
        const depth = Math.min(options.k, list.ranked);
        return discounted(list, inversePropensities(spec, labels, options.rel, frequency, options), factors(depth), depth);
      },
      ideal(labels, frequency) {
        const depth = Math.min(options.k, labels.length);
        return idealOf(inversePropensities(spec, labels, options.rel, frequency, options), factors(depth), depth);
      },
    };
  },
  ["ps-precision", "psprecision"],
);

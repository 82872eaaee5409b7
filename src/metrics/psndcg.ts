/**
 * Propensity-scored NDCG: as psp, with terms q(j) / log2(1 + j), each list's sums divided by Σ_{j <= min(k, relevant)} 1 / log2(1 + j), and the
 * mean reached divided by the mean of what the best order reaches. Jain et al. 2016; the Extreme Classification Repository.
 */
import type { Fields } from "../part.ts";
import { discounted, discounts, idealOf } from "./shared/gains.ts";
import { metricPart } from "./shared/metric-part.ts";
import { inversePropensities, propensityFields, propensityText } from "./shared/propensity.ts";
import { cutoffText, k, rel, relevanceText, relevantIn } from "./shared/relevance.ts";

/** Options of `psndcg`. */
export interface PsndcgOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** Least label that counts as relevant. Default: 1. */
  readonly rel: number;
  /** A of the propensities. A number of at least 0. Default: 0.55. */
  readonly a: number;
  /** B of the propensities. A number of at least 0. Default: 1.5. */
  readonly b: number;
}

const fields: Fields<PsndcgOptions> = { k, rel, ...propensityFields };

/** Ndcg of relevant and not, rare items counting more; `psndcg` on the command line. */
export const psndcg = metricPart(
  "psndcg",
  "ndcg of relevant and not, rare items counting more",
  fields,
  (options, spec) => {
    const table = discounts("log2");
    /** What a list's sums are divided by. */
    const norm = (labels: Float32Array) => {
      const places = Math.min(options.k, relevantIn(labels, options.rel));
      let sum = 0;
      for (let place = 0; place < places; place++) sum += table(places)[place]!;
      return sum;
    };
    return {
      description: `${relevanceText(options.rel)}, discount 1/log2(1 + rank), ${cutoffText(options.k)}, ${propensityText(options)}, ratio of the mean reached and the mean possible`,
      requires: "a relevant item",
      value(list, labels, frequency) {
        if (relevantIn(labels, options.rel) === 0) return Number.NaN;
        const depth = Math.min(options.k, list.ranked);
        return (
          discounted(list, inversePropensities(spec, labels, options.rel, frequency, options), table(depth), depth) / norm(labels)
        );
      },
      ideal(labels, frequency) {
        if (relevantIn(labels, options.rel) === 0) return 0;
        const depth = Math.min(options.k, labels.length);
        return idealOf(inversePropensities(spec, labels, options.rel, frequency, options), table(depth), depth) / norm(labels);
      },
    };
  },
  ["ps-ndcg"],
);

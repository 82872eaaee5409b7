/**
 * Normalized discounted cumulative gain: DCG@k divided by the DCG@k of the best order of the same list. Järvelin and Kekäläinen 2002,
 * https://doi.org/10.1145/582415.582418
 *
 * A ratio, so labels have no ceiling: where 2^l would overflow, all gains are divided by the largest power. A list with fewer than k items
 * has the value of its whole order; the scripts of LETOR give it 0 (short=0).
 */
import { choice, type Fields } from "../part.ts";
import { DISCOUNT_TEXT, discount, discounted, discounts, GAIN_TEXT, gain, gainsOf, HIGH_LABEL, idealOf } from "./shared/gains.ts";
import { metricPart } from "./shared/metric-part.ts";
import { cutoffText, k } from "./shared/relevance.ts";

const short = choice(["whole", "0"], "a list of fewer than k items: evaluated over all of them, or counted as 0");

/** Options of `ndcg`. */
export interface NdcgOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** What a label l is worth: 2^l - 1, or l itself. Default: "exp". */
  readonly gain: "exp" | "lin";
  /** 1/log2(1 + place), that of the old LETOR tools, or 1/place. Default: "log2". */
  readonly discount: "log2" | "letor" | "place";
  /** A list of fewer than k items: evaluated over all of them, or counted as 0. Default: "whole". */
  readonly short: "whole" | "0";
}

const fields: Fields<NdcgOptions> = { k, gain, discount, short };

/** Discounted cumulative gain divided by that of the best order; `ndcg` on the command line. */
export const ndcg = metricPart(
  "ndcg",
  "discounted cumulative gain divided by that of the best order",
  fields,
  (options) => {
    const table = discounts(options.discount);
    return {
      description: `${GAIN_TEXT[options.gain]}, ${DISCOUNT_TEXT[options.discount]}, ${cutoffText(options.k)}${
        options.short === "0" && options.k !== Infinity ? ", shorter lists count as 0" : ""
      }`,
      requires: "a label above 0",
      value(list, labels) {
        let top = 0;
        for (let i = 0; i < labels.length; i++) if (labels[i]! > top) top = labels[i]!;
        if (top === 0) return Number.NaN;
        if (options.short === "0" && options.k !== Infinity && labels.length < options.k) return 0;
        const gains = gainsOf(labels, options.gain, top > HIGH_LABEL ? top : 0);
        const most = Math.min(options.k, labels.length);
        const factors = table(most);
        const reached = discounted(list, gains, factors, Math.min(most, list.ranked));
        return Math.min(1, reached / idealOf(gains, factors, most)); // sums in two orders may differ in the last bit
      },
    };
  },
  ["ndcg-cut"],
);

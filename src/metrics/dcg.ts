/**
 * Discounted cumulative gain: the sum over the first k places of gain times discount.
 * Järvelin and Kekäläinen 2002, https://doi.org/10.1145/582415.582418; the gain 2^l - 1 is that of Burges et al. 2005.
 */

import { InputError } from "../input-error.ts";
import type { Fields } from "../part.ts";
import { DISCOUNT_TEXT, discount, discounted, discounts, GAIN_TEXT, gain, gainsOf, HIGH_LABEL } from "./shared/gains.ts";
import { metricPart } from "./shared/metric-part.ts";
import { cutoffText, k } from "./shared/relevance.ts";

/** Options of `dcg`. */
export interface DcgOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** What a label l is worth: 2^l - 1, or l itself. Default: "exp". */
  readonly gain: "exp" | "lin";
  /** 1/log2(1 + place), that of the old LETOR tools, or 1/place. Default: "log2". */
  readonly discount: "log2" | "letor" | "place";
}

const fields: Fields<DcgOptions> = { k, gain, discount };

/** Discounted cumulative gain; `dcg` on the command line. */
export const dcg = metricPart("dcg", "discounted cumulative gain", fields, (options, spec) => {
  const table = discounts(options.discount);
  return {
    description: `${GAIN_TEXT[options.gain]}, ${DISCOUNT_TEXT[options.discount]}, ${cutoffText(options.k)}`,
    requires: "a label above 0",
    value(list, labels) {
      if (options.gain === "exp")
        for (const label of labels)
          if (label > HIGH_LABEL) throw new InputError(`${spec}: 2^l of label ${label} overflows; use gain=lin`);
      if (!labels.some((label) => label > 0)) return Number.NaN;
      const depth = Math.min(options.k, list.ranked);
      return discounted(list, gainsOf(labels, options.gain), table(depth), depth);
    },
  };
});

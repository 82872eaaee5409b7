/**
 * Discounted cumulative gain: the sum over the first k places of gain times discount.
 * Järvelin and Kekäläinen 2002, https://doi.org/10.1145/582415.582418; the gain 2^l - 1 is that of Burges et al. 2005.
 */
import { InputError } from "../input-error.ts";
import { DISCOUNT_TEXT, discount, discounted, discounts, GAIN_TEXT, gain, gainsOf, HIGH_LABEL } from "./shared/gains.ts";
import { metricPart } from "./shared/metric-part.ts";
import { cutoffText, k } from "./shared/relevance.ts";

export const dcg = metricPart("dcg", "discounted cumulative gain", { k, gain, discount }, (options, spec) => {
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

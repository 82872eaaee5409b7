/**
 * Recall: the share of the relevant items that stand among the first k. With divisor=min the most that k places can hold takes the place
 * of all relevant items, so that a perfect order always reaches 1.
 */
import { choice, type Fields } from "../part.ts";
import { hits } from "./shared/hits.ts";
import { metricPart } from "./shared/metric-part.ts";
import { k, rel, relevanceText, relevantIn } from "./shared/relevance.ts";

const divisor = choice(["all", "min"], "what the count is divided by: all relevant items, or the smaller of these and k");

/** Options of `recall`. */
export interface RecallOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** Least label that counts as relevant. Default: 1. */
  readonly rel: number;
  /** What the count is divided by: all relevant items, or the smaller of these and k. Default: "all". */
  readonly divisor: "all" | "min";
}

const fields: Fields<RecallOptions> = { k, rel, divisor };

/** Share of the relevant items found among the first k; `recall` on the command line. */
export const recall = metricPart(
  "recall",
  "share of the relevant items found among the first k",
  fields,
  ({ k, rel, divisor }) => ({
    description: `${relevanceText(rel)}, relevant items among ${k === Infinity ? "all ranks" : `the first ${k}`} divided by ${
      divisor === "all" || k === Infinity ? "all relevant items" : `the smaller of relevant items and ${k}`
    }`,
    requires: "a relevant item",
    value(list, labels) {
      const relevant = relevantIn(labels, rel);
      if (relevant === 0) return Number.NaN;
      return hits(list, labels, rel, k) / (divisor === "all" ? relevant : Math.min(k, relevant));
    },
  }),
  ["r"],
);

/**
 * Precision: the share of relevant items among the first k. A list shorter than k is still divided by k, as trec_eval does, or by its
 * length (divisor=min), as XGBoost does. Over tied scores a group that crosses the cutoff counts in proportion.
 */
import { choice, type Fields } from "../part.ts";
import { hits } from "./shared/hits.ts";
import { metricPart } from "./shared/metric-part.ts";
import { k, rel, relevanceText, relevantIn } from "./shared/relevance.ts";

const divisor = choice(["k", "min"], "what the count is divided by: k, or the smaller of k and the length of the list");

/** Options of `precision`. */
export interface PrecisionOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** Least label that counts as relevant. Default: 1. */
  readonly rel: number;
  /** What the count is divided by: k, or the smaller of k and the length of the list. Default: "k". */
  readonly divisor: "k" | "min";
}

const fields: Fields<PrecisionOptions> = { k, rel, divisor };

/** Share of relevant items among the first k; `precision` on the command line. */
export const precision = metricPart(
  "precision",
  "share of relevant items among the first k",
  fields,
  ({ k, rel, divisor }) => ({
    description: `${relevanceText(rel)}, relevant items among ${k === Infinity ? "all ranks" : `the first ${k}`} divided by ${
      k === Infinity ? "the length of the list" : divisor === "k" ? k : `the smaller of ${k} and the length of the list`
    }`,
    requires: "a relevant item",
    value(list, labels) {
      if (relevantIn(labels, rel) === 0) return Number.NaN;
      const most = divisor === "k" && k !== Infinity ? k : Math.min(k, labels.length);
      return hits(list, labels, rel, k) / most;
    },
  }),
  ["p", "pre", "prec"],
);

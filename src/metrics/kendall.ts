/**
 * Kendall's rank correlation between scores and labels, tau-b: with C pairs in the same order, D in opposite orders,
 *
 *   tau-b = (C - D) / sqrt((pairs - pairs tied in scores) (pairs - pairs tied in labels))
 *
 * Kendall 1945, https://doi.org/10.1093/biomet/33.3.239
 * Scores that are all tied order nothing: 0. Labels that are all tied leave nothing to order: the metric is undefined.
 */
import { pairOrder } from "../numeric/pair-order.ts";
import { metricPart } from "./shared/metric-part.ts";

/** Kendall's rank correlation tau-b of scores and labels; `kendall` on the command line. */
export const kendall = metricPart(
  "kendall",
  "Kendall's rank correlation tau-b of scores and labels",
  {},
  () => ({
    description: "Kendall's tau-b",
    requires: "two different labels",
    tieRule: "pairs of tied scores count as tau-b defines",
    value({ order, ends }, labels) {
      const all = (labels.length * (labels.length - 1)) / 2;
      const { same, opposite, tiedScores, tiedLabels } = pairOrder(
        Float32Array.from(order, (item) => labels[item]!),
        ends,
      );
      if (tiedLabels === all) return Number.NaN;
      if (tiedScores === all) return 0;
      const tau = (same - opposite) / Math.sqrt((all - tiedScores) * (all - tiedLabels));
      return Math.max(-1, Math.min(1, tau));
    },
  }),
  ["tau", "tau-b", "kendall-tau"],
);

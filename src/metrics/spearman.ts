/**
 * Spearman's rank correlation between scores and labels: Pearson's correlation of their ranks, where tied values share the mean of the
 * ranks they take up. Scores that are all tied order nothing: 0. Labels that are all tied leave nothing to order: the metric is undefined.
 */
import { metricPart } from "./shared/metric-part.ts";
import { type TieGroups, tieGroups } from "./shared/ties.ts";

/** Spearman's rank correlation of scores and labels; `spearman` on the command line. */
export const spearman = metricPart(
  "spearman",
  "Spearman's rank correlation of scores and labels",
  {},
  () => ({
    description: "Spearman's rho",
    requires: "two different labels",
    tieRule: "tied scores share their mean rank",
    value(list, labels) {
      const scoreRanks = ranks(list);
      const labelRanks = ranks(tieGroups(Float64Array.from(labels), labels, "expected"));
      const middle = (labels.length + 1) / 2;
      let both = 0;
      let ofScores = 0;
      let ofLabels = 0;
      for (let i = 0; i < labels.length; i++) {
        const a = scoreRanks[i]! - middle;
        const b = labelRanks[i]! - middle;
        both += a * b;
        ofScores += a * a;
        ofLabels += b * b;
      }
      if (ofLabels === 0) return Number.NaN;
      if (ofScores === 0) return 0;
      return Math.max(-1, Math.min(1, both / Math.sqrt(ofScores * ofLabels)));
    },
  }),
  ["rho", "spearman-rho"],
);

/** Each item's rank from 1 at the top, shared within groups. */
function ranks({ order, ends }: TieGroups): Float64Array {
  const found = new Float64Array(order.length);
  for (let group = 0, from = 0; from < order.length; from = ends[group++]!) {
    const to = ends[group]!;
    for (let place = from; place < to; place++) found[order[place]!] = (from + 1 + to) / 2;
  }
  return found;
}

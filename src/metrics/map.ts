/**
 * Average precision, whose mean over lists is MAP: the sum over relevant items at the first k places of the precision at their place,
 * divided by the most such places there can be, min(relevant, k), as LightGBM and XGBoost do, or by all relevant items (divisor=all), as
 * trec_eval's map_cut does.
 *
 * Over tied scores: a group of n items with m relevant ones after t items with r relevant ones has a relevant item at its i-th place with
 * chance m/n, and then (i - 1)(m - 1)/(n - 1) relevant items before it in the group, so that place gives
 * (m/n) (r + 1 + (i - 1)(m - 1)/(n - 1)) / (t + i) (McSherry and Najork 2008, https://doi.org/10.1007/978-3-540-78646-7_38).
 */
import { choice } from "../part.ts";
import { metricPart } from "./shared/metric-part.ts";
import { k, placesWords, rel, relevantAt, relevantIn, relevantWords } from "./shared/relevance.ts";

const divisor = choice(["min", "all"], "what the sum is divided by: the smaller of relevant items and k, or all relevant items");

export const map = metricPart(
  "map",
  "mean of the precision at the places of relevant items",
  { k, rel, divisor },
  ({ k, rel, divisor }) => ({
    words: `${relevantWords(rel)}, precision at relevant items ${placesWords(k)} divided by ${
      divisor === "all" || k === Infinity ? "all relevant items" : `the smaller of relevant items and ${k}`
    }`,
    without: "a relevant item",
    value({ order, ends, ranked }, labels) {
      const relevant = relevantIn(labels, rel);
      if (relevant === 0) return Number.NaN;
      const depth = Math.min(k, ranked);
      let sum = 0;
      let before = 0; // relevant items above the group
      for (let group = 0, from = 0; from < depth; from = ends[group++]!) {
        const to = ends[group]!;
        const inside = relevantAt(order, labels, rel, from, to);
        if (inside === 0) continue;
        const chance = inside / (to - from);
        const slope = inside > 1 ? (inside - 1) / (to - from - 1) : 0;
        for (let place = from; place < to && place < depth; place++)
          sum += (chance * (before + 1 + (place - from) * slope)) / (place + 1);
        before += inside;
      }
      return Math.min(1, sum / (divisor === "all" ? relevant : Math.min(k, relevant))); // a last bit above 1 is rounding
    },
  }),
  ["ap", "map-cut"],
);

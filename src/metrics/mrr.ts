/**
 * Reciprocal rank, whose mean over lists is MRR: 1 / the place of the first relevant item, 0 where that place is beyond k. With first=best
 * the first item of the list's highest label is looked for, as allRank does.
 *
 * Over tied scores: in the first group that holds relevant items, m among n, the first of them stands at the group's i-th place with chance
 * C(n - i, m - 1) / C(n, m), which begins with m/n and goes on by the factor (n - i - m + 1) / (n - i).
 */
import { choice, type Fields } from "../part.ts";
import { metricPart } from "./shared/metric-part.ts";
import { cutoffText, k, rel, relevanceText, relevantAt, relevantIn } from "./shared/relevance.ts";

const first = choice(
  ["relevant", "best"],
  "what is looked for: an item of label rel or more, or one of the list's highest label",
);

/** Options of `mrr`. */
export interface MrrOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** Least label that counts as relevant. Default: 1. */
  readonly rel: number;
  /** What is looked for: an item of label rel or more, or one of the list's highest label. Default: "relevant". */
  readonly first: "relevant" | "best";
}

const fields: Fields<MrrOptions> = { k, rel, first };

/** 1 / the place of the first relevant item; `mrr` on the command line. */
export const mrr = metricPart(
  "mrr",
  "1 / the place of the first relevant item",
  fields,
  ({ k, rel, first }) => ({
    description:
      first === "best"
        ? `1/rank of the first item of the highest label ${cutoffText(k)}`
        : `${relevanceText(rel)}, 1/rank of the first relevant item ${cutoffText(k)}`,
    requires: first === "best" ? "a label above 0" : "a relevant item",
    value({ order, ends, ranked }, labels) {
      const least = first === "best" ? labels.reduce((top, label) => Math.max(top, label), 0) : rel;
      if (relevantIn(labels, least) === 0 || (first === "best" && least === 0)) return Number.NaN;
      const depth = Math.min(k, ranked);
      for (let group = 0, from = 0; from < depth; from = ends[group++]!) {
        const to = ends[group]!;
        const relevant = relevantAt(order, labels, least, from, to);
        if (relevant === 0) continue;
        let value = 0;
        let chance = relevant / (to - from); // that the first stands here
        for (let place = from; place < depth && chance > 0; place++) {
          value += chance / (place + 1);
          const after = to - place - 1;
          chance = after === 0 ? 0 : (chance * (after - relevant + 1)) / after;
        }
        return value;
      }
      return 0;
    },
  }),
  ["rr", "recip-rank"],
);

/**
 * Average precision, whose mean over lists is MAP: the sum over relevant items at the first k places of the precision at their place,
 * divided by the most such places there can be, min(relevant, k), as LightGBM and XGBoost do, by all relevant items (divisor=all), as
 * trec_eval's map_cut does, or by those found at the first k places (divisor=found), as YDF does. The last is no measure of what was missed:
 * a relevant item that comes in at the cutoff can lower it, so ties=best and worst, which go by label, are there not always best and worst.
 *
 * Over tied scores: a group of n items with m relevant ones after t items with r relevant ones has a relevant item at its i-th place with
 * chance m/n, and then (i - 1)(m - 1)/(n - 1) relevant items before it in the group, so that place gives
 * (m/n) (r + 1 + (i - 1)(m - 1)/(n - 1)) / (t + i) (McSherry and Najork 2008, https://doi.org/10.1007/978-3-540-78646-7_38). Of a group
 * that crosses the cutoff, j relevant items are found in its first d places with hypergeometric chances, and then stand there like a group
 * of d items with j relevant ones.
 */
import { choice, type Fields } from "../part.ts";
import { metricPart } from "./shared/metric-part.ts";
import { cutoffText, k, rel, relevanceText, relevantAt, relevantIn } from "./shared/relevance.ts";

const divisor = choice(
  ["min", "all", "found"],
  "what the sum is divided by: the smaller of relevant items and k, all relevant items, or those at the first k places",
);

/** Options of `meanAveragePrecision`. */
export interface MeanAveragePrecisionOptions {
  /** Cutoff: number of ranks that count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly k: number;
  /** Least label that counts as relevant. Default: 1. */
  readonly rel: number;
  /**
   * What the sum is divided by: the smaller of relevant items and k, all relevant items, or those at the first k places. Default: "min".
   */
  readonly divisor: "min" | "all" | "found";
}

const fields: Fields<MeanAveragePrecisionOptions> = { k, rel, divisor };

/** Mean of the precision at the places of relevant items; `map` on the command line. */
export const meanAveragePrecision = metricPart(
  "map",
  "mean of the precision at the places of relevant items",
  fields,
  ({ k, rel, divisor }) => ({
    description: `${relevanceText(rel)}, precision at relevant items ${cutoffText(k)} divided by ${divisorText(divisor, k)}`,
    requires: "a relevant item",
    value({ order, ends, ranked }, labels) {
      const relevant = relevantIn(labels, rel);
      if (relevant === 0) return Number.NaN;
      const depth = Math.min(k, ranked);
      const most = divisor === "all" ? relevant : Math.min(k, relevant);
      let sum = 0;
      let before = 0; // relevant items above the group
      for (let group = 0, from = 0; from < depth; from = ends[group++]!) {
        const to = ends[group]!;
        const inside = relevantAt(order, labels, rel, from, to);
        if (divisor === "found" && to >= depth) return overFound(sum, before, inside, from, to, depth);
        sum += precisions(before, inside, from, to, Math.min(to, depth));
        before += inside;
      }
      return Math.min(1, sum / most); // a last bit above 1 is rounding
    },
  }),
  ["ap", "map-cut"],
);

function divisorText(divisor: "min" | "all" | "found", k: number): string {
  if (divisor === "found") return "the relevant items among them";
  return divisor === "all" || k === Infinity ? "all relevant items" : `the smaller of relevant items and ${k}`;
}

/**
 * Expected sum of the precisions at relevant items on places from to last, of a group that goes on to place to and has `inside` of them.
 */
function precisions(before: number, inside: number, from: number, to: number, last: number): number {
  if (inside === 0) return 0;
  const chance = inside / (to - from);
  const slope = inside > 1 ? (inside - 1) / (to - from - 1) : 0;
  let sum = 0;
  for (let place = from; place < last; place++) sum += (chance * (before + 1 + (place - from) * slope)) / (place + 1);
  return sum;
}

/** The whole value where the last group that counts begins at place `from`: expected over how many of its relevant items are found. */
function overFound(sum: number, before: number, inside: number, from: number, to: number, depth: number): number {
  const [items, drawn] = [to - from, depth - from];
  const least = Math.max(0, drawn - (items - inside));
  const most = Math.min(drawn, inside);
  // Hypergeometric chances up to a factor, outwards from the likeliest count, so that they are too small only where they do not matter.
  const step = (j: number) => ((inside - j) * (drawn - j)) / ((j + 1) * (items - inside - drawn + j + 1)); // chance of j + 1 to that of j
  const likeliest = Math.max(least, Math.min(most, Math.floor(((drawn + 1) * (inside + 1)) / (items + 2))));
  let value = 0;
  let all = 0;
  const add = (j: number, weight: number) => {
    all += weight;
    if (before + j > 0) value += (weight * (sum + precisions(before, j, from, depth, depth))) / (before + j);
  };
  add(likeliest, 1);
  for (let j = likeliest, weight = 1; j < most && weight > 0; j++) add(j + 1, (weight *= step(j)));
  for (let j = likeliest, weight = 1; j > least && weight > 0; j--) add(j - 1, (weight /= step(j - 1)));
  return value / all;
}

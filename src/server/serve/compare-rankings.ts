/** How much two rankings of the same items differ: Kendall's tau-b of their scores, and how many of the first k items they share. */
import { kendall } from "../../metrics/kendall.ts";
import { descending } from "../../numeric/order.ts";

export interface RankingDifference {
  /** Lists compared. */
  lists: number;
  /** Lists in which both models order something, of which tau is the mean. */
  ordered: number;
  /** Sum of tau-b over these. */
  tau: number;
  /** Sum of the share of the first `k` items in common. */
  overlap: number;
  /** Lists with the same first item. */
  sameFirst: number;
}

/** Places that are compared. */
export const TOP = 10;

const tau = kendall();

/** Of the lists of one request, one after another in the scores of both. */
export function compareRankings(a: Float64Array, b: Float64Array, starts: ArrayLike<number>): RankingDifference {
  const sum: RankingDifference = { lists: 0, ordered: 0, tau: 0, overlap: 0, sameFirst: 0 };
  for (let q = 0; q + 1 < starts.length; q++) {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    if (to === from) continue;
    const [own, other] = [a.subarray(from, to), b.subarray(from, to)];
    // Labels are float32, in which close scores may be equal: the places of groups of equal scores are exact.
    const correlation = tau.measure(own, tierNumbers(other));
    sum.lists++;
    if (!Number.isNaN(correlation)) {
      sum.ordered++;
      sum.tau += correlation;
    }
    const [first, second] = [descending(own), descending(other)];
    const k = Math.min(TOP, own.length);
    const best = new Set(first.subarray(0, k));
    sum.overlap += second.subarray(0, k).filter((item) => best.has(item)).length / k;
    if (first[0] === second[0]) sum.sameFirst++;
  }
  return sum;
}

/** By item: the number of different scores below its own. */
function tierNumbers(scores: Float64Array): Float32Array {
  const order = descending(scores);
  const tiers = new Float32Array(scores.length);
  let tier = 0;
  for (let place = order.length - 1; place >= 0; place--) {
    if (place + 1 < order.length && scores[order[place]!] !== scores[order[place + 1]!]) tier++;
    tiers[order[place]!] = tier;
  }
  return tiers;
}

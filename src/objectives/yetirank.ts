/**
 * YetiRank: noise on the scores gives a random ranking, and neighbours in it are compared by a logistic cost at the scores without noise:
 *
 *   cost = 1/P Σ_π Σ_{p < q <= p + neighbors} w_pq log(1 + e^-(s_better - s_worse))
 *
 * over P rankings π by s_i + ε_i, ε logistic, log(u / (1 - u)), or Gumbel, -log(-log u), for which π is a draw of the Plackett-Luce model. The
 * pair at places p < q, counted from 0, weighs
 *
 *   mode=classic   decay^p |l_p - l_q|
 *   others         the change of the metric when the two are swapped (shared/swap-metrics.ts); places from `top` on do not count
 *
 * and the weight of its better item. Derivatives are those of the cost for rankings that stay as drawn. Gulin, Kuralenok, Pavlov: Winning the
 * Transfer Learning Track of Yahoo!'s Learning to Rank Challenge with YetiRank, 2011; Lyzhin, Ustimenko, Gulin, Prokhorenkova: Which Tricks are
 * Important for Learning to Rank?, 2023, for metrics other than the first.
 *
 * CatBoost multiplies the weights of the classic mode by 0.15, which matters only beside regularization, and in its other modes has gains l and
 * relevant labels above 0; here they are 2^l - 1 and labels from `rel` on, as in this library's metrics. Its noise "Gumbel" is the logistic one.
 */
import { exp, log, log1p } from "../numeric/functions.ts";
import { descending } from "../numeric/order.ts";
import { choice, type Fields, integer, part, real } from "../part.ts";
import type { Random } from "../types.ts";
import { declare } from "./shared/declare.ts";
import { scratch } from "./shared/scratch.ts";
import { type SwapMetric, swapMetric } from "./shared/swap-metrics.ts";

/** Options of `yetiRank`. */
export interface YetiRankOptions {
  /**
   * What weighs a pair; classic: decay by place times the difference of labels; others: the change of that metric when the two are swapped.
   * Default: "classic".
   */
  readonly mode: "classic" | "dcg" | "ndcg" | "mrr" | "map" | "err";
  /** Random rankings per list. A whole number above 0. Default: 10. */
  readonly permutations: number;
  /** Factor of a pair's weight from one place to the next, for classic. A number above 0 and of at most 1. Default: 0.85. */
  readonly decay: number;
  /** Distribution of the noise on scores. Default: "logistic". */
  readonly noise: "logistic" | "gumbel";
  /** Places below an item with which it is compared. A whole number above 0. Default: 1. */
  readonly neighbors: number;
  /** Number of ranks that count, for all but classic. A whole number above 0 or Infinity. Default: Infinity. */
  readonly top: number;
  /** Least label that counts as relevant, for mrr and map. A number. Default: 1. */
  readonly rel: number;
  /** Highest grade there can be, for err. A number above 0 and of at most 500. Default: 4. */
  readonly gmax: number;
}

const fields: Fields<YetiRankOptions> = {
  mode: choice(
    ["classic", "dcg", "ndcg", "mrr", "map", "err"],
    "what weighs a pair; classic: decay by place times the difference of labels; others: the change of that metric when the two are swapped",
  ),
  permutations: integer(10, "random rankings per list"),
  decay: real(0.85, "factor of a pair's weight from one place to the next, for classic", { above: 0, max: 1 }),
  noise: choice(["logistic", "gumbel"], "distribution of the noise on scores"),
  neighbors: integer(1, "places below an item with which it is compared", { above: 0, aliases: ["num_neighbors"] }),
  top: integer(Infinity, "number of ranks that count, for all but classic"),
  rel: real(1, "least label that counts as relevant, for mrr and map"),
  gmax: real(4, "highest grade there can be, for err", { above: 0, max: 500 }),
};

const TINY = 2 ** -60; // keeps the logarithm of a uniform number finite

const noises: Readonly<Record<YetiRankOptions["noise"], (random: Random) => number>> = {
  logistic(random) {
    const u = random();
    return log((u + TINY) / (1 - u));
  },
  gumbel: (random) => -log(-log(random() + TINY)),
};

/** Pairs of neighbours in noisy rankings, weighted by place or by a metric, as CatBoost; `yetirank` on the command line. */
export const yetiRank = part(
  "yetirank",
  "pairs of neighbours in noisy rankings, weighted by place or by a metric, as CatBoost",
  fields,
  ({ mode, permutations, decay, noise, neighbors, top, rel, gmax }, spec) => {
    const draw = noises[noise];
    const noisyScratch = scratch();
    const weigh = mode === "classic" ? byPlace(decay) : swapMetric(spec, mode, { k: top, rel, gmax });
    return declare(
      spec,
      { cost: "sampled", gradient: "sampled", hessian: "exact", ties: "silent" },
      (scores, labels, { gradient, hessian }, random, weights) => {
        const n = labels.length;
        const noisy = noisyScratch(n).subarray(0, n);
        const deepest = mode === "classic" ? n - 1 : Math.min(n - 1, top);
        gradient.fill(0);
        hessian?.fill(0);
        let cost = 0;
        for (let round = 0; round < permutations; round++) {
          for (let i = 0; i < n; i++) noisy[i] = scores[i]! + draw(random);
          const places = descending(noisy);
          if (Number.isNaN(weigh.rank(places, labels))) return 0; // for every ranking
          for (let p = 0; p < deepest; p++) {
            const a = places[p]!;
            const last = Math.min(n - 1, p + neighbors);
            weigh.begin(p);
            for (let q = p + 1; q <= last; q++) {
              const b = places[q]!;
              const change = weigh.change(q);
              const lead = labels[a]! - labels[b]!;
              if (change === 0 || lead === 0) continue;
              const better = lead > 0 ? a : b;
              const worse = lead > 0 ? b : a;
              const weight = (change / permutations) * (weights ? weights[better]! : 1);
              const margin = scores[better]! - scores[worse]!;
              const e = exp(margin > 0 ? -margin : margin);
              const rest = 1 / (1 + e);
              const miss = weight * (margin > 0 ? e * rest : rest);
              cost += weight * (log1p(e) + (margin > 0 ? 0 : -margin));
              gradient[better]! -= miss;
              gradient[worse]! += miss;
              if (!hessian) continue;
              const curvature = weight * e * rest * rest;
              hessian[better]! += curvature;
              hessian[worse]! += curvature;
            }
          }
        }
        return cost;
      },
    );
  },
);

/** decay^p times the difference of labels. */
function byPlace(decay: number): SwapMetric {
  const labelScratch = scratch();
  let byRank = labelScratch(0);
  let [place, weight] = [0, 1];
  return {
    rank(places, labels) {
      byRank = labelScratch(places.length);
      for (let p = 0; p < places.length; p++) byRank[p] = labels[places[p]!]!;
      return 0;
    },
    begin(p) {
      weight = p === 0 ? 1 : weight * decay;
      place = p;
    },
    change: (q) => weight * Math.abs(byRank[place]! - byRank[q]!),
  };
}

/**
 * RankNet's gradients, each pair weighted by how much NDCG changes when the two trade places, as LightGBM computes them:
 *
 *   λ_ij = -σ δ_ij / (1 + e^(σ m)),   m = s_i - s_j,   δ_ij = (gain_i - gain_j) |1/log2(1 + p_i) - 1/log2(1 + p_j)| / maxDCG@truncation
 *
 * over pairs of different labels of which one stands within the first `truncation` places. With `norm`, δ is divided by 0.01 + |m| unless all
 * scores are equal, and the whole list is scaled by log2(1 + Λ) / Λ, Λ = 2 Σ |λ|. Burges et al. 2006; Wu et al. 2010.
 *
 * This is not the gradient of any cost. The returned value is 1 - NDCG@truncation, weighted by the mean weight of the items. Gains are 2^l
 * - 1 without an upper limit; equal scores keep their given order; a list without a label above 0 contributes nothing.
 */
import { lambdaGradients } from "../numeric/lambda.ts";
import { tierSorter } from "../numeric/tiers.ts";
import { type Fields, flag, integer, part, real } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { discountsTo, gain } from "./shared/gains.ts";
import { scratch } from "./shared/scratch.ts";
import { meanWeight } from "./shared/weights.ts";

/** Options of `lambdaRank`. */
export interface LambdaRankOptions {
  /** Only pairs with an item within this many ranks count. A whole number above 0. Default: 30. */
  readonly truncation: number;
  /** Divide by score differences and scale each list. Default: true. */
  readonly norm: boolean;
  /** Steepness of the logistic curve. A number above 0. Default: 1. */
  readonly sigmoid: number;
}

const fields: Fields<LambdaRankOptions> = {
  truncation: integer(30, "only pairs with an item within this many ranks count", {
    above: 0,
    aliases: ["lambdarank_truncation_level", "lambdarank_num_pair_per_sample"],
  }),
  norm: flag(true, "divide by score differences and scale each list", ["lambdarank_norm", "lambdarank_normalization"]),
  sigmoid: real(1, "steepness of the logistic curve", { above: 0 }),
};

/** RankNet gradients weighted by the change in NDCG, as in LightGBM; `lambdarank` on the command line. */
export const lambdaRank = part(
  "lambdarank",
  "RankNet gradients weighted by the change in NDCG, as in LightGBM",
  fields,
  ({ truncation, norm, sigmoid }, spec) => {
    const sort = tierSorter();
    const [hessianScratch, gainScratch] = [scratch(), scratch()];
    return declare(spec, { gradient: "heuristic", hessian: "bound", ties: "silent" }, (scores, labels, into, _, weights) => {
      const n = labels.length;
      const { order, starts, count } = sort(labels);
      const discounts = discountsTo(n);
      const { gradient } = into;
      const hessian = into.hessian ?? hessianScratch(n).subarray(0, n);
      const gains = gainScratch(count); // by tier
      let ideal = 0;
      for (let t = 0; t < count; t++) {
        gains[t] = gain(labels[order[starts[t]!]!]!);
        let discountSum = 0;
        for (let p = starts[t]!; p < Math.min(starts[t + 1]!, truncation); p++) discountSum += discounts[p]!;
        ideal += gains[t]! * discountSum;
      }
      if (ideal <= 0) {
        gradient.fill(0);
        hessian.fill(0);
        return 0;
      }
      const input = { order, starts, count, gains, weights, discounts, truncation, sigmoid, norm, scale: 1 / ideal, dcg: 0 };
      lambdaGradients(scores, input, gradient, hessian);
      return meanWeight(weights, n) * (1 - input.dcg / ideal);
    });
  },
  ["rank:ndcg", "rank_ndcg", "lambdamart"],
);

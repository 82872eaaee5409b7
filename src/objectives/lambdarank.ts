/**
 * RankNet's gradients, each pair weighted by how much NDCG changes when the two trade places, as LightGBM computes them:
 *
 *   λ_ij = -σ δ_ij / (1 + e^(σ m)),   m = s_i - s_j,   δ_ij = (gain_i - gain_j) |1/log2(1 + p_i) - 1/log2(1 + p_j)| / maxDCG@truncation
 *
 * over pairs of different labels of which one stands within the first `truncation` places. With `norm`, δ is divided by 0.01 + |m| unless all
 * scores are equal, and the whole list is scaled by log2(1 + Λ) / Λ, Λ = 2 Σ |λ|. Burges et al. 2006; Wu et al. 2010.
 *
 * There is no cost whose slope this is. What is returned is what it is meant to lower, 1 - NDCG@truncation, with the list weighted by the mean of
 * its items. Gains are 2^l - 1 without a ceiling; equal scores stand in their given order; a list without a label above 0 teaches nothing.
 */
import { log2, logistic } from "../numeric/functions.ts";
import { descending } from "../numeric/order.ts";
import { flag, part, real, whole } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { discountsTo, gainFinder } from "./shared/gains.ts";
import { meanWeight } from "./shared/weights.ts";

const fields = {
  truncation: whole(30, "places of which a pair must hold one", {
    above: 0,
    aliases: ["lambdarank_truncation_level", "lambdarank_num_pair_per_sample"],
  }),
  norm: flag(true, "divide by score differences and scale each list", ["lambdarank_norm", "lambdarank_normalization"]),
  sigmoid: real(1, "steepness of the logistic curve", { above: 0 }),
};

export const lambdaRank = part(
  "lambdarank",
  "RankNet gradients weighted by the change of NDCG, as LightGBM",
  fields,
  ({ truncation, norm, sigmoid }, text) => {
    const find = gainFinder(truncation);
    return declare(text, { gradient: "heuristic", curvature: "bound", ties: "silent" }, (scores, labels, into, _, weights) => {
      const { gradient, curvature } = into;
      const n = labels.length;
      const { of: gains, ideal } = find(labels);
      const discounts = discountsTo(n);
      gradient.fill(0);
      curvature?.fill(0);
      if (ideal <= 0) return 0;

      const order = descending(scores);
      const spread = norm && scores[order[0]!] !== scores[order[n - 1]!];
      let sum = 0; // of the |λ|, without weights, so that these only scale
      let dcg = 0;
      for (let p = 0; p < Math.min(n, truncation); p++) {
        const a = order[p]!;
        dcg += gains[a]! * discounts[p]!;
        for (let r = p + 1; r < n; r++) {
          const b = order[r]!;
          if (labels[a] === labels[b]) continue;
          const up = labels[a]! > labels[b]!;
          const margin = up ? scores[a]! - scores[b]! : scores[b]! - scores[a]!;
          let delta = (Math.abs(gains[a]! - gains[b]!) * (discounts[p]! - discounts[r]!)) / ideal;
          if (spread) delta /= 0.01 + Math.abs(margin);
          const miss = logistic(-sigmoid * margin);
          const force = sigmoid * delta * miss;
          sum += force;
          const weight = weights ? weights[up ? a : b]! : 1;
          const push = up ? -weight * force : weight * force; // of a; b gets the opposite
          gradient[a] = gradient[a]! + push;
          gradient[b] = gradient[b]! - push;
          if (curvature) {
            const bend = weight * sigmoid * force * (1 - miss);
            curvature[a] = curvature[a]! + bend;
            curvature[b] = curvature[b]! + bend;
          }
        }
      }
      if (norm && sum > 0) {
        const scale = log2(1 + 2 * sum) / (2 * sum);
        for (let i = 0; i < n; i++) {
          gradient[i] = gradient[i]! * scale;
          if (curvature) curvature[i] = curvature[i]! * scale;
        }
      }
      return meanWeight(weights, n) * (1 - dcg / ideal);
    });
  },
  ["rank:ndcg", "rank_ndcg", "lambdamart"],
);

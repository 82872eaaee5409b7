/**
 * RankNet's gradients, each pair weighted by how much a metric changes when the two trade places. For NDCG as LightGBM computes them:
 *
 *   λ_ij = -σ δ_ij / (1 + e^(σ m)),   m = s_i - s_j,   δ_ij = (gain_i - gain_j) |1/log2(1 + p_i) - 1/log2(1 + p_j)| / maxDCG@truncation
 *
 * over pairs of different labels of which one stands within the first `truncation` places. With `norm`, δ is divided by 0.01 + |m| unless all
 * scores are equal, and the whole list is scaled by log2(1 + Λ) / Λ, Λ = 2 Σ |λ|. Burges et al. 2006; Wu et al. 2010.
 *
 * With `metric=ndcg@10`, mrr, map or err, with a cutoff or without, δ_ij is the change of that metric (shared/swap-metrics.ts), maxDCG is that
 * of the cutoff, and pairs below the cutoff have none.
 *
 * This is not the gradient of any cost. The returned value is 1 - metric (1 - NDCG@truncation where no metric is given), weighted by the mean
 * weight of the items. Gains are 2^l - 1 without an upper limit; equal scores keep their given order; a list for which the metric is undefined,
 * such as one without a label above 0, contributes nothing.
 */
import { exp, log2 } from "../numeric/functions.ts";
import { lambdaGradients } from "../numeric/lambda.ts";
import { descending } from "../numeric/order.ts";
import { tierSorter } from "../numeric/tiers.ts";
import { type Fields, flag, integer, part, real } from "../part.ts";
import type { Objective } from "../types.ts";
import { declare } from "./shared/declare.ts";
import { discountsTo, gain } from "./shared/gains.ts";
import { scratch } from "./shared/scratch.ts";
import { cutMetric, cutMetricField, swapMetric } from "./shared/swap-metrics.ts";
import { meanWeight } from "./shared/weights.ts";

/** Options of `lambdaRank`. */
export interface LambdaRankOptions {
  /**
   * Metric whose change weighs a pair; without a cutoff, all ranks count. Ndcg, mrr, map or err, with a cutoff or without, such as ndcg@10.
   * Default: "ndcg".
   */
  readonly metric: string;
  /** Only pairs with an item within this many ranks count. A whole number above 0. Default: 30. */
  readonly truncation: number;
  /** Divide by score differences and scale each list. Default: true. */
  readonly norm: boolean;
  /** Steepness of the logistic curve. A number above 0. Default: 1. */
  readonly sigmoid: number;
  /** Least label that counts as relevant, for mrr and map. A number. Default: 1. */
  readonly rel: number;
  /** Highest grade there can be, for err. A number above 0 and of at most 500. Default: 4. */
  readonly gmax: number;
}

const fields: Fields<LambdaRankOptions> = {
  metric: cutMetricField("ndcg", "metric whose change weighs a pair; without a cutoff, all ranks count", ["target_metric"]),
  truncation: integer(30, "only pairs with an item within this many ranks count", {
    above: 0,
    aliases: ["lambdarank_truncation_level", "lambdarank_num_pair_per_sample"],
  }),
  norm: flag(true, "divide by score differences and scale each list", ["lambdarank_norm", "lambdarank_normalization"]),
  sigmoid: real(1, "steepness of the logistic curve", { above: 0 }),
  rel: real(1, "least label that counts as relevant, for mrr and map"),
  gmax: real(4, "highest grade there can be, for err", { above: 0, max: 500 }),
};

/** RankNet gradients weighted by the change in a metric, for NDCG as in LightGBM; `lambdarank` on the command line. */
export const lambdaRank = part(
  "lambdarank",
  "RankNet gradients weighted by the change in NDCG, as in LightGBM, or another metric",
  fields,
  (options, spec) => (cutMetric(options.metric).name === "ndcg" ? forNdcg(options, spec) : forOther(options, spec)),
  ["rank:ndcg", "rank_ndcg", "lambdamart"],
);

const CAPABILITIES = { gradient: "heuristic", hessian: "bound", ties: "silent" } as const;

function forNdcg({ metric, truncation: pairsTo, norm, sigmoid }: LambdaRankOptions, spec: string): Objective {
  const { k } = cutMetric(metric);
  const truncation = Math.min(pairsTo, k);
  const places = k === Infinity ? truncation : k; // that the ideal counts
  const sort = tierSorter();
  const [hessianScratch, gainScratch] = [scratch(), scratch()];
  let cut = new Float64Array(0); // discounts up to the cutoff, then zeros
  const discountsFor = (n: number) => {
    const all = discountsTo(n);
    if (k === Infinity) return all;
    if (cut.length < all.length) cut = all.map((one, p) => (p < k ? one : 0));
    return cut;
  };
  return declare(spec, CAPABILITIES, (scores, labels, into, _, weights) => {
    const n = labels.length;
    const { order, starts, count } = sort(labels);
    const discounts = discountsFor(n);
    const { gradient } = into;
    const hessian = into.hessian ?? hessianScratch(n).subarray(0, n);
    const gains = gainScratch(count); // by tier
    let ideal = 0;
    for (let t = 0; t < count; t++) {
      gains[t] = gain(labels[order[starts[t]!]!]!);
      let discountSum = 0;
      for (let p = starts[t]!; p < Math.min(starts[t + 1]!, places); p++) discountSum += discounts[p]!;
      ideal += gains[t]! * discountSum;
    }
    if (ideal <= 0) {
      gradient.fill(0);
      hessian.fill(0);
      return 0;
    }
    const input = { order, starts, count, gains, weights, discounts, truncation, sigmoid, norm, scale: 1 / ideal, dcg: 0 };
    lambdaGradients(scores, input, gradient, hessian);
    const dcg = truncation < places ? dcgOf(scores, labels, discounts) : input.dcg;
    return meanWeight(weights, n) * (1 - dcg / ideal);
  });
}

function dcgOf(scores: Float64Array, labels: Float32Array, discounts: Float64Array): number {
  let dcg = 0;
  descending(scores).forEach((item, p) => {
    dcg += gain(labels[item]!) * discounts[p]!;
  });
  return dcg;
}

function forOther({ metric, truncation, norm, sigmoid, rel, gmax }: LambdaRankOptions, spec: string): Objective {
  const { name, k } = cutMetric(metric);
  const changes = swapMetric(spec, name, { k, rel, gmax });
  return declare(spec, CAPABILITIES, (scores, labels, { gradient, hessian }, _, weights) => {
    const n = labels.length;
    const places = descending(scores);
    const value = changes.rank(places, labels);
    gradient.fill(0);
    hessian?.fill(0);
    if (Number.isNaN(value)) return 0;
    const byDistance = norm && scores[places[0]!] !== scores[places[n - 1]!];
    let total = 0; // of lambdas
    for (let p = 0; p < Math.min(n - 1, truncation); p++) {
      changes.begin(p);
      for (let q = p + 1; q < n; q++) {
        const change = changes.change(q);
        const [a, b] = [places[p]!, places[q]!];
        if (change === 0 || labels[a] === labels[b]) continue;
        const [better, worse] = labels[a]! > labels[b]! ? [a, b] : [b, a];
        const margin = sigmoid * (scores[better]! - scores[worse]!);
        const e = exp(-Math.abs(margin));
        const miss = (margin > 0 ? e : 1) / (1 + e);
        const delta = byDistance ? change / (0.01 + Math.abs(scores[a]! - scores[b]!)) : change;
        total += delta * miss;
        const weight = weights ? weights[better]! : 1;
        gradient[better]! -= weight * delta * miss;
        gradient[worse]! += weight * delta * miss;
        if (!hessian) continue;
        const curvature = (weight * delta * e) / ((1 + e) * (1 + e));
        hessian[better]! += curvature;
        hessian[worse]! += curvature;
      }
    }
    const whole = sigmoid * total;
    const scale = sigmoid * (norm && whole > 0 ? log2(1 + 2 * whole) / (2 * whole) : 1);
    for (let i = 0; i < n; i++) {
      gradient[i]! *= scale;
      if (hessian) hessian[i]! *= sigmoid * scale;
    }
    return meanWeight(weights, n) * (1 - value);
  });
}

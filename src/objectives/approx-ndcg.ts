/**
 * NDCG with places made smooth: cost = 1 - Σ G_i / log2(1 + π_i) / DCG*, with π_i = 1 + Σ_{j ≠ i} 1 / (1 + e^((s_i - s_j) / T)) in place of the rank.
 * Qin, Liu, Li 2010, A General Approximation Framework for Direct Optimization of Information Retrieval Measures (their α is 1 / T); T = 0.1 as in
 * TF-Ranking, which gives the cost without the 1. Item i's term counts with the weight of i, also in the 1, by its share of the gains.
 *
 * Not convex. The bound on the Hessian leaves out what is negative (1 / log2(1 + π) is convex) and uses |σ''| <= σ' for the logistic σ.
 * The cost of a list is its length times the number of its items with label above 0; without such items it contributes nothing.
 */
import { log, logistic } from "../numeric/functions.ts";
import { type Fields, part, real } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { gainFinder } from "./shared/gains.ts";
import { scratch } from "./shared/scratch.ts";

/** Options of `approxNdcg`. */
export interface ApproxNdcgOptions {
  /** Temperature of the smooth ranks; near 0 they are the ranks. A number above 0. Default: 0.1. */
  readonly temperature: number;
}

const fields: Fields<ApproxNdcgOptions> = {
  temperature: real(0.1, "temperature of the smooth ranks; near 0 they are the ranks", { above: 0 }),
};

/** NDCG with smooth ranks; `approx-ndcg` on the command line. */
export const approxNdcg = part("approx-ndcg", "NDCG with smooth ranks", fields, ({ temperature }, spec) => {
  const find = gainFinder();
  const slopes = scratch();
  return declare(
    spec,
    { gradient: "exact", hessian: "bound", ties: "value", quadratic: "different" },
    (scores, labels, { gradient, hessian }, _, weights) => {
      const n = labels.length;
      const { of: gains, sum, ideal } = find(labels);
      const slope = slopes(n); // of the chance that j stands before i
      gradient.fill(0);
      hessian?.fill(0);
      let cost = 0;
      for (let i = 0; i < n; i++) {
        if (gains[i] === 0) continue;
        const worth = (weights ? weights[i]! : 1) * gains[i]!;
        let place = 1;
        for (let j = 0; j < n; j++) {
          if (j === i) continue;
          const before = logistic((scores[j]! - scores[i]!) / temperature);
          place += before;
          slope[j] = (before * (1 - before)) / temperature;
        }
        const depth = log(1 + place);
        cost += worth * (1 / sum - Math.LN2 / depth / ideal);
        const slopePerPlace = ((worth / ideal) * Math.LN2) / ((1 + place) * depth * depth); // of the cost, per place
        let [lambda, lambdaHessian] = [0, 0];
        for (let j = 0; j < n; j++) {
          if (j === i) continue;
          const pair = slopePerPlace * slope[j]!;
          gradient[j] = gradient[j]! + pair;
          lambda += pair;
          if (!hessian) continue;
          hessian[j] = hessian[j]! + pair / temperature;
          lambdaHessian += pair / temperature;
        }
        gradient[i] = gradient[i]! - lambda;
        if (hessian) hessian[i] = hessian[i]! + lambdaHessian;
      }
      return cost;
    },
  );
});

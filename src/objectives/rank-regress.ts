/**
 * Quadratic cost of each pair: Σ (1 - (better - worse))² over the pairs with different labels; a pair counts with the weight of its better item.
 * Rank Regress in Truyen et al., Appendix B. Squares of differences need only sums of scores and of their squares over tiers, so that the cost of a
 * list is linear in its length; scores are taken from their mean, or the squares would cancel.
 */
import { part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { tierFinder } from "./shared/tiers.ts";

/** Quadratic cost of each pair; `rank-regress` on the command line. */
export const rankRegress = part(
  "rank-regress",
  "quadratic cost of each pair",
  {},
  (_, spec) => {
    const find = tierFinder();
    return declare(
      spec,
      { gradient: "exact", hessian: "exact", ties: "silent" },
      (scores, labels, { gradient, hessian }, _random, weights) => {
        const { order, starts, count } = find(labels);
        const n = labels.length;
        let mean = 0;
        for (let i = 0; i < n; i++) mean += scores[i]! / n;

        // As the better of a pair: from the worst tier up, with the sums of what lies below.
        let cost = 0;
        let [sum, squares] = [0, 0];
        for (let t = count - 1; t >= 0; t--) {
          const [from, to] = [starts[t]!, starts[t + 1]!];
          const below = n - to;
          for (let p = from; p < to; p++) {
            const i = order[p]!;
            const weight = weights ? weights[i]! : 1;
            const short = 1 - (scores[i]! - mean);
            cost += weight * (short * (below * short + 2 * sum) + squares);
            gradient[i] = -2 * weight * (below * short + sum);
            if (hessian) hessian[i] = 2 * weight * below;
          }
          for (let p = from; p < to; p++) {
            const value = scores[order[p]!]! - mean;
            sum += value;
            squares += value * value;
          }
        }

        // As the worse of a pair: from the best tier down, with the sums of what lies above.
        let [weightSum, weightedSum] = [0, 0];
        for (let t = 0; t < count; t++) {
          const [from, to] = [starts[t]!, starts[t + 1]!];
          for (let p = from; p < to; p++) {
            const i = order[p]!;
            gradient[i] = gradient[i]! + 2 * (weightSum * (1 + scores[i]! - mean) - weightedSum);
            if (hessian) hessian[i] = hessian[i]! + 2 * weightSum;
          }
          for (let p = from; p < to; p++) {
            const weight = weights ? weights[order[p]!]! : 1;
            weightSum += weight;
            weightedSum += weight * (scores[order[p]!]! - mean);
          }
        }
        return cost;
      },
    );
  },
  ["pair-regress"],
);

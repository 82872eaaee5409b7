/**
 * A lower bound of the likelihood of tiers, each tier's term replaced by n! Π e^w_i / Σ e^w_j, the sum over the tier and all below it:
 *
 *   cost = Σ_{m < M} (Σ_{i in S_m} (log Σ_{j in S_m and below} e^w_j - w_i) - log n_m!)
 *
 * so never below the cost of pl-partition, and equal to it where tiers hold one item. Each e^w_i / Σ is a term of its own, with the weight of i.
 * Hino, Fujimoto, Murata 2010, A Grouped Ranking Model for Item Preference Parameter; PL-LB in Ma et al. 2021.
 */
import { exp } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { logFactorial } from "./shared/log-factorial.ts";
import { massFinder } from "./shared/masses.ts";
import { tierFinder } from "./shared/tiers.ts";

/** Lower bound of the likelihood of tiers; `pl-lb` on the command line. */
export const plLb = part("pl-lb", "lower bound of the likelihood of tiers", {}, (_, spec) => {
  const find = tierFinder();
  const weigh = massFinder();
  return declare(
    spec,
    { gradient: "exact", hessian: "exact", ties: "tier", negatives: "log-sum-exp" },
    (scores, labels, { gradient, hessian }, _random, weights) => {
      const tiers = find(labels);
      const { order, starts, count } = tiers;
      const { expScore, peak, left } = weigh(scores, tiers);
      let cost = 0;
      let once = 0; // Σ over stages so far of load e^(left of this tier - left of that stage)
      let twice = 0; // the same with the exponential squared
      for (let t = 0; t < count; t++) {
        const [from, to] = [starts[t]!, starts[t + 1]!];
        const counts = t < count - 1;
        let weightSum = 0;
        if (counts) {
          for (let p = from; p < to; p++) {
            const weight = weights ? weights[order[p]!]! : 1;
            weightSum += weight;
            cost += weight * (left[t]! - scores[order[p]!]!);
          }
          cost -= (weightSum / (to - from)) * logFactorial(to - from);
        }
        const shrink = t === 0 ? 0 : exp(left[t]! - left[t - 1]!);
        once = once * shrink + weightSum;
        twice = twice * shrink * shrink + weightSum;
        const scale = exp(peak[t]! - left[t]!);
        for (let p = from; p < to; p++) {
          const i = order[p]!;
          const chance = expScore[p]! * scale;
          gradient[i] = once * chance - (counts ? (weights ? weights[i]! : 1) : 0);
          if (hessian) hessian[i] = (once - twice * chance) * chance;
        }
      }
      return cost;
    },
  );
});

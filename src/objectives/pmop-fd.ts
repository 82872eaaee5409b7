/**
 * Ordered partitions by full decomposition: at each stage a subset S of what is left is chosen with a chance proportional to Σ_{i in S} e^w_i / |S|.
 * The sum over all subsets of m of n items is C(n - 1, m - 1) / m times Σ e^w over what is left, so that scores do not influence the size, and
 *
 *   cost = -log P(tiers | their sizes) = Σ_{k < K} (log Σ_{i in X_k and below} e^w_i - log Σ_{i in X_k} e^w_i + log C(n_k - 1, |X_k| - 1))
 *
 * with n_k items in X_k and below. The paper leaves out the constants; with them, the cost compares with that of `pl-partition`. The last stage has no
 * choice that scores could change. Linear in the list. Not convex: the second derivative of an item may be negative.
 * Truyen, Phung, Venkatesh, Probabilistic Models over Ordered Partitions, Eq. 6-11 and 15.
 */
import { exp } from "../numeric/functions.ts";
import { type Fields, part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { direction, inDirection } from "./shared/direction.ts";
import { logWays } from "./shared/log-factorial.ts";
import { massFinder } from "./shared/masses.ts";
import { tierFinder } from "./shared/tiers.ts";
import { tierWeight } from "./shared/weights.ts";

/** Options of `pmopFd`. */
export interface PmopFdOptions {
  /** Order of the choices; forward: the best item first, backward: the worst is eliminated first. Default: "forward". */
  readonly direction: "forward" | "backward";
}

const fields: Fields<PmopFdOptions> = { direction };

/** Ordered partitions, full decomposition; `pmop-fd` on the command line. */
export const pmopFd = part("pmop-fd", "ordered partitions, full decomposition", fields, ({ direction }, spec) => {
  const find = tierFinder(direction);
  const weigh = massFinder();
  return declare(
    spec,
    { gradient: "exact", hessian: "exact", ties: "tier", likelihood: "other" },
    inDirection(direction, (scores, labels, { gradient, hessian }, _random, weights) => {
      const tiers = find(labels);
      const { order, starts, count } = tiers;
      const { expScore, peak, own, left } = weigh(scores, tiers);
      let cost = 0;
      let once = 0; // Σ over stages so far of weight e^(left of this tier - left of that stage)
      let twice = 0; // the same with the exponential squared
      for (let t = 0; t < count; t++) {
        const [from, to] = [starts[t]!, starts[t + 1]!];
        const weight = t < count - 1 ? tierWeight(weights, order, from, to) : 0;
        if (weight > 0) cost += weight * (left[t]! - own[t]! + logWays(order.length - from - 1, to - from - 1));
        const shrink = t === 0 ? 0 : exp(left[t]! - left[t - 1]!);
        once = once * shrink + weight;
        twice = twice * shrink * shrink + weight;
        const [scale, inner] = [exp(peak[t]! - left[t]!), exp(peak[t]! - own[t]!)];
        for (let p = from; p < to; p++) {
          const i = order[p]!;
          const chance = expScore[p]! * scale; // of i among what is left
          const within = expScore[p]! * inner; // of i within its tier
          gradient[i] = once * chance - weight * within;
          if (hessian) hessian[i] = (once - twice * chance) * chance - weight * within * (1 - within);
        }
      }
      return cost;
    }),
  );
});

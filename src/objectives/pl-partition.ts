/**
 * The exact Plackett-Luce likelihood of tiers S_1 > ... > S_M, the order within a tier unknown:
 *
 *   cost = -Σ_{m < M} log P(S_m > R_m),   R_m all items below tier m
 *
 * Each stage is one integral, which numeric/tier-cost.ts computes to 13 digits, with the derivatives of all items.
 *
 * Ma et al., Learning-to-Rank with Partitioned Preference, AISTATS 2021. Their quadrature is a mid-point rule; ours follows from the
 * substitution u = exp(-e^s). Tiers of one item make this ListMLE; two items, RankNet.
 */
import { DOUBLE, SINGLE, tierCostOf, tierLists } from "../numeric/tier-cost.ts";
import { tierSorter } from "../numeric/tiers.ts";
import { choice, type Fields, integer, part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { direction, inDirection } from "./shared/direction.ts";
import { tierWeight } from "./shared/weights.ts";

/** Options of `plPartition`. */
export interface PlPartitionOptions {
  /** Only tiers that begin within this many ranks count. A whole number above 0 or Infinity. Default: Infinity. */
  readonly top: number;
  /** Accuracy of the integrals; double: errors near 1e-12, single: near 1e-6 with half the nodes. Default: "double". */
  readonly precision: "double" | "single";
  /** Order of the choices; forward: the best item first, backward: the worst is eliminated first. Default: "forward". */
  readonly direction: "forward" | "backward";
}

const fields: Fields<PlPartitionOptions> = {
  top: integer(Infinity, "only tiers that begin within this many ranks count"),
  precision: choice(
    ["double", "single"],
    "accuracy of the integrals; double: errors near 1e-12, single: near 1e-6 with half the nodes",
  ),
  direction,
};

/** Exact Plackett-Luce likelihood of tiers; `pl-partition` on the command line. */
export const plPartition = part(
  "pl-partition",
  "exact Plackett-Luce likelihood of tiers",
  fields,
  ({ top, precision, direction }, spec) => {
    const [sort, listFor] = [tierSorter(direction), tierLists()];
    return declare(
      spec,
      {
        gradient: "exact",
        hessian: "exact",
        ties: "tier",
        likelihood: top === Infinity && precision === "double" && direction === "forward" ? "tiers" : "other",
        ...(direction === "forward" && { negatives: "log-sum-exp" as const }),
      },
      inDirection(direction, (scores, labels, { gradient, hessian, rounded }, _, weights) => {
        const rule = precision === "double" && !rounded ? DOUBLE : SINGLE;
        const n = labels.length;
        const tiers = sort(labels);
        const { order, starts, count } = tiers;
        const list = listFor(n);
        for (let t = 0; t < count; t++)
          list.weights[t] = starts[t]! < top ? tierWeight(weights, order, starts[t]!, starts[t + 1]!) : 0;
        return tierCostOf(list, tiers, scores, rule, gradient, hessian);
      }),
    );
  },
);

/**
 * Pairwise models in which a tie has its own probability, controlled by an auxiliary parameter x. Every pair of a list counts: with the
 * weight of its better item, or the mean of both for ties. Quadratic in the length of the list.
 */
import type { Objective, PairOutcomes } from "../../types.ts";
import { declare } from "./declare.ts";
import { tierFinder } from "./tiers.ts";

export function tiedPairs(
  spec: string,
  name: string,
  initial: number,
  at: (x: number) => PairOutcomes & Required<Pick<PairOutcomes, "tie">>,
): Objective {
  const find = tierFinder();
  return declare(
    spec,
    {
      ...{ gradient: "exact", hessian: "exact", ties: "event", likelihood: "other", auxiliary: [{ name, initial }] },
      ...{ pairs: { at: (auxiliary) => at(auxiliary[0]!) }, quadratic: "all" },
    },
    (scores, labels, { gradient, hessian }, _, weights) => {
      const { order, starts, count } = find(labels);
      const n = labels.length;
      const { win, tie } = at(scores[n]!);
      gradient.fill(0);
      hessian?.fill(0);
      let cost = 0;
      for (let t = 0; t < count; t++) {
        const [from, to] = [starts[t]!, starts[t + 1]!];
        for (let p = from; p < to; p++) {
          const i = order[p]!;
          for (let r = p + 1; r < n; r++) {
            const j = order[r]!;
            const one = r < to ? tie(scores[i]! - scores[j]!) : win(scores[i]! - scores[j]!);
            const weight = !weights ? 1 : r < to ? (weights[i]! + weights[j]!) / 2 : weights[i]!;
            cost += weight * one.cost;
            gradient[i] = gradient[i]! + weight * one.slope;
            gradient[j] = gradient[j]! - weight * one.slope;
            gradient[n] = gradient[n]! + weight * one.slopeX;
            if (!hessian) continue;
            hessian[i] = hessian[i]! + weight * one.curvature;
            hessian[j] = hessian[j]! + weight * one.curvature;
            hessian[n] = hessian[n]! + weight * one.curvatureX;
          }
        }
      }
      return cost;
    },
  );
}

/**
 * Pairwise objectives: a cost of the margin by which the better item of a pair leads, summed over the pairs of a list with different labels.
 * A pair counts with the weight of its better item.
 */
import type { Objective } from "../../types.ts";
import { declare } from "./declare.ts";
import { tierFinder } from "./tiers.ts";

export interface Margin {
  cost(margin: number): number;
  slope(margin: number): number;
  bend(margin: number): number;
}

export function pairwise(text: string, curvature: Objective["curvature"], { cost, slope, bend }: Margin): Objective {
  const find = tierFinder();
  return declare(text, { gradient: "exact", curvature, ties: "silent" }, (scores, labels, into, _random, weights) => {
    const { order, starts, count } = find(labels);
    const n = labels.length;
    into.gradient.fill(0);
    into.curvature?.fill(0);
    let sum = 0;
    for (let t = 0; t < count - 1; t++) {
      for (let p = starts[t]!; p < starts[t + 1]!; p++) {
        const better = order[p]!;
        const weight = weights ? weights[better]! : 1;
        let push = 0;
        let turn = 0;
        for (let r = starts[t + 1]!; r < n; r++) {
          const worse = order[r]!;
          const margin = scores[better]! - scores[worse]!;
          sum += weight * cost(margin);
          const force = weight * slope(margin);
          push += force;
          into.gradient[worse] = into.gradient[worse]! - force;
          if (into.curvature) {
            const stiff = weight * bend(margin);
            turn += stiff;
            into.curvature[worse] = into.curvature[worse]! + stiff;
          }
        }
        into.gradient[better] = into.gradient[better]! + push;
        if (into.curvature) into.curvature[better] = into.curvature[better]! + turn;
      }
    }
    return sum;
  });
}

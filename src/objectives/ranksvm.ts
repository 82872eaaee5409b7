/**
 * Hinge cost of each pair: Σ max(0, 1 - (better - worse)) over the pairs with different labels; a pair counts with the weight of its better item.
 * Joachims 2002, Optimizing Search Engines using Clickthrough Data; Truyen et al., Appendix B.
 *
 * A better item i meets those worse ones whose score is above s_i - 1. Counts and sums over them come from a tree over the sorted scores,
 * so a list of n items takes n log n steps. The hinge has no Hessian of its own: the bound counts the pairs that still cost, as if each
 * were a parabola.
 */
import { part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { prefixSums } from "./shared/prefix-sums.ts";
import { scratch } from "./shared/scratch.ts";
import { tierFinder } from "./shared/tiers.ts";

/** Hinge cost of each pair; `ranksvm` on the command line. */
export const rankSvm = part("ranksvm", "hinge cost of each pair", {}, (_, spec) => {
  const find = tierFinder();
  const sorts = scratch();
  const tree = prefixSums();
  return declare(
    spec,
    { gradient: "exact", hessian: "bound", ties: "silent", negatives: "hinge" },
    (scores, labels, { gradient, hessian }, _random, weights) => {
      const { order, starts, count } = find(labels);
      const n = labels.length;
      const sorted = sorts(n).subarray(0, n);
      for (let i = 0; i < n; i++) sorted[i] = scores[i]!;
      sorted.sort();

      // As the better of a pair: from the worst tier up, among the scores below it that exceed s_i - 1.
      let cost = 0;
      tree.clear(n);
      for (let t = count - 1; t >= 0; t--) {
        const [from, to] = [starts[t]!, starts[t + 1]!];
        for (let p = from; p < to; p++) {
          const i = order[p]!;
          const weight = weights ? weights[i]! : 1;
          const short = 1 - scores[i]!;
          const low = upTo(sorted, n, scores[i]! - 1);
          const many = n - to - tree.first(low);
          const sum = tree.allSecond() - tree.second(low);
          cost += weight * (many * short + sum);
          gradient[i] = -weight * many;
          if (hessian) hessian[i] = weight * many;
        }
        if (t > 0) for (let p = from; p < to; p++) tree.add(upTo(sorted, n, scores[order[p]!]!), 1, scores[order[p]!]!);
      }

      // As the worse of a pair: from the best tier down, among the scores above it that stay below s_j + 1.
      tree.clear(n);
      for (let t = 0; t < count; t++) {
        const [from, to] = [starts[t]!, starts[t + 1]!];
        for (let p = from; t > 0 && p < to; p++) {
          const i = order[p]!;
          const weightSum = tree.first(under(sorted, n, scores[i]! + 1));
          gradient[i] = gradient[i]! + weightSum;
          if (hessian) hessian[i] = hessian[i]! + weightSum;
        }
        if (t < count - 1)
          for (let p = from; p < to; p++) tree.add(upTo(sorted, n, scores[order[p]!]!), weights ? weights[order[p]!]! : 1, 0);
      }
      return cost;
    },
  );
});

/** How many of the ascending values are at most x. */
function upTo(values: Float64Array, n: number, x: number): number {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the ascending values are below x. */
function under(values: Float64Array, n: number, x: number): number {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

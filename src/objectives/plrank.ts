/**
 * The top-k Plackett-Luce likelihood averaged over several random orders that agree with the labels:
 *
 *   cost = 1/P Σ_π Σ_{j <= k} (log Σ_{i in C} e^s_i - s_π(j)),   C what the first j - 1 items of π left
 *
 * Contexts C that recur among the orders are evaluated once. The paper sums over the orders and draws them once before training; ours are
 * averaged, so that costs compare across P, and come from the randomness handed in. Xia, Zhai, Wang, Plackett-Luce Model for
 * Learning-to-Rank Task, section 3.2. What this samples, pl-partition takes exactly.
 */
import { checkData, checkOptions, seedNumber, wholeFrom } from "../arguments.ts";
import { exp, log, logAdd } from "../numeric/functions.ts";
import { random as stream } from "../numeric/random.ts";
import { type Fields, integer, part } from "../part.ts";
import type { Dataset } from "../types.ts";
import { contextFinder } from "./shared/contexts.ts";
import { declare } from "./shared/declare.ts";
import { scratch } from "./shared/scratch.ts";
import { tierFinder } from "./shared/tiers.ts";

/** Options of `plRank`. */
export interface PlRankOptions {
  /** Random orders per list. A whole number above 0. Default: 3. */
  readonly permutations: number;
  /** Number of ranks that count. A whole number above 0. Default: 10. */
  readonly k: number;
}

const fields: Fields<PlRankOptions> = {
  permutations: integer(3, "random orders per list", { above: 0, aliases: ["obj", "objectives"] }),
  k: integer(10, "number of ranks that count"),
};

/** Top-k Plackett-Luce likelihood of several random orders; `plrank` on the command line. */
export const plRank = part(
  "plrank",
  "top-k Plackett-Luce likelihood of several random orders",
  fields,
  ({ permutations, k }, spec) => {
    const find = tierFinder();
    const findContexts = contextFinder(permutations, k);
    const [takens, levels] = [scratch(), scratch()];

    return declare(
      spec,
      { cost: "sampled", gradient: "sampled", hessian: "exact", ties: "tier" },
      (scores, labels, { gradient, hessian }, random, weights) => {
        const n = labels.length;
        gradient.fill(0);
        hessian?.fill(0);
        let cost = 0;
        const { prefixes, sizes, contextWeights, places, count } = findContexts(find(labels), random, (item) => {
          const weight = (weights ? weights[item]! : 1) / permutations;
          cost -= weight * scores[item]!;
          gradient[item] = gradient[item]! - weight;
          return weight;
        });

        // 0: in every context, so that these items have one mass together; 1: taken by some order; 2: by this one.
        const taken = takens(n).fill(0, 0, n);
        for (let c = 0; c < count; c++) for (let j = 0; j < sizes[c]!; j++) taken[prefixes[c * places + j]!] = 1;
        let top = -Infinity;
        for (let i = 0; i < n; i++) if (taken[i] === 0) top = Math.max(top, scores[i]!);
        let mass = 0;
        for (let i = 0; i < n; i++) if (taken[i] === 0) mass += exp(scores[i]! - top);
        const common = top + log(mass);

        const movable: number[] = [];
        for (let i = 0; i < n; i++) if (taken[i] === 1) movable.push(i);

        const level = levels(count); // log mass of each context
        let least = Infinity;
        for (let c = 0; c < count; c++) {
          for (let j = 0; j < sizes[c]!; j++) taken[prefixes[c * places + j]!] = 2;
          let sum = common;
          for (const i of movable) if (taken[i] === 1) sum = logAdd(sum, scores[i]!);
          level[c] = sum;
          least = Math.min(least, sum);
          cost += contextWeights[c]! * sum;
          for (const i of movable) {
            if (taken[i] !== 1) continue;
            const fraction = exp(scores[i]! - sum);
            gradient[i] = gradient[i]! + contextWeights[c]! * fraction;
            if (hessian) hessian[i] = hessian[i]! + contextWeights[c]! * fraction * (1 - fraction);
          }
          for (let j = 0; j < sizes[c]!; j++) taken[prefixes[c * places + j]!] = 1;
        }

        let once = 0; // Σ load e^(least - level)
        let twice = 0; // the same with the exponential squared
        for (let c = 0; c < count; c++) {
          const ratio = exp(least - level[c]!);
          once += contextWeights[c]! * ratio;
          twice += contextWeights[c]! * ratio * ratio;
        }
        for (let i = 0; i < n; i++) {
          if (taken[i] !== 0) continue;
          const fraction = exp(scores[i]! - least);
          gradient[i] = gradient[i]! + once * fraction;
          if (hessian) hessian[i] = once * fraction - twice * fraction * fraction;
        }
        return cost;
      },
    );
  },
);

/** The orders that are looked at. */
export interface CompressionOptions {
  /** Random orders per list. Default: 3. */
  readonly permutations?: number;
  /** Places of each order. Default: 10. */
  readonly k?: number;
  /** Seed of the orders. Default: 0. */
  readonly seed?: number;
}

/** How far sharing contexts reduces the work of `plRank`. */
export interface ContextCompression {
  /** Distinct contexts as a fraction of all. */
  readonly ratio: number;
  /** Number of random orders that would cost the same without sharing. */
  readonly orders: number;
}

/**
 * How many contexts remain of those that the orders name, as a share (Table 3 of the paper): 0.9 with 3 orders is the work of 2.7.
 */
export function contextCompression(data: Dataset, options: CompressionOptions = {}): ContextCompression {
  checkData("contextCompression", data);
  checkOptions("contextCompression", options, { permutations: wholeFrom(1), k: wholeFrom(1), seed: seedNumber });
  const { permutations = 3, k = 10, seed = 0 } = options;
  const find = tierFinder();
  const findContexts = contextFinder(permutations, k);
  let kept = 0;
  let named = 0;
  for (let q = 0; q + 1 < data.starts.length; q++) {
    const labels = data.labels.subarray(data.starts[q]!, data.starts[q + 1]!);
    const { count, places } = findContexts(find(labels), stream(seed, q), () => 0);
    kept += count;
    named += permutations * places;
  }
  const ratio = named === 0 ? 1 : kept / named;
  return { ratio, orders: ratio * permutations };
}

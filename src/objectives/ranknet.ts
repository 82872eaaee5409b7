/**
 * Logistic cost of each pair: Σ log(1 + e^-(better - worse)), the Bradley-Terry likelihood of the pairs with different labels; a pair counts with the
 * weight of its better item. Burges et al. 2005, https://doi.org/10.1145/1102351.1102363
 *
 * With `ties=half` a tie is half a win of each item, as arenas of language models count it: its cost is the mean of the costs of both outcomes.
 * That is no probability of a tie; davidson and rao-kupper have one.
 *
 * Time grows with the number of pairs, one exponential each: worse items come in blocks that stay in the cache, and logarithms are taken of products of
 * many 1 + e^-|m|. A list of 100,000 items, 500 of which are preferred to the rest, takes about two seconds and no memory beyond the list.
 */
import { exp, log, log1p } from "../numeric/functions.ts";
import { choice, type Fields, part } from "../part.ts";
import type { PairOutcomes } from "../types.ts";
import { declare } from "./shared/declare.ts";
import { outcomeTerm } from "./shared/pair-term.ts";
import { scratch } from "./shared/scratch.ts";
import { tierFinder } from "./shared/tiers.ts";

const BLOCK = 1024;
const FULL = 1e300; // a product is cashed in before it could overflow: each factor is at most 2

/** Options of `rankNet`. */
export interface RankNetOptions {
  /** A tie says nothing, or is half a win of each item. Default: "silent". */
  readonly ties: "silent" | "half";
}

const fields: Fields<RankNetOptions> = {
  ties: choice(["silent", "half"], "a tie says nothing, or is half a win of each item"),
};

const outcome = outcomeTerm();

function fill(margin: number, tied: boolean): typeof outcome {
  const e = exp(margin > 0 ? -margin : margin);
  const sigmoid = 1 / (1 + e);
  const miss = margin > 0 ? e * sigmoid : sigmoid;
  const lost = Math.max(0, -margin) + log1p(e);
  outcome.cost = tied ? lost + margin / 2 : lost;
  outcome.slope = tied ? 0.5 - miss : -miss;
  outcome.curvature = e * sigmoid * sigmoid;
  return outcome;
}

const win = (margin: number) => fill(margin, false);
/** (win(margin) + win(-margin)) / 2, where win(-margin) costs the margin more. */
const half = (margin: number) => fill(margin, true);

const outcomes: Readonly<Record<RankNetOptions["ties"], PairOutcomes>> = { silent: { win }, half: { win, tie: half } };

/** Logistic cost of each pair; `ranknet` on the command line. */
export const rankNet = part(
  "ranknet",
  "logistic cost of each pair",
  fields,
  ({ ties }, spec) => {
    const find = tierFinder();
    const [values, gradientScratch, hessianScratch] = [scratch(), scratch(), scratch()];
    return declare(
      spec,
      {
        ...{ gradient: "exact", hessian: "exact", pairs: { at: () => outcomes[ties] } },
        quadratic: ties === "half" ? "all" : "different",
        ...(ties === "half" ? { ties: "event" } : { ties: "silent", negatives: "logistic" }),
      },
      (scores, labels, { gradient, hessian }, _random, weights) => {
        const { order, starts, count } = find(labels);
        const n = labels.length;
        const [s, g, h] = [values(n), gradientScratch(n).fill(0, 0, n), hessianScratch(n).fill(0, 0, n)]; // by place
        for (let p = 0; p < n; p++) s[p] = scores[order[p]!]!;
        let cost = ties === "half" ? addHalves(s, order, starts, count, g, h, weights) : 0;
        for (let t = 0; t < count - 1; t++) {
          for (let from = starts[t + 1]!; from < n; from += BLOCK) {
            const to = Math.min(n, from + BLOCK);
            for (let p = starts[t]!; p < starts[t + 1]!; p++) {
              const weight = weights ? weights[order[p]!]! : 1;
              const own = s[p]!;
              let [logSum, product, lambda, lambdaHessian] = [0, 1, 0, 0];
              for (let r = from; r < to; r++) {
                const margin = own - s[r]!;
                const e = exp(margin > 0 ? -margin : margin);
                const sigmoid = 1 / (1 + e);
                const miss = margin > 0 ? e * sigmoid : sigmoid;
                const curvature = e * sigmoid * sigmoid;
                product *= 1 + e;
                if (margin < 0) logSum -= margin;
                if (product > FULL) {
                  logSum += log(product);
                  product = 1;
                }
                lambda += miss;
                lambdaHessian += curvature;
                g[r] = g[r]! + weight * miss;
                h[r] = h[r]! + weight * curvature;
              }
              cost += weight * (logSum + log(product));
              g[p] = g[p]! - weight * lambda;
              h[p] = h[p]! + weight * lambdaHessian;
            }
          }
        }
        for (let p = 0; p < n; p++) {
          gradient[order[p]!] = g[p]!;
          if (hessian) hessian[order[p]!] = h[p]!;
        }
        return cost;
      },
    );
  },
  ["rank:pairwise", "rank_pairwise", "bradley-terry"],
);

/** Adds gradient and hessian of the pairs within tiers, each with the mean weight of its items, and returns their cost. */
function addHalves(
  s: Float64Array,
  order: Uint32Array,
  starts: Uint32Array,
  count: number,
  g: Float64Array,
  h: Float64Array,
  weights: Float32Array | undefined,
): number {
  let cost = 0;
  for (let t = 0; t < count; t++) {
    for (let p = starts[t]!; p < starts[t + 1]!; p++) {
      for (let r = p + 1; r < starts[t + 1]!; r++) {
        const weight = weights ? (weights[order[p]!]! + weights[order[r]!]!) / 2 : 1;
        const term = half(s[p]! - s[r]!);
        cost += weight * term.cost;
        g[p] = g[p]! + weight * term.slope;
        g[r] = g[r]! - weight * term.slope;
        h[p] = h[p]! + weight * term.curvature;
        h[r] = h[r]! + weight * term.curvature;
      }
    }
  }
  return cost;
}

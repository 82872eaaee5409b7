/**
 * Ordered partitions under the potential exp(mean score), the expectation by Gibbs sampling: one step passes over all items left and keeps
 * each in the subset with chance Φ(with it) / (Φ(with it) + Φ(without it)); the last item of a subset stays. Truyen, Phung, Venkatesh,
 * Algorithm 1. See shared/subset-chain.ts for what is sampled and what the cost means.
 */
import { logistic } from "../numeric/functions.ts";
import { type Fields, integer, part } from "../part.ts";
import { direction } from "./shared/direction.ts";
import { type Step, subsetChain } from "./shared/subset-chain.ts";

/** Options of `pmopGibbs`. */
export interface PmopGibbsOptions {
  /** Passes of the chain at each stage. A whole number above 0. Default: 3. */
  readonly steps: number;
  /** Order of the choices; forward: the best item first, backward: the worst is eliminated first. Default: "forward". */
  readonly direction: "forward" | "backward";
}

const fields: Fields<PmopGibbsOptions> = { steps: integer(3, "passes of the chain at each stage"), direction };

const pass: Step = (subset, scores, random) => {
  const { inside } = subset;
  for (let p = subset.from; p < subset.to; p++) {
    const others = subset.size - inside[p]!;
    const rest = inside[p] ? subset.sum - scores[p]! : subset.sum;
    const draw = random();
    if (others === 0) continue;
    const keep = draw < logistic((rest + scores[p]!) / (others + 1) - rest / others);
    inside[p] = keep ? 1 : 0;
    subset.size = others + inside[p]!;
    subset.sum = keep ? rest + scores[p]! : rest;
  }
};

/** Ordered partitions, expectation by Gibbs sampling; `pmop-gibbs` on the command line. */
export const pmopGibbs = part("pmop-gibbs", "ordered partitions, expectation by Gibbs sampling", fields, (options, spec) =>
  subsetChain(spec, options, pass),
);

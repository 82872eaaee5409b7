/**
 * Ordered partitions under the potential exp(mean score), the expectation by Gibbs sampling: one step passes over all items left and keeps
 * each in the subset with chance Φ(with it) / (Φ(with it) + Φ(without it)); the last item of a subset stays. Truyen, Phung, Venkatesh,
 * Algorithm 1. See shared/subset-chain.ts for what is sampled and what the cost means.
 */
import { logistic } from "../numeric/functions.ts";
import { integer, part } from "../part.ts";
import { direction } from "./shared/direction.ts";
import { type Step, subsetChain } from "./shared/subset-chain.ts";

const fields = { steps: integer(3, "passes of the chain at each stage"), direction };

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

export const pmopGibbs = part("pmop-gibbs", "ordered partitions, expectation by Gibbs sampling", fields, (options, spec) =>
  subsetChain(spec, options, pass),
);

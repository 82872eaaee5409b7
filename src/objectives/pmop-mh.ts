/**
 * Ordered partitions under the potential exp(mean score), the expectation by Metropolis-Hastings: a step draws a size m from 1 to n and m of
 * the n items left, and moves there with some chance. Truyen, Phung, Venkatesh, Algorithm 1. See shared/subset-chain.ts for what is sampled
 * and what the cost means.
 *
 * The paper moves with chance min(1, Φ(S') / Φ(S)). But sets of one size are drawn more often the fewer there are of it, so that this
 * samples Φ(S) / C(n, |S|) instead of Φ(S). The default, accept=hastings, multiplies the ratio by C(n, |S'|) / C(n, |S|) and is right;
 * accept=paper is the printed rule.
 */
import { exp } from "../numeric/functions.ts";
import { below } from "../numeric/random.ts";
import { choice, type Fields, integer, part } from "../part.ts";
import { direction } from "./shared/direction.ts";
import { logWays } from "./shared/log-factorial.ts";
import { type Step, subsetChain } from "./shared/subset-chain.ts";

/** Options of `pmopMh`. */
export interface PmopMhOptions {
  /** Moves of the chain at each stage. A whole number above 0. Default: 3. */
  readonly steps: number;
  /** Acceptance ratio; hastings: corrected for how sizes are drawn, paper: as printed. Default: "hastings". */
  readonly accept: "hastings" | "paper";
  /** Order of the choices; forward: the best item first, backward: the worst is eliminated first. Default: "forward". */
  readonly direction: "forward" | "backward";
}

const fields: Fields<PmopMhOptions> = {
  steps: integer(3, "moves of the chain at each stage"),
  accept: choice(["hastings", "paper"], "acceptance ratio; hastings: corrected for how sizes are drawn, paper: as printed"),
  direction,
};

/** Ordered partitions, expectation by Metropolis-Hastings; `pmop-mh` on the command line. */
export const pmopMh = part("pmop-mh", "ordered partitions, expectation by Metropolis-Hastings", fields, (options, spec) => {
  let pool = new Uint32Array(0);
  const move: Step = (subset, scores, random) => {
    const { from, to, inside } = subset;
    const n = to - from;
    if (pool.length < n) pool = new Uint32Array(2 * n);
    for (let i = 0; i < n; i++) pool[i] = from + i;
    const m = 1 + below(random, n);
    let sum = 0;
    for (let i = 0; i < m; i++) {
      const j = i + below(random, n - i);
      const held = pool[j]!;
      pool[j] = pool[i]!;
      pool[i] = held;
      sum += scores[held]!;
    }
    let ratio = sum / m - subset.sum / subset.size; // its logarithm
    if (options.accept === "hastings") ratio += logWays(n, m) - logWays(n, subset.size);
    if (random() >= exp(ratio)) return;
    inside.fill(0, from, to);
    for (let i = 0; i < m; i++) inside[pool[i]!] = 1;
    subset.size = m;
    subset.sum = sum;
  };
  return subsetChain(spec, options, move);
});

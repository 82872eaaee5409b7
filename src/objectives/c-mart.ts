/**
 * Squared error on the gain divided by the list's ideal DCG: Σ (s_i - (2^r_i - 1) / DCG*)², which makes it consistent with NDCG.
 * Ravikumar, Tewari, Yang 2011; Xia, Zhai, Wang, Plackett-Luce Model for Learning-to-Rank Task, Eq. 10 (c-MART-1).
 * Where no label lies above 0 the target is 0.
 */
import { part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { gainFinder } from "./shared/gains.ts";
import { scratch } from "./shared/scratch.ts";
import { squaredError } from "./shared/squared.ts";

/** Squared error on the gain over ideal DCG; `c-mart` on the command line. */
export const cMart = part(
  "c-mart",
  "squared error on the gain over ideal DCG",
  {},
  (_, spec) => {
    const find = gainFinder();
    const targets = scratch();
    return declare(spec, { gradient: "exact", hessian: "exact", ties: "value" }, (scores, labels, into, _random, weights) => {
      const n = labels.length;
      const { of: gains, ideal } = find(labels);
      const target = targets(n);
      for (let i = 0; i < n; i++) target[i] = ideal > 0 ? gains[i]! / ideal : 0;
      return squaredError(scores, target, n, into, weights);
    });
  },
  ["c-mart-1"],
);

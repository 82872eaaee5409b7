/**
 * Squared error on the gain: Σ (s_i - (2^r_i - 1))². Xia, Zhai, Wang, Plackett-Luce Model for Learning-to-Rank Task, Eq. 11 (MART-1).
 * Not consistent with NDCG, as c-mart is. Lists whose labels are all equal are left out, as everywhere here.
 */
import { part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { gainFinder } from "./shared/gains.ts";
import { squaredError } from "./shared/squared.ts";

/** Squared error on 2^r - 1; `mart-1` on the command line. */
export const mart1 = part("mart-1", "squared error on 2^r - 1", {}, (_, spec) => {
  const find = gainFinder();
  return declare(spec, { gradient: "exact", hessian: "exact", ties: "value" }, (scores, labels, into, _random, weights) =>
    squaredError(scores, find(labels).of, labels.length, into, weights),
  );
});

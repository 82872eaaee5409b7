/**
 * Squared error on the label: Σ (s_i - r_i)². Cossock and Zhang 2006; Xia, Zhai, Wang, Plackett-Luce Model for Learning-to-Rank Task, Eq. 12
 * (MART-2). Lists whose labels are all equal are left out, as everywhere here.
 */
import { part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { scratch } from "./shared/scratch.ts";
import { squaredError } from "./shared/squared.ts";

/** Squared error on the label; `mart-2` on the command line. */
export const mart2 = part(
  "mart-2",
  "squared error on the label",
  {},
  (_, spec) => {
    const targets = scratch();
    return declare(spec, { gradient: "exact", hessian: "exact", ties: "value" }, (scores, labels, into, _random, weights) => {
      const target = targets(labels.length);
      target.set(labels);
      return squaredError(scores, target, labels.length, into, weights);
    });
  },
  ["regression", "mse"],
);

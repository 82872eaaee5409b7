/**
 * Cross-entropy between the softmax of the scores and the labels as a distribution: cost = -Σ t_i log softmax(s)_i, with t the labels divided
 * by their sum (labels below 0 count as 0), or, with target=exp, the softmax of the labels, which is the top-one probability of ListNet.
 * Cao et al. 2007, Learning to Rank: From Pairwise Approach to Listwise Approach.
 */
import { exp } from "../numeric/functions.ts";
import { choice, type Fields, part } from "../part.ts";
import { crossEntropy } from "./shared/cross-entropy.ts";
import { declare } from "./shared/declare.ts";
import { scratch } from "./shared/scratch.ts";

/** Options of `softmax`. */
export interface SoftmaxOptions {
  /** Target distribution; labels: each label as a share of their sum, exp: the softmax of the labels, as ListNet. Default: "labels". */
  readonly target: "labels" | "exp";
}

const fields: Fields<SoftmaxOptions> = {
  target: choice(
    ["labels", "exp"],
    "target distribution; labels: each label as a share of their sum, exp: the softmax of the labels, as ListNet",
  ),
};

/** Cross-entropy of the softmax against the labels (ListNet, top one); `softmax` on the command line. */
export const softmax = part(
  "softmax",
  "cross-entropy of the softmax against the labels (ListNet, top one)",
  fields,
  ({ target }, spec) => {
    const targets = scratch();
    return declare(
      spec,
      { gradient: "exact", hessian: "exact", ties: "value", ...(target === "labels" && { negatives: "log-sum-exp" as const }) },
      (scores, labels, into, _, weights) => {
        const n = labels.length;
        const t = targets(n);
        let most = -Infinity;
        for (let i = 0; i < n; i++) most = Math.max(most, labels[i]!);
        let sum = 0;
        for (let i = 0; i < n; i++) sum += t[i] = target === "exp" ? exp(labels[i]! - most) : Math.max(0, labels[i]!);
        for (let i = 0; i < n; i++) t[i] = sum > 0 ? ((weights ? weights[i]! : 1) * t[i]!) / sum : 0;
        return crossEntropy(scores, t, n, into);
      },
    );
  },
  ["listnet"],
);

/**
 * Cross-entropy of the softmax of the scores against attention from the labels: a_i = e^y_i / Σ_{y > 0} e^y for labels above 0, else 0;
 * cost = -Σ a_i log softmax(s)_i. With labels 0 and 1 its gradient is that of pl-lb over the number of items above. A list without a label
 * above 0 contributes nothing. Ai et al. 2018, Learning a Deep Listwise Context Model for Ranking Refinement, and its published program.
 */
import { exp } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { crossEntropy } from "./shared/cross-entropy.ts";
import { declare } from "./shared/declare.ts";
import { scratch } from "./shared/scratch.ts";

/** Cross-entropy against attention weights from the labels; `attrank` on the command line. */
export const attRank = part("attrank", "cross-entropy against attention weights from the labels", {}, (_, spec) => {
  const attentions = scratch();
  return declare(
    spec,
    { gradient: "exact", hessian: "exact", ties: "value", negatives: "log-sum-exp" },
    (scores, labels, into, _random, weights) => {
      const n = labels.length;
      const attention = attentions(n);
      let most = 0;
      for (let i = 0; i < n; i++) most = Math.max(most, labels[i]!);
      let sum = 0;
      for (let i = 0; i < n; i++) sum += attention[i] = labels[i]! > 0 ? exp(labels[i]! - most) : 0;
      if (sum > 0) for (let i = 0; i < n; i++) attention[i] = ((weights ? weights[i]! : 1) * attention[i]!) / sum;
      return crossEntropy(scores, attention, n, into);
    },
  );
});

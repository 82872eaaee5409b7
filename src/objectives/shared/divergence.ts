/** What kl and c-kl share: the divergence of the softmax from the gains, each list scaled by its sum of gains over some norm of them. */
import { log } from "../../numeric/functions.ts";
import type { Objective } from "../../types.ts";
import { crossEntropy } from "./cross-entropy.ts";
import { declare } from "./declare.ts";
import { type Gains, gainFinder } from "./gains.ts";
import { scratch } from "./scratch.ts";

export function divergence(spec: string, norm: (gains: Gains) => number): Objective {
  const find = gainFinder();
  const targets = scratch();
  return declare(spec, { gradient: "exact", hessian: "exact", ties: "value" }, (scores, labels, into, _, weights) => {
    const n = labels.length;
    const gains = find(labels);
    const target = targets(n);
    const size = norm(gains);
    let entropy = 0;
    for (let i = 0; i < n; i++) {
      const value = gains.of[i]!;
      target[i] = value > 0 ? ((weights ? weights[i]! : 1) * value) / size : 0;
      if (value > 0) entropy -= target[i]! * log(value / gains.sum);
    }
    return crossEntropy(scores, target, n, into) - entropy;
  });
}

/**
 * Each item against itself and all items with a lower label, weighted by its gain: cost = Σ_i (2^y_i - 1) log(1 + Σ_{y_j < y_i} e^s_j / e^s_i).
 * Tied items are not compared. Zhu and Klabjan 2020, Listwise Learning to Rank by Exploring Unique Ratings; as in Rax and TF-Ranking. Linear in
 * the list length once items are grouped by label; items with label 0 or less have gain 0 and add no term.
 */
import { exp, logistic, softplus } from "../numeric/functions.ts";
import { part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { gain } from "./shared/gains.ts";
import { massFinder } from "./shared/masses.ts";
import { tierFinder } from "./shared/tiers.ts";

/** Each item against the strictly lower ones; `unique-softmax` on the command line. */
export const uniqueSoftmax = part("unique-softmax", "each item against the strictly lower ones", {}, (_, spec) => {
  const find = tierFinder();
  const weigh = massFinder();
  return declare(
    spec,
    { gradient: "exact", hessian: "exact", ties: "silent" },
    (scores, labels, { gradient, hessian }, _random, weights) => {
      const tiers = find(labels);
      const { order, starts, count } = tiers;
      const { expScore, peak, left } = weigh(scores, tiers);
      let cost = 0;
      let once = 0; // Σ over items above of gain times miss times e^(left from this tier on - left below that item)
      let twice = 0; // the same with miss and exponential squared
      for (let t = 0; t < count; t++) {
        const [from, to] = [starts[t]!, starts[t + 1]!];
        const scale = exp(peak[t]! - left[t]!);
        const worth = t < count - 1 ? gain(labels[order[from]!]!) : 0;
        let [more, moreTwice] = [0, 0];
        for (let p = from; p < to; p++) {
          const i = order[p]!;
          const chance = expScore[p]! * scale;
          gradient[i] = once * chance;
          if (hessian) hessian[i] = (once - twice * chance) * chance;
          if (worth === 0) continue;
          const weight = worth * (weights ? weights[i]! : 1);
          const gap = left[t + 1]! - scores[i]!;
          const miss = logistic(gap); // chance that something lower wins
          cost += weight * softplus(gap);
          gradient[i] = gradient[i]! - weight * miss;
          if (hessian) hessian[i] = hessian[i]! + weight * miss * logistic(-gap);
          more += weight * miss;
          moreTwice += weight * miss * miss;
        }
        // From here on relative to what is left after this tier.
        if (t < count - 1) {
          const shrink = t === 0 ? 0 : exp(left[t + 1]! - left[t]!);
          once = once * shrink + more;
          twice = twice * shrink * shrink + moreTwice;
        }
      }
      return cost;
    },
  );
});

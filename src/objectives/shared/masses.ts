/** e^w of each item, scaled by the maximum of its tier, and the log-sum-exp of w by tier and by a tier and all after it: one exponential per item, no overflow. */
import { exp, log, logAdd } from "../../numeric/functions.ts";
import type { Tiers } from "../../numeric/tiers.ts";
import { scratch } from "./scratch.ts";

export interface Masses {
  /** e^(w - the greatest w of its tier), by place. */
  expScore: Float64Array;
  /** The greatest w of tier t. */
  peak: Float64Array;
  /** Log mass of tier t. */
  own: Float64Array;
  /** Log mass of tier t and all after it. */
  left: Float64Array;
}

/** Makes a function that finds the masses of one list after another in memory of its own. */
export function massFinder(): (scores: Float64Array, tiers: Tiers) => Masses {
  const [shares, peaks, owns, lefts] = [scratch(), scratch(), scratch(), scratch()];
  const found: Masses = { expScore: shares(0), peak: peaks(0), own: owns(0), left: lefts(0) };
  return (scores, { order, starts, count }) => {
    const fraction = shares(order.length);
    const [peak, own, left] = [peaks(count), owns(count), lefts(count)];
    for (let t = count - 1; t >= 0; t--) {
      const [from, to] = [starts[t]!, starts[t + 1]!];
      let greatest = -Infinity;
      for (let p = from; p < to; p++) if (scores[order[p]!]! > greatest) greatest = scores[order[p]!]!;
      let mass = 0;
      for (let p = from; p < to; p++) mass += fraction[p] = exp(scores[order[p]!]! - greatest);
      peak[t] = greatest;
      own[t] = greatest + log(mass);
      left[t] = t === count - 1 ? own[t]! : logAdd(left[t + 1]!, own[t]!);
    }
    found.expScore = fraction;
    found.peak = peak;
    found.own = own;
    found.left = left;
    return found;
  };
}

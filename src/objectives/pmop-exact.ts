/**
 * Ordered partitions with an exact partition function: at each stage a subset S of the n items left is chosen with a chance proportional to Φ(S).
 *
 *   cost = Σ_{k < K} (log Z_k - log Φ(X_k))
 *
 * | potential | Φ(S)          | sizes=modeled, Z over all subsets                     | sizes=given, Z over subsets of the size of X_k |
 * | --------- | ------------- | ----------------------------------------------------- | ----------------------------------------------- |
 * | mean      | exp(mean w)   | Σ_m e_m(e^(w/m)); time of a stage grows as n³         | e_m(e^(w/m)); n m                               |
 * | sum       | exp(Σ (w + c)) | Π (1 + e^(w + c)) - 1, which factorizes; n           | e_m(e^w); n m                                   |
 *
 * where e_m is the elementary symmetric polynomial (shared/subset-sums.ts). "mean" is the potential of which `pmop-gibbs` and `pmop-mh` sample the
 * gradient: Truyen, Phung, Venkatesh, Probabilistic Models over Ordered Partitions, Eq. 5 and 16. "sum" with given sizes is the exact partial
 * likelihood of tied events (Cox 1972). c is learned with the model, because sums over more items are not comparable otherwise. The last
 * stage is left out, as in the sampled ones: given the number of choices, what remains is not chosen.
 */
import { InputError } from "../input-error.ts";
import { exp, expm1, log, logistic, logSumExp, softplus } from "../numeric/functions.ts";
import { descending } from "../numeric/order.ts";
import { choice, type Fields, part } from "../part.ts";
import { declare } from "./shared/declare.ts";
import { direction, inDirection } from "./shared/direction.ts";
import { logWays } from "./shared/log-factorial.ts";
import { scratch } from "./shared/scratch.ts";
import { subsetSums } from "./shared/subset-sums.ts";
import { tierFinder } from "./shared/tiers.ts";
import { tierWeight } from "./shared/weights.ts";

/** Options of `pmopExact`. */
export interface PmopExactOptions {
  /** Potential of a subset; mean: exp of its mean score, sum: exp of the sum of its scores. Default: "mean". */
  readonly potential: "mean" | "sum";
  /** Sizes of tiers; modeled: part of what the scores explain, given: only who is in a tier is explained. Default: "modeled". */
  readonly sizes: "modeled" | "given";
  /** Order of the choices; forward: the best item first, backward: the worst is eliminated first. Default: "forward". */
  readonly direction: "forward" | "backward";
}

const fields: Fields<PmopExactOptions> = {
  potential: choice(["mean", "sum"], "potential of a subset; mean: exp of its mean score, sum: exp of the sum of its scores"),
  sizes: choice(
    ["modeled", "given"],
    "sizes of tiers; modeled: part of what the scores explain, given: only who is in a tier is explained",
  ),
  direction,
};

/** The longest list whose subsets of all sizes are summed. */
const LONGEST = 2000;
/** Sizes whose share of Z is below e^-this are left out. */
const NEGLIGIBLE = 44;

/** What one stage adds: expectations over the subsets of the items left, by place from 0. */
interface Stage {
  /** log Z. */
  logSum: number;
  /** Expectation of what w_i multiplies in log Φ. */
  readonly first: Float64Array;
  /** Expectation of its square. */
  readonly second: Float64Array;
}

/** Computes a stage of `n` scores, of which the first `m` were chosen. */
type Expect = (scores: Float64Array, n: number, m: number, into: Stage) => void;

/** Ordered partitions with an exact partition function; `pmop-exact` on the command line. */
export const pmopExact = part(
  "pmop-exact",
  "ordered partitions with an exact partition function",
  fields,
  ({ potential, sizes, direction }, spec) => {
    const find = tierFinder(direction);
    const factorizes = potential === "sum" && sizes === "modeled";
    const expect = factorizes ? independent : sizes === "given" ? ofSize(potential) : ofAllSizes();
    const [values, firsts, seconds] = [scratch(), scratch(), scratch()];
    return declare(
      spec,
      {
        ...{ gradient: "exact", hessian: "exact", ties: "tier", likelihood: "other" },
        ...(factorizes && { auxiliary: [{ name: "offset", initial: 0 }] }),
      },
      inDirection(direction, (scores, labels, { gradient, hessian }, _random, weights) => {
        const { order, starts, count } = find(labels);
        const n = labels.length;
        const offset = factorizes ? scores[n]! : 0;
        gradient.fill(0);
        hessian?.fill(0);
        let cost = 0;
        for (let t = 0; t < count - 1; t++) {
          const [from, to] = [starts[t]!, starts[t + 1]!];
          const weight = tierWeight(weights, order, from, to);
          if (weight === 0) continue;
          const [left, chosen] = [n - from, to - from];
          const share = potential === "mean" ? 1 / chosen : 1; // what w_i multiplies in log Φ of the tier
          const s = values(left);
          for (let p = from; p < n; p++) s[p - from] = scores[order[p]!]! + offset;
          const stage: Stage = { logSum: 0, first: firsts(left + 1), second: seconds(left + 1) };
          expect(s, left, chosen, stage);
          let own = 0;
          for (let p = 0; p < chosen; p++) own += share * s[p]!;
          cost += weight * (stage.logSum - own);
          for (let p = 0; p < left; p++) {
            const i = order[from + p]!;
            const mean = stage.first[p]!;
            gradient[i] = gradient[i]! + weight * (mean - (p < chosen ? share : 0));
            if (hessian) hessian[i] = hessian[i]! + weight * Math.max(0, stage.second[p]! - mean * mean);
          }
          if (!factorizes) continue;
          const size = stage.first[left]!; // of a subset, which is what the offset multiplies
          gradient[n] = gradient[n]! + weight * (size - chosen);
          if (hessian) hessian[n] = hessian[n]! + weight * Math.max(0, stage.second[left]! - size * size);
        }
        return cost;
      }),
    );
  },
);

/** Subsets of as many items as were chosen. */
function ofSize(potential: PmopExactOptions["potential"]): Expect {
  const sum = subsetSums();
  const scaled = scratch();
  return (scores, n, m, into) => {
    const share = potential === "mean" ? 1 / m : 1;
    const logOdds = scaled(n);
    for (let i = 0; i < n; i++) logOdds[i] = scores[i]! * share;
    into.logSum = sum(logOdds, n, m, into.first);
    for (let i = 0; i < n; i++) {
      into.second[i] = into.first[i]! * share * share;
      into.first[i] = into.first[i]! * share;
    }
  };
}

/** Subsets of all sizes under exp(mean score). Sizes are visited from the greatest bound of their sum on, until the rest is negligible. */
function ofAllSizes(): Expect {
  const sum = subsetSums();
  const [scaled, included, bounds] = [scratch(), scratch(), scratch()];
  return (scores, n, _, into) => {
    if (n > LONGEST)
      throw new InputError(
        `pmop-exact: expected lists of at most ${LONGEST} items, got ${n}; use pmop-exact:sizes=given, pmop-gibbs or pl-partition`,
      );
    const [logOdds, inclusion] = [scaled(n), included(n)];
    const bound = bounds(n).subarray(0, n); // of the sum over subsets of m: their number times the greatest potential
    const order = descending(scores.subarray(0, n));
    let top = 0;
    for (let m = 1; m <= n; m++) {
      top += scores[order[m - 1]!]!;
      bound[m - 1] = logWays(n, m) + top / m;
    }
    const { first, second } = into;
    first.fill(0, 0, n);
    second.fill(0, 0, n);
    let [peak, total] = [-Infinity, 0]; // Z = total e^peak
    for (const index of descending(bound)) {
      if (bound[index]! < peak - NEGLIGIBLE) break;
      const m = index + 1;
      for (let i = 0; i < n; i++) logOdds[i] = scores[i]! / m;
      const logSum = sum(logOdds, n, m, inclusion);
      if (logSum > peak) {
        const shrink = exp(peak - logSum);
        total *= shrink;
        for (let i = 0; i < n; i++) {
          first[i] = first[i]! * shrink;
          second[i] = second[i]! * shrink;
        }
        peak = logSum;
      }
      const term = exp(logSum - peak);
      total += term;
      for (let i = 0; i < n; i++) {
        const part = (term * inclusion[i]!) / m;
        first[i] = first[i]! + part;
        second[i] = second[i]! + part / m;
      }
    }
    for (let i = 0; i < n; i++) {
      first[i] = first[i]! / total;
      second[i] = second[i]! / total;
    }
    into.logSum = peak + log(total);
  };
}

/** All subsets but the empty one, each item in or out by itself; place n has the moments of the size. */
const independent: Expect = (scores, n, _, into) => {
  const { first, second } = into;
  let [all, mean, variance] = [0, 0, 0]; // log of the sum with the empty subset; moments of the size with it
  for (let i = 0; i < n; i++) {
    all += softplus(scores[i]!);
    const chance = (first[i] = logistic(scores[i]!));
    mean += chance;
    variance += chance * logistic(-scores[i]!);
  }
  const some = -expm1(-all); // probability of a subset that is not empty
  if (some < 1e-18) {
    // Two items at once have no probability left: a softmax, and a size of 1.
    into.logSum = logSumExp(scores, 0, n);
    for (let i = 0; i < n; i++) second[i] = first[i] = exp(scores[i]! - into.logSum);
    first[n] = second[n] = 1;
    return;
  }
  into.logSum = all + log(some);
  for (let i = 0; i < n; i++) second[i] = first[i] = first[i]! / some;
  first[n] = mean / some;
  second[n] = (variance + mean * mean) / some;
};

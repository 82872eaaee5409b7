/**
 * Ordered partitions under the general potential: at each stage a subset S of what is left is chosen with a chance proportional to exp(mean
 * of w over S) (Truyen, Phung, Venkatesh, Probabilistic Models over Ordered Partitions, Eq. 5 and 16). With c_i(S) = 1/|S| for i in S, else
 * 0, the gradient is
 *
 *   Σ_k (E[c_i(S)] - c_i(X_k))
 *
 * and the expectation is taken over the states that a Markov chain visits, which starts at the observed subset X_k and takes a few steps
 * (section 3.4, after Hinton's contrastive divergence): biased for short chains, exact for long ones.
 *
 * The likelihood itself is not computed. What is returned is Σ_k (mean over the states of the mean score - mean score of X_k), whose slope
 * for fixed states is the gradient; it is near 0 when the model expects what it sees, and may be negative. The bound on the Hessian, which
 * is the variance of c_i, is its second moment over the states, the observed one included.
 */
import { below, shuffle } from "../../numeric/random.ts";
import type { Objective, Random, SubsetChains } from "../../types.ts";
import { declare } from "./declare.ts";
import { type Direction, inDirection } from "./direction.ts";
import { scratch } from "./scratch.ts";
import { tierFinder } from "./tiers.ts";
import { tierWeight } from "./weights.ts";

/** A subset of the places from to to, never empty. */
export interface Subset {
  from: number;
  to: number;
  /** By place. */
  inside: Uint8Array;
  size: number;
  /** Of the scores inside. */
  sum: number;
}

/** Takes one step of the chain. `scores` are by place. */
export type Step = (subset: Subset, scores: Float64Array, random: Random) => void;

export function subsetChain(spec: string, { steps, direction }: { steps: number; direction: Direction }, step: Step): Objective {
  const find = tierFinder(direction);
  const [values, firsts, seconds] = [scratch(), scratch(), scratch()];
  const subset: Subset = { from: 0, to: 0, inside: new Uint8Array(0), size: 0, sum: 0 };
  return declare(
    spec,
    { cost: "none", gradient: "sampled", hessian: "bound", ties: "tier", chains: chainsOf(steps, direction, step) },
    inDirection(direction, (scores, labels, { gradient, hessian }, random, weights) => {
      const { order, starts, count } = find(labels);
      const n = labels.length;
      const s = values(n);
      for (let p = 0; p < n; p++) s[p] = scores[order[p]!]!;
      const [first, second] = [firsts(n).fill(0, 0, n), seconds(n).fill(0, 0, n)]; // moments of c, by place, over all stages
      if (subset.inside.length < n) subset.inside = new Uint8Array(2 * n);
      let cost = 0;
      for (let t = 0; t < count - 1; t++) {
        const [from, to] = [starts[t]!, starts[t + 1]!];
        const weight = tierWeight(weights, order, from, to);
        subset.from = from;
        subset.to = n;
        subset.inside.fill(1, from, to).fill(0, to, n);
        subset.size = to - from;
        subset.sum = 0;
        for (let p = from; p < to; p++) subset.sum += s[p]!;
        const observed = subset.sum / subset.size;
        record(subset, -weight, weight / (steps + 1), first, second);
        for (let draw = 0; draw < steps; draw++) {
          step(subset, s, random);
          cost += (weight * (subset.sum / subset.size - observed)) / steps;
          record(subset, weight / steps, weight / (steps + 1), first, second);
        }
      }
      for (let p = 0; p < n; p++) {
        gradient[order[p]!] = first[p]!;
        if (hessian) hessian[order[p]!] = second[p]!;
      }
      return cost;
    }),
  );
}

/** Chains that start anywhere, for diagnostics; training starts them at the observed subset. */
function chainsOf(steps: number, direction: Direction, step: Step): SubsetChains {
  const find = tierFinder(direction);
  const sign = direction === "backward" ? -1 : 1;
  return {
    steps,
    stages: (labels) => find(labels).count - 1,
    trace(scores, labels, stage, random, into) {
      const { order, starts } = find(labels);
      const n = labels.length;
      const from = starts[stage]!;
      const s = Float64Array.from(order, (i) => sign * scores[i]!);
      const places = shuffle(
        Uint32Array.from({ length: n - from }, (_, i) => from + i),
        random,
      );
      const subset: Subset = { from, to: n, inside: new Uint8Array(n), size: 1 + below(random, n - from), sum: 0 };
      for (const p of places.subarray(0, subset.size)) {
        subset.inside[p] = 1;
        subset.sum += s[p]!;
      }
      for (let t = 0; t < into.length; t++) {
        step(subset, s, random);
        into[t] = subset.sum / subset.size;
      }
    },
  };
}

function record({ from, to, inside, size }: Subset, once: number, twice: number, first: Float64Array, second: Float64Array) {
  const [one, two] = [once / size, twice / (size * size)];
  for (let p = from; p < to; p++) {
    if (inside[p] === 0) continue;
    first[p] = first[p]! + one;
    second[p] = second[p]! + two;
  }
}

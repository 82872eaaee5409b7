/**
 * Evaluates the cost of all lists at the current scores, and its derivatives by row, in shared memory. Members of a team take blocks of
 * lists as they are free; sums are taken in the order of blocks, so they do not depend on the team.
 *
 * Numbers that an objective learns beside the scores follow in each list's scores; their derivatives are summed over the lists.
 */
import { random } from "../../numeric/random.ts";
import { firstList, listBlocks, totalEntries } from "../../teams/blocks.ts";
import type { Dataset, Objective, Random, Run } from "../../types.ts";
import { totalListWeight } from "../shared/optimize.ts";

export interface GradientSums {
  /** Mean over lists. */
  readonly cost: number;
  /** By output: the sum of sizes. */
  readonly gradients: readonly number[];
  readonly hessians: readonly number[];
  /** By extra. */
  readonly auxiliaryGradients: readonly number[];
  readonly auxiliaryHessians: readonly number[];
}

/** Where an ensemble has come to. */
export interface EnsembleState {
  /** By row, then output. */
  readonly scores: Float64Array;
  readonly auxiliary: Float64Array;
  /** Of everything that is drawn for it. */
  readonly seed: number;
}

export interface GradientEvaluator {
  /** Of the ensemble that was evaluated last, by row, then output. */
  readonly gradient: Float64Array;
  /** None: all rows count 1. */
  readonly hessian: Float64Array | undefined;
  /** An ensemble without trees. */
  begin(seed: number): EnsembleState;
  evaluate(round: number, ensemble: EnsembleState): GradientSums;
}

/**
 * Rows from which derivatives need six digits only. They become whole numbers whose sizes add up to 2^31 at most (quantize.ts), so that a row has 32,000 units
 * on average.
 */
const MANY = 65_536;

/** One list's scores, gradient and Hessian, auxiliary parameters after them. */
type ListArrays = readonly [scores: Float64Array, gradient: Float64Array, hessian: Float64Array];

/** The most items of a list. */
function longestOf({ starts }: Dataset): number {
  let longest = 0;
  for (let list = 0; list + 1 < starts.length; list++) longest = Math.max(longest, starts[list + 1]! - starts[list]!);
  return longest;
}

export function gradientEvaluator(data: Dataset, objective: Objective, { team }: Run): GradientEvaluator {
  const { starts, labels } = data;
  const { outputs } = objective;
  const auxiliaryCount = objective.auxiliary.length;
  const size = labels.length * outputs;
  const blocks = listBlocks(data);
  const { bounds } = blocks;
  const firstOfAll = firstList(data);
  const gradient = team.allocShared("f64", size);
  const hessian = objective.hessian === "none" ? undefined : team.allocShared("f64", size);
  const weights = totalListWeight(data, team);
  const rounded = totalEntries(data) >= MANY;
  const longest = longestOf(data);
  const spare = Array.from({ length: 3 }, () => new Float64Array(auxiliaryCount > 0 ? longest * outputs + auxiliaryCount : 0));

  /** Where one list's scores and derivatives stand: in place, or copied out where auxiliary parameters must follow them. */
  function windows({ scores, auxiliary }: EnsembleState, from: number, to: number): ListArrays {
    if (auxiliaryCount === 0) {
      const g = gradient.subarray(from, to);
      return [scores.subarray(from, to), g, hessian ? hessian.subarray(from, to) : g];
    }
    const [s, g, h] = spare.map((all) => all.subarray(0, to - from + auxiliaryCount)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    s.set(scores.subarray(from, to));
    s.set(auxiliary, to - from);
    return [s, g, h];
  }

  /** Multiplies the derivatives of n scores by the weight of their list, and adds their sizes to the sums by output. */
  function weighAndSum(g: Float64Array, h: Float64Array, n: number, weight: number, into: Float64Array): void {
    if (weight !== 1)
      for (let i = 0; i < n; i++) {
        g[i]! *= weight;
        if (hessian) h[i]! *= weight;
      }
    for (let output = 0; output < outputs; output++) {
      let [gradientSum, hessianSum] = [into[1 + output]!, into[1 + outputs + output]!];
      for (let i = output; i < n; i += outputs) {
        gradientSum += Math.abs(g[i]!);
        hessianSum += hessian ? Math.max(0, h[i]!) : 1;
      }
      into[1 + output] = gradientSum;
      into[1 + outputs + output] = hessianSum;
    }
  }

  /** Evaluates one list, writes its derivatives, and adds to the sums: cost, gradients, Hessians, those of auxiliary parameters. */
  function evaluateList(round: number, list: number, ensemble: EnsembleState, into: Float64Array): void {
    const [first, last] = [starts[list]!, starts[list + 1]!];
    const [from, n] = [first * outputs, (last - first) * outputs];
    const [s, g, h] = windows(ensemble, from, from + n);
    const cost = objective.evaluate(
      s,
      labels.subarray(first, last),
      hessian ? { gradient: g, hessian: h, rounded } : { gradient: g, rounded },
      lazyRandom(ensemble.seed, round, firstOfAll + list),
      data.itemWeights?.subarray(first, last),
    );
    const weight = data.listWeights?.[list] ?? 1;
    into[0]! += weight * cost;
    weighAndSum(g, h, n, weight, into);
    if (auxiliaryCount === 0) return;
    for (let e = 0; e < auxiliaryCount; e++) {
      into[1 + 2 * outputs + e]! += weight * g[n + e]!;
      into[1 + 2 * outputs + auxiliaryCount + e]! += weight * (hessian ? Math.max(0, h[n + e]!) : 1);
    }
    gradient.set(g.subarray(0, n), from);
    hessian?.set(h.subarray(0, n), from);
  }

  function evaluate(round: number, ensemble: EnsembleState): GradientSums {
    const sums = team.sum(blocks, 1 + 2 * outputs + 2 * auxiliaryCount, (block, into) => {
      for (let list = bounds[block]!; list < bounds[block + 1]!; list++) evaluateList(round, list, ensemble, into);
    });
    const slice = (from: number, count: number) => Array.from(sums.subarray(from, from + count));
    return {
      cost: sums[0]! / weights,
      gradients: slice(1, outputs),
      hessians: slice(1 + outputs, outputs),
      auxiliaryGradients: slice(1 + 2 * outputs, auxiliaryCount),
      auxiliaryHessians: slice(1 + 2 * outputs + auxiliaryCount, auxiliaryCount),
    };
  }

  const begin = (seed: number): EnsembleState => ({
    scores: team.allocShared("f64", size, "zeros"),
    auxiliary: Float64Array.from(objective.auxiliary, ({ initial }) => initial),
    seed,
  });

  return { gradient, hessian, begin, evaluate };
}

/** A random stream that is created on first use: few objectives draw random numbers. */
function lazyRandom(seed: number, round: number, list: number): Random {
  let stream: Random | undefined;
  return () => {
    stream ??= random(seed, round, list);
    return stream();
  };
}

/**
 * The cost of all lists at the present scores, and its derivatives by row, written into shared memory. Members of a team take blocks of lists
 * as they are free; sums are taken in the order of blocks, so they do not depend on the team.
 *
 * Numbers that an objective learns beside the scores follow in each list's scores; their derivatives are summed over the lists.
 */
import { random } from "../../numeric/random.ts";
import { BLOCKS, cutLists } from "../../teams/blocks.ts";
import type { Dataset, Objective, Random, Run } from "../../types.ts";

export interface Sums {
  readonly cost: number; // mean over lists
  readonly gradients: readonly number[]; // by output: the sum of sizes
  readonly curvatures: readonly number[];
  readonly extraGradients: readonly number[]; // by extra
  readonly extraCurvatures: readonly number[];
}

export interface Derivator {
  readonly scores: Float64Array; // by row, then output
  readonly extras: Float64Array;
  readonly gradient: Float64Array;
  readonly curvature: Float64Array | undefined; // none: all rows count 1
  evaluate(round: number): Sums;
}

export function derivator(data: Dataset, objective: Objective, { team, seed }: Run): Derivator {
  const { starts, labels } = data;
  const { outputs, extras: more } = objective;
  const size = labels.length * outputs;
  const cuts = cutLists(starts);
  const [scores, gradient] = [team.share("f64", size, "zeros"), team.share("f64", size)];
  const curvature = objective.curvature === "none" ? undefined : team.share("f64", size);
  const extras = Float64Array.from(more, ({ start }) => start);
  const weightOf = (list: number) => data.listWeights?.[list] ?? 1;
  let weights = 0;
  let longest = 0;
  for (let list = 0; list + 1 < starts.length; list++) {
    weights += weightOf(list);
    longest = Math.max(longest, starts[list + 1]! - starts[list]!);
  }
  const spare = Array.from({ length: 3 }, () => new Float64Array(more.length > 0 ? longest * outputs + more.length : 0));

  /** Where one list's scores and derivatives stand: in place, or copied out where extras must follow them. */
  function windows(from: number, to: number): readonly [Float64Array, Float64Array, Float64Array] {
    if (more.length === 0) {
      const g = gradient.subarray(from, to);
      return [scores.subarray(from, to), g, curvature ? curvature.subarray(from, to) : g];
    }
    const [s, g, h] = spare.map((all) => all.subarray(0, to - from + more.length)) as [Float64Array, Float64Array, Float64Array];
    s.set(scores.subarray(from, to));
    s.set(extras, to - from);
    return [s, g, h];
  }

  function evaluate(round: number): Sums {
    const sums = team.sum(BLOCKS, 1 + 2 * outputs + 2 * more.length, (block, into) => {
      for (let list = cuts[block]!; list < cuts[block + 1]!; list++) {
        const [from, to] = [starts[list]! * outputs, starts[list + 1]! * outputs];
        const [s, g, h] = windows(from, to);
        const cost = objective.evaluate(
          s,
          labels.subarray(starts[list]!, starts[list + 1]!),
          curvature ? { gradient: g, curvature: h } : { gradient: g },
          later(seed, round, list),
          data.itemWeights?.subarray(starts[list]!, starts[list + 1]!),
        );
        const weight = weightOf(list);
        into[0]! += weight * cost;
        const n = to - from;
        if (weight !== 1)
          for (let i = 0; i < n; i++) {
            g[i]! *= weight;
            if (curvature) h[i]! *= weight;
          }
        for (let output = 0; output < outputs; output++) {
          let [slopes, bends] = [into[1 + output]!, into[1 + outputs + output]!];
          for (let i = output; i < n; i += outputs) {
            slopes += Math.abs(g[i]!);
            bends += curvature ? Math.max(0, h[i]!) : 1;
          }
          into[1 + output] = slopes;
          into[1 + outputs + output] = bends;
        }
        for (let e = 0; e < more.length; e++) {
          into[1 + 2 * outputs + e]! += weight * g[n + e]!;
          into[1 + 2 * outputs + more.length + e]! += weight * (curvature ? Math.max(0, h[n + e]!) : 1);
        }
        if (more.length > 0) {
          gradient.set(g.subarray(0, n), from);
          curvature?.set(h.subarray(0, n), from);
        }
      }
    });
    const told = (from: number, count: number) => Array.from(sums.subarray(from, from + count));
    return {
      cost: sums[0]! / weights,
      gradients: told(1, outputs),
      curvatures: told(1 + outputs, outputs),
      extraGradients: told(1 + 2 * outputs, more.length),
      extraCurvatures: told(1 + 2 * outputs + more.length, more.length),
    };
  }

  return { scores, extras, gradient, curvature, evaluate };
}

/** A stream of random numbers that is set up when somebody draws from it: few objectives do. */
function later(seed: number, round: number, list: number): Random {
  let stream: Random | undefined;
  return () => {
    stream ??= random(seed, round, list);
    return stream();
  };
}

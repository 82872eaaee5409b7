/**
 * Fits a vector of numbers to an objective by an optimizer: what the models that are moved by gradients share. The cost is the mean over
 * lists, weighted as the data say, plus l2/2 times the squares of the numbers it concerns.
 */
import { Mistake } from "../../mistake.ts";
import { Heap } from "../../numeric/heap.ts";
import { random } from "../../numeric/random.ts";
import { cutEvenly, cutLists } from "../../teams/blocks.ts";
import type { Dataset, Objective, Optimizer, Problem, Run } from "../../types.ts";
import { foldOutputs } from "./fold.ts";

/** How a model's numbers become the scores of a list, and how what is asked of the scores comes back to the numbers. */
export interface Shape {
  readonly size: number;
  readonly penalised: number; // l2 concerns the first so many numbers
  /** Writes the scores of list q, `outputs` per entry, into `into`. */
  score(params: Float64Array, data: Dataset, q: number, into: Float64Array): void;
  /** Adds to `into` what the gradient of list q's scores means for the numbers. */
  pull(data: Dataset, q: number, gradient: Float64Array, into: Float64Array): void;
}

export interface Descent {
  readonly optimizer: Optimizer;
  readonly l2: number;
  readonly start?: Float64Array;
}

export interface Landed {
  readonly params: Float64Array; // of the model
  readonly extras: Readonly<Record<string, number>>; // of the objective, by name
}

const MOST = 2 ** 27; // numbers: a gradient and its history must fit into memory

/** The numbers of the best round. */
export function descend(data: Dataset, objective: Objective, run: Run, shape: Shape, descent: Descent): Landed {
  if (shape.size > MOST) throw new Mistake(`a model of ${shape.size} numbers is too large for memory; leave features out`);
  const heap = new Heap();
  try {
    return solve(pose(data, objective, run, shape, descent.l2, heap), data, objective, run, shape, descent, heap);
  } finally {
    heap.close();
  }
}

/** The same for a problem that is posed already. */
export function solve(
  problem: Problem,
  data: Dataset,
  objective: Objective,
  run: Run,
  shape: Shape,
  { optimizer, start }: Omit<Descent, "l2">,
  heap: Heap,
): Landed {
  const params = heap.f64(problem.size, "zeros");
  if (start) params.set(start);
  objective.extras.forEach((extra, i) => {
    params[shape.size + i] = extra.start;
  });
  const best = params.slice();
  const watched = run.watched ?? data;
  const scores = run.team.share("f64", watched.labels.length);
  const cuts = cutLists(watched.starts);
  const scoreAll = () => {
    run.team.each(cuts.length - 1, (block) =>
      scoreLists(shape, params, watched, objective, cuts[block]!, cuts[block + 1]!, scores, heap),
    );
    return scores;
  };
  optimizer.minimise(problem, params, random(run.seed, 0x5eed), (round, cost) => {
    const verdict = run.proceed(round, { cost, scores: scoreAll });
    if (verdict === "keep") best.set(params);
    return verdict === "stop" ? "stop" : "go on";
  });
  const extras = Object.fromEntries(objective.extras.map(({ name }, i) => [name, best[shape.size + i]!]));
  return { params: best.slice(0, shape.size), extras };
}

/** The mean cost over the lists, as a function of the model's numbers and then the objective's extras. */
export function pose(data: Dataset, objective: Objective, run: Run, shape: Shape, l2: number, heap: Heap): Problem {
  const { starts, labels, listWeights, itemWeights } = data;
  const lists = starts.length - 1;
  const { outputs, extras } = objective;
  const size = shape.size + extras.length;
  const room = longest(starts) * outputs + extras.length;
  const [held, allScores, allGradients] = [heap.f64(size), heap.f64(room), heap.f64(room)];
  const mean = listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) / lists : 1;
  const whole = cutLists(starts, blocksFor(lists, size));

  /** Adds cost and gradient of list q. */
  const visit = (q: number, round: number, into: Float64Array) => {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const n = (to - from) * outputs;
    const scores = allScores.subarray(0, n + extras.length);
    const gradient = allGradients.subarray(0, n + extras.length);
    shape.score(held, data, q, scores.subarray(0, n));
    for (let e = 0; e < extras.length; e++) scores[n + e] = held[shape.size + e]!;
    const weights = itemWeights?.subarray(from, to);
    const cost = objective.evaluate(scores, labels.subarray(from, to), { gradient }, random(run.seed, round, q), weights);
    const weight = (listWeights ? listWeights[q]! : 1) / mean;
    if (weight !== 1) for (let i = 0; i < gradient.length; i++) gradient[i] = gradient[i]! * weight;
    shape.pull(data, q, gradient.subarray(0, n), into);
    for (let e = 0; e < extras.length; e++) into[shape.size + e] = into[shape.size + e]! + gradient[n + e]!;
    into[size] = into[size]! + weight * cost;
  };

  return {
    size,
    lists,
    gradient: objective.gradient,
    evaluate(params, gradient, round, batch) {
      held.set(params);
      const count = batch ? batch.length : lists;
      const cuts = batch ? cutEvenly(count, blocksFor(count, size)) : whole;
      const sum = run.team.sum(cuts.length - 1, size + 1, (block, into) => {
        for (let at = cuts[block]!; at < cuts[block + 1]!; at++) visit(batch ? batch[at]! : at, round, into);
      });
      let penalty = 0;
      for (let i = 0; i < size; i++) {
        gradient[i] = sum[i]! / count;
        if (i >= shape.penalised) continue;
        gradient[i] = gradient[i]! + l2 * params[i]!;
        penalty += params[i]! * params[i]!;
      }
      return sum[size]! / count + (l2 / 2) * penalty;
    },
  };
}

/** As many blocks as keep a large team busy, fewer where each would need a long gradient of its own. */
export const blocksFor = (lists: number, size: number) => Math.max(1, Math.min(64, lists, Math.floor(2 ** 23 / size)));

function longest(starts: Uint32Array): number {
  let most = 0;
  for (let q = 1; q < starts.length; q++) most = Math.max(most, starts[q]! - starts[q - 1]!);
  return most;
}

/** Final scores of lists from to to, one per entry, where the whole data's scores are. */
function scoreLists(
  shape: Shape,
  params: Float64Array,
  data: Dataset,
  cost: Objective,
  from: number,
  to: number,
  into: Float64Array,
  heap: Heap,
) {
  const mark = heap.mark();
  for (let q = from; q < to; q++) {
    const scores = into.subarray(data.starts[q]!, data.starts[q + 1]!);
    const outputs = cost.outputs === 1 ? scores : heap.f64(scores.length * cost.outputs);
    shape.score(params, data, q, outputs);
    if (outputs !== scores) foldOutputs(outputs, cost.fold, scores);
    heap.release(mark);
  }
}

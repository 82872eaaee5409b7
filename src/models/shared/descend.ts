/**
 * Fits a vector of numbers to an objective by an optimizer: what the models that are moved by gradients share. The cost is the mean over
 * lists, weighted as the data say, plus l2/2 times the squares of the numbers it concerns.
 */
import { random } from "../../numeric/random.ts";
import { cutEvenly, cutLists } from "../../teams/blocks.ts";
import type { Dataset, Objective, Optimizer, Problem, Run } from "../../types.ts";

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

/** The numbers of the best round. */
export function descend(data: Dataset, objective: Objective, run: Run, shape: Shape, { optimizer, l2, start }: Descent): Landed {
  const problem = pose(data, objective, run, shape, l2);
  const params = new Float64Array(problem.size);
  if (start) params.set(start);
  objective.extras.forEach((extra, i) => {
    params[shape.size + i] = extra.start;
  });
  const best = params.slice();
  optimizer.minimise(problem, params, random(run.seed, 0x5eed), (round, cost) => {
    const verdict = run.proceed(round, { cost, scores: () => scoreAll(shape, params, run.watched ?? data, objective) });
    if (verdict === "keep") best.set(params);
    return verdict === "stop" ? "stop" : "go on";
  });
  const extras = Object.fromEntries(objective.extras.map(({ name }, i) => [name, best[shape.size + i]!]));
  return { params: best.subarray(0, shape.size), extras };
}

function pose(data: Dataset, objective: Objective, run: Run, shape: Shape, l2: number): Problem {
  const { starts, labels, listWeights, itemWeights } = data;
  const lists = starts.length - 1;
  const { outputs, extras } = objective;
  const size = shape.size + extras.length;
  const longest = starts.reduce((most, start, q) => (q > 0 ? Math.max(most, start - starts[q - 1]!) : 0), 0);
  const room = {
    scores: new Float64Array(longest * outputs + extras.length),
    gradient: new Float64Array(longest * outputs + extras.length),
  };
  const mean = listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) / lists : 1;
  const whole = cutLists(starts, blocksFor(lists, size));

  /** Adds cost and gradient of list q. */
  const visit = (q: number, params: Float64Array, round: number, into: Float64Array) => {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const n = (to - from) * outputs;
    const scores = room.scores.subarray(0, n + extras.length);
    const gradient = room.gradient.subarray(0, n + extras.length);
    shape.score(params, data, q, scores);
    for (let e = 0; e < extras.length; e++) scores[n + e] = params[shape.size + e]!;
    const draw = random(run.seed, round, q);
    const weights = itemWeights?.subarray(from, to);
    const cost = objective.evaluate(scores, labels.subarray(from, to), { gradient }, draw, weights);
    const weight = (listWeights ? listWeights[q]! : 1) / mean;
    if (weight !== 1) for (let i = 0; i < gradient.length; i++) gradient[i] = gradient[i]! * weight;
    shape.pull(data, q, gradient, into);
    for (let e = 0; e < extras.length; e++) into[shape.size + e] = into[shape.size + e]! + gradient[n + e]!;
    into[size] = into[size]! + weight * cost;
  };

  return {
    size,
    lists,
    gradient: objective.gradient,
    evaluate(params, gradient, round, batch) {
      const count = batch ? batch.length : lists;
      const cuts = batch ? cutEvenly(count, blocksFor(count, size)) : whole;
      const sum = run.team.sum(cuts.length - 1, size + 1, (block, into) => {
        for (let at = cuts[block]!; at < cuts[block + 1]!; at++) visit(batch ? batch[at]! : at, params, round, into);
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
const blocksFor = (lists: number, size: number) => Math.max(1, Math.min(64, lists, Math.floor(2 ** 23 / size)));

function scoreAll(shape: Shape, params: Float64Array, data: Dataset, { outputs }: Objective): Float64Array {
  const into = new Float64Array(data.labels.length * outputs);
  for (let q = 0; q + 1 < data.starts.length; q++) {
    shape.score(params, data, q, into.subarray(data.starts[q]! * outputs, data.starts[q + 1]! * outputs));
  }
  return into;
}

/**
 * Fits a parameter vector to an objective with an optimizer, for all gradient-based models. The cost is the weighted mean over lists plus
 * l2/2 times the squares of the penalized parameters.
 */
import { InputError } from "../../input-error.ts";
import { type Heap, withHeap } from "../../numeric/heap.ts";
import { random } from "../../numeric/random.ts";
import { blocksFrom, firstList, listBlocks, splitEvenly, splitLists, summedBlocks, totalLists } from "../../teams/blocks.ts";
import type { Dataset, Objective, Optimizer, Problem, Run, Snapshot, Team } from "../../types.ts";
import { reduceOutputs } from "./reduce-outputs.ts";

/** The forward and backward pass of a model: parameters to scores, and gradients of scores to gradients of parameters. */
export interface ScoreFunction {
  readonly size: number;
  /** Number of leading parameters that l2 applies to. */
  readonly penalized: number;
  /** Writes the scores of list q, `outputs` per entry, into `into`. */
  score(params: Float64Array, data: Dataset, q: number, into: Float64Array): void;
  /** Adds the gradient of the parameters, given the gradient of list q's scores, to `into`. */
  backward(data: Dataset, q: number, gradient: Float64Array, into: Float64Array): void;
}

export interface OptimizeOptions {
  readonly optimizer: Optimizer;
  readonly l2: number;
  readonly start?: Float64Array;
}

export interface OptimizeResult {
  /** Of the model. */
  readonly params: Float64Array;
  /** Of the objective, by name. */
  readonly auxiliary: Readonly<Record<string, number>>;
}

/** What a checkpoint keeps. */
type State = { readonly params: Float64Array; readonly best: Float64Array; readonly optimizer: Snapshot };

const MOST = 2 ** 27; // numbers: a gradient and its history must fit into memory

/** Optimizes and returns the parameters of the best round. */
export function optimize(
  data: Dataset,
  objective: Objective,
  run: Run,
  scorer: ScoreFunction,
  options: OptimizeOptions,
): OptimizeResult {
  if (scorer.size > MOST) throw new InputError(`a model of ${scorer.size} parameters is too large for memory; drop features`);
  return withHeap((heap) => {
    const problem = makeProblem(data, objective, run, scorer, options.l2, heap);
    return optimizeProblem(problem, data, objective, run, scorer, options, heap);
  });
}

/** The same for an existing problem. */
export function optimizeProblem(
  problem: Problem,
  data: Dataset,
  objective: Objective,
  run: Run,
  scorer: ScoreFunction,
  { optimizer, start }: Omit<OptimizeOptions, "l2">,
  heap: Heap,
): OptimizeResult {
  const params = heap.f64(problem.size, "zeros");
  if (start) params.set(start);
  objective.auxiliary.forEach((extra, i) => {
    params[scorer.size + i] = extra.initial;
  });
  const best = params.slice();
  const watched = run.validation ?? data;
  const { outputs } = objective;
  const raw = run.team.allocShared("f64", watched.labels.length * outputs); // by entry, then output
  const scores = objective.reduction ? new Float64Array(watched.labels.length) : raw;
  const bounds = splitLists(watched.starts);
  const scoreAll = () => {
    run.team.parallelFor(bounds.length - 1, (block) => {
      for (let q = bounds[block]!; q < bounds[block + 1]!; q++)
        scorer.score(params, watched, q, raw.subarray(watched.starts[q]! * outputs, watched.starts[q + 1]! * outputs));
    });
    return raw;
  };
  const afterRound = (round: number, cost: number) => {
    let scored: Float64Array | undefined; // once a round, whoever asks first
    const status = run.afterRound(round, {
      cost: params.every(Number.isFinite) ? cost : Number.NaN, // steps after the cost was taken may have left the range of numbers
      scores() {
        scored ??= scoreAll();
        if (scores !== raw) reduceOutputs(scored, objective.reduction, scores);
        return scores;
      },
      outputs() {
        scored ??= scoreAll();
        return { scores: scored, auxiliary: params.subarray(scorer.size) };
      },
    });
    if (status === "improved") best.set(params);
    return status === "stop" ? "stop" : "continue";
  };
  const { checkpoint } = run;
  const restored = checkpoint?.restored as State | undefined;
  if (restored) {
    params.set(restored.params);
    best.set(restored.best);
  }
  optimizer.minimize(
    ...([problem, params, random(run.seed, 0x5eed), afterRound] as const),
    checkpoint && {
      restored: restored?.optimizer,
      save: (state) => checkpoint.save((): State => ({ params, best, optimizer: state() })),
    },
  );
  const auxiliary = Object.fromEntries(objective.auxiliary.map(({ name }, i) => [name, best[scorer.size + i]!]));
  return { params: best.slice(0, scorer.size), auxiliary };
}

/** The mean cost over the lists, as a function of the model's numbers and then the objective's auxiliary parameters. */
export function makeProblem(
  data: Dataset,
  objective: Objective,
  run: Run,
  scorer: ScoreFunction,
  l2: number,
  heap: Heap,
): Problem {
  const { starts, labels, listWeights, itemWeights } = data;
  const lists = totalLists(data);
  const first = firstList(data);
  const { outputs, auxiliary } = objective;
  const size = scorer.size + auxiliary.length;
  const maxScores = longest(starts) * outputs + auxiliary.length;
  const [held, allScores, allGradients] = [heap.f64(size), heap.f64(maxScores), heap.f64(maxScores)];
  const mean = totalListWeight(data, run.team) / lists;
  const whole = summedBlocks(data, run.team.processes, blocksFor(lists, size));

  /** Blocks of the lists of a batch, which ascend. */
  const batchBlocks = (batch: Uint32Array) => {
    const all = splitEvenly(batch.length, blocksFor(batch.length, size));
    const before = batch.findIndex((q) => q >= first);
    const from = before < 0 ? batch.length : before;
    const after = batch.findIndex((q) => q - first >= starts.length - 1);
    return { ...blocksFrom(all, from, (after < 0 ? batch.length : after) - from), divided: data.shard !== undefined };
  };

  /** Adds cost and gradient of list q. */
  const visit = (q: number, round: number, into: Float64Array) => {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const n = (to - from) * outputs;
    const scores = allScores.subarray(0, n + auxiliary.length);
    const gradient = allGradients.subarray(0, n + auxiliary.length);
    scorer.score(held, data, q, scores.subarray(0, n));
    for (let e = 0; e < auxiliary.length; e++) scores[n + e] = held[scorer.size + e]!;
    const weights = itemWeights?.subarray(from, to);
    const cost = objective.evaluate(scores, labels.subarray(from, to), { gradient }, random(run.seed, round, first + q), weights);
    const weight = (listWeights ? listWeights[q]! : 1) / mean;
    if (weight !== 1) for (let i = 0; i < gradient.length; i++) gradient[i] = gradient[i]! * weight;
    scorer.backward(data, q, gradient.subarray(0, n), into);
    for (let e = 0; e < auxiliary.length; e++) into[scorer.size + e] = into[scorer.size + e]! + gradient[n + e]!;
    into[size] = into[size]! + weight * cost;
  };

  return {
    size,
    lists,
    gradient: objective.gradient,
    evaluate(params, gradient, round, batch) {
      held.set(params);
      const count = batch ? batch.length : lists;
      const ordered = batch?.slice().sort(); // so that the lists of a process stand together
      const blocks = ordered ? batchBlocks(ordered) : whole;
      const { bounds } = blocks;
      const own = ordered?.filter((q) => q >= first && q - first < starts.length - 1);
      const sum = run.team.sum(blocks, size + 1, (block, into) => {
        for (let at = bounds[block]!; at < bounds[block + 1]!; at++) visit(own ? own[at]! - first : at, round, into);
      });
      let penalty = 0;
      for (let i = 0; i < size; i++) {
        gradient[i] = sum[i]! / count;
        if (i >= scorer.penalized) continue;
        gradient[i] = gradient[i]! + l2 * params[i]!;
        penalty += params[i]! * params[i]!;
      }
      return sum[size]! / count + (l2 / 2) * penalty;
    },
  };
}

/** The sum of the weights of all lists, added in their order. */
export function totalListWeight(data: Pick<Dataset, "starts" | "shard" | "listWeights">, team: Team): number {
  const { listWeights } = data;
  if (!listWeights) return totalLists(data);
  const one = listBlocks(data, 1);
  return team.sum(one, 1, (_, into) => {
    for (let q = one.bounds[0]!; q < one.bounds[1]!; q++) into[0]! += listWeights[q]!;
  })[0]!;
}

/** As many blocks as keep a large team busy, fewer where each would need a long gradient of its own. */
export const blocksFor = (lists: number, size: number) => Math.max(1, Math.min(64, lists, Math.floor(2 ** 23 / size)));

function longest(starts: Uint32Array): number {
  let most = 0;
  for (let q = 1; q < starts.length; q++) most = Math.max(most, starts[q]! - starts[q - 1]!);
  return most;
}

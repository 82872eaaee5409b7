/**
 * A batch of lists over a label space, as the two output layers over labels see it (labels.ts, sampled-labels.ts). Threads work on blocks of
 * labels, and what the blocks of a list exchange stands here, in shared memory: the scores of its judged labels, the mass of the others or
 * their pairs with the judged ones, and the gradients that come back.
 */
import type { Heap } from "../../numeric/heap.ts";
import { columnSums, hingePairs, logisticPairs } from "../../numeric/network.ts";
import type { Dataset, Objective, Random, Team } from "../../types.ts";

const GROUP = 8; // lists whose costs are taken together

/** Arrays by block and row of the batch have row r of block b at b * capacity + r. */
export interface LabelBatch {
  readonly data: Dataset;
  readonly items: Uint32Array;
  readonly objective: Objective;
  /** Whether the last tier enters through pairs with the judged labels. */
  readonly pairs: boolean;
  /** The most lists of a batch. */
  readonly capacity: number;
  /** The most judged labels of a list. */
  readonly judged: number;
  /** The mean weight of a list. */
  readonly meanWeight: number;
  /** Activations of the last hidden layer. */
  readonly hidden: number;
  /** Scores, then their gradients, block after block. */
  readonly z: Float32Array;
  /** The gradient of hidden rows, a part from each block. */
  readonly hiddenGradients: Float32Array;
  /** By block and row: the largest score of the last tier, and Σ e^(z - top). */
  readonly tops: Float64Array;
  readonly masses: Float64Array;
  /** By block and row: what its scores, or e^(z - top), are multiplied by to become gradients. */
  readonly factors: Float32Array;
  /** Of judged labels, list after list. */
  readonly scores: Float32Array;
  readonly scoreGradients: Float32Array;
  readonly costs: Float64Array;
  /** By block, row and judged label. */
  readonly pairCosts: Float64Array;
  readonly pairGradients: Float64Array;
  /** Of this member: the judged labels of one row, as the kernels of pairs take them. */
  readonly better: Float32Array;
  readonly pairWeights: Float32Array;
}

export interface LabelBatchSize {
  readonly capacity: number;
  readonly hidden: number;
  /** The most blocks of a step, and their columns. */
  readonly blocks: number;
  readonly width: number;
}

/** The most judged labels of a list, at least 1. */
export function mostJudged({ starts }: Dataset): number {
  let judged = 1;
  for (let q = 0; q + 1 < starts.length; q++) judged = Math.max(judged, starts[q + 1]! - starts[q]!);
  return judged;
}

export function labelBatch(team: Team, heap: Heap, data: Dataset, objective: Objective, size: LabelBatchSize): LabelBatch {
  const { capacity, hidden, blocks, width } = size;
  const { listWeights } = data;
  const pairs = objective.negatives === "logistic" || objective.negatives === "hinge";
  const judged = mostJudged(data);
  const pairSize = pairs ? blocks * capacity * judged : 1;
  return {
    ...{ data, items: data.items!, objective, pairs, capacity, judged, hidden },
    meanWeight: listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) / listWeights.length : 1,
    z: team.allocShared("f32", blocks * capacity * width),
    hiddenGradients: team.allocShared("f32", blocks * capacity * hidden),
    tops: team.allocShared("f64", blocks * capacity),
    masses: team.allocShared("f64", blocks * capacity),
    factors: team.allocShared("f32", blocks * capacity),
    scores: team.allocShared("f32", capacity * judged),
    scoreGradients: team.allocShared("f32", capacity * judged),
    costs: team.allocShared("f64", capacity),
    pairCosts: team.allocShared("f64", pairSize),
    pairGradients: team.allocShared("f64", pairSize),
    better: heap.f32(judged),
    pairWeights: heap.f32(judged),
  };
}

/** Compares the judged labels of each list with the scores of block b, of which `here` has a row of `width` columns for each list. */
export function comparePairs(batch: LabelBatch, lists: Uint32Array, b: number, here: Float32Array, width: number): void {
  const { judged, better, pairWeights, pairCosts, pairGradients, scores } = batch;
  const { starts, itemWeights } = batch.data;
  const compare = batch.objective.negatives === "hinge" ? hingePairs : logisticPairs;
  for (let r = 0; r < lists.length; r++) {
    const [from, to] = [starts[lists[r]!]!, starts[lists[r]! + 1]!];
    for (let i = from; i < to; i++) {
      better[i - from] = scores[r * judged + i - from]!;
      pairWeights[i - from] = itemWeights ? itemWeights[i]! : 1;
    }
    const at = (b * batch.capacity + r) * judged;
    const row = here.subarray(r * width, (r + 1) * width);
    compare(row, better, pairWeights, to - from, pairCosts.subarray(at), pairGradients.subarray(at));
  }
}

/** Adds the pairs of list q with block b, `scale` times, to the gradient of its judged labels; `cost` with theirs added. */
export function addPairs(
  batch: LabelBatch,
  [q, r, b]: readonly [q: number, r: number, b: number],
  scale: number,
  gradient: Float64Array,
  cost: number,
): number {
  const { starts, itemWeights } = batch.data;
  const from = starts[q]!;
  const at = (b * batch.capacity + r) * batch.judged;
  for (let i = 0; i < starts[q + 1]! - from; i++) {
    const weight = scale * (itemWeights ? itemWeights[from + i]! : 1);
    cost += weight * batch.pairCosts[at + i]!;
    gradient[i] = gradient[i]! - weight * batch.pairGradients[at + i]!;
  }
  return cost;
}

/** Scratch of one member for the list that it evaluates. */
export interface EvaluatedList {
  readonly scores: Float64Array;
  readonly gradient: Float64Array;
  readonly labels: Float32Array;
  readonly weights: Float32Array;
}

export const evaluatedList = (items: number, auxiliary = 0): EvaluatedList => ({
  scores: new Float64Array(items + auxiliary),
  gradient: new Float64Array(items + auxiliary),
  labels: new Float32Array(items),
  weights: new Float32Array(items),
});

/** Copies the judged labels of list q, row r of the batch, to where they are evaluated. */
export function loadJudged({ data, scores, judged }: LabelBatch, list: EvaluatedList, q: number, r: number): void {
  const { starts, labels, itemWeights } = data;
  const from = starts[q]!;
  for (let i = 0; i < starts[q + 1]! - from; i++) {
    list.scores[i] = scores[r * judged + i]!;
    list.labels[i] = labels[from + i]!;
    if (itemWeights) list.weights[i] = itemWeights[from + i]!;
  }
}

/**
 * The cost of the first `few` labels of a list with one of score `rest` after them for the last tier, or without one where that is
 * -Infinity. The gradient is in `list`, that of the last tier at `few`.
 */
export function evaluateJudged(
  { data, objective }: LabelBatch,
  list: EvaluatedList,
  few: number,
  rest: number,
  draw: Random,
): number {
  const size = rest > -Infinity ? few + 1 : few;
  list.scores[few] = rest;
  list.labels[few] = 0;
  list.weights[few] = 1;
  list.gradient[few] = 0;
  const weights = data.itemWeights ? list.weights.subarray(0, size) : undefined;
  const into = { gradient: list.gradient.subarray(0, size) };
  return objective.evaluate(list.scores.subarray(0, size), list.labels.subarray(0, size), into, draw, weights);
}

/** Writes the gradient of the judged labels of list q, times `scale`, to where blocks read it. */
export function storeJudged(
  { data, scoreGradients, judged }: LabelBatch,
  q: number,
  r: number,
  gradient: Float64Array,
  scale: number,
) {
  const few = data.starts[q + 1]! - data.starts[q]!;
  for (let i = 0; i < few; i++) scoreGradients[r * judged + i] = scale * gradient[i]!;
}

/** Takes the costs of all lists, in groups; `evaluate` gets the scale of a list's gradient in that of the mean cost. */
export function evaluateLists(
  team: Team,
  { data: { listWeights }, meanWeight, costs }: LabelBatch,
  lists: Uint32Array,
  evaluate: (q: number, r: number, scale: number) => number,
): void {
  const rows = lists.length;
  team.parallelFor(Math.ceil(rows / GROUP), (group) => {
    for (let r = group * GROUP; r < Math.min(rows, (group + 1) * GROUP); r++) {
      const q = lists[r]!;
      const weight = (listWeights ? listWeights[q]! : 1) / meanWeight;
      costs[r] = weight * evaluate(q, r, weight / rows);
    }
  });
}

/** Adds up the gradient of hidden rows, in the order of blocks. */
export function sumHiddenGradients(team: Team, batch: LabelBatch, rows: number, blocks: number, back: Float32Array): void {
  const { hiddenGradients, hidden: n, capacity } = batch;
  team.parallelFor(Math.ceil(rows / GROUP), (group) => {
    const [from, to] = [group * GROUP, Math.min(rows, (group + 1) * GROUP)];
    columnSums(hiddenGradients, from * n, blocks, (to - from) * n, capacity * n, back.subarray(from * n, to * n));
  });
}

export function meanCost({ costs }: LabelBatch, rows: number): number {
  let cost = 0;
  for (let r = 0; r < rows; r++) cost += costs[r]!;
  return cost / rows;
}

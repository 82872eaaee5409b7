/**
 * The output layer of multi-label networks: a score for every label, for lists with few relevant labels whose others form the last tier.
 *
 * Items are cut into blocks of neighbors, whose scores, gradients and weights are one thread's at a time; what blocks share is, for each
 * list of the batch, a mass or a few sums (and the gradient of the hidden row, added up in the order of blocks). How the last tier enters
 * the cost is declared by `negatives` of the objective: through its log-sum-exp, where one item of score log Σ e^z replaces all; through
 * pairs with the judged items; or, without that word, by evaluating each list whole, one list at a time in float64. Scores, weights and
 * gradients are float32.
 */
import { exp, log } from "../../numeric/functions.ts";
import { Heap } from "../../numeric/heap.ts";
import { columnSlice, matmul, matrixView, rowSlice, transposed } from "../../numeric/matmul.ts";
import { adamStep, columnSums, expSumRows, scaleRows } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset, Objective, Team } from "../../types.ts";
import { lowerBound } from "./feature-groups.ts";
import type { Head } from "./head.ts";
import {
  addPairs,
  comparePairs,
  evaluatedList,
  evaluateJudged,
  evaluateLists,
  type LabelBatch,
  labelBatch,
  loadJudged,
  meanCost,
  mostJudged,
  storeJudged,
  sumHiddenGradients,
} from "./label-batch.ts";
import { initialize, type Layer, newLayer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";

/** Items of a block: enough to fill the caches, few enough to keep a team busy. Depends on the label space alone. */
export const blockWidth = (items: number) => Math.min(512, Math.max(32, 8 * Math.ceil(items / 16 / 8)));

/** Label after label; biases are filled up to whole blocks with -Infinity, scores that no item has. */
export function labelLayer(team: Pick<Team, "allocShared" | "parallelFor">, inputs: number, items: number): Layer {
  const width = blockWidth(items);
  return newLayer(team, inputs, items, Math.ceil(items / width) * width);
}

export function drawLabels(team: Pick<Team, "allocShared" | "parallelFor">, layer: Layer, seed: number, which: number): void {
  initialize(team, layer, layer.inputs, seed, which);
  team.parallelFor(1, () => layer.biases.w.fill(-Infinity, layer.outputs));
}

/** The memory and constants of one output layer. */
function newState(team: Team, layer: Layer, data: Dataset, objective: Objective, capacity: number, seed: number) {
  const { inputs: n, outputs: count } = layer;
  const { negatives } = objective;
  const width = blockWidth(count);
  const blocks = Math.ceil(count / width);
  const heap = new Heap();
  return {
    ...{ layer, negatives, width, blocks, seed, heap },
    batch: labelBatch(team, heap, data, objective, { capacity, hidden: n, blocks, width }),
    gradient: heap.f32(width * n), // of the weights of a block
    list: evaluatedList(negatives ? mostJudged(data) + 1 : count, objective.auxiliary.length),
  };
}

type State = ReturnType<typeof newState>;

/** The labels of block b, and its scores. */
function block({ layer, width, batch: { z, capacity } }: State, b: number) {
  const [from, to] = [b * width, Math.min(layer.outputs, (b + 1) * width)];
  return { from, to, here: z.subarray(b * capacity * width, (b + 1) * capacity * width) };
}

/** Calls visit for each judged label of the batch inside a block: its place in the row of scores, and its place among the judged. */
function eachJudged(
  { items, judged, data: { starts } }: LabelBatch,
  lists: Uint32Array,
  [from, to]: readonly [from: number, to: number],
  visit: (row: number, column: number, at: number) => void,
): void {
  for (let r = 0; r < lists.length; r++) {
    const q = lists[r]!;
    for (let i = lowerBound(items, starts[q]!, starts[q + 1]!, from); i < starts[q + 1]! && items[i]! < to; i++)
      visit(r, items[i]! - from, r * judged + i - starts[q]!);
  }
}

/** The scores of a block for all lists; those of judged labels are taken out of it unless lists are evaluated whole. */
function forward(state: State, lists: Uint32Array, hidden: Float32Array, b: number): void {
  const { layer, negatives, width } = state;
  const { inputs: n, outputs: count, weights, biases } = layer;
  const { capacity, scores, tops, masses } = state.batch;
  const rows = lists.length;
  const { from, to, here } = block(state, b);
  const bias = biases.w.subarray(from, from + width);
  for (let r = 0; r < rows; r++) here.set(bias, r * width);
  const across = transposed(rowSlice(matrixView(weights.w, count, n), from, to));
  matmul(matrixView(hidden, rows, n), across, columnSlice(matrixView(here, rows, width), 0, to - from), "add");
  eachJudged(state.batch, lists, [from, to], (row, column, at) => {
    scores[at] = here[row * width + column]!;
    if (negatives) here[row * width + column] = -Infinity; // not of the last tier
  });
  if (negatives === "log-sum-exp") expSumRows(here, rows, width, tops.subarray(b * capacity), masses.subarray(b * capacity));
}

/** The log of the mass of the last tier, blocks in their order. */
function logMassOfRest({ batch: { capacity, tops, masses }, blocks }: State, r: number): number {
  let top = -Infinity;
  for (let b = 0; b < blocks; b++) if (masses[b * capacity + r]! > 0) top = Math.max(top, tops[b * capacity + r]!);
  if (top === -Infinity) return top;
  let mass = 0;
  for (let b = 0; b < blocks; b++) {
    const part = masses[b * capacity + r]!;
    if (part > 0) mass += part * exp(tops[b * capacity + r]! - top);
  }
  return top + log(mass);
}

/** The cost of list q, row r of the batch, and its gradient for the judged labels and the blocks. */
function evaluateList(state: State, q: number, r: number, scale: number, step: number): number {
  const { batch, list, blocks } = state;
  const { data, capacity, factors, tops, pairs } = batch;
  const few = data.starts[q + 1]! - data.starts[q]!;
  loadJudged(batch, list, q, r);
  const rest = pairs ? -Infinity : logMassOfRest(state, r);
  let cost = evaluateJudged(batch, list, few, rest, random(state.seed, step, q));
  for (let b = 0; b < blocks; b++) {
    const at = b * capacity + r;
    if (pairs) {
      factors[at] = scale;
      cost = addPairs(batch, [q, r, b], 1, list.gradient, cost);
    } else factors[at] = rest > -Infinity ? scale * list.gradient[few]! * exp(tops[at]! - rest) : 0;
  }
  storeJudged(batch, q, r, list.gradient, scale);
  return cost;
}

/** The same for an objective that must see the whole list. Its gradient takes the place of the scores. */
function evaluateWholeList(state: State, q: number, r: number, scale: number, step: number): number {
  const { batch, list, blocks, width } = state;
  const { items, judged, scoreGradients } = batch;
  const { starts, labels, itemWeights } = batch.data;
  list.labels.fill(0);
  list.weights.fill(1);
  for (let i = starts[q]!; i < starts[q + 1]!; i++) {
    list.labels[items[i]!] = labels[i]!;
    if (itemWeights) list.weights[items[i]!] = itemWeights[i]!;
  }
  for (let b = 0; b < blocks; b++) {
    const { from, to, here } = block(state, b);
    for (let j = from; j < to; j++) list.scores[j] = here[r * width + j - from]!;
  }
  const draw = random(state.seed, step, q);
  const cost = batch.objective.evaluate(list.scores, list.labels, { gradient: list.gradient }, draw, itemWeights && list.weights);
  for (let b = 0; b < blocks; b++) {
    const { from, to, here } = block(state, b);
    here.fill(0, r * width, (r + 1) * width);
    for (let j = from; j < to; j++) here[r * width + j - from] = scale * list.gradient[j]!;
    batch.factors[b * batch.capacity + r] = 1;
  }
  for (let i = starts[q]!; i < starts[q + 1]!; i++)
    scoreGradients[r * judged + i - starts[q]!] = scale * list.gradient[items[i]!]!;
  return cost;
}

/** Turns the scores of a block into gradients, adds its part to those of hidden rows, and moves its weights. */
function backward(state: State, lists: Uint32Array, hidden: Float32Array, b: number, adam: LazyAdam): void {
  const { layer, negatives, width, gradient } = state;
  const { inputs: n, outputs: count, weights, biases } = layer;
  const { capacity, factors, scoreGradients, hiddenGradients } = state.batch;
  const rows = lists.length;
  const { from, to, here } = block(state, b);
  if (negatives) scaleRows(here, rows, width, factors.subarray(b * capacity));
  eachJudged(state.batch, lists, [from, to], (row, column, at) => {
    here[row * width + column] = scoreGradients[at]!;
  });
  const blockGradient = columnSlice(matrixView(here, rows, width), 0, to - from);
  const into = matrixView(hiddenGradients.subarray(b * capacity * n), rows, n);
  matmul(blockGradient, rowSlice(matrixView(weights.w, count, n), from, to), into);
  matmul(transposed(blockGradient), matrixView(hidden, rows, n), matrixView(gradient, to - from, n));
  adamStep(weights.w, weights.m, weights.v, from * n, gradient, (to - from) * n, adam.weightSettings);
  columnSums(here, 0, rows, width, width, gradient);
  adamStep(biases.w, biases.m, biases.v, from, gradient, to - from, adam.biasSettings);
}

export function labelsHead(team: Team, layer: Layer, data: Dataset, objective: Objective, capacity: number, seed: number): Head {
  const state = newState(team, layer, data, objective, capacity, seed);
  const { batch, blocks, width } = state;
  const evaluate = state.negatives ? evaluateList : evaluateWholeList;
  return {
    layer,
    most: capacity,
    rowsOf(lists, rows) {
      rows.set(lists);
      return lists.length;
    },
    step(lists, hidden, back, adam) {
      team.parallelFor(blocks, (b) => forward(state, lists, hidden, b));
      if (batch.pairs) team.parallelFor(blocks, (b) => comparePairs(batch, lists, b, block(state, b).here, width));
      evaluateLists(team, batch, lists, (q, r, scale) => evaluate(state, q, r, scale, adam.step));
      team.parallelFor(blocks, (b) => backward(state, lists, hidden, b, adam));
      sumHiddenGradients(team, batch, lists.length, blocks, back);
      return meanCost(batch, lists.length);
    },
    catchUp() {},
    restart() {},
    memory: [],
    auxiliary: () => ({}),
    close: () => state.heap.close(),
  };
}

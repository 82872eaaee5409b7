/**
 * The output layer for label spaces too large to score in full at each step: relevant labels and a sample of the others, the same for all
 * lists of a batch (see sample.ts). Only rows of weights that were scored are moved, and what they have missed since is made up for when
 * they are next needed. Costs and gradients are unbiased estimates of those over all items.
 */
import { exp, log } from "../../numeric/functions.ts";
import { Heap } from "../../numeric/heap.ts";
import { columnSlice, matmul, matrixView, transposed } from "../../numeric/matmul.ts";
import { adamCatchUp, adamStep, columnSums, expSumRows, scaleRows } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset, Objective, Team } from "../../types.ts";
import type { Head } from "./head.ts";
import {
  addPairs,
  comparePairs,
  evaluatedList,
  evaluateJudged,
  evaluateLists,
  labelBatch,
  loadJudged,
  meanCost,
  mostJudged,
  storeJudged,
  sumHiddenGradients,
} from "./label-batch.ts";
import type { Layer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";
import { levels } from "./sample.ts";
import { type Block, SampledColumns, WIDTH } from "./sampled-columns.ts";

export interface Sampling {
  readonly negatives: number;
  /** Steps that rows have missed are made up for. */
  readonly exact: boolean;
  readonly seed: number;
}

/** The memory and constants of one output layer. */
function newState(team: Team, layer: Layer, data: Dataset, objective: Objective, capacity: number, options: Sampling) {
  const { inputs: n, outputs: count } = layer;
  const judged = mostJudged(data);
  const linear = objective.negatives !== "log-sum-exp";
  const most = (linear ? Math.min(count, options.negatives) : count) + Math.min(count, capacity * judged);
  const segments = levels(count, options.negatives).doublings === 0 || linear ? 1 : 4;
  const heap = new Heap();
  return {
    ...{ layer, options, heap },
    batch: labelBatch(team, heap, data, objective, { capacity, hidden: n, blocks: Math.ceil(most / WIDTH) + 5, width: WIDTH }),
    lastStep: team.allocShared("u32", count), // in which a label's weights were last moved
    columns: new SampledColumns(count, most, linear),
    blockWeights: heap.f32(WIDTH * n),
    gradient: heap.f32(WIDTH * n), // of the weights of a block
    list: evaluatedList(judged + 1),
    listGradient: new Float64Array(judged),
    segmentMass: new Float64Array(segments),
    segmentScale: new Float64Array(segments), // to be multiplied by e^(z - top)
  };
}

type State = ReturnType<typeof newState>;

/** Makes up for the steps before this one that the weights of a label have missed. */
function catchUpLabel({ layer: { inputs: n, weights, biases }, options, lastStep }: State, item: number, adam: LazyAdam): void {
  if (!options.exact || lastStep[item]! === 0 || lastStep[item]! >= adam.step - 1) return;
  const { move, epsilon, keep1, keep2 } = adam.catchUp(lastStep[item]!);
  adamCatchUp(weights.w, weights.m, weights.v, item * n, n, move, epsilon, keep1, keep2);
  adamCatchUp(biases.w, biases.m, biases.v, item, 1, move, epsilon, keep1, keep2);
  lastStep[item] = adam.step - 1;
}

/** The weights of a block, gathered into a matrix. */
function gather({ layer, columns: { labels }, blockWeights }: State, { from, to }: Block) {
  const n = layer.inputs;
  const { w } = layer.weights;
  for (let c = from; c < to; c++) blockWeights.set(w.subarray(labels[c]! * n, (labels[c]! + 1) * n), (c - from) * n);
  return matrixView(blockWeights, to - from, n);
}

const paddedWidth = ({ from, to }: Block) => 4 * Math.ceil((to - from) / 4);

const scoresOf = ({ z, capacity }: State["batch"], b: number) => z.subarray(b * capacity * WIDTH, (b + 1) * capacity * WIDTH);

/** Calls visit for each judged label of the batch inside a block: its place in the row of scores, and its place among the judged. */
function eachJudged(
  { batch, columns }: State,
  lists: Uint32Array,
  { from, to }: Block,
  visit: (row: number, column: number, at: number) => void,
): void {
  const { items, judged } = batch;
  const { starts } = batch.data;
  const { columnOf } = columns;
  for (let r = 0; r < lists.length; r++)
    for (let i = starts[lists[r]!]!, at = r * judged; i < starts[lists[r]! + 1]!; i++, at++) {
      const column = columnOf[items[i]!]!;
      if (column >= from && column < to) visit(r, column - from, at);
    }
}

/** The scores of a block for all lists; those of judged labels are taken out of it. */
function forward(state: State, lists: Uint32Array, hidden: Float32Array, b: number, adam: LazyAdam): void {
  const { batch, columns, gradient: bias } = state;
  const { inputs: n, biases } = state.layer;
  const { capacity, scores } = batch;
  const { labels } = columns;
  const block = columns.blocks[b]!;
  const [here, width, rows] = [scoresOf(batch, b), paddedWidth(block), lists.length];
  for (let c = block.from; c < block.to; c++) catchUpLabel(state, labels[c]!, adam);
  for (let c = 0; c < width; c++) bias[c] = block.from + c < block.to ? biases.w[labels[block.from + c]!]! : -Infinity;
  for (let r = 0; r < rows; r++) here.set(bias.subarray(0, width), r * width);
  const into = columnSlice(matrixView(here, rows, width), 0, block.to - block.from);
  matmul(matrixView(hidden, rows, n), transposed(gather(state, block)), into, "add");
  eachJudged(state, lists, block, (row, column, at) => {
    scores[at] = here[row * width + column]!;
    here[row * width + column] = -Infinity;
  });
  if (block.segment < 0) here.fill(0, 0, rows * width);
  else if (!batch.pairs) expSumRows(here, rows, width, batch.tops.subarray(b * capacity), batch.masses.subarray(b * capacity));
}

/** The cost of list q and the gradient of its judged labels, in listGradient, if the sample enters through pairs. */
function evaluateByPairs(
  { layer, batch, columns, list, listGradient, options }: State,
  q: number,
  r: number,
  scale: number,
  step: number,
): number {
  const few = batch.data.starts[q + 1]! - batch.data.starts[q]!;
  let cost = evaluateJudged(batch, list, few, -Infinity, random(options.seed, step, q));
  for (let i = 0; i < few; i++) listGradient[i] = list.gradient[i]!;
  const sampleScale = layer.outputs / columns.sample.ends[0]!;
  columns.blocks.forEach(({ segment }, b) => {
    batch.factors[b * batch.capacity + r] = segment < 0 ? 0 : scale * sampleScale;
    if (segment >= 0) cost = addPairs(batch, [q, r, b], sampleScale, listGradient, cost);
  });
  return cost;
}

/** Sums Σ e^(z - top) over the blocks of each segment into segmentMass; the top. */
function sumSegments({ batch, columns: { blocks }, segmentMass }: State, r: number): number {
  const { capacity, tops, masses } = batch;
  let top = -Infinity;
  blocks.forEach(({ segment }, b) => {
    if (segment >= 0 && masses[b * capacity + r]! > 0) top = Math.max(top, tops[b * capacity + r]!);
  });
  segmentMass.fill(0);
  blocks.forEach(({ segment }, b) => {
    const part = segment >= 0 ? masses[b * capacity + r]! : 0;
    if (part > 0) segmentMass[segment] = segmentMass[segment]! + part * exp(tops[b * capacity + r]! - top);
  });
  return top;
}

/** The same if it enters through its log-sum-exp: the sum of the terms of the sample (see sample.ts). */
function evaluateByMass(state: State, q: number, r: number, scale: number, step: number): number {
  const { batch, list, listGradient, segmentMass, segmentScale, options } = state;
  const { capacity, tops, masses, factors } = batch;
  const { sample, blocks } = state.columns;
  const few = batch.data.starts[q + 1]! - batch.data.starts[q]!;
  const top = sumSegments(state, r);
  let cost = 0;
  segmentScale.fill(0);
  for (const { first, last, size, coefficient } of sample.terms) {
    let mass = 0;
    for (let s = first; s <= last; s++) mass += segmentMass[s]!;
    const rest = mass > 0 ? top + log((mass * state.layer.outputs) / size) : -Infinity;
    cost += coefficient * evaluateJudged(batch, list, few, rest, random(options.seed, step, q));
    for (let i = 0; i < few; i++) listGradient[i] = listGradient[i]! + coefficient * list.gradient[i]!;
    for (let s = first; mass > 0 && s <= last; s++)
      segmentScale[s] = segmentScale[s]! + (coefficient * list.gradient[few]!) / mass;
  }
  blocks.forEach(({ segment }, b) => {
    const at = b * capacity + r;
    factors[at] = segment < 0 || !(masses[at]! > 0) ? 0 : scale * segmentScale[segment]! * exp(tops[at]! - top);
  });
  return cost;
}

/** The cost of list q, row r of the batch, and its gradient for the judged labels and the blocks. */
function evaluateList(state: State, q: number, r: number, scale: number, step: number): number {
  const { batch, list, listGradient } = state;
  loadJudged(batch, list, q, r);
  listGradient.fill(0);
  const cost = (batch.pairs ? evaluateByPairs : evaluateByMass)(state, q, r, scale, step);
  storeJudged(batch, q, r, listGradient, scale);
  return cost;
}

/** Turns the scores of a block into gradients, adds its part to those of hidden rows, and moves its weights. */
function backward(state: State, lists: Uint32Array, hidden: Float32Array, b: number, adam: LazyAdam): void {
  const { batch, columns, gradient, lastStep } = state;
  const { inputs: n, weights, biases } = state.layer;
  const { capacity, scoreGradients } = batch;
  const { labels } = columns;
  const block = columns.blocks[b]!;
  const [here, width, rows, size] = [scoresOf(batch, b), paddedWidth(block), lists.length, block.to - block.from];
  scaleRows(here, rows, width, batch.factors.subarray(b * capacity));
  eachJudged(state, lists, block, (row, column, at) => {
    here[row * width + column] = scoreGradients[at]!;
  });
  const blockGradient = columnSlice(matrixView(here, rows, width), 0, size);
  matmul(blockGradient, gather(state, block), matrixView(batch.hiddenGradients.subarray(b * capacity * n), rows, n));
  matmul(transposed(blockGradient), matrixView(hidden, rows, n), matrixView(gradient, size, n));
  for (let c = 0; c < size; c++) {
    const item = labels[block.from + c]!;
    adamStep(weights.w, weights.m, weights.v, item * n, gradient.subarray(c * n, (c + 1) * n), n, adam.weightSettings);
    lastStep[item] = adam.step;
  }
  columnSums(here, 0, rows, width, width, gradient);
  for (let c = 0; c < size; c++)
    adamStep(biases.w, biases.m, biases.v, labels[block.from + c]!, gradient.subarray(c, c + 1), 1, adam.biasSettings);
}

export function sampledHead(
  team: Team,
  layer: Layer,
  data: Dataset,
  objective: Objective,
  capacity: number,
  options: Sampling,
): Head {
  const state = newState(team, layer, data, objective, capacity, options);
  const { batch, columns } = state;
  const compareBlock = (lists: Uint32Array, b: number) => {
    const block = columns.blocks[b]!;
    if (block.segment >= 0) comparePairs(batch, lists, b, scoresOf(batch, b), paddedWidth(block));
  };
  return {
    layer,
    most: capacity,
    rowsOf(lists, rows) {
      rows.set(lists);
      return lists.length;
    },
    step(lists, hidden, back, adam) {
      columns.draw(data, lists, options.negatives, options.seed, adam.step);
      const blocks = columns.blocks.length;
      team.parallelFor(blocks, (b) => forward(state, lists, hidden, b, adam));
      if (batch.pairs) team.parallelFor(blocks, (b) => compareBlock(lists, b));
      evaluateLists(team, batch, lists, (q, r, scale) => evaluateList(state, q, r, scale, adam.step));
      team.parallelFor(blocks, (b) => backward(state, lists, hidden, b, adam));
      sumHiddenGradients(team, batch, lists.length, blocks, back);
      columns.clear();
      return meanCost(batch, lists.length);
    },
    catchUp(adam) {
      const { outputs } = layer;
      team.parallelFor(Math.ceil(outputs / WIDTH), (block) => {
        for (let item = block * WIDTH; item < Math.min(outputs, (block + 1) * WIDTH); item++) catchUpLabel(state, item, adam);
      });
    },
    restart() {
      team.parallelFor(1, () => state.lastStep.fill(0));
    },
    memory: [state.lastStep],
    auxiliary: () => ({}),
    close: () => state.heap.close(),
  };
}

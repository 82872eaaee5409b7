/** The last layer of a network that scores items by their own features: ordinary lists, a row of features for each item. */
import { Heap } from "../../numeric/heap.ts";
import { matmul, matrixView, rowSlice, transposed } from "../../numeric/matmul.ts";
import { adamStep, columnSums } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset, Objective, Team } from "../../types.ts";
import type { Head } from "./head.ts";
import { adamParams, type Layer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";

const GROUP = 4; // lists whose costs are taken together

/** The maximum number of rows of a batch of this many lists. */
export function mostRows({ starts }: Dataset, batch: number): number {
  const sizes = new Uint32Array(starts.length - 1).map((_, q) => starts[q + 1]! - starts[q]!).sort();
  return sizes.subarray(Math.max(0, sizes.length - batch)).reduce((sum, size) => sum + size, 0);
}

/** The memory and constants of one output layer. */
function newState(team: Team, layer: Layer, data: Dataset, objective: Objective, batch: number, seed: number) {
  const { inputs: n, outputs } = layer;
  const { auxiliary } = objective;
  const { listWeights } = data;
  const most = mostRows(data, batch);
  const heap = new Heap();
  return {
    ...{ team, layer, data, objective, seed, most, heap, auxiliary },
    meanWeight: listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) / listWeights.length : 1,
    scores: team.allocShared("f32", most * outputs),
    scoreGradients: team.allocShared("f32", most * outputs),
    costs: team.allocShared("f64", batch),
    auxiliaryGradients: team.allocShared("f64", batch * Math.max(1, auxiliary.length)), // by list
    auxiliaryParams: adamParams(team, Math.max(1, auxiliary.length)),
    gradient: heap.f32(Math.max(n * outputs, outputs, auxiliary.length, 1)), // of weights, then biases, then auxiliary parameters
    listScratch: new Float64Array(0), // grows with the longest list
  };
}

type State = ReturnType<typeof newState>;

/** Auxiliary parameters as they begin, and nothing that Adam remembers of them. */
function resetAuxiliary({ team, auxiliary, auxiliaryParams: { w, m, v } }: State): void {
  team.parallelFor(1, () => {
    auxiliary.forEach(({ initial }, e) => {
      w[e] = initial;
    });
    m.fill(0);
    v.fill(0);
  });
}

/** The cost of list q, the r-th of the batch, whose rows begin at `at`; writes the gradients of its scores and auxiliary parameters. */
function evaluateList(state: State, q: number, r: number, at: number, scale: number, step: number): number {
  const { auxiliary, auxiliaryParams, auxiliaryGradients, scores, scoreGradients } = state;
  const { starts, labels, itemWeights } = state.data;
  const { outputs } = state.layer;
  const [from, to] = [starts[q]!, starts[q + 1]!];
  const size = (to - from) * outputs;
  const whole = size + auxiliary.length;
  if (state.listScratch.length < 2 * whole) state.listScratch = new Float64Array(4 * whole);
  const [list, slope] = [state.listScratch.subarray(0, whole), state.listScratch.subarray(whole, 2 * whole)];
  for (let i = 0; i < size; i++) list[i] = scores[at * outputs + i]!;
  for (let e = 0; e < auxiliary.length; e++) list[size + e] = auxiliaryParams.w[e]!;
  const draw = random(state.seed, step, q);
  const weights = itemWeights?.subarray(from, to);
  const cost = state.objective.evaluate(list, labels.subarray(from, to), { gradient: slope }, draw, weights);
  for (let i = 0; i < size; i++) scoreGradients[at * outputs + i] = scale * slope[i]!;
  for (let e = 0; e < auxiliary.length; e++) auxiliaryGradients[r * auxiliary.length + e] = scale * slope[size + e]!;
  return cost;
}

/** Where the rows of each list of a batch begin, and the end of the last. */
function rowStarts({ starts }: Dataset, lists: Uint32Array): Uint32Array {
  const places = new Uint32Array(lists.length + 1);
  for (let r = 0; r < lists.length; r++) places[r + 1] = places[r]! + starts[lists[r]! + 1]! - starts[lists[r]!]!;
  return places;
}

/** Scores, costs and the gradient of hidden rows of one group of lists. */
function evaluateGroup(
  state: State,
  lists: Uint32Array,
  places: Uint32Array,
  group: number,
  [hidden, back]: readonly [hidden: Float32Array, back: Float32Array],
  step: number,
): void {
  const { scores, scoreGradients, costs, meanWeight } = state;
  const { inputs: n, outputs, weights, biases } = state.layer;
  const { listWeights } = state.data;
  const across = matrixView(weights.w, n, outputs);
  const [first, last] = [group * GROUP, Math.min(lists.length, (group + 1) * GROUP)];
  const [from, to] = [places[first]!, places[last]!];
  const rows = (of: Float32Array, width: number) => rowSlice(matrixView(of, to, width), from, to);
  for (let row = from; row < to; row++) scores.set(biases.w.subarray(0, outputs), row * outputs);
  matmul(rows(hidden, n), across, rows(scores, outputs), "add");
  for (let r = first; r < last; r++) {
    const q = lists[r]!;
    const weight = (listWeights ? listWeights[q]! : 1) / meanWeight;
    costs[r] = weight * evaluateList(state, q, r, places[r]!, weight / lists.length, step);
  }
  matmul(rows(scoreGradients, outputs), transposed(across), rows(back, n));
}

/** One step of Adam for the weights, biases and auxiliary parameters. */
function move(state: State, hidden: Float32Array, rows: number, lists: number, adam: LazyAdam): void {
  const { auxiliary, auxiliaryGradients, auxiliaryParams, scoreGradients, gradient } = state;
  const { inputs: n, outputs, weights, biases } = state.layer;
  state.team.parallelFor(1, () => {
    matmul(transposed(matrixView(hidden, rows, n)), matrixView(scoreGradients, rows, outputs), matrixView(gradient, n, outputs));
    adamStep(weights.w, weights.m, weights.v, 0, gradient, n * outputs, adam.weightSettings);
    columnSums(scoreGradients, 0, rows, outputs, outputs, gradient);
    adamStep(biases.w, biases.m, biases.v, 0, gradient, outputs, adam.biasSettings);
    if (auxiliary.length === 0) return;
    for (let e = 0; e < auxiliary.length; e++) {
      let sum = 0;
      for (let r = 0; r < lists; r++) sum += auxiliaryGradients[r * auxiliary.length + e]!;
      gradient[e] = sum;
    }
    const { w, m, v } = auxiliaryParams;
    adamStep(w, m, v, 0, gradient, auxiliary.length, adam.biasSettings);
  });
}

export function scoresHead(team: Team, layer: Layer, data: Dataset, objective: Objective, batch: number, seed: number): Head {
  const state = newState(team, layer, data, objective, batch, seed);
  const { starts } = data;
  resetAuxiliary(state);
  return {
    layer,
    most: state.most,
    rowsOf(lists, rows) {
      let at = 0;
      for (const q of lists) for (let row = starts[q]!; row < starts[q + 1]!; row++) rows[at++] = row;
      return at;
    },
    step(lists, hidden, back, adam) {
      const places = rowStarts(data, lists);
      team.parallelFor(Math.ceil(lists.length / GROUP), (group) =>
        evaluateGroup(state, lists, places, group, [hidden, back], adam.step),
      );
      move(state, hidden, places[lists.length]!, lists.length, adam);
      let cost = 0;
      for (let r = 0; r < lists.length; r++) cost += state.costs[r]!;
      return cost / lists.length;
    },
    catchUp() {},
    restart: () => resetAuxiliary(state),
    memory: Object.values(state.auxiliaryParams),
    auxiliary: () => Object.fromEntries(objective.auxiliary.map(({ name }, e) => [name, state.auxiliaryParams.w[e]!])),
    close: () => state.heap.close(),
  };
}

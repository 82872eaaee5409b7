/** The last layer of a network that scores items by their own features: ordinary lists, a row of features for each item. */
import { Heap } from "../../numeric/heap.ts";
import { matmul, matrixView, rowSlice, transposed } from "../../numeric/matmul.ts";
import { adamStep, columnSums } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset, Objective, Team } from "../../types.ts";
import type { Head } from "./head.ts";
import type { Layer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";

const GROUP = 4; // lists whose costs are taken together

/** The maximum number of rows of a batch of this many lists. */
export function mostRows({ starts }: Dataset, batch: number): number {
  const sizes = new Uint32Array(starts.length - 1).map((_, q) => starts[q + 1]! - starts[q]!).sort();
  return sizes.subarray(Math.max(0, sizes.length - batch)).reduce((sum, size) => sum + size, 0);
}

export function scoresHead(team: Team, layer: Layer, data: Dataset, objective: Objective, batch: number, seed: number): Head {
  const { inputs: n, outputs, weights, biases } = layer;
  const { starts, labels, listWeights, itemWeights } = data;
  const { auxiliary } = objective;
  const most = mostRows(data, batch);
  const scores = team.allocShared("f32", most * outputs);
  const scoreGradients = team.allocShared("f32", most * outputs);
  const costs = team.allocShared("f64", batch);
  const auxiliaryGradients = team.allocShared("f64", batch * Math.max(1, auxiliary.length));
  const auxiliaryParams = [0, 1, 2].map(() => team.allocShared("f32", Math.max(1, auxiliary.length))) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const lists = starts.length - 1;
  const meanWeight = listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) / lists : 1;

  const heap = new Heap();
  const gradient = heap.f32(Math.max(n * outputs, outputs, auxiliary.length, 1));
  let scratch = new Float64Array(0);
  const restart = () =>
    team.parallelFor(1, () => {
      auxiliary.forEach(({ initial }, e) => {
        auxiliaryParams[0][e] = initial;
      });
      auxiliaryParams[1].fill(0);
      auxiliaryParams[2].fill(0);
    });
  restart();

  const evaluateList = (q: number, r: number, at: number, scale: number, step: number) => {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const size = (to - from) * outputs;
    const whole = size + auxiliary.length;
    if (scratch.length < 2 * whole) scratch = new Float64Array(4 * whole);
    const [list, slope] = [scratch.subarray(0, whole), scratch.subarray(whole, 2 * whole)];
    for (let i = 0; i < size; i++) list[i] = scores[at * outputs + i]!;
    for (let e = 0; e < auxiliary.length; e++) list[size + e] = auxiliaryParams[0][e]!;
    const cost = objective.evaluate(
      list,
      labels.subarray(from, to),
      { gradient: slope },
      random(seed, step, q),
      itemWeights?.subarray(from, to),
    );
    for (let i = 0; i < size; i++) scoreGradients[at * outputs + i] = scale * slope[i]!;
    for (let e = 0; e < auxiliary.length; e++) auxiliaryGradients[r * auxiliary.length + e] = scale * slope[size + e]!;
    return cost;
  };

  return {
    layer,
    most,
    rowsOf(batchLists, rows) {
      let at = 0;
      for (const q of batchLists) for (let row = starts[q]!; row < starts[q + 1]!; row++) rows[at++] = row;
      return at;
    },
    step(batchLists, hidden, back, adam) {
      const places = new Uint32Array(batchLists.length + 1);
      for (let r = 0; r < batchLists.length; r++)
        places[r + 1] = places[r]! + starts[batchLists[r]! + 1]! - starts[batchLists[r]!]!;
      const rows = places[batchLists.length]!;
      const across = matrixView(weights.w, n, outputs);
      team.parallelFor(Math.ceil(batchLists.length / GROUP), (group) => {
        const [first, last] = [group * GROUP, Math.min(batchLists.length, (group + 1) * GROUP)];
        const [from, to] = [places[first]!, places[last]!];
        for (let row = from; row < to; row++) scores.set(biases.w.subarray(0, outputs), row * outputs);
        matmul(rowSlice(matrixView(hidden, to, n), from, to), across, rowSlice(matrixView(scores, to, outputs), from, to), "add");
        for (let r = first; r < last; r++) {
          const q = batchLists[r]!;
          const weight = (listWeights ? listWeights[q]! : 1) / meanWeight;
          costs[r] = weight * evaluateList(q, r, places[r]!, weight / batchLists.length, adam.step);
        }
        matmul(
          rowSlice(matrixView(scoreGradients, to, outputs), from, to),
          transposed(across),
          rowSlice(matrixView(back, to, n), from, to),
        );
      });
      move(hidden, rows, batchLists.length, adam);
      let cost = 0;
      for (let r = 0; r < batchLists.length; r++) cost += costs[r]!;
      return cost / batchLists.length;
    },
    catchUp() {},
    restart,
    auxiliary: () => Object.fromEntries(auxiliary.map(({ name }, e) => [name, auxiliaryParams[0][e]!])),
    close: () => heap.close(),
  };

  function move(hidden: Float32Array, rows: number, batchLists: number, adam: LazyAdam): void {
    team.parallelFor(1, () => {
      matmul(
        transposed(matrixView(hidden, rows, n)),
        matrixView(scoreGradients, rows, outputs),
        matrixView(gradient, n, outputs),
      );
      adamStep(weights.w, weights.m, weights.v, 0, gradient, n * outputs, adam.weightSettings);
      columnSums(scoreGradients, 0, rows, outputs, outputs, gradient);
      adamStep(biases.w, biases.m, biases.v, 0, gradient, outputs, adam.biasSettings);
      if (auxiliary.length === 0) return;
      for (let e = 0; e < auxiliary.length; e++) {
        let sum = 0;
        for (let r = 0; r < batchLists; r++) sum += auxiliaryGradients[r * auxiliary.length + e]!;
        gradient[e] = sum;
      }
      adamStep(...auxiliaryParams, 0, gradient, auxiliary.length, adam.biasSettings);
    });
  }
}

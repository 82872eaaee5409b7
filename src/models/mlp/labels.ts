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
import { adamStep, columnSums, expSumRows, hingePairs, logisticPairs, scaleRows } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset, Objective, Team } from "../../types.ts";
import type { Head } from "./head.ts";
import { initialize, type Layer, newLayer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";
import { lowerBound } from "./trunk.ts";

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

const GROUP = 8; // lists whose costs are taken together

export function labelsHead(team: Team, layer: Layer, data: Dataset, objective: Objective, batch: number, seed: number): Head {
  const { inputs: n, outputs: count, weights, biases } = layer;
  const { starts, labels, listWeights, itemWeights } = data;
  const items = data.items!;
  const width = blockWidth(count);
  const blocks = Math.ceil(count / width);
  const lists = starts.length - 1;
  const { negatives } = objective;
  let judged = 1;
  for (let q = 0; q < lists; q++) judged = Math.max(judged, starts[q + 1]! - starts[q]!);
  const meanWeight = listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) / lists : 1;

  // Shared by all: the scores of the batch, block after block, and what blocks exchange.
  const z = team.allocShared("f32", blocks * batch * width);
  const parts = team.allocShared("f32", blocks * batch * n); // of the gradient of hidden rows
  const tops = team.allocShared("f64", blocks * batch);
  const masses = team.allocShared("f64", blocks * batch);
  const factors = team.allocShared("f32", blocks * batch);
  const scores = team.allocShared("f32", batch * judged); // of judged items, list after list
  const scoreGradients = team.allocShared("f32", batch * judged);
  const costs = team.allocShared("f64", batch);
  const pairs = negatives === "logistic" || negatives === "hinge";
  const pairCosts = team.allocShared("f64", pairs ? blocks * batch * judged : 1);
  const pairGradients = team.allocShared("f64", pairs ? blocks * batch * judged : 1);

  // Of this member.
  const heap = new Heap();
  const gradient = heap.f32(width * n);
  const [better, pairWeights] = [heap.f32(judged), heap.f32(judged)];
  const long = negatives ? judged + 1 : count;
  const [list64, slope64] = [
    new Float64Array(long + objective.auxiliary.length),
    new Float64Array(long + objective.auxiliary.length),
  ];
  const [list32, weigh32] = [new Float32Array(long), new Float32Array(long)];

  const block = (b: number) => {
    const [from, to] = [b * width, Math.min(count, (b + 1) * width)];
    return { from, to, here: z.subarray(b * batch * width, (b + 1) * batch * width) };
  };

  /** Calls visit for each judged item of the batch inside a block: its place in the row of scores, and its place among the judged. */
  const eachJudged = (
    batchLists: Uint32Array,
    from: number,
    to: number,
    visit: (row: number, column: number, at: number) => void,
  ) => {
    for (let r = 0; r < batchLists.length; r++) {
      const q = batchLists[r]!;
      for (let i = lowerBound(items, starts[q]!, starts[q + 1]!, from); i < starts[q + 1]! && items[i]! < to; i++)
        visit(r, items[i]! - from, r * judged + i - starts[q]!);
    }
  };

  const forward = (batchLists: Uint32Array, hidden: Float32Array, b: number) => {
    const rows = batchLists.length;
    const { from, to, here } = block(b);
    const bias = biases.w.subarray(from, from + width);
    for (let r = 0; r < rows; r++) here.set(bias, r * width);
    const across = transposed(rowSlice(matrixView(weights.w, count, n), from, to));
    matmul(matrixView(hidden, rows, n), across, columnSlice(matrixView(here, rows, width), 0, to - from), "add");
    eachJudged(batchLists, from, to, (row, column, at) => {
      scores[at] = here[row * width + column]!;
      if (negatives) here[row * width + column] = -Infinity; // not of the last tier
    });
    if (negatives === "log-sum-exp") expSumRows(here, rows, width, tops.subarray(b * batch), masses.subarray(b * batch));
  };

  const comparePairs = (batchLists: Uint32Array, b: number) => {
    const { here } = block(b);
    const compare = negatives === "hinge" ? hingePairs : logisticPairs;
    for (let r = 0; r < batchLists.length; r++) {
      const [from, to] = [starts[batchLists[r]!]!, starts[batchLists[r]! + 1]!];
      for (let i = from; i < to; i++) {
        better[i - from] = scores[r * judged + i - from]!;
        pairWeights[i - from] = itemWeights ? itemWeights[i]! : 1;
      }
      const at = (b * batch + r) * judged;
      compare(
        here.subarray(r * width, (r + 1) * width),
        better,
        pairWeights,
        to - from,
        pairCosts.subarray(at),
        pairGradients.subarray(at),
      );
    }
  };

  /** The cost of list q, row r of the batch, and its gradient for the judged items and the blocks. */
  const evaluateList = (q: number, r: number, scale: number, step: number) => {
    const [from, to] = [starts[q]!, starts[q + 1]!];
    const few = to - from;
    const draw = random(seed, step, q);
    for (let i = 0; i < few; i++) {
      list64[i] = scores[r * judged + i]!;
      list32[i] = labels[from + i]!;
      if (itemWeights) weigh32[i] = itemWeights[from + i]!;
    }
    let size = few;
    let restMass = -Infinity;
    if (negatives === "log-sum-exp") {
      restMass = restOf(r);
      if (restMass > -Infinity) {
        list64[size] = restMass;
        list32[size] = 0;
        weigh32[size++] = 1;
      }
    }
    const slope = slope64.subarray(0, size);
    const given = itemWeights ? weigh32.subarray(0, size) : undefined;
    let cost = objective.evaluate(list64.subarray(0, size), list32.subarray(0, size), { gradient: slope }, draw, given);
    for (let b = 0; b < blocks; b++) {
      const at = b * batch + r;
      factors[at] = negatives !== "log-sum-exp" ? scale : size > few ? scale * slope[few]! * exp(tops[at]! - restMass) : 0;
      for (let i = 0; pairs && i < few; i++) {
        const weight = itemWeights ? itemWeights[from + i]! : 1;
        cost += weight * pairCosts[at * judged + i]!;
        slope[i] = slope[i]! - weight * pairGradients[at * judged + i]!;
      }
    }
    for (let i = 0; i < few; i++) scoreGradients[r * judged + i] = scale * slope[i]!;
    return cost;
  };

  /** The log of the mass of the last tier, blocks in their order. */
  const restOf = (r: number): number => {
    let top = -Infinity;
    for (let b = 0; b < blocks; b++) if (masses[b * batch + r]! > 0) top = Math.max(top, tops[b * batch + r]!);
    if (top === -Infinity) return top;
    let mass = 0;
    for (let b = 0; b < blocks; b++) {
      const part = masses[b * batch + r]!;
      if (part > 0) mass += part * exp(tops[b * batch + r]! - top);
    }
    return top + log(mass);
  };

  /** The same for an objective that must see the whole list. Its gradient takes the place of the scores. */
  const evaluateWholeList = (q: number, r: number, scale: number, step: number) => {
    list32.fill(0);
    weigh32.fill(1);
    for (let i = starts[q]!; i < starts[q + 1]!; i++) {
      list32[items[i]!] = labels[i]!;
      if (itemWeights) weigh32[items[i]!] = itemWeights[i]!;
    }
    for (let b = 0; b < blocks; b++) {
      const { from, to, here } = block(b);
      for (let j = from; j < to; j++) list64[j] = here[r * width + j - from]!;
    }
    const cost = objective.evaluate(list64, list32, { gradient: slope64 }, random(seed, step, q), itemWeights && weigh32);
    for (let b = 0; b < blocks; b++) {
      const { from, to, here } = block(b);
      here.fill(0, r * width, (r + 1) * width);
      for (let j = from; j < to; j++) here[r * width + j - from] = scale * slope64[j]!;
      factors[b * batch + r] = 1;
    }
    for (let i = starts[q]!; i < starts[q + 1]!; i++) scoreGradients[r * judged + i - starts[q]!] = scale * slope64[items[i]!]!;
    return cost;
  };

  const backward = (batchLists: Uint32Array, hidden: Float32Array, b: number, adam: LazyAdam) => {
    const rows = batchLists.length;
    const { from, to, here } = block(b);
    if (negatives) scaleRows(here, rows, width, factors.subarray(b * batch));
    eachJudged(batchLists, from, to, (row, column, at) => {
      here[row * width + column] = scoreGradients[at]!;
    });
    const blockGradient = columnSlice(matrixView(here, rows, width), 0, to - from);
    const into = matrixView(parts.subarray(b * batch * n), rows, n);
    matmul(blockGradient, rowSlice(matrixView(weights.w, count, n), from, to), into);
    matmul(transposed(blockGradient), matrixView(hidden, rows, n), matrixView(gradient, to - from, n));
    adamStep(weights.w, weights.m, weights.v, from * n, gradient, (to - from) * n, adam.weightSettings);
    columnSums(here, 0, rows, width, width, gradient);
    adamStep(biases.w, biases.m, biases.v, from, gradient, to - from, adam.biasSettings);
  };

  return {
    layer,
    most: batch,
    rowsOf(lists, rows) {
      rows.set(lists);
      return lists.length;
    },
    step(batchLists, hidden, back, adam) {
      const rows = batchLists.length;
      team.parallelFor(blocks, (b) => forward(batchLists, hidden, b));
      if (pairs) team.parallelFor(blocks, (b) => comparePairs(batchLists, b));
      team.parallelFor(Math.ceil(rows / GROUP), (group) => {
        for (let r = group * GROUP; r < Math.min(rows, (group + 1) * GROUP); r++) {
          const q = batchLists[r]!;
          const weight = (listWeights ? listWeights[q]! : 1) / meanWeight;
          costs[r] = weight * (negatives ? evaluateList : evaluateWholeList)(q, r, weight / rows, adam.step);
        }
      });
      team.parallelFor(blocks, (b) => backward(batchLists, hidden, b, adam));
      team.parallelFor(Math.ceil(rows / GROUP), (group) => {
        const [from, to] = [group * GROUP, Math.min(rows, (group + 1) * GROUP)];
        columnSums(parts, from * n, blocks, (to - from) * n, batch * n, back.subarray(from * n, to * n));
      });
      let cost = 0;
      for (let r = 0; r < rows; r++) cost += costs[r]!;
      return cost / rows;
    },
    catchUp() {},
    restart() {},
    auxiliary: () => ({}),
    close: () => heap.close(),
  };
}

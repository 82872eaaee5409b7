/**
 * The output layer for label spaces too large to score in full at each step: relevant labels and a sample of the others, the same for all
 * lists of a batch (see sample.ts). Only rows of weights that were scored are moved, and what they have missed since is made up for when
 * they are next needed. Costs and gradients are unbiased estimates of those over all items.
 */
import { exp, log } from "../../numeric/functions.ts";
import { Heap } from "../../numeric/heap.ts";
import { columnSlice, matmul, matrixView, transposed } from "../../numeric/matmul.ts";
import { adamCatchUp, adamStep, columnSums, expSumRows, hingePairs, logisticPairs, scaleRows } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import type { Dataset, Objective, Team } from "../../types.ts";
import type { Head } from "./head.ts";
import type { Layer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";
import { drawSample, levels, type Sample } from "./sample.ts";

const WIDTH = 512; // columns of a block
const GROUP = 8; // lists whose costs are taken together

interface Block {
  readonly from: number; // column: a place in the sample, then among judged items that are not in it
  readonly to: number;
  readonly segment: number; // -1: judged items only
}

export interface Sampling {
  readonly negatives: number;
  /** Steps that rows have missed are made up for. */
  readonly exact: boolean;
  readonly seed: number;
}

export function sampledHead(
  team: Team,
  layer: Layer,
  data: Dataset,
  objective: Objective,
  batch: number,
  options: Sampling,
): Head {
  const { inputs: n, outputs: count, weights, biases } = layer;
  const { starts, labels, listWeights, itemWeights } = data;
  const items = data.items!;
  const lists = starts.length - 1;
  const { negatives } = objective;
  let judged = 1;
  for (let q = 0; q < lists; q++) judged = Math.max(judged, starts[q + 1]! - starts[q]!);
  const meanWeight = listWeights ? listWeights.reduce((sum, weight) => sum + weight, 0) / lists : 1;
  const pairs = negatives !== "log-sum-exp";
  const most = (pairs ? Math.min(count, options.negatives) : count) + Math.min(count, batch * judged);
  const blocksMost = Math.ceil(most / WIDTH) + 5;
  const segments = levels(count, options.negatives).doublings === 0 || pairs ? 1 : 4;

  const z = team.allocShared("f32", blocksMost * batch * WIDTH);
  const parts = team.allocShared("f32", blocksMost * batch * n);
  const [tops, masses] = [team.allocShared("f64", blocksMost * batch), team.allocShared("f64", blocksMost * batch)];
  const factors = team.allocShared("f32", blocksMost * batch);
  const [scores, scoreGradients] = [team.allocShared("f32", batch * judged), team.allocShared("f32", batch * judged)];
  const costs = team.allocShared("f64", batch);
  const pairSize = pairs ? blocksMost * batch * judged : 1;
  const [pairCosts, pairGradients] = [team.allocShared("f64", pairSize), team.allocShared("f64", pairSize)];
  const lastStep = team.allocShared("u32", count);

  const heap = new Heap();
  const [rowsHere, gradient] = [heap.f32(WIDTH * n), heap.f32(WIDTH * n)];
  const [better, pairWeights] = [heap.f32(judged), heap.f32(judged)];
  const [list64, slope64, listGradient] = [new Float64Array(judged + 1), new Float64Array(judged + 1), new Float64Array(judged)];
  const [list32, weigh32] = [new Float32Array(judged + 1), new Float32Array(judged + 1)];
  const segmentScale = new Float64Array(4); // of each segment, to be multiplied by e^(z - top)
  const place = new Int32Array(count).fill(-1); // column of an item
  const columns = new Uint32Array(most); // item of a column
  let sample: Sample;
  let blocks: Block[] = [];

  /** Every member draws the same. */
  const prepare = (batchLists: Uint32Array, step: number) => {
    sample = drawSample(random(options.seed, 0x5a3e, step), count, options.negatives, pairs);
    let used = 0;
    for (const item of sample.items) {
      columns[used] = item;
      place[item] = used++;
    }
    for (const q of batchLists)
      for (let i = starts[q]!; i < starts[q + 1]!; i++)
        if (place[items[i]!]! < 0) {
          columns[used] = items[i]!;
          place[items[i]!] = used++;
        }
    blocks = [];
    let from = 0;
    for (const [segment, end] of [...sample.ends, used].entries())
      for (; from < end; from = blocks.at(-1)!.to)
        blocks.push({ from, to: Math.min(end, from + WIDTH), segment: segment < sample.ends.length ? segment : -1 });
    return used;
  };

  const catchUpItem = (item: number, adam: LazyAdam) => {
    if (!options.exact || lastStep[item]! === 0 || lastStep[item]! >= adam.step - 1) return;
    const { move, epsilon, keep1, keep2 } = adam.catchUp(lastStep[item]!);
    adamCatchUp(weights.w, weights.m, weights.v, item * n, n, move, epsilon, keep1, keep2);
    adamCatchUp(biases.w, biases.m, biases.v, item, 1, move, epsilon, keep1, keep2);
    lastStep[item] = adam.step - 1;
  };
  const gather = ({ from, to }: Block) => {
    for (let c = from; c < to; c++) rowsHere.set(weights.w.subarray(columns[c]! * n, (columns[c]! + 1) * n), (c - from) * n);
    return matrixView(rowsHere, to - from, n);
  };
  const wide = ({ from, to }: Block) => 4 * Math.ceil((to - from) / 4);
  const scoresOf = (b: number) => z.subarray(b * batch * WIDTH, (b + 1) * batch * WIDTH);
  const eachJudged = (batchLists: Uint32Array, { from, to }: Block, visit: (row: number, column: number, at: number) => void) => {
    for (let r = 0; r < batchLists.length; r++)
      for (let i = starts[batchLists[r]!]!, at = r * judged; i < starts[batchLists[r]! + 1]!; i++, at++) {
        const column = place[items[i]!]!;
        if (column >= from && column < to) visit(r, column - from, at);
      }
  };

  const forward = (batchLists: Uint32Array, hidden: Float32Array, b: number, adam: LazyAdam) => {
    const block = blocks[b]!;
    const [here, width, rows] = [scoresOf(b), wide(block), batchLists.length];
    for (let c = block.from; c < block.to; c++) catchUpItem(columns[c]!, adam);
    for (let c = 0; c < width; c++) gradient[c] = block.from + c < block.to ? biases.w[columns[block.from + c]!]! : -Infinity;
    for (let r = 0; r < rows; r++) here.set(gradient.subarray(0, width), r * width);
    const into = columnSlice(matrixView(here, rows, width), 0, block.to - block.from);
    matmul(matrixView(hidden, rows, n), transposed(gather(block)), into, "add");
    eachJudged(batchLists, block, (row, column, at) => {
      scores[at] = here[row * width + column]!;
      here[row * width + column] = -Infinity;
    });
    if (block.segment < 0) here.fill(0, 0, rows * width);
    else if (!pairs) expSumRows(here, rows, width, tops.subarray(b * batch), masses.subarray(b * batch));
  };

  const comparePairs = (batchLists: Uint32Array, b: number) => {
    if (blocks[b]!.segment < 0) return;
    const [here, width] = [scoresOf(b), wide(blocks[b]!)];
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

  /** The cost of the judged items with one item of score `level` for the rest; its gradient is in slope64. */
  const evaluate = (q: number, level: number, step: number) => {
    const few = starts[q + 1]! - starts[q]!;
    const size = level > -Infinity ? few + 1 : few;
    list64[few] = level;
    list32[few] = 0;
    weigh32[few] = 1;
    const given = itemWeights ? weigh32.subarray(0, size) : undefined;
    slope64[few] = 0;
    const into = { gradient: slope64.subarray(0, size) };
    return objective.evaluate(list64.subarray(0, size), list32.subarray(0, size), into, random(options.seed, step, q), given);
  };

  const evaluateList = (q: number, r: number, scale: number, step: number) => {
    const [from, few] = [starts[q]!, starts[q + 1]! - starts[q]!];
    for (let i = 0; i < few; i++) {
      list64[i] = scores[r * judged + i]!;
      list32[i] = labels[from + i]!;
      if (itemWeights) weigh32[i] = itemWeights[from + i]!;
    }
    let cost = 0;
    listGradient.fill(0);
    if (pairs) {
      cost = evaluate(q, -Infinity, step);
      for (let i = 0; i < few; i++) listGradient[i] = slope64[i]!;
      const sampleScale = count / sample.ends[0]!;
      blocks.forEach(({ segment }, b) => {
        factors[b * batch + r] = segment < 0 ? 0 : scale * sampleScale;
        for (let i = 0; segment >= 0 && i < few; i++) {
          const weight = sampleScale * (itemWeights ? itemWeights[from + i]! : 1);
          cost += weight * pairCosts[(b * batch + r) * judged + i]!;
          listGradient[i] = listGradient[i]! - weight * pairGradients[(b * batch + r) * judged + i]!;
        }
      });
    } else {
      let top = -Infinity;
      blocks.forEach(({ segment }, b) => {
        if (segment >= 0 && masses[b * batch + r]! > 0) top = Math.max(top, tops[b * batch + r]!);
      });
      const segmentMass = new Float64Array(segments);
      blocks.forEach(({ segment }, b) => {
        const part = segment >= 0 ? masses[b * batch + r]! : 0;
        if (part > 0) segmentMass[segment] = segmentMass[segment]! + part * exp(tops[b * batch + r]! - top);
      });
      segmentScale.fill(0);
      for (const { first, last, size, coefficient } of sample.terms) {
        let mass = 0;
        for (let s = first; s <= last; s++) mass += segmentMass[s]!;
        cost += coefficient * evaluate(q, mass > 0 ? top + log((mass * count) / size) : -Infinity, step);
        for (let i = 0; i < few; i++) listGradient[i] = listGradient[i]! + coefficient * slope64[i]!;
        for (let s = first; mass > 0 && s <= last; s++) segmentScale[s] = segmentScale[s]! + (coefficient * slope64[few]!) / mass;
      }
      blocks.forEach(({ segment }, b) => {
        const at = b * batch + r;
        factors[at] = segment < 0 || !(masses[at]! > 0) ? 0 : scale * segmentScale[segment]! * exp(tops[at]! - top);
      });
    }
    for (let i = 0; i < few; i++) scoreGradients[r * judged + i] = scale * listGradient[i]!;
    return cost;
  };

  const backward = (batchLists: Uint32Array, hidden: Float32Array, b: number, adam: LazyAdam) => {
    const block = blocks[b]!;
    const [here, width, rows, size] = [scoresOf(b), wide(block), batchLists.length, block.to - block.from];
    scaleRows(here, rows, width, factors.subarray(b * batch));
    eachJudged(batchLists, block, (row, column, at) => {
      here[row * width + column] = scoreGradients[at]!;
    });
    const wanted = columnSlice(matrixView(here, rows, width), 0, size);
    matmul(wanted, gather(block), matrixView(parts.subarray(b * batch * n), rows, n));
    matmul(transposed(wanted), matrixView(hidden, rows, n), matrixView(gradient, size, n));
    for (let c = 0; c < size; c++) {
      const item = columns[block.from + c]!;
      adamStep(weights.w, weights.m, weights.v, item * n, gradient.subarray(c * n, (c + 1) * n), n, adam.weightSettings);
      lastStep[item] = adam.step;
    }
    columnSums(here, 0, rows, width, width, gradient);
    for (let c = 0; c < size; c++)
      adamStep(biases.w, biases.m, biases.v, columns[block.from + c]!, gradient.subarray(c, c + 1), 1, adam.biasSettings);
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
      const used = prepare(batchLists, adam.step);
      team.parallelFor(blocks.length, (b) => forward(batchLists, hidden, b, adam));
      if (pairs) team.parallelFor(blocks.length, (b) => comparePairs(batchLists, b));
      team.parallelFor(Math.ceil(rows / GROUP), (group) => {
        for (let r = group * GROUP; r < Math.min(rows, (group + 1) * GROUP); r++) {
          const q = batchLists[r]!;
          const weight = (listWeights ? listWeights[q]! : 1) / meanWeight;
          costs[r] = weight * evaluateList(q, r, weight / rows, adam.step);
        }
      });
      team.parallelFor(blocks.length, (b) => backward(batchLists, hidden, b, adam));
      team.parallelFor(Math.ceil(rows / GROUP), (group) => {
        const [from, to] = [group * GROUP, Math.min(rows, (group + 1) * GROUP)];
        columnSums(parts, from * n, blocks.length, (to - from) * n, batch * n, back.subarray(from * n, to * n));
      });
      for (let c = 0; c < used; c++) place[columns[c]!] = -1;
      let cost = 0;
      for (let r = 0; r < rows; r++) cost += costs[r]!;
      return cost / rows;
    },
    catchUp(adam) {
      team.parallelFor(Math.ceil(count / WIDTH), (block) => {
        for (let item = block * WIDTH; item < Math.min(count, (block + 1) * WIDTH); item++) catchUpItem(item, adam);
      });
    },
    restart() {
      team.parallelFor(1, () => lastStep.fill(0));
    },
    auxiliary: () => ({}),
    close: () => heap.close(),
  };
}

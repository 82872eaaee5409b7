/**
 * The hidden layers: from feature rows to the activations of the last hidden layer, and the backward pass. ReLU after each layer, with
 * dropout in training. Rows are divided among the team on the way forward and back, weights when they are moved; each sum is one thread's,
 * in one order.
 */
import { Heap } from "../../numeric/heap.ts";
import { matmul, matrixView, rowSlice, transposed } from "../../numeric/matmul.ts";
import { adamCatchUp, adamRows, adamStep, columnSums, gatherRows, type RowEntries } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import type { Team } from "../../types.ts";
import type { Layer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";
import type { BatchRows } from "./rows.ts";

const ROWS = 16; // of a batch, visited together
const WEIGHTS = 1 << 14; // numbers of a layer, moved together

export interface TrunkOptions {
  readonly dropout: number;
  readonly seed: number;
  /** How weights of features that a batch does not hold are moved. */
  readonly sparse: "exact" | "lazy";
  readonly l2: number;
}

export interface Trunk {
  /** Activations of the last layer, a row for each row of the batch. */
  readonly out: Float32Array;
  /** Where the gradient of `out` is to be written. */
  readonly back: Float32Array;
  forward(batch: BatchRows, count: number, adam: LazyAdam): void;
  /** Moves all weights. */
  backward(batch: BatchRows, count: number, adam: LazyAdam): void;
  /** Makes up for the steps before this one that weights of absent features have missed. */
  catchUp(adam: LazyAdam): void;
  /** Forgets when each weight was last updated: training starts again. */
  restart(): void;
  close(): void;
}

export function trunk(team: Team, layers: readonly Layer[], most: number, options: TrunkOptions): Trunk {
  const outs = layers.map(({ outputs }) => team.allocShared("f32", most * outputs));
  const backs = layers.map(({ outputs }) => team.allocShared("f32", most * outputs));
  const [first, last] = [layers[0]!, layers.length - 1];
  const lastStep = team.allocShared("u32", first.inputs); // the step in which a feature's weights were last moved
  const heap = new Heap();
  const gradient = heap.f32(Math.max(WEIGHTS, ...layers.map(({ outputs }) => outputs)));
  const groups = featureGroups(heap, first.inputs);
  const exact = options.sparse === "exact";

  const catchUpFeature = (feature: number, adam: LazyAdam) => {
    const { move, epsilon, keep1, keep2 } = adam.catchUp(lastStep[feature]!);
    const { w, m, v } = first.weights;
    adamCatchUp(w, m, v, feature * first.outputs, first.outputs, move, epsilon, keep1, keep2);
    lastStep[feature] = adam.step - 1;
  };

  /** Weights of the features of a batch as they would be had every step moved them. */
  const refresh = (batch: BatchRows, count: number, adam: LazyAdam) => {
    if (batch.kind === "dense" || !exact || options.l2 > 0) return;
    team.parallelFor(groups.blocks, (block) => {
      groups.visit(batch, count, block, (feature) => {
        if (lastStep[feature]! > 0 && lastStep[feature]! < adam.step - 1) catchUpFeature(feature, adam);
      });
    });
  };

  const forwardRows = (batch: BatchRows, from: number, to: number, adam: LazyAdam) => {
    layers.forEach((layer, l) => {
      const n = layer.outputs;
      const out = outs[l]!;
      for (let r = from; r < to; r++) out.set(layer.biases.w, r * n);
      const weights = matrixView(layer.weights.w, layer.inputs, n);
      const into = rowSlice(matrixView(out, to, n), from, to);
      if (l > 0) matmul(rowSlice(matrixView(outs[l - 1]!, to, layer.inputs), from, to), weights, into, "add");
      else if (batch.kind === "dense")
        matmul(rowSlice(matrixView(batch.values, to, layer.inputs), from, to), weights, into, "add");
      else
        for (let r = from; r < to; r++) {
          const { indices, values, starts } = batch;
          gatherRows(indices, values, starts[r]!, starts[r + 1]!, layer.weights.w, out.subarray(r * n, (r + 1) * n));
        }
      reluDropout(out.subarray(from * n, to * n), n, options, adam.step, l, from);
    });
  };

  return {
    out: outs[last]!,
    back: backs[last]!,
    forward(batch, count, adam) {
      refresh(batch, count, adam);
      team.parallelFor(Math.ceil(count / ROWS), (block) =>
        forwardRows(batch, block * ROWS, Math.min(count, (block + 1) * ROWS), adam),
      );
    },
    backward(batch, count, adam) {
      team.parallelFor(Math.ceil(count / ROWS), (block) => {
        const [from, to] = [block * ROWS, Math.min(count, (block + 1) * ROWS)];
        for (let l = last; l >= 0; l--) {
          const { inputs, outputs, weights } = layers[l]!;
          const back = backs[l]!;
          reluBackward(back, outs[l]!, from * outputs, to * outputs, 1 / (1 - options.dropout));
          if (l === 0) break;
          const across = transposed(matrixView(weights.w, inputs, outputs));
          matmul(
            rowSlice(matrixView(back, to, outputs), from, to),
            across,
            rowSlice(matrixView(backs[l - 1]!, to, inputs), from, to),
          );
        }
      });
      const dense = layers.flatMap((layer, l) => (l > 0 || batch.kind === "dense" ? denseParts(layer, l) : []));
      const sparse = batch.kind === "sparse" ? groups.blocks : 0;
      team.parallelFor(sparse + dense.length + layers.length, (block) => {
        if (block < sparse) moveFeatures(batch as Extract<BatchRows, { kind: "sparse" }>, count, block, adam);
        else if (block < sparse + dense.length) {
          const { l, from, to } = dense[block - sparse]!;
          const { inputs, outputs, weights } = layers[l]!;
          const x = l > 0 ? outs[l - 1]! : (batch as { values: Float32Array }).values;
          const into = rowSlice(matrixView(gradient, to - from, outputs), 0, to - from);
          matmul(rowSlice(transposed(matrixView(x, count, inputs)), from, to), matrixView(backs[l]!, count, outputs), into);
          adamStep(weights.w, weights.m, weights.v, from * outputs, gradient, (to - from) * outputs, adam.weightSettings);
        } else {
          const l = block - sparse - dense.length;
          const { outputs, biases } = layers[l]!;
          columnSums(backs[l]!, 0, count, outputs, outputs, gradient);
          adamStep(biases.w, biases.m, biases.v, 0, gradient, outputs, adam.biasSettings);
        }
      });
    },
    catchUp(adam) {
      if (!exact || options.l2 > 0) return;
      team.parallelFor(groups.blocks, (block) => {
        for (let f = groups.from(block); f < groups.from(block + 1); f++)
          if (lastStep[f]! > 0 && lastStep[f]! < adam.step - 1) catchUpFeature(f, adam);
      });
    },
    restart() {
      team.parallelFor(1, () => lastStep.fill(0));
    },
    close: () => heap.close(),
  };

  function moveFeatures(batch: Extract<BatchRows, { kind: "sparse" }>, count: number, block: number, adam: LazyAdam): void {
    const { w, m, v } = first.weights;
    const entries = groups.entries(batch, count, block, exact && options.l2 > 0);
    adamRows(entries, backs[0]!, first.outputs, w, m, v, adam.weightSettings);
    for (let r = 0; r < entries.count; r++) lastStep[entries.rows[r]!] = adam.step;
  }
}

function denseParts({ inputs, outputs }: Layer, l: number): { l: number; from: number; to: number }[] {
  const rows = Math.max(1, Math.floor(WEIGHTS / outputs));
  return Array.from({ length: Math.ceil(inputs / rows) }, (_, i) => ({
    l,
    from: i * rows,
    to: Math.min(inputs, (i + 1) * rows),
  }));
}

/** ReLU, and dropout in training (step above 0): each row draws from a stream of its own. */
function reluDropout(
  rows: Float32Array,
  n: number,
  { dropout, seed }: TrunkOptions,
  step: number,
  layer: number,
  row: number,
): void {
  for (let i = 0; i < rows.length; i++) if (!(rows[i]! > 0)) rows[i] = 0;
  if (dropout === 0 || step === 0) return;
  const keep = 1 / (1 - dropout);
  for (let from = 0; from < rows.length; from += n, row++) {
    const draw = random(seed, 0xd40b, step, layer, row);
    for (let i = from; i < from + n; i++) rows[i] = draw() < dropout ? 0 : rows[i]! * keep;
  }
}

/** Backward pass of ReLU and dropout: zero where the activation is zero. */
function reluBackward(back: Float32Array, out: Float32Array, from: number, to: number, keep: number): void {
  for (let i = from; i < to; i++) back[i] = out[i]! > 0 ? back[i]! * keep : 0;
}

/** The features of a batch, divided into blocks of neighboring features. */
function featureGroups(heap: Heap, features: number) {
  const blocks = Math.max(1, Math.min(64, Math.ceil(features / 64)));
  const from = (block: number) => Math.floor((features * block) / blocks);
  const width = Math.ceil(features / blocks) + 1;
  const places = new Uint32Array(width);
  let capacity = 0;
  let entries: RowEntries = {
    count: 0,
    rows: heap.u32(width),
    starts: heap.u32(width + 1),
    lines: heap.u32(0),
    values: heap.f32(0),
  };
  type Sparse = Extract<BatchRows, { kind: "sparse" }>;

  /** Calls visit for each entry of the block, row after row. */
  const visit = (
    { starts, indices }: Sparse,
    count: number,
    block: number,
    each: (feature: number, row: number, at: number) => void,
  ) => {
    const [low, high] = [from(block), from(block + 1)];
    for (let r = 0; r < count; r++)
      for (let at = lowerBound(indices, starts[r]!, starts[r + 1]!, low); at < starts[r + 1]! && indices[at]! < high; at++)
        each(indices[at]!, r, at);
  };

  return {
    blocks,
    from,
    visit,
    /** The entries of the block by feature; `all` includes features without entries. */
    entries(batch: Sparse, count: number, block: number, all: boolean): RowEntries {
      const [low, high] = [from(block), from(block + 1)];
      places.fill(0);
      let total = 0;
      visit(batch, count, block, (feature) => {
        places[feature - low] = places[feature - low]! + 1;
        total++;
      });
      if (total > capacity) {
        capacity = 2 * total;
        entries = { ...entries, lines: heap.u32(capacity), values: heap.f32(capacity) };
      }
      let [rows, next] = [0, 0];
      for (let f = 0; f < high - low; f++) {
        const size = places[f]!;
        places[f] = next;
        if (size === 0 && !all) continue;
        entries.rows[rows] = low + f;
        entries.starts[rows++] = next;
        next += size;
      }
      entries.starts[rows] = next;
      entries.count = rows;
      visit(batch, count, block, (feature, row, at) => {
        const place = places[feature - low]!++;
        entries.lines[place] = row;
        entries.values[place] = batch.values[at]!;
      });
      return entries;
    },
  };
}

/** The first place from `from` on whose value is at least x. */
export function lowerBound(values: Uint32Array, from: number, to: number, x: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle]! < x) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * The hidden layers: from feature rows to the activations of the last hidden layer, and the backward pass. ReLU after each layer, with
 * dropout in training. Rows are divided among the team on the way forward and back, weights when they are moved; each sum is one thread's,
 * in one order.
 */
import { Heap } from "../../numeric/heap.ts";
import { matmul, matrixView, rowSlice, transposed } from "../../numeric/matmul.ts";
import { adamCatchUp, adamRows, adamStep, columnSums, gatherRows } from "../../numeric/network.ts";
import { random } from "../../numeric/random.ts";
import type { Team } from "../../types.ts";
import { FeatureGroups } from "./feature-groups.ts";
import type { Layer } from "./layers.ts";
import type { LazyAdam } from "./lazy-adam.ts";
import type { BatchRows, SparseRows } from "./rows.ts";

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
  /** What is remembered from step to step, besides the layers: shared arrays. */
  readonly memory: readonly Uint32Array[];
  close(): void;
}

/** The memory and constants of the hidden layers. */
function newState(team: Team, layers: readonly Layer[], most: number, options: TrunkOptions) {
  const first = layers[0]!;
  const heap = new Heap();
  return {
    ...{ team, layers, options, first, heap },
    outs: layers.map(({ outputs }) => team.allocShared("f32", most * outputs)),
    backs: layers.map(({ outputs }) => team.allocShared("f32", most * outputs)),
    lastStep: team.allocShared("u32", first.inputs), // the step in which a feature's weights were last moved
    gradient: heap.f32(Math.max(WEIGHTS, ...layers.map(({ outputs }) => outputs))),
    groups: new FeatureGroups(heap, first.inputs),
    exact: options.sparse === "exact",
    catchesUp: options.sparse === "exact" && !(options.l2 > 0), // with l2 every step moves all weights
  };
}

type State = ReturnType<typeof newState>;

/** Makes up for the steps before this one that the weights of a feature have missed. */
function catchUpFeature({ first, lastStep }: State, feature: number, adam: LazyAdam): void {
  if (!(lastStep[feature]! > 0 && lastStep[feature]! < adam.step - 1)) return;
  const { move, epsilon, keep1, keep2 } = adam.catchUp(lastStep[feature]!);
  const { w, m, v } = first.weights;
  adamCatchUp(w, m, v, feature * first.outputs, first.outputs, move, epsilon, keep1, keep2);
  lastStep[feature] = adam.step - 1;
}

/** Weights of the features of a batch as they would be had every step moved them. */
function refresh(state: State, batch: BatchRows, count: number, adam: LazyAdam): void {
  if (batch.kind === "dense" || !state.catchesUp) return;
  const { groups } = state;
  state.team.parallelFor(groups.blocks, (block) =>
    groups.visit(batch, count, block, (feature) => catchUpFeature(state, feature, adam)),
  );
}

/** Activations of all layers for some rows. */
function forwardRows({ layers, outs, options }: State, batch: BatchRows, from: number, to: number, adam: LazyAdam): void {
  layers.forEach((layer, l) => {
    const n = layer.outputs;
    const out = outs[l]!;
    for (let r = from; r < to; r++) out.set(layer.biases.w, r * n);
    const weights = matrixView(layer.weights.w, layer.inputs, n);
    const into = rowSlice(matrixView(out, to, n), from, to);
    if (l > 0) matmul(rowSlice(matrixView(outs[l - 1]!, to, layer.inputs), from, to), weights, into, "add");
    else if (batch.kind === "dense") matmul(rowSlice(matrixView(batch.values, to, layer.inputs), from, to), weights, into, "add");
    else
      for (let r = from; r < to; r++) {
        const { indices, values, starts } = batch;
        gatherRows(indices, values, starts[r]!, starts[r + 1]!, layer.weights.w, out.subarray(r * n, (r + 1) * n));
      }
    reluDropout(out.subarray(from * n, to * n), n, options, adam.step, l, from);
  });
}

/** Gradients of the outputs of all layers for some rows, from that of the last. */
function backwardRows({ layers, outs, backs, options }: State, from: number, to: number): void {
  for (let l = layers.length - 1; l >= 0; l--) {
    const { inputs, outputs, weights } = layers[l]!;
    const back = backs[l]!;
    reluBackward(back, outs[l]!, from * outputs, to * outputs, 1 / (1 - options.dropout));
    if (l === 0) break;
    const across = transposed(matrixView(weights.w, inputs, outputs));
    const into = rowSlice(matrixView(backs[l - 1]!, to, inputs), from, to);
    matmul(rowSlice(matrixView(back, to, outputs), from, to), across, into);
  }
}

/** Moves the weights of a block of features that the batch holds. */
function moveFeatures(state: State, batch: SparseRows, count: number, block: number, adam: LazyAdam): void {
  const { first, groups, backs, lastStep, exact, options } = state;
  const { w, m, v } = first.weights;
  const entries = groups.entries(batch, count, block, exact && options.l2 > 0);
  adamRows(entries, backs[0]!, first.outputs, w, m, v, adam.weightSettings);
  for (let r = 0; r < entries.count; r++) lastStep[entries.rows[r]!] = adam.step;
}

/** Moves weights of layer l, those of inputs `from` to `to`. */
function moveDense(state: State, batch: BatchRows, count: number, { l, from, to }: DensePart, adam: LazyAdam): void {
  const { layers, outs, backs, gradient } = state;
  const { inputs, outputs, weights } = layers[l]!;
  const x = l > 0 ? outs[l - 1]! : (batch as { values: Float32Array }).values;
  const into = rowSlice(matrixView(gradient, to - from, outputs), 0, to - from);
  matmul(rowSlice(transposed(matrixView(x, count, inputs)), from, to), matrixView(backs[l]!, count, outputs), into);
  adamStep(weights.w, weights.m, weights.v, from * outputs, gradient, (to - from) * outputs, adam.weightSettings);
}

function moveBiases({ layers, backs, gradient }: State, l: number, count: number, adam: LazyAdam): void {
  const { outputs, biases } = layers[l]!;
  columnSums(backs[l]!, 0, count, outputs, outputs, gradient);
  adamStep(biases.w, biases.m, biases.v, 0, gradient, outputs, adam.biasSettings);
}

/** Moves all weights: blocks of features of a sparse batch, parts of dense layers, then the biases of each layer. */
function moveWeights(state: State, batch: BatchRows, count: number, adam: LazyAdam): void {
  const { team, layers, groups } = state;
  const dense = layers.flatMap((layer, l) => (l > 0 || batch.kind === "dense" ? denseParts(layer, l) : []));
  const sparse = batch.kind === "sparse" ? groups.blocks : 0;
  team.parallelFor(sparse + dense.length + layers.length, (block) => {
    if (block < sparse) moveFeatures(state, batch as SparseRows, count, block, adam);
    else if (block < sparse + dense.length) moveDense(state, batch, count, dense[block - sparse]!, adam);
    else moveBiases(state, block - sparse - dense.length, count, adam);
  });
}

export function trunk(team: Team, layers: readonly Layer[], most: number, options: TrunkOptions): Trunk {
  const state = newState(team, layers, most, options);
  const { groups } = state;
  const last = layers.length - 1;
  /** Rows of the batch, shared out in blocks. */
  const eachRows = (count: number, visit: (from: number, to: number) => void) =>
    team.parallelFor(Math.ceil(count / ROWS), (block) => visit(block * ROWS, Math.min(count, (block + 1) * ROWS)));
  return {
    out: state.outs[last]!,
    back: state.backs[last]!,
    forward(batch, count, adam) {
      refresh(state, batch, count, adam);
      eachRows(count, (from, to) => forwardRows(state, batch, from, to, adam));
    },
    backward(batch, count, adam) {
      eachRows(count, (from, to) => backwardRows(state, from, to));
      moveWeights(state, batch, count, adam);
    },
    catchUp(adam) {
      if (!state.catchesUp) return;
      team.parallelFor(groups.blocks, (block) => {
        for (let f = groups.from(block); f < groups.from(block + 1); f++) catchUpFeature(state, f, adam);
      });
    },
    restart() {
      team.parallelFor(1, () => state.lastStep.fill(0));
    },
    memory: [state.lastStep],
    close: () => state.heap.close(),
  };
}

/** Weights of a layer that are moved together. */
interface DensePart {
  readonly l: number;
  readonly from: number;
  readonly to: number;
}

function denseParts({ inputs, outputs }: Layer, l: number): DensePart[] {
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

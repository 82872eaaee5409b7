/**
 * Scores of a network for data, in chunks of rows that the workers of a team share out. Weights outside the heap are copied into
 * it.
 */
import { Heap, isInHeap } from "../../numeric/heap.ts";
import { matmul, matrixView, rowSlice, transposed } from "../../numeric/matmul.ts";
import { gatherRows } from "../../numeric/network.ts";
import { TopK } from "../../numeric/top.ts";
import type { ParallelOps } from "../../teams/solo.ts";
import type { Dataset, Matrix, TopItems } from "../../types.ts";
import { batchRows, fill } from "./rows.ts";

/** The numbers of a layer, as `Layer` holds them, without what Adam remembers. */
export type Weights = {
  readonly inputs: number;
  readonly outputs: number;
  readonly w: Float32Array;
  readonly b: Float32Array;
};

export type Network = {
  /** What follows a hidden layer, relu unless said. */
  readonly activation?: "relu" | "none";
  readonly hidden: readonly Weights[];
  /** By input, or for multi-label data by label. */
  readonly last: Weights;
};

const CHUNK = 128; // rows
const BLOCK = 512; // items

/** The k best labels for each list. */
export function topOf(network: Network, data: Dataset, ops: ParallelOps, into: TopItems): TopItems {
  const lists = data.starts.length - 1;
  const { last } = network;
  const { k, items, scores } = into;
  inChunks(ops, lists, (heap) => {
    const hidden = hiddenLayers(network, data.features, heap);
    const z = heap.f32(CHUNK * BLOCK);
    const scratch = isInHeap(last.w) ? undefined : heap.f32(BLOCK * last.inputs);
    const best = Array.from({ length: CHUNK }, () => new TopK(k));
    return (from, to) => {
      const out = hidden((r) => from + r, to - from);
      for (let low = 0; low < last.outputs; low += BLOCK) {
        const high = Math.min(last.outputs, low + BLOCK);
        const part = last.w.subarray(low * last.inputs, high * last.inputs);
        scratch?.set(part);
        const into = rowSlice(matrixView(z, to - from, high - low), 0, to - from);
        for (let r = 0; r < to - from; r++) z.set(last.b.subarray(low, high), r * (high - low));
        matmul(
          matrixView(out, to - from, last.inputs),
          transposed(matrixView(scratch ?? part, high - low, last.inputs)),
          into,
          "add",
        );
        for (let r = 0; r < to - from; r++) best[r]!.offer(z, r * (high - low), (r + 1) * (high - low), low);
      }
      for (let r = 0; r < to - from; r++) best[r]!.drain(items, scores, (from + r) * k);
    };
  });
  return into;
}

/** Arrays for the k best items of each list. */
export const allocTop = (lists: number, k: number, { allocShared }: ParallelOps): TopItems => ({
  k,
  items: allocShared("u32", lists * k),
  scores: allocShared("f64", lists * k),
});

/** The score of each relevant label of the lists. */
export function labelScores(network: Network, data: Dataset, ops: ParallelOps, into: Float64Array): void {
  const { last } = network;
  const { starts } = data;
  inChunks(ops, starts.length - 1, (heap) => {
    const hidden = hiddenLayers(network, data.features, heap);
    return (from, to) => {
      const out = hidden((r) => from + r, to - from);
      for (let q = from; q < to; q++)
        for (let i = starts[q]!; i < starts[q + 1]!; i++) {
          const item = data.items![i]!;
          let sum = last.b[item]!;
          for (let h = 0; h < last.inputs; h++) sum += out[(q - from) * last.inputs + h]! * last.w[item * last.inputs + h]!;
          into[i] = sum;
        }
    };
  });
}

/** The outputs of each row, of lists that have a row for each item. */
export function rowOutputs(network: Network, features: Matrix, ops: ParallelOps, into: Float64Array): void {
  const { inputs, outputs, w, b } = network.last;
  inChunks(ops, features.rows, (heap) => {
    const hidden = hiddenLayers(network, features, heap);
    const weights = inHeap(heap, w);
    const z = heap.f32(CHUNK * outputs);
    return (from, to) => {
      const out = hidden((r) => from + r, to - from);
      for (let r = 0; r < to - from; r++) z.set(b, r * outputs);
      matmul(matrixView(out, to - from, inputs), matrixView(weights, inputs, outputs), matrixView(z, to - from, outputs), "add");
      for (let i = 0; i < (to - from) * outputs; i++) into[from * outputs + i] = z[i]!;
    };
  });
}

/** Each member prepares once and then works on chunks of rows. */
function inChunks(ops: ParallelOps, rows: number, prepare: (heap: Heap) => (from: number, to: number) => void): void {
  const heap = new Heap();
  let work: ((from: number, to: number) => void) | undefined;
  ops.parallelFor(Math.ceil(rows / CHUNK), (block) => {
    work ??= prepare(heap);
    work(block * CHUNK, Math.min(rows, (block + 1) * CHUNK));
  });
  heap.close();
}

function inHeap(heap: Heap, values: Float32Array): Float32Array {
  if (isInHeap(values)) return values;
  const copy = heap.f32(values.length);
  copy.set(values);
  return copy;
}

const LARGE = 2 ** 22; // numbers: a first layer of more is read where it is, for the rows that need it

/** Activations of the last hidden layer for some rows of the data. */
function hiddenLayers(
  { hidden, activation = "relu" }: Network,
  features: Matrix,
  heap: Heap,
): (row: (r: number) => number, count: number) => Float32Array {
  const batch = batchRows((kind, length) => heap.make(kind, length), features, CHUNK);
  const layers = hidden.map((layer, l) => ({
    ...layer,
    w: l === 0 && features.kind === "sparse" && layer.w.length > LARGE ? layer.w : inHeap(heap, layer.w),
    out: heap.f32(CHUNK * layer.outputs),
  }));
  const rows = new Uint32Array(CHUNK);
  return (row, count) => {
    for (let r = 0; r < count; r++) rows[r] = row(r);
    fill(batch, features, rows, count);
    layers.forEach(({ inputs, outputs, w, b, out }, l) => {
      for (let r = 0; r < count; r++) out.set(b, r * outputs);
      const weights = matrixView(w, inputs, outputs);
      const into = matrixView(out, count, outputs);
      if (l > 0) matmul(matrixView(layers[l - 1]!.out, count, inputs), weights, into, "add");
      else if (batch.kind === "dense") matmul(matrixView(batch.values, count, inputs), weights, into, "add");
      else
        for (let r = 0; r < count; r++)
          gatherRows(
            batch.indices,
            batch.values,
            batch.starts[r]!,
            batch.starts[r + 1]!,
            w,
            out.subarray(r * outputs, (r + 1) * outputs),
          );
      if (activation === "relu") for (let i = 0; i < count * outputs; i++) if (!(out[i]! > 0)) out[i] = 0;
    });
    return layers.at(-1)!.out;
  };
}

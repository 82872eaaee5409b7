/**
 * The lambda gradients of a list, each pair weighted by the change in DCG when the two are swapped: a kernel if the arrays are in the heap,
 * plain otherwise, with bit-identical results. The formula is in objectives/lambdarank.ts.
 */
import { Heap, isInHeap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/lambda.ts";
import type { Tiers } from "./tiers.ts";

export interface LambdaKernels {
  lambdaGradients(
    ...args: [
      ...[n: number, count: number, scores: number, order: number, starts: number, gains: number, weights: number],
      ...[discounts: number, truncation: number, sigmoid: number, norm: number, share: number],
      ...[gradient: number, hessian: number, scratch: number, out: number],
    ]
  ): number;
}

export interface LambdaInput extends Readonly<Tiers> {
  /** By tier. */
  readonly gains: Float64Array;
  /** By item; a pair counts with that of the better one. */
  readonly weights: Float32Array | undefined;
  /** By place. */
  readonly discounts: Float64Array;
  /** Only pairs with an item within this many ranks count. */
  readonly truncation: number;
  /** Steepness. */
  readonly sigmoid: number;
  /** Divide by distances of scores, unless all are equal, and scale the list by log2(1 + Λ) / Λ. */
  readonly norm: boolean;
  /** Factor of all lambdas. */
  readonly scale: number;
  /** Written: of the first `truncation` places. */
  dcg: number;
}

let arena: Heap | undefined;
let size = 0;
let held: Pick<LambdaInput, "gains" | "discounts"> & { weights: Float32Array; scratch: Float64Array; out: Float64Array };
let heldDiscounts: Float64Array | undefined; // the discounts that are held

function reserve(n: number): void {
  if (n <= size) return;
  arena?.close();
  arena = new Heap();
  size = Math.max(256, 2 * n);
  held = {
    ...{ gains: arena.f64(size), weights: arena.f32(size), discounts: arena.f64(size) },
    ...{ scratch: arena.f64(13 * size + 128), out: arena.f64(1) },
  };
  heldDiscounts = undefined;
}

/** Writes the derivatives of a list and returns the sum of its lambdas, Λ / 2, without weights. */
export function lambdaGradients(scores: Float64Array, input: LambdaInput, gradient: Float64Array, hessian: Float64Array): number {
  const { order, starts, count, gains, weights, discounts, truncation, sigmoid, norm, scale } = input;
  const inHeap = isInHeap(scores) && isInHeap(order) && isInHeap(starts) && isInHeap(gradient) && isInHeap(hessian);
  const wasm = inHeap ? kernels() : null;
  if (!wasm) return plain.lambdaGradients(scores, input, gradient, hessian);
  const n = scores.length;
  reserve(n);
  for (let t = 0; t < count; t++) held.gains[t] = gains[t]!;
  if (weights) held.weights.set(weights);
  if (heldDiscounts !== discounts) {
    const some = Math.min(discounts.length, held.discounts.length);
    for (let p = 0; p < some; p++) held.discounts[p] = discounts[p]!;
    heldDiscounts = discounts;
  }
  const sum = wasm.lambdaGradients(
    n,
    count,
    scores.byteOffset,
    order.byteOffset,
    starts.byteOffset,
    held.gains.byteOffset,
    weights ? held.weights.byteOffset : 0,
    held.discounts.byteOffset,
    Math.min(n, truncation),
    sigmoid,
    norm ? 1 : 0,
    scale,
    gradient.byteOffset,
    hessian.byteOffset,
    held.scratch.byteOffset,
    held.out.byteOffset,
  );
  input.dcg = held.out[0]!;
  return sum;
}

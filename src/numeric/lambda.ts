/**
 * The lambda gradients of a list, each pair weighted by the change in DCG when the two are swapped: a kernel if the arrays are in the heap,
 * plain otherwise, with bit-identical results. The formula is in objectives/lambdarank.ts.
 */
import { isInHeap } from "./heap.ts";
import { kernelScratch, kernels } from "./kernels.ts";
import * as plain from "./plain/lambda.ts";
import type { Tiers } from "./tiers.ts";

export interface LambdaKernels {
  lambdaGradients(
    ...args: [
      ...[n: number, count: number, scores: number, order: number, starts: number, gains: number, weights: number],
      ...[discounts: number, truncation: number, sigmoid: number, norm: number, scale: number],
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

/** Writes the derivatives of a list and returns the sum of its lambdas, Λ / 2, without weights. */
export function lambdaGradients(scores: Float64Array, input: LambdaInput, gradient: Float64Array, hessian: Float64Array): number {
  const { order, starts, count, gains, weights, discounts, truncation, sigmoid, norm, scale } = input;
  const inHeap = isInHeap(scores) && isInHeap(order) && isInHeap(starts) && isInHeap(gradient) && isInHeap(hessian);
  const wasm = inHeap ? kernels() : null;
  if (!wasm) return plain.lambdaGradients(scores, input, gradient, hessian);
  const n = scores.length;
  // In units of 8 bytes: the result, inputs that are not in the heap, and what the kernel needs.
  const [gainsAt, discountsAt, weightsAt, restAt] = [8, 8 + n, 8 + 2 * n, (15 + 3 * n) & ~7];
  const { address, f64, f32 } = kernelScratch(8 * (restAt + 13 * n + 128));
  for (let t = 0; t < count; t++) f64[gainsAt + t] = gains[t]!;
  for (let p = 0; p < n; p++) f64[discountsAt + p] = discounts[p]!;
  if (weights) f32.set(weights, 2 * weightsAt);
  const sum = wasm.lambdaGradients(
    n,
    count,
    scores.byteOffset,
    order.byteOffset,
    starts.byteOffset,
    address + 8 * gainsAt,
    weights ? address + 8 * weightsAt : 0,
    address + 8 * discountsAt,
    Math.min(n, truncation),
    sigmoid,
    norm ? 1 : 0,
    scale,
    gradient.byteOffset,
    hessian.byteOffset,
    address + 8 * restAt,
    address,
  );
  input.dcg = f64[0]!;
  return sum;
}

/**
 * The forces between the pairs of a list, each weighted by how much DCG changes when the two trade places: compiled where the arrays lie in
 * the heap, plain otherwise, with the same bits. The formula is in objectives/lambdarank.ts.
 */
import { Heap, holds } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/lambda.ts";
import type { Tiers } from "./tiers.ts";

export interface LambdaKernels {
  lambdaForces(
    ...args: [
      ...[n: number, count: number, scores: number, order: number, starts: number, gains: number, weights: number],
      ...[discounts: number, truncation: number, sigmoid: number, norm: number, share: number],
      ...[gradient: number, hessian: number, scratch: number, out: number],
    ]
  ): number;
}

export interface Forces extends Readonly<Tiers> {
  readonly gains: Float64Array; // by tier
  readonly weights: Float32Array | undefined; // by item; a pair counts with that of the better one
  readonly discounts: Float64Array; // by place
  readonly truncation: number; // places of which a pair must hold one
  readonly sigmoid: number; // steepness
  readonly norm: boolean; // divide by distances of scores, unless all are equal, and scale the list by log2(1 + Λ) / Λ
  readonly share: number; // factor of all forces
  dcg: number; // written: of the first `truncation` places
}

let room: Heap | undefined;
let size = 0;
let held: Pick<Forces, "gains" | "discounts"> & { weights: Float32Array; scratch: Float64Array; out: Float64Array };
let told: Float64Array | undefined; // the discounts that are held

function reserve(n: number): void {
  if (n <= size) return;
  room?.close();
  room = new Heap();
  size = Math.max(256, 2 * n);
  held = {
    ...{ gains: room.f64(size), weights: room.f32(size), discounts: room.f64(size) },
    ...{ scratch: room.f64(13 * size + 128), out: room.f64(1) },
  };
  told = undefined;
}

/** Writes the derivatives of a list and returns the sum of its forces, Λ / 2, without weights. */
export function lambdaForces(scores: Float64Array, forces: Forces, gradient: Float64Array, hessian: Float64Array): number {
  const { order, starts, count, gains, weights, discounts, truncation, sigmoid, norm, share } = forces;
  const inHeap = holds(scores) && holds(order) && holds(starts) && holds(gradient) && holds(hessian);
  const wasm = inHeap ? kernels() : null;
  if (!wasm) return plain.lambdaForces(scores, forces, gradient, hessian);
  const n = scores.length;
  reserve(n);
  for (let t = 0; t < count; t++) held.gains[t] = gains[t]!;
  if (weights) held.weights.set(weights);
  if (told !== discounts) {
    const some = Math.min(discounts.length, held.discounts.length);
    for (let p = 0; p < some; p++) held.discounts[p] = discounts[p]!;
    told = discounts;
  }
  const sum = wasm.lambdaForces(
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
    share,
    gradient.byteOffset,
    hessian.byteOffset,
    held.scratch.byteOffset,
    held.out.byteOffset,
  );
  forces.dcg = held.out[0]!;
  return sum;
}

/**
 * The forces between the pairs of a list, each weighted by how much DCG changes when the two trade places: compiled where the arrays lie in
 * the heap, plain otherwise, with the same bits. The formula is in objectives/lambdarank.ts.
 */
import { Heap, heap, holds } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/lambda.ts";

export interface LambdaKernels {
  lambdaForces(
    ...[scores, gains, weights, discounts, n, truncation, sigmoid, norm, share, gradient, curvature, scratch, out]: number[]
  ): number;
}

export interface Forces {
  readonly gains: Float64Array; // by item
  readonly weights: Float32Array | undefined; // by item; a pair counts with that of the better one
  readonly discounts: Float64Array; // by place
  readonly truncation: number; // places of which a pair must hold one
  readonly sigmoid: number; // steepness
  readonly norm: boolean; // divide by distances of scores, unless all are equal
  readonly share: number; // factor of all forces
  dcg: number; // written: of the first `truncation` places
}

let room: Heap | undefined;
let size = 0;
let held: { gains: Float64Array; weights: Float64Array; discounts: Float64Array; scratch: Float64Array; out: Float64Array };

function reserve(n: number): void {
  if (n <= size) return;
  room?.close();
  room = new Heap();
  size = Math.max(256, 2 * n);
  held = {
    ...{ gains: room.f64(size), weights: room.f64(size), discounts: room.f64(size + 2) },
    ...{ scratch: room.f64(7 * (size + 2)), out: heap.f64(1) },
  };
}

/** Writes the derivatives of a list and returns the sum of its forces. */
export function lambdaForces(scores: Float64Array, forces: Forces, gradient: Float64Array, curvature: Float64Array): number {
  const wasm = holds(scores) && holds(gradient) && holds(curvature) ? kernels() : null;
  if (!wasm) return plain.lambdaForces(scores, forces, gradient, curvature);
  const { truncation, sigmoid, norm, share, gains, weights, discounts } = forces;
  const n = scores.length;
  reserve(n);
  for (let i = 0; i < n; i++) {
    held.gains[i] = gains[i]!;
    held.discounts[i] = discounts[i]!;
    if (weights) held.weights[i] = weights[i]!;
  }
  const [g, w, d] = [held.gains.byteOffset, weights ? held.weights.byteOffset : 0, held.discounts.byteOffset];
  const [to, bend, scratch, out] = [gradient.byteOffset, curvature.byteOffset, held.scratch.byteOffset, held.out.byteOffset];
  const places = Math.min(n, truncation);
  const sum = wasm.lambdaForces(scores.byteOffset, g, w, d, n, places, sigmoid, norm ? 1 : 0, share, to, bend, scratch, out);
  forces.dcg = held.out[0]!;
  return sum;
}

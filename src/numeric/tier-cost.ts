/**
 * The cost of one list under the Plackett-Luce likelihood of tiers, -Σ weight_t log P(tier t before all after it), and its derivatives:
 * compiled where there is a heap, plain otherwise, with the same bits. plain/tier-stage.ts and plain/tier-cost.ts say how.
 */
import { Heap, holds } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/tier-cost.ts";

/** How fine the nodes of the integrals lie. `wide` bounds the step by the width of the peak, `octave` is the least number per doubling. */
export interface Fineness {
  readonly octave: number;
  readonly wide: number;
  readonly tail: number; // nodes end where a term is e^-tail of the greatest
}

/** Errors near 1e-13 in log P and 1e-12 in derivatives. */
export const DOUBLE: Fineness = { octave: 3, wide: 0.75, tail: 35 };
/** Errors near 1e-7 in log P and 1e-6 in derivatives, for half the nodes. */
export const SINGLE: Fineness = { octave: 2, wide: 1.15, tail: 23 };

/** A list in the order of its tiers, the best first: tier t has places starts[t] to starts[t + 1]. */
export interface TierList {
  n: number; // items
  count: number; // tiers
  readonly scores: Float64Array; // by place
  readonly starts: Uint32Array;
  readonly weights: Float64Array; // by tier: 0 where its stage does not count
  readonly gradient: Float64Array; // by place, written by tierCost
  readonly curvature: Float64Array;
}

export interface TierKernels {
  tierCost(
    ...args: [
      ...[n: number, count: number, scores: number, starts: number, weights: number, gradient: number, curvature: number],
      ...[octave: number, wide: number, tail: number, room: number],
    ]
  ): number;
}

let heap: Heap | undefined;
let most = 0;
let list: TierList | undefined;
let room = 0;

/** A list to be filled in, with room for n items; the same memory each time. */
export function tierList(n: number): TierList {
  if (!list || most < n) {
    most = Math.max(128, 2 * n);
    heap?.close();
    heap = new Heap();
    list = {
      ...{ n: 0, count: 0 },
      ...{ scores: heap.f64(most), starts: heap.u32(most + 1), weights: heap.f64(most) },
      ...{ gradient: heap.f64(most), curvature: heap.f64(most) },
    };
    room = heap.f64(14 * most + 64).byteOffset; // see wasm/tier-cost.ts
  }
  list.n = n;
  return list;
}

/** The cost. Writes the gradient, and the second derivatives too when `bends` says so. */
export function tierCost(list: TierList, fine: Fineness, bends: boolean): number {
  const wasm = holds(list.scores) ? kernels() : null;
  if (!wasm) return plain.tierCost(list, fine, bends);
  const { n, count, scores, starts, weights, gradient, curvature } = list;
  return wasm.tierCost(
    ...([n, count, scores.byteOffset, starts.byteOffset, weights.byteOffset, gradient.byteOffset] as const),
    ...([bends ? curvature.byteOffset : 0, fine.octave, fine.wide, fine.tail, room] as const),
  );
}

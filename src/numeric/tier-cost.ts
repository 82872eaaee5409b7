/**
 * The cost of one list under the Plackett-Luce likelihood of tiers, -Σ weight_t log P(tier t before all after it), and its derivatives:
 * compiled where there is a heap, plain otherwise, with the same bits. plain/tier-stage.ts and plain/tier-cost.ts say how.
 */
import { isInHeap } from "./heap.ts";
import { kernelScratch, kernels } from "./kernels.ts";
import { ListScratch } from "./list-scratch.ts";
import type { TierCostScratch } from "./plain/tier-cost.ts";
import * as plain from "./plain/tier-cost.ts";
import type { Tiers } from "./tiers.ts";

/** The nodes of the integrals. */
export interface QuadratureRule {
  /** The step is such that the error of log P is about 2 e^-nats, and nodes end where a term is e^-nats of the greatest. */
  readonly nats: number;
}

/** Errors up to 1e-13 in log P and 1e-12 in derivatives. */
export const DOUBLE: QuadratureRule = { nats: 31.3 };
/** Errors up to 1e-7 in log P and 1e-6 in derivatives, for about half the nodes. */
export const SINGLE: QuadratureRule = { nats: 16.8 };

/** A list in the order of its tiers, the best first: tier t has places starts[t] to starts[t + 1]. */
export interface TierList {
  /** Items. */
  n: number;
  /** Tiers. */
  count: number;
  /** By place. */
  readonly scores: Float64Array;
  readonly starts: Uint32Array;
  /** By tier: 0 where its stage does not count. */
  readonly weights: Float64Array;
  /** By place, written by tierCost. */
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  /** Of the plain fallback, which makes it. */
  scratch?: TierCostScratch;
}

export interface TierKernels {
  tierCost(
    ...args: [
      ...[n: number, count: number, scores: number, starts: number, weights: number, gradient: number, hessian: number],
      ...[nats: number, scratch: number],
    ]
  ): number;
  tierCostOf(
    ...args: [
      ...[n: number, count: number, scores: number, order: number, starts: number, weights: number],
      ...[gradient: number, hessian: number, nats: number],
      ...[placed: number, first: number, second: number, scratch: number],
    ]
  ): number;
}

/** Makes a function that returns a list of n items to be filled in, in the same memory each time. */
export function tierLists(): (n: number) => TierList {
  const scratch = new ListScratch(
    (heap, size): TierList => ({
      ...{ n: 0, count: 0 },
      ...{ scores: heap.f64(size), starts: heap.u32(size + 1), weights: heap.f64(size) },
      ...{ gradient: heap.f64(size), hessian: heap.f64(size) },
    }),
  );
  return (n) => {
    const list = scratch.for(n);
    list.n = n;
    return list;
  };
}

/** Bytes of scratch for a list of n items: see wasm/tier-cost.ts. */
const scratchBytes = (n: number) => 8 * (14 * n + 64);

/** The cost. Writes the gradient, and the diagonal of the Hessian if `withHessian`. */
export function tierCost(list: TierList, rule: QuadratureRule, withHessian: boolean): number {
  const wasm = isInHeap(list.scores) ? kernels() : null;
  if (!wasm) return plain.tierCost(list, rule, withHessian);
  const { n, count, scores, starts, weights, gradient, hessian } = list;
  // Written out, here and below: an array spread into arguments costs as much as a small tier.
  return wasm.tierCost(
    n,
    count,
    scores.byteOffset,
    starts.byteOffset,
    weights.byteOffset,
    gradient.byteOffset,
    withHessian ? hessian.byteOffset : 0,
    rule.nats,
    kernelScratch(scratchBytes(n)).address,
  );
}

/** The same for scores by item, with the weights of the list: gathers them by tiers and writes derivatives by item. */
export function tierCostOf(
  list: TierList,
  { order, starts, count }: Tiers,
  scores: Float64Array,
  rule: QuadratureRule,
  gradient: Float64Array,
  hessian: Float64Array | undefined,
): number {
  const { n } = list;
  const inHeap =
    isInHeap(order) && isInHeap(scores) && isInHeap(gradient) && (!hessian || isInHeap(hessian)) && isInHeap(list.scores);
  const wasm = inHeap ? kernels() : null;
  if (wasm)
    return wasm.tierCostOf(
      n,
      count,
      scores.byteOffset,
      order.byteOffset,
      starts.byteOffset,
      list.weights.byteOffset,
      gradient.byteOffset,
      hessian ? hessian.byteOffset : 0,
      rule.nats,
      list.scores.byteOffset,
      list.gradient.byteOffset,
      list.hessian.byteOffset,
      kernelScratch(scratchBytes(n)).address,
    );
  list.count = count;
  for (let t = 0; t <= count; t++) list.starts[t] = starts[t]!;
  for (let p = 0; p < n; p++) list.scores[p] = scores[order[p]!]!;
  const cost = tierCost(list, rule, hessian !== undefined);
  for (let p = 0; p < n; p++) {
    const i = order[p]!;
    gradient[i] = list.gradient[p]!;
    if (hessian) hessian[i] = list.hessian[p]!;
  }
  return cost;
}

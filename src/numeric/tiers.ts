/** Labels as tiers: positions from the best label to the worst, equal labels side by side in their given order. */
import { isInHeap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import { ListScratch } from "./list-scratch.ts";
import { descending } from "./order.ts";
import * as plain from "./plain/tiers.ts";

export interface TiersKernels {
  sortGrades(labels: number, n: number, backward: number, order: number, starts: number): number;
}

/** `order[starts[t]]` to `order[starts[t + 1]]` are the items of tier t, the best first. */
export interface Tiers {
  order: Uint32Array;
  /** Of the tiers, and where the last one ends. */
  starts: Uint32Array;
  count: number;
}

/**
 * Makes a function that finds the tiers of a list; backward, the worst comes first. The result is in the heap, longer than the list, and
 * overwritten by the next call.
 */
export function tierSorter(direction: "forward" | "backward" = "forward"): (labels: Float32Array) => Tiers {
  const backward = direction === "backward";
  const scratch = new ListScratch((heap, size) => ({
    found: { order: heap.u32(size), starts: heap.u32(size + 1), count: 0 } as Tiers,
    labelCopy: heap.f32(size),
    places: new Uint32Array(64), // of the plain fallback
  }));
  return (labels) => {
    const n = labels.length;
    const { found, labelCopy, places } = scratch.for(n);
    const { order, starts } = found;
    const wasm = kernels();
    if (wasm) {
      const inHeap = isInHeap(labels);
      if (!inHeap) labelCopy.set(labels);
      found.count = wasm.sortGrades(
        (inHeap ? labels : labelCopy).byteOffset,
        n,
        backward ? 1 : 0,
        order.byteOffset,
        starts.byteOffset,
      );
    } else found.count = plain.sortGrades(labels, backward, order, starts, places);
    if (found.count < 0) sort(backward ? labels.map((label) => -label) : labels, found);
    return found;
  };
}

function sort(labels: Float32Array, found: Tiers): void {
  const n = labels.length;
  const { order, starts } = found;
  order.set(descending(labels));
  found.count = 0;
  for (let p = 0; p < n; p++) if (p === 0 || labels[order[p]!] !== labels[order[p - 1]!]) starts[found.count++] = p;
  starts[found.count] = n;
}

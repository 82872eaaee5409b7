/** Labels as tiers: positions from the best label to the worst, equal labels side by side in their given order. */
import { Heap, isInHeap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import { descending } from "./order.ts";
import * as plain from "./plain/tiers.ts";

export interface TiersKernels {
  sortGrades(labels: number, n: number, back: number, order: number, starts: number, places: number): number;
}

/** `order[starts[t]]` to `order[starts[t + 1]]` are the items of tier t, the best first. */
export interface Tiers {
  order: Uint32Array;
  /** Of the tiers, and where the last one ends. */
  starts: Uint32Array;
  count: number;
}

const found: Tiers = { order: new Uint32Array(0), starts: new Uint32Array(0), count: 0 };
let arena: Heap | undefined;
let size = 0;
let labelCopy = new Float32Array(0);
let places = found.order;

function reserve(n: number): void {
  arena?.close();
  arena = new Heap();
  size = Math.max(256, 2 * n);
  found.order = arena.u32(size);
  found.starts = arena.u32(size + 1);
  labelCopy = arena.f32(size) as Float32Array<ArrayBuffer>;
  places = arena.u32(128) as Uint32Array<ArrayBuffer>;
}

/** The tiers of a list; backward, the worst comes first. Lies in the heap, with room to spare, and is overwritten by the next call. */
export function tiersOf(labels: Float32Array, direction: "forward" | "backward" = "forward"): Tiers {
  const n = labels.length;
  if (n > size) reserve(n);
  const back = direction === "backward";
  const { order, starts } = found;
  const wasm = kernels();
  if (wasm) {
    const lies = isInHeap(labels);
    if (!lies) labelCopy.set(labels);
    found.count = wasm.sortGrades(
      (lies ? labels : labelCopy).byteOffset,
      n,
      back ? 1 : 0,
      order.byteOffset,
      starts.byteOffset,
      places.byteOffset,
    );
  } else found.count = plain.sortGrades(labels, back, order, starts);
  if (found.count < 0) sort(back ? labels.map((label) => -label) : labels);
  return found;
}

function sort(labels: Float32Array): void {
  const n = labels.length;
  const { order, starts } = found;
  order.set(descending(labels));
  found.count = 0;
  for (let p = 0; p < n; p++) if (p === 0 || labels[order[p]!] !== labels[order[p - 1]!]) starts[found.count++] = p;
  starts[found.count] = n;
}

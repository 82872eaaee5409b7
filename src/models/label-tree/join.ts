/** A tree as one set of arrays: put together from the nodes that each thread trained, and copied out of kernel memory. */
import { InputError } from "../../input-error.ts";
import { fromRef, Heap } from "../../numeric/heap.ts";
import type { Team } from "../../types.ts";
import type { LabelTree } from "./beam.ts";
import type { NodeWeights } from "./classify.ts";

/** Writes the nodes of all members one after the other, into a heap of the first member, which the others see. */
export function joinNodes(
  team: Team,
  order: Uint32Array,
  sizes: Uint32Array,
  own: Map<number, NodeWeights>,
): { readonly tree: LabelTree; readonly heap: Heap } {
  const count = sizes.length / 2;
  const entries = new Float64Array(count + 1);
  const nodes = new Uint32Array(count + 1);
  for (let j = 0; j < count; j++) {
    nodes[j + 1] = nodes[j]! + sizes[2 * j]!;
    entries[j + 1] = entries[j]! + sizes[2 * j + 1]!;
  }
  if (entries[count]! >= 2 ** 32)
    throw new InputError(`label-tree: a tree of ${entries[count]} weights is too large; raise the threshold`);
  const heap = new Heap();
  const arrays = sharedArrays(team, heap, [
    ["u32", nodes[count]!],
    ["u32", nodes[count]! + 1],
    ["u32", entries[count]!],
    ["f32", entries[count]!],
  ]);
  const [features, starts, classes, values] = arrays as [Uint32Array, Uint32Array, Uint32Array, Float32Array];
  if (team.rank === 0) starts[nodes[count]!] = entries[count]!;
  for (const [j, weights] of own) {
    features.set(weights.features, nodes[j]!);
    classes.set(weights.classes, entries[j]!);
    values.set(weights.values, entries[j]!);
    for (let f = 0; f < weights.features.length; f++) starts[nodes[j]! + f] = entries[j]! + weights.starts[f]!;
    own.delete(j);
  }
  team.barrier();
  return { tree: { order, nodes, features, starts, classes, values }, heap };
}

/** Arrays of the first member's heap, for all members; unlike those of the team they are freed with the heap. */
function sharedArrays(
  team: Team,
  heap: Heap,
  wanted: readonly (readonly ["u32" | "f32", number])[],
): (Uint32Array | Float32Array)[] {
  if (team.size === 1) return wanted.map(([kind, length]) => heap.make(kind, length));
  const places = team.allocShared("f64", wanted.length);
  const made = team.rank === 0 ? wanted.map(([kind, length]) => heap.make(kind, length)) : [];
  made.forEach((array, i) => void (places[i] = array.byteOffset));
  team.barrier();
  return wanted.map(([kind, length], i) => made[i] ?? fromRef({ kind, address: places[i]!, length }));
}

/** In the place of trees that the first member keeps. */
export const EMPTY: LabelTree = {
  ...{ order: new Uint32Array(), nodes: new Uint32Array(), features: new Uint32Array(), starts: new Uint32Array() },
  ...{ classes: new Uint32Array(), values: new Float32Array() },
};

/** A tree outside kernel memory. Threads pass shared buffers on without another copy. */
export const copyTree = ({ order, nodes, features, starts, classes, values }: LabelTree): LabelTree => ({
  ...{ order: copyOf(order), nodes: copyOf(nodes), features: copyOf(features), starts: copyOf(starts) },
  ...{ classes: copyOf(classes), values: copyOf(values) },
});

function copyOf<A extends Uint32Array | Float32Array>(array: A): A {
  if (typeof SharedArrayBuffer === "undefined") return array.slice() as A;
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => A)(new SharedArrayBuffer(array.byteLength));
  copy.set(array as never);
  return copy;
}

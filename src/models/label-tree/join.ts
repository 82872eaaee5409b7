/** A tree as one set of arrays, put together from the nodes that each thread trained. */
import { InputError } from "../../input-error.ts";
import { type ArrayKind, fromRef, Heap } from "../../numeric/heap.ts";
import type { ArrayTypes, Team } from "../../types.ts";
import type { LabelTree } from "./beam.ts";
import type { NodeWeights } from "./classify.ts";

const WINDOW = 1 << 24; // numbers that are copied at once: kernel memory is scarcer than the rest

/**
 * The nodes of all members, one after the other. `own` is emptied on the way. With `kept`, a heap of the first member, all members see the tree
 * there; otherwise the first member has it outside kernel memory, and the others have none.
 */
export function joinNodes(
  team: Team,
  order: Uint32Array,
  sizes: Uint32Array,
  own: Map<number, NodeWeights>,
  classKind: "u8" | "u32",
  kept?: Heap,
): LabelTree {
  const count = sizes.length / 2;
  const entries = new Float64Array(count + 1);
  const nodes = new Uint32Array(count + 1);
  for (let j = 0; j < count; j++) {
    nodes[j + 1] = nodes[j]! + sizes[2 * j]!;
    entries[j + 1] = entries[j]! + sizes[2 * j + 1]!;
  }
  if (entries[count]! >= 2 ** 32)
    throw new InputError(`label-tree: a tree of ${entries[count]} weights is too large; raise the threshold`);
  for (const [j, { starts }] of own) for (let f = 0; f < starts.length; f++) starts[f] = starts[f]! + entries[j]!;
  const features = nodes[count]!;
  const join = <K extends ArrayKind>(kind: K, name: keyof LabelTree & keyof NodeWeights, begins: ArrayLike<number>) => {
    const parts: Part[] = [];
    for (const [j, weights] of own) {
      parts.push({ at: begins[j]!, values: weights[name].subarray(0, begins[j + 1]! - begins[j]!) });
      weights[name] = new Uint8Array() as never;
    }
    return joined(team, kind, name === "starts" ? features + 1 : begins[count]!, parts, kept);
  };
  const tree: LabelTree = {
    ...{ order: kept ? order : order.slice(), nodes },
    ...{ values: join("f32", "values", entries), classes: join(classKind, "classes", entries) },
    ...{ features: join("u32", "features", nodes), starts: join("u32", "starts", nodes) },
  };
  own.clear();
  if (team.rank === 0) tree.starts[features] = entries[count]!;
  team.barrier();
  return kept || team.rank === 0 ? tree : NONE;
}

/** Numbers of one member and their place in the whole. */
interface Part {
  readonly at: number;
  readonly values: ArrayTypes["u8" | "u32" | "f32"];
}

/** One array made of the parts of all members; without `kept` the first member alone has it. */
export function joined<K extends ArrayKind>(
  team: Team,
  kind: K,
  length: number,
  parts: readonly Part[],
  kept?: Heap,
  window = WINDOW,
): ArrayTypes[K] {
  if (kept) {
    const whole = sharedArray(team, kept, kind, length);
    for (const { at, values } of parts) whole.set(values as never, at);
    team.barrier();
    return whole;
  }
  const heap = new Heap();
  const piece = sharedArray(team, heap, kind, Math.min(length, window));
  const whole = outside(piece, team.rank === 0 ? length : 0);
  for (let from = 0; from < length; from += window) {
    const to = Math.min(length, from + window);
    for (const { at, values } of parts) {
      const [low, high] = [Math.max(from, at), Math.min(to, at + values.length)];
      if (low < high) piece.set(values.subarray(low - at, high - at) as never, low - from);
    }
    team.barrier();
    if (team.rank === 0) whole.set(piece.subarray(0, to - from) as never, from);
    team.barrier();
  }
  heap.close();
  return whole;
}

/** An array of the first member's heap, for all members; unlike those of the team it is freed with the heap. */
function sharedArray<K extends ArrayKind>(team: Team, heap: Heap, kind: K, length: number): ArrayTypes[K] {
  if (team.size === 1) return heap.make(kind, length);
  const place = team.allocShared("f64", 1);
  const made = team.rank === 0 ? heap.make(kind, length) : undefined;
  if (made) place[0] = made.byteOffset;
  team.barrier();
  return made ?? fromRef({ kind, address: place[0]!, length });
}

/** In the place of trees that the first member keeps. */
const NONE: LabelTree = {
  ...{ order: new Uint32Array(), nodes: new Uint32Array(), features: new Uint32Array(), starts: new Uint32Array() },
  ...{ classes: new Uint8Array(), values: new Float32Array() },
};

/** A tree outside kernel memory. */
export const copyTree = ({ order, nodes, features, starts, classes, values }: LabelTree): LabelTree => ({
  ...{ order: copyOf(order), nodes: copyOf(nodes), features: copyOf(features), starts: copyOf(starts) },
  ...{ classes: copyOf(classes), values: copyOf(values) },
});

function copyOf<A extends ArrayTypes[ArrayKind]>(array: A): A {
  const copy = outside(array, array.length);
  copy.set(array as never);
  return copy;
}

/** An array like another, outside kernel memory. Threads pass shared buffers on without another copy. */
function outside<A extends ArrayTypes[ArrayKind]>(like: A, length: number): A {
  const Kind = like.constructor as new (from: number | SharedArrayBuffer) => A;
  return new Kind(typeof SharedArrayBuffer === "undefined" ? length : new SharedArrayBuffer(length * like.BYTES_PER_ELEMENT));
}

/**
 * Transfers plain data between threads. Heap arrays are passed as references, so the other thread gets arrays over the same bytes that its
 * kernels accept; the rest is structured-cloned. Functions cannot be transferred.
 */
import { fromRef, type HeapRef, isInHeap, type NumericArray, refOf } from "../numeric/heap.ts";

const KEY = "place in shared memory";

/** Replaces every array of the heap by its place. */
export const pack = (value: unknown): unknown => change(value, (array) => (isInHeap(array) ? { [KEY]: refOf(array) } : array));

/** Puts every array of the heap back in its place. */
export const unpack = (value: unknown): unknown => change(value, (array) => array);

/** Copies every heap array, for use after the memory has been freed. */
export const copyOut = (value: unknown): unknown => change(value, (array) => (isInHeap(array) ? array.slice() : array));

function change(root: unknown, array: (array: NumericArray) => unknown): unknown {
  const done = new Map<object, unknown>(); // what occurs twice stays one thing, and a cycle ends
  const visit = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (done.has(value)) return done.get(value);
    if (ArrayBuffer.isView(value)) {
      const changed = value instanceof DataView ? value : array(value as NumericArray);
      done.set(value, changed);
      return changed;
    }
    if (KEY in value) return fromRef(value[KEY] as HeapRef);
    if (Array.isArray(value)) {
      // Lists of names can be long, and have nothing to change.
      if (value.every((entry) => typeof entry !== "object")) return value;
      const changed: unknown[] = [];
      done.set(value, changed);
      for (const entry of value) changed.push(visit(entry));
      return changed;
    }
    const kind = Object.getPrototypeOf(value);
    if (kind !== Object.prototype && kind !== null) return value;
    const changed: Record<string, unknown> = {};
    done.set(value, changed);
    for (const [key, entry] of Object.entries(value)) changed[key] = visit(entry);
    return changed;
  };
  return visit(root);
}

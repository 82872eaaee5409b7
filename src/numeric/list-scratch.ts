/**
 * Arrays in kernel memory that grow with the longest list seen, for work that is done list after list. They belong to the object that
 * holds this one, and are given back when it has been garbage-collected.
 */
import { Heap } from "./heap.ts";

const collected = new FinalizationRegistry<Heap>((heap) => heap.close());
const LEAST = 128; // items

export class ListScratch<T> {
  readonly #make: (heap: Heap, size: number) => T;
  readonly #heap = new Heap(1);
  #size = 0;
  #value: T | undefined;

  /** `make` allocates for lists of at most `size` items. Its arrays must not be used after this object is gone. */
  constructor(make: (heap: Heap, size: number) => T) {
    this.#make = make;
    collected.register(this, this.#heap);
  }

  /** The same arrays at each call, or larger ones for a longer list. */
  for(n: number): T {
    if (this.#value === undefined || n > this.#size) {
      this.#heap.close();
      this.#size = Math.max(LEAST, 2 * n);
      this.#value = this.#make(this.#heap, this.#size);
    }
    return this.#value;
  }
}

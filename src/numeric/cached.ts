/**
 * Tables in kernel memory that are made when first needed and kept between calls, such as the layout in which a model scores. That memory
 * knows no garbage collector, so this file does its work: tables are given back when their owner has been collected, when all that is kept
 * passes `LIMIT`, the longest unused first, and when memory runs out. What is needed again is made again.
 *
 * Each thread keeps its own. The tables of a thread that ends are given back with all that it owns (see `reclaim`). Where there is no shared
 * memory, tables are ordinary arrays of their owner.
 */
import { Heap, memory, onShortage } from "./heap.ts";

const LIMIT = 256 * 2 ** 20; // bytes in all
const PAGE = 65536;

/** What is kept of one owner; it does not refer to the owner, or that would never be collected. */
interface Kept<T> {
  heap: Heap;
  bytes: number;
  value: T | undefined;
}

const kept = new Set<Kept<unknown>>(); // the longest unused first
let total = 0;
let latest: Kept<unknown> | undefined;

function drop(one: Kept<unknown>): void {
  if (!kept.delete(one)) return;
  total -= one.bytes;
  one.heap.close();
  one.value = undefined;
  if (latest === one) latest = undefined;
}

function dropAll(): void {
  for (const one of kept) drop(one);
}

/** Memory for one, at the cost of those that have been unused for longest. */
function place(one: Kept<unknown>, bytes: number): Uint8Array {
  one.bytes = Math.ceil(bytes / PAGE) * PAGE;
  for (const oldest of kept) {
    if (total + one.bytes <= LIMIT) break;
    drop(oldest);
  }
  const given = one.heap.u8(bytes);
  total += one.bytes;
  kept.add((latest = one));
  return given;
}

const collected = new FinalizationRegistry<Kept<unknown>>(drop);

/** How many bytes are kept in kernel memory, by this thread. */
export const cachedBytes = (): number => total;

/** Something that is made on demand in memory that it is given, and kept for as long as its owner refers to this. */
export class Cached<T> {
  readonly #make: (allocate: (bytes: number) => Uint8Array) => T;
  readonly #kept: Kept<T> = { heap: new Heap(1), bytes: 0, value: undefined };

  /** `make` allocates once, and must not hold on to the owner in what it returns. */
  constructor(make: (allocate: (bytes: number) => Uint8Array) => T) {
    this.#make = make;
    collected.register(this, this.#kept);
  }

  /** Valid until the next call for any other `Cached` of this thread. */
  get(): T {
    const mine = this.#kept;
    if (mine.value !== undefined) {
      if (latest !== mine && kept.delete(mine)) kept.add((latest = mine));
      return mine.value;
    }
    if (!memory()) return (mine.value = this.#make((bytes) => new Uint8Array(Math.ceil(bytes / 8) * 8)));
    onShortage(dropAll);
    try {
      return (mine.value = this.#make((bytes) => place(mine, bytes)));
    } catch (error) {
      drop(mine);
      throw error;
    }
  }
}

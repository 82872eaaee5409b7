/**
 * Page allocator of one shared WebAssembly memory. A table at the start of the memory records the owner of every 64 KiB page, so threads
 * can allocate and free pages concurrently, and all pages of an owner can be reclaimed when it dies. Allocations are rare and large, so a
 * linear search under a lock is fast enough.
 *
 * Growth never moves the memory: arrays made before it stay valid, and see the same bytes, in every thread.
 */
import { InputError } from "../input-error.ts";
import { checkMemory, memoryBudget, usedMemory } from "../memory-budget.ts";
import { engine, type Memory } from "./engine.ts";

export const PAGE = 65536; // bytes
const MOST = 65536; // pages: 4 GiB, all that 32-bit addresses reach
const LOCK = 256; // index of the lock word: address 1024, after the first bytes, which stay free so that no array is at address 0
const HIGH_WATER = 257; // index of the word that holds the highest page ever owned, plus one: above it all bytes are zero
export const CONSTANTS = 2048; // address of 2 KiB for the numbers that the kernels read
const TABLE = 4096; // address of the table: one 16-bit owner for each page
const FIRST = Math.ceil((TABLE + 2 * MOST) / PAGE); // the first page that can be had
const FREE = 0;

export interface Pages {
  readonly memory: Memory;
  /** The buffer as large as it is now. */
  buffer(): SharedArrayBuffer;
  /** Makes a run of pages the owner's. They may hold old numbers below the address `dirty`. */
  allocate(count: number, owner: number): { start: number; dirty: number };
  free(address: number, count: number): void;
  /** Returns everything that an owner has, and its lock should it have died holding that. */
  reclaim(owner: number): void;
  /** How many pages are owned. */
  used(): number;
}

/** A new memory, or undefined where the engine cannot share one. */
export function newMemory(): Memory | undefined {
  if (!engine || typeof SharedArrayBuffer === "undefined") return undefined;
  // Some systems cannot reserve 4 GiB of addresses.
  for (let maximum = MOST; maximum >= MOST / 16; maximum /= 2)
    try {
      return new engine.Memory({ initial: 16, maximum, shared: true });
    } catch {}
  return undefined;
}

export function pages(memory: Memory): Pages {
  const words = new Int32Array(memory.buffer, 0, TABLE / 4);
  const owners = new Uint16Array(memory.buffer, TABLE, MOST);

  // The owner is the lock's value, so that a dead owner's lock can be distinguished from a living one's.
  function locked<T>(owner: number, act: () => T): T {
    while (Atomics.compareExchange(words, LOCK, FREE, owner) !== FREE);
    try {
      return act();
    } finally {
      Atomics.store(words, LOCK, FREE);
    }
  }

  /** First page of a free run, which may lie partly or wholly beyond the present end. */
  function search(count: number): number {
    const end = memory.buffer.byteLength / PAGE;
    let first = FIRST;
    for (let page = FIRST; page < end; page++) {
      if (owners[page] !== FREE) first = page + 1;
      else if (page - first + 1 === count) return first;
    }
    return first;
  }

  return {
    memory,
    buffer: () => memory.buffer,
    allocate: (count, owner) =>
      locked(owner, () => {
        const first = search(count);
        const missing = first + count - memory.buffer.byteLength / PAGE;
        if (missing > 0) grow(memory, missing);
        owners.fill(owner, first, first + count);
        const rise = words[HIGH_WATER]!;
        words[HIGH_WATER] = Math.max(rise, first + count);
        return { start: first * PAGE, dirty: Math.min(rise, first + count) * PAGE };
      }),
    free(address, count) {
      owners.fill(FREE, address / PAGE, address / PAGE + count);
    },
    reclaim(owner) {
      for (let page = FIRST; page < MOST; page++) if (owners[page] === owner) owners[page] = FREE;
      Atomics.compareExchange(words, LOCK, owner, FREE);
    },
    used: () => owners.reduce((count, owner) => count + (owner === FREE ? 0 : 1), 0),
  };
}

/** What a process needs besides kernel memory. */
const OUTSIDE = 64 * 2 ** 20;

function grow(memory: Memory, missing: number): void {
  // Pages that were handed out and not written to yet are not resident, and will be.
  const used = memoryBudget() < Number.POSITIVE_INFINITY ? Math.max(usedMemory(), memory.buffer.byteLength + OUTSIDE) : 0;
  checkMemory("kernel memory", missing * PAGE, used);
  // An eighth more than requested, if it fits: growing costs a system call and a message to all threads.
  for (const more of [Math.ceil(memory.buffer.byteLength / PAGE / 8), 0])
    try {
      memory.grow(missing + more);
      return;
    } catch {}
  const have = Math.round(memory.buffer.byteLength / 2 ** 20);
  throw new InputError(
    `out of memory: ${Math.round(missing / 16)} MiB were requested in addition to ${have} MiB (the maximum is 4096); use less data or fewer threads`,
  );
}

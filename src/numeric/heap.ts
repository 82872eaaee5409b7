/**
 * Allocates typed arrays in the shared memory of the kernels. Each thread has its own heap over that memory: an array is private to its
 * owner until a reference to it is passed to other threads (see `refOf` and `fromRef`).
 *
 * A heap is a stack: `mark` remembers its height and `release` gives back everything above. What must outlive that comes from another
 * heap: `new Heap()` shares the memory and has its own stack; `close` gives all of it back. Arrays begin at multiples of 64 bytes. An array
 * that is used after its release reads what others write there. Growth of the memory leaves every array valid.
 *
 * The contents of a new array are unspecified: write before you read, or ask for "zeros". Outside stress mode (stress.ts) they are zeros all
 * the same, so that a mistake gives the same wrong answer each time.
 *
 * Without WebAssembly or shared memory, ordinary arrays are returned and the plain fallbacks of the kernels are used.
 */
import type { ArrayTypes } from "../types.ts";
import type { Memory } from "./engine.ts";
import { newMemory, PAGE, type Pages, pages } from "./pages.ts";
import { poison, poisoned } from "./stress.ts";

const LINE = 64; // bytes: a cache line, so that two threads' arrays never share one
const CHUNK = 16; // pages taken at once for small arrays: 1 MiB

const kinds = {
  f64: Float64Array,
  f32: Float32Array,
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  u64: BigUint64Array,
  i64: BigInt64Array,
} as const satisfies Record<keyof ArrayTypes, unknown>;

export type ArrayKind = keyof ArrayTypes;
export type NumericArray = ArrayTypes[ArrayKind];

/** An ordinary array outside the shared memory. */
export const newArray = <K extends ArrayKind>(kind: K, length: number): ArrayTypes[K] =>
  new kinds[kind](length) as NumericArray as ArrayTypes[K];

/** Asked of an array whose first readers rely on zeros. */
export type Contents = "zeros" | undefined;

const view = (kind: ArrayKind, from: ArrayBufferLike, address: number, length: number): NumericArray =>
  new (kinds[kind] as new (from: ArrayBufferLike, address: number, length: number) => NumericArray)(from, address, length);

/** The location of an array in shared memory, to be passed to another thread. */
export interface HeapRef<K extends ArrayKind = ArrayKind> {
  readonly kind: K;
  readonly address: number;
  readonly length: number;
}

interface Region {
  readonly start: number;
  pages: number;
  top: number;
  dirty: number; // below this address bytes may hold old numbers
}

/** The height of a heap's stack. */
export interface Mark {
  /** Number of regions in use. */
  readonly regions: number;
  /** First free address of the last region. */
  readonly top: number;
}

// Of this thread: the memory (null if there is none), the owner of its allocations, and all buffers of the memory so far.
let store: Pages | null | undefined;
let owner = 1;
let latest: ArrayBufferLike | undefined;
const buffers = new WeakSet<ArrayBufferLike>();

function shared(): Pages | null {
  if (store === undefined) {
    const memory = newMemory();
    store = memory ? pages(memory) : null;
  }
  return store;
}

function buffer(from: Pages): SharedArrayBuffer {
  const now = from.buffer();
  if (now !== latest) {
    latest = now;
    buffers.add(now);
  }
  return now;
}

/** Whether an array lies in kernel memory. */
export const isInHeap = (array: { readonly buffer: ArrayBufferLike }): boolean =>
  array.buffer === latest || buffers.has(array.buffer);

/** The memory that the kernels of this thread work on, or null where there is none. */
export const memory = (): Memory | null => shared()?.memory ?? null;

/** Works from now on over a memory that another thread made (null: over none), in the name of `who`. The first thing a thread does. */
export function useMemory(given: Memory | null, who: number): void {
  if (store !== undefined) throw new Error("a thread adopts a memory before it uses one");
  store = given && pages(given);
  owner = who;
}

/** Gives back everything that an owner took, whatever has become of its threads. */
export const reclaim = (who: number): void => shared()?.reclaim(who);

/** How many bytes of the memory are taken, by all threads. */
export const bytesInUse = (): number => (shared()?.used() ?? 0) * PAGE;

const kindOf = (array: NumericArray): ArrayKind =>
  (Object.keys(kinds) as ArrayKind[]).find((kind) => array.constructor === kinds[kind])!;

/** Where an array lies, or undefined when that is not in kernel memory. */
export const refOf = (array: NumericArray): HeapRef | undefined =>
  isInHeap(array) ? { kind: kindOf(array), address: array.byteOffset, length: array.length } : undefined;

/** The array that lies at a place. */
export function fromRef<K extends ArrayKind>({ kind, address, length }: HeapRef<K>): ArrayTypes[K] {
  const from = shared();
  if (!from) throw new Error("there is no shared memory here");
  return view(kind, buffer(from), address, length) as ArrayTypes[K];
}

let relieve: () => void = () => {};

/** Has a function called when memory runs out, once before that becomes an error: it gives back what can be made again. */
export function onShortage(act: () => void): void {
  relieve = act;
}

function takePages(from: Pages, count: number): { start: number; dirty: number } {
  try {
    return from.allocate(count, owner);
  } catch {
    relieve();
    return from.allocate(count, owner);
  }
}

export class Heap {
  #regions: Region[] = [];
  readonly #chunk: number;

  /** `chunk`: pages of 64 KiB that are taken at once for small arrays. */
  constructor(chunk = CHUNK) {
    this.#chunk = chunk;
  }

  /** A new array of 64-bit floats. */
  f64 = (length: number, contents?: Contents): ArrayTypes["f64"] => this.make("f64", length, contents);
  /** A new array of 32-bit floats. */
  f32 = (length: number, contents?: Contents): ArrayTypes["f32"] => this.make("f32", length, contents);
  /** A new array of unsigned 8-bit integers. */
  u8 = (length: number, contents?: Contents): ArrayTypes["u8"] => this.make("u8", length, contents);
  /** A new array of signed 8-bit integers. */
  i8 = (length: number, contents?: Contents): ArrayTypes["i8"] => this.make("i8", length, contents);
  /** A new array of unsigned 16-bit integers. */
  u16 = (length: number, contents?: Contents): ArrayTypes["u16"] => this.make("u16", length, contents);
  /** A new array of signed 16-bit integers. */
  i16 = (length: number, contents?: Contents): ArrayTypes["i16"] => this.make("i16", length, contents);
  /** A new array of unsigned 32-bit integers. */
  u32 = (length: number, contents?: Contents): ArrayTypes["u32"] => this.make("u32", length, contents);
  /** A new array of signed 32-bit integers. */
  i32 = (length: number, contents?: Contents): ArrayTypes["i32"] => this.make("i32", length, contents);
  /** A new array of unsigned 64-bit integers. */
  u64 = (length: number, contents?: Contents): ArrayTypes["u64"] => this.make("u64", length, contents);
  /** A new array of signed 64-bit integers. */
  i64 = (length: number, contents?: Contents): ArrayTypes["i64"] => this.make("i64", length, contents);

  /** A new array. Its contents are unspecified unless they are to be "zeros". */
  make<K extends ArrayKind>(kind: K, length: number, contents?: Contents): ArrayTypes[K] {
    const array = this.#make(kind, length);
    return contents === "zeros" ? array : poison(array);
  }

  #make<K extends ArrayKind>(kind: K, length: number): ArrayTypes[K] {
    const from = shared();
    if (!from) return newArray(kind, length);
    const bytes = Math.max(LINE, Math.ceil((length * kinds[kind].BYTES_PER_ELEMENT) / LINE) * LINE);
    let region = this.#regions.at(-1);
    if (!region || region.top + bytes > region.start + region.pages * PAGE) {
      const count = Math.max(this.#chunk, Math.ceil(bytes / PAGE));
      const { start, dirty } = takePages(from, count);
      region = { start, pages: count, top: start, dirty };
      this.#regions.push(region);
    }
    const address = region.top;
    region.top += bytes;
    const old = Math.min(region.top, region.dirty) - address;
    if (old > 0) new Float64Array(buffer(from), address, old / 8).fill(0);
    region.dirty = Math.max(region.dirty, region.top);
    return view(kind, buffer(from), address, length) as ArrayTypes[K];
  }

  /** Gives back the end of an array that turned out too long, as far as that is possible, and returns its beginning. */
  shorten<A extends NumericArray>(array: A, length: number): A {
    const region = this.#regions.at(-1);
    const end = Math.ceil((array.byteOffset + length * array.BYTES_PER_ELEMENT) / LINE) * LINE;
    const bytes = Math.ceil(array.byteLength / LINE) * LINE;
    if (region && isInHeap(array) && array.byteOffset + bytes === region.top && end > region.start) {
      region.top = end;
      const kept = Math.ceil((end - region.start) / PAGE);
      shared()?.free(region.start + kept * PAGE, region.pages - kept);
      region.pages = kept;
      region.dirty = Math.min(region.dirty, region.start + kept * PAGE);
    }
    return array.subarray(0, length) as A;
  }

  /** The current state, to which `release` can return. */
  mark(): Mark {
    return { regions: this.#regions.length, top: this.#regions.at(-1)?.top ?? 0 };
  }

  /** Gives back everything handed out since the mark. */
  release(mark: Mark): void {
    if (poisoned()) this.#poison(mark);
    for (const region of this.#regions.splice(mark.regions)) shared()?.free(region.start, region.pages);
    const last = this.#regions.at(-1);
    if (last) last.top = mark.top;
  }

  /** Overwrites what is about to be given back, so that a later read of it shows. */
  #poison(mark: Mark): void {
    const from = shared();
    if (!from) return;
    for (let r = Math.max(0, mark.regions - 1); r < this.#regions.length; r++) {
      const { start, top } = this.#regions[r]!;
      const first = r < mark.regions ? mark.top : start;
      if (top > first) poison(new Float64Array(buffer(from), first, (top - first) / 8));
    }
  }

  /** Frees everything. */
  close(): void {
    this.release({ regions: 0, top: 0 });
  }
}

/** Calls `act` with a heap of its own, which is closed afterwards: a result must not point into it. */
export function withHeap<R>(act: (heap: Heap) => R): R {
  const heap = new Heap();
  try {
    return act(heap);
  } finally {
    heap.close();
  }
}

/** The heap of this thread. */
export const heap = new Heap();

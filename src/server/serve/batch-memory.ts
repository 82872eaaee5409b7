/**
 * Memory that the thread of the server shares with one worker: bodies of a batch on the way there, or its answers on the way back. A worker has
 * one batch at a time, so everything in it is free again when the next batch begins. Buffers that are transferred instead count as memory that
 * each thread allocated, and at a thousand requests a second the collector then takes a third of the time of a worker.
 */

/** Where some bytes are. */
export interface Span {
  readonly at: number;
  readonly size: number;
}

const ALIGNED = 8; // bytes: the numbers of a compact body are then read in place

export class BatchMemory {
  readonly #bytes: Uint8Array;
  #end = 0;

  constructor(readonly buffer: SharedArrayBuffer) {
    this.#bytes = new Uint8Array(buffer);
  }

  /** Forgets all that is there. */
  clear(): void {
    this.#end = 0;
  }

  /** Copies parts, one after another, to a free place. Nothing where they do not fit. */
  put(parts: readonly Uint8Array[], size: number): Span | undefined {
    const at = this.#end;
    if (at + size > this.#bytes.length) return undefined;
    let next = at;
    for (const part of parts) {
      this.#bytes.set(part, next);
      next += part.length;
    }
    this.#end = Math.ceil(next / ALIGNED) * ALIGNED;
    return { at, size };
  }

  /** The bytes themselves, which change when the memory is used again. */
  view({ at, size }: Span): Uint8Array {
    return this.#bytes.subarray(at, at + size);
  }
}

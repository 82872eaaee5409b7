/**
 * A digest of 64 bits, fast and identical on every machine, that detects accidental changes; it does not protect against tampering.
 *
 * Sixteen lanes take in every sixteenth word of 32 bits: lane ← rotate((lane xor word) · factor + term, 13). Each step can be undone when
 * the word is known, so a change within one word always changes its lane, and with it both halves of the digest, into which the lanes are
 * folded in the same manner. The compiled loop serves where the bytes are in the heap.
 */
import { Heap, isInHeap } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/digest.ts";

export interface DigestKernels {
  absorb(bytes: number, blocks: number, lanes: number): void;
}

export const BLOCK = 64; // bytes

/** Sixteen hexadecimal digits. */
export function digest(view: ArrayBufferView): string {
  const all = digester();
  all.add(view);
  return all.text();
}

/** A digest of bytes that come in pieces, each of whole blocks of 64 bytes but the last. */
export interface Digester {
  /** What it has taken in so far: lanes and whole blocks. */
  readonly lanes: Uint32Array;
  add(piece: ArrayBufferView): void;
  /** The digest of all pieces, the same as that of one. */
  text(): string;
}

/** Goes on from `lanes` that have taken in `length` bytes, a number of whole blocks, where they are given. */
export function digester(before?: Uint32Array, length = 0): Digester {
  const lanes = before ?? Uint32Array.from({ length: 16 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
  const rest = new Uint8Array(BLOCK);
  return {
    lanes,
    add({ buffer, byteOffset, byteLength }) {
      if (length % BLOCK > 0) throw new Error("a piece after the last one of a digest");
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      const whole = byteLength - (byteLength % BLOCK);
      if (whole > 0) absorbAll(bytes.subarray(0, whole), lanes);
      rest.set(bytes.subarray(whole));
      length += byteLength;
    },
    text() {
      const last = lanes.slice();
      plain.absorb(new Uint32Array(rest.buffer), last);
      return [0x85ebca6b, 0xc2b2ae35].map((factor) => finalize(last, length, factor)).join("");
    },
  };
}

function absorbAll(bytes: Uint8Array, lanes: Uint32Array): void {
  const wasm = isInHeap(bytes) ? kernels() : null;
  if (wasm) {
    const heap = new Heap();
    const place = heap.u32(16);
    place.set(lanes);
    wasm.absorb(bytes.byteOffset, bytes.length / BLOCK, place.byteOffset);
    lanes.set(place);
    heap.close();
  } else {
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    plain.absorb(new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4), lanes);
  }
}

function finalize(lanes: Uint32Array, length: number, factor: number): string {
  let mixed = factor;
  for (const word of [...lanes, length >>> 0, Math.floor(length / 2 ** 32)]) {
    mixed = Math.imul(mixed ^ word, factor);
    mixed ^= mixed >>> 15;
  }
  return (mixed >>> 0).toString(16).padStart(8, "0");
}

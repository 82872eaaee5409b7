/**
 * A digest of 64 bits, quick and the same on every machine, that tells whether bytes have changed by accident; no protection from malice.
 *
 * Sixteen lanes take in every sixteenth word of 32 bits: lane ← rotate((lane xor word) · factor + term, 13). Each step can be undone when
 * the word is known, so a change within one word always changes its lane, and with it both halves of the digest, into which the lanes are
 * folded in the same manner. The compiled loop serves where the bytes lie in the heap.
 */
import { Heap, holds } from "./heap.ts";
import { kernels } from "./kernels.ts";
import * as plain from "./plain/digest.ts";

export interface DigestKernels {
  absorb(bytes: number, blocks: number, lanes: number): void;
}

const BLOCK = 64; // bytes

/** Sixteen hexadecimal digits. */
export function digest({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const whole = byteLength - (byteLength % BLOCK);
  const rest = new Uint8Array(BLOCK);
  rest.set(bytes.subarray(whole));
  const words = new Uint32Array(rest.buffer);
  const lanes = Uint32Array.from({ length: 16 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
  if (whole > 0) absorbAll(bytes.subarray(0, whole), lanes);
  plain.absorb(words, lanes);
  return [0x85ebca6b, 0xc2b2ae35].map((factor) => fold(lanes, byteLength, factor)).join("");
}

function absorbAll(bytes: Uint8Array, lanes: Uint32Array): void {
  const wasm = holds(bytes) ? kernels() : null;
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

function fold(lanes: Uint32Array, length: number, factor: number): string {
  let mixed = factor;
  for (const word of [...lanes, length >>> 0, Math.floor(length / 2 ** 32)]) {
    mixed = Math.imul(mixed ^ word, factor);
    mixed ^= mixed >>> 15;
  }
  return (mixed >>> 0).toString(16).padStart(8, "0");
}

/**
 * Random numbers that are identical on every machine: sfc32 (Chris Doty-Humphrey's small fast counter, from PractRand), seeded by mixing
 * any number of keys, so that (seed, round, list) gives each list its own stream for any number of threads.
 */
import type { Random } from "../types.ts";

export function random(...keys: readonly number[]): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (const key of keys) {
    // Both halves of the number count, so that seeds beyond 2^32 differ too.
    a ^= mix(key >>> 0);
    b ^= mix(Math.floor(key / 0x100000000) >>> 0);
    for (let i = 0; i < 8; i++) next();
  }
  for (let i = 0; i < 8; i++) next();
  return () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000; // 53 bits
}

/** Spreads the bits of a small number over 32 (the finalizer of MurmurHash3). */
function mix(bits: number): number {
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** A whole number from 0 to n - 1. */
export const below = (random: Random, n: number) => Math.floor(random() * n);

/** Puts the elements in random order, in place (Fisher and Yates). */
export function shuffle<A extends Uint32Array | unknown[]>(values: A, random: Random): A {
  for (let i = values.length - 1; i > 0; i--) {
    const j = below(random, i + 1);
    const held = values[i]!;
    values[i] = values[j]!;
    values[j] = held;
  }
  return values;
}

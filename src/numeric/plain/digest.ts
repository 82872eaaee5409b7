/** A digest of bytes in plain TypeScript: the fallback for wasm/digest.ts. See ../digest.ts. */

const FACTOR = 0x2f0b4c47;
const TERM = 0x6a09e667;

/** Takes in blocks of 64 bytes, given as 16 words each. */
export function absorb(words: Uint32Array, lanes: Uint32Array): void {
  for (let lane = 0; lane < 16; lane++) {
    let mixed = lanes[lane]!;
    for (let i = lane; i < words.length; i += 16) {
      mixed = (Math.imul(mixed ^ words[i]!, FACTOR) + TERM) | 0;
      mixed = (mixed << 13) | (mixed >>> 19);
    }
    lanes[lane] = mixed;
  }
}

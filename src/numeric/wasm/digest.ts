// A digest of bytes: sixteen lanes of 32 bits, each of which takes in every sixteenth word.

const FACTOR: i32 = 0x2f0b4c47 | 1;
const TERM: i32 = 0x6a09e667;

/* @inline */ function step(lane: v128, word: v128): v128 {
  const mixed = i32x4.add(i32x4.mul(v128.xor(lane, word), i32x4.splat(FACTOR)), i32x4.splat(TERM));
  return v128.or(i32x4.shl(mixed, 13), i32x4.shr_u(mixed, 19));
}

/** Takes in blocks of 64 bytes. */
export function absorb(bytes: usize, blocks: u32, lanes: usize): void {
  let a = v128.load(lanes);
  let b = v128.load(lanes, 16);
  let c = v128.load(lanes, 32);
  let d = v128.load(lanes, 48);
  for (; blocks > 0; blocks--) {
    a = step(a, v128.load(bytes));
    b = step(b, v128.load(bytes, 16));
    c = step(c, v128.load(bytes, 32));
    d = step(d, v128.load(bytes, 48));
    bytes += 64;
  }
  v128.store(lanes, a);
  v128.store(lanes, b, 16);
  v128.store(lanes, c, 32);
  v128.store(lanes, d, 48);
}

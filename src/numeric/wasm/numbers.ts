// The tables and numbers that kernels share, read from memory, where the loader puts them: an engine builds a constant of 16 bytes again at
// each use, which costs more than reading it.

export const HIGH: usize = 2048; // 2^(j / 64)
export const LOW: usize = HIGH + 512; // what its rounding left out
const FIRST: usize = HIGH + 1024; // the numbers below

/** A number by its place. */
/* @inline */ export function one(i: usize): f64 {
  return load<f64>(FIRST + (i << 3));
}

/** The same, twice. */
/* @inline */ export function two(i: usize): v128 {
  return v128.load64_splat(FIRST + (i << 3));
}

// Places, as in `block` of ../coefficients.ts.
export const STEPS: usize = 0;
export const ROUND: usize = 1;
export const STEP_HIGH: usize = 2;
export const STEP_LOW: usize = 3;
export const E2: usize = 4;
export const E3: usize = 5;
export const E4: usize = 6;
export const E5: usize = 7;
export const E6: usize = 8;
export const LN2_HIGH: usize = 9;
export const LN2_LOW: usize = 10;
export const L1: usize = 11;
export const L2: usize = 12;
export const L3: usize = 13;
export const L4: usize = 14;
export const L5: usize = 15;
export const L6: usize = 16;
export const L7: usize = 17;
export const HALF: usize = 18;
export const ONE: usize = 19;
export const TWO: usize = 20;
export const LEAST: usize = 21; // -708
export const MIN_EXPONENT: usize = 22; // -700
export const SURE: usize = 23; // -39.9
export const SMALL: usize = 24; // 1e-50
export const SIXTH: usize = 25; // 1/6
export const H4: usize = 26; // 1/24
export const H5: usize = 27; // 1/120
export const H6: usize = 28; // 1/720
export const UNIT: usize = 29; // 2^52
export const EXPONENT: usize = 30; // 2^52 + 1023
export const SHIFT: usize = 31; // 0x3ff00000 - 0x3fe6a09e in the high half
export const MANTISSA: usize = 32; // its bits
export const ROOT: usize = 33; // 0x3fe6a09e in the high half: the square root of 1/2

export const TENS: usize = FIRST + 34 * 8; // powers of ten, from 10^0 to 10^22
export const TEXT: usize = TENS + 23 * 8; // constants of ./index-values.ts

/**
 * Pairs `number:value` from text, the inner loop of reading SVMlight files, and their rows spread into a dense matrix: compiled where the
 * arrays lie in the heap, plain otherwise, with the same bits.
 */
import { kernelsOver } from "./kernels.ts";
import * as plain from "./plain/pairs.ts";

export interface PairKernels {
  readPairs(bytes: number, state: number, numbers: number, values: number, most: number, last: number): void;
  spreadRows(
    numbers: number,
    values: number,
    ends: number,
    rows: number,
    into: number,
    width: number,
    origin: number,
    absent: number,
  ): void;
}

/** Bytes after the text that the kernel may look at. */
export const SLACK = 64;

/**
 * Reads pairs between blanks from bytes[state[0]] on and writes them from numbers[state[1]] and values[state[1]] on, until there are
 * `most`. Stops before the first thing that is not a number above `last` and above the number before it, up to 2^31 - 1, with a value that
 * one operation on float64 gives exactly (see numeral.ts) and, beyond 2^24, a 32-bit float holds: a newline, a comment, a longer value, a
 * timestamp, a mistake. `state` then holds where it
 * stopped, after blanks, and how many pairs there are. A newline must follow somewhere, and the array go on for SLACK bytes after it. -0 becomes 0.
 */
export function readPairs(
  bytes: Uint8Array,
  state: Uint32Array,
  numbers: Uint32Array,
  values: Float32Array,
  most: number,
  last: number,
): void {
  const wasm = kernelsOver(bytes, state, numbers, values);
  if (wasm) wasm.readPairs(bytes.byteOffset, state.byteOffset, numbers.byteOffset, values.byteOffset, most, last);
  else plain.readPairs(bytes, state, numbers, values, most, last);
}

/**
 * into[row][number - origin] = value for the pairs of each row, in ascending order of numbers; those of row r end at ends[r]. What a row
 * leaves out becomes `absent`, unless that is 0, which must then stand there already.
 */
export function spreadRows(
  numbers: Uint32Array,
  values: Float32Array,
  ends: Uint32Array,
  into: Float32Array,
  width: number,
  origin: number,
  absent: number,
): void {
  const wasm = kernelsOver(numbers, values, ends, into);
  if (wasm) {
    const [from, to] = [numbers.byteOffset, into.byteOffset];
    wasm.spreadRows(from, values.byteOffset, ends.byteOffset, ends.length, to, width, origin, absent);
  } else plain.spreadRows(numbers, values, ends, into, width, origin, absent);
}

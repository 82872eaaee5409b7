/**
 * Parses index:value tokens, the inner loop of reading SVMlight files, and scatters the rows into a dense matrix: a kernel if the arrays
 * are in the heap, plain otherwise, with bit-identical results.
 */
import { kernelsFor } from "./kernels.ts";
import * as plain from "./plain/index-values.ts";

export interface IndexValueKernels {
  readIndexValues(bytes: number, state: number, numbers: number, values: number, most: number, last: number): void;
  scatterRows(
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
export function readIndexValues(
  bytes: Uint8Array,
  state: Uint32Array,
  numbers: Uint32Array,
  values: Float32Array,
  most: number,
  last: number,
): void {
  const wasm = kernelsFor(bytes, state, numbers, values);
  if (wasm) wasm.readIndexValues(bytes.byteOffset, state.byteOffset, numbers.byteOffset, values.byteOffset, most, last);
  else plain.readIndexValues(bytes, state, numbers, values, most, last);
}

/**
 * into[row][number - origin] = value for the pairs of each row, in ascending order of numbers; those of row r end at ends[r]. What a row
 * leaves out becomes `absent`, unless that is 0, which must then stand there already.
 */
export function scatterRows(
  numbers: Uint32Array,
  values: Float32Array,
  ends: Uint32Array,
  into: Float32Array,
  width: number,
  origin: number,
  absent: number,
): void {
  const wasm = kernelsFor(numbers, values, ends, into);
  if (wasm) {
    const [from, to] = [numbers.byteOffset, into.byteOffset];
    wasm.scatterRows(from, values.byteOffset, ends.byteOffset, ends.length, to, width, origin, absent);
  } else plain.scatterRows(numbers, values, ends, into, width, origin, absent);
}

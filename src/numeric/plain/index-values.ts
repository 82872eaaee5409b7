/**
 * Parses index:value tokens and scatters them into a dense matrix, in plain TypeScript: the fallbacks for ../index-values.ts, with its
 * signatures.
 */
import { numeral, readNumeral } from "../numeral.ts";

const NEWLINE = 10;
const HASH = 35;
const COLON = 58;
const LARGEST = 2 ** 31 - 1;
const EXACT_FLOAT = 2 ** 24;

const isBlank = (byte: number) => byte === 32 || (byte <= 13 && byte >= 9);

/** See ../index-values.ts. */
export function readIndexValues(
  bytes: Uint8Array,
  state: Uint32Array,
  numbers: Uint32Array,
  values: Float32Array,
  most: number,
  last: number,
): void {
  let p = state[0]!;
  let count = state[1]!;
  for (;;) {
    while (isBlank(bytes[p]!) && bytes[p] !== NEWLINE) p++;
    if (count >= most) break;
    let at = p;
    let number = 0;
    for (let digit = bytes[at]! ^ 48; digit < 10; digit = bytes[++at]! ^ 48) number = number * 10 + digit;
    if (at === p || bytes[at] !== COLON || number <= last || number > LARGEST) break;
    const value = readNumeral(bytes, at + 1);
    if (Number.isNaN(value) || !numeral.short || (Math.abs(value) > EXACT_FLOAT && Math.fround(value) !== value)) break;
    const after = bytes[numeral.end]!;
    if (!(isBlank(after) || after === HASH)) break;
    numbers[count] = last = number;
    values[count++] = value + 0; // -0 becomes 0
    p = numeral.end;
  }
  state[0] = p;
  state[1] = count;
}

/** See ../index-values.ts. */
export function scatterRows(
  numbers: Uint32Array,
  values: Float32Array,
  ends: Uint32Array,
  into: Float32Array,
  width: number,
  origin: number,
  absent: number,
): void {
  for (let row = 0, i = 0; row < ends.length; row++) {
    const end = ends[row]!;
    const first = row * width;
    if (absent !== 0 && end - i < width) into.fill(absent, first, first + width);
    for (const offset = first - origin; i < end; i++) into[offset + numbers[i]!] = values[i]!;
  }
}

/**
 * Decimal numerals from bytes, exactly as Number(text) reads them: `[+-] digits [. digits] [e [+-] digits]`, with a digit on at least one
 * side of the point. A mantissa below 2^53 times or over a power of ten up to 10^22 is one correctly rounded operation on exact numbers
 * (Clinger 1990, https://doi.org/10.1145/93548.93557); whatever does not fit goes through Number.
 * The byte after the numeral must exist, or the numeral end with the array.
 */
import { TENS } from "./coefficients.ts";

/** Of the numeral read last: where it ends, whether one operation was enough, and digits after the point. Results without an object per number. */
export const numeral = { end: 0, short: true, decimals: 0 };

/** The number that begins at `at`, or NaN when none does; sets `numeral.end` to the first byte after it. */
export function readNumeral(bytes: Uint8Array, at: number): number {
  let p = at;
  let byte = bytes[p]!;
  const minus = byte === 45;
  if (minus || byte === 43) byte = bytes[++p]!;
  let mantissa = 0;
  const first = p;
  for (let digit = byte ^ 48; digit < 10; digit = byte ^ 48) {
    mantissa = mantissa * 10 + digit;
    byte = bytes[++p]!;
  }
  let digits = p - first;
  let scale = 0;
  if (byte === 46) {
    const point = p;
    byte = bytes[++p]!;
    for (let digit = byte ^ 48; digit < 10; digit = byte ^ 48) {
      mantissa = mantissa * 10 + digit;
      byte = bytes[++p]!;
    }
    scale = point + 1 - p;
    digits -= scale;
  }
  if (digits === 0) return Number.NaN;
  numeral.decimals = 0 - scale;
  if ((byte | 32) === 101) {
    const sign = bytes[++p]!;
    if (sign === 45 || sign === 43) p++;
    const start = p;
    let exponent = 0;
    for (let digit = bytes[p]! ^ 48; digit < 10; digit = bytes[p]! ^ 48) {
      if (exponent < 1e6) exponent = exponent * 10 + digit;
      p++;
    }
    if (p === start) return Number.NaN;
    scale += sign === 45 ? -exponent : exponent;
  }
  numeral.end = p;
  // Rounding never carries a mantissa of 2^53 or more below it, so this test sees every inexact one.
  numeral.short = mantissa < 9007199254740992 && scale >= -22 && scale <= 22;
  if (numeral.short) {
    const size = scale < 0 ? mantissa / TENS[-scale]! : mantissa * TENS[scale]!;
    return minus ? -size : size;
  }
  return Number(asText(bytes, at, p));
}

const decoder = new TextDecoder();

/** The text of some bytes. Short ASCII is put together here, which is several times faster than a decoder. */
export function asText(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > 40) return decoded(bytes, from, to);
  let text = "";
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte > 127) return decoded(bytes, from, to);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** A copy, because browsers decode no shared memory. */
const decoded = (bytes: Uint8Array, from: number, to: number) => decoder.decode(new Uint8Array(bytes.subarray(from, to)));

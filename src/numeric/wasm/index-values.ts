// index:value tokens from text, and rows of pairs spread into a dense matrix.
//
// A pair that fits 16 bytes is read without a loop over its digits. One comparison marks the bytes that are no digits: the first mark is
// the colon, the next the point or the end. A swizzle brings the digits of the number to the end of the lower half and those of the value,
// the point left out, to the end of the upper half, and three multiplications turn both halves into whole numbers at once.

import { TENS, TEXT } from "./numbers";

// Places in TEXT.
const ZEROS: usize = 0; // the digit
const NINES: usize = 1; // the number
const POINTS: usize = 2;
const MINUSES: usize = 3;
const COLONS: usize = 4;
const LOW: usize = 5; // the lower byte of each two
const TEN: usize = 6;
const HUNDRED_ONE: usize = 7;
const TEN_THOUSAND_ONE: usize = 8;
const PLACES: usize = 9; // 0 to 15

/* @inline */ function eight(i: usize): v128 {
  return v128.load64_splat(TEXT + (i << 3));
}

const EXACT: u64 = 1 << 53; // whole numbers below it are exact in float64
const EXACT_FLOAT: f64 = 16777216; // beyond, a 32-bit float may round whole numbers
const LARGEST: u64 = 0x7fffffff; // feature number
const NEWLINE: u32 = 10;
const HASH: u32 = 35;

/* @inline */ function isBlank(byte: u32): bool {
  return byte === 32 || byte - 9 <= 4;
}

/** Whether a number is large and no 32-bit float, which somebody should hear of. */
/* @inline */ function isRounded(size: f64): bool {
  return size > EXACT_FLOAT && <f64>(<f32>size) !== size;
}

/* @inline */ function halves(lower: i32, upper: i32): v128 {
  return i8x16.shuffle(i8x16.splat(<i8>lower), i8x16.splat(<i8>upper), 0, 0, 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16);
}

/* @inline */ function marked(marks: v128): u32 {
  return <u32>i8x16.bitmask(marks);
}

/** state: where to begin and how many pairs there are, and afterwards where it stopped and how many there are then. */
export function readIndexValues(bytes: usize, state: usize, numbers: usize, values: usize, most: u32, last: i32): void {
  let p = bytes + load<u32>(state);
  let count = load<u32>(state, 4);
  while (count < most) {
    const text = v128.load(p);
    const digits = i8x16.sub(text, eight(ZEROS));
    const marks = marked(i8x16.gt_u(digits, eight(NINES))) | 0x10000;
    const points = marked(i8x16.eq(text, eight(POINTS)));
    const minuses = marked(i8x16.eq(text, eight(MINUSES)));
    const colons = marked(i8x16.eq(text, eight(COLONS)));
    const colon = <u32>ctz(marks);
    if (colon === 0) {
      const byte = <u32>load<u8>(p);
      if (byte === NEWLINE || !isBlank(byte)) break;
      p++;
      continue;
    }
    const minus = (minuses >> (colon + 1)) & 1;
    const start = colon + 1 + minus;
    const later = ((marks >> start) << start) | 0x10000;
    const stop = <u32>ctz(later);
    const point = (points >> stop) & 1;
    const end = <u32>ctz(later & (later - point)); // after the point, when there is one
    const length = end - start - point;
    const byte = <u32>load<u8>(p + end);
    if ((colons >> colon) & 1 && colon <= 8 && end < 16 && length - 1 < 8 && isBlank(byte)) {
      let from = i8x16.add(v128.load(TEXT + PLACES * 8), halves(colon - 8, start + length - 16));
      const before = i8x16.lt_s(from, halves(0, start)); // becomes zero, for no byte has the place 255
      from = v128.or(i8x16.sub(from, i8x16.ge_s(from, i8x16.splat(<i8>stop))), before);
      const places = i8x16.swizzle(digits, from);
      const twos = i16x8.add(i16x8.mul(v128.and(places, eight(LOW)), eight(TEN)), i16x8.shr_u(places, 8));
      const fours = i32x4.dot_i16x8_s(twos, eight(HUNDRED_ONE));
      const eights = i32x4.dot_i16x8_s(i16x8.narrow_i32x4_u(fours, fours), eight(TEN_THOUSAND_ONE));
      const number = i32x4.extract_lane(eights, 0);
      if (number <= last) break;
      const size = <f64>i32x4.extract_lane(eights, 1) / load<f64>(TENS + ((point * (end - stop - 1)) << 3));
      if (isRounded(size)) break;
      last = number;
      store<u32>(numbers + (count << 2), number);
      store<f32>(values + (count << 2), <f32>(minus ? 0.0 - size : size)); // 0 - 0 is 0, not -0
      count++;
      p += end + u32(byte === 32);
      continue;
    }
    const next = readPair(p, numbers + (count << 2), values + (count << 2));
    if (next === 0) break;
    const number = load<i32>(numbers + (count << 2));
    if (number <= last) break;
    last = number;
    count++;
    p = next;
  }
  for (let byte = <u32>load<u8>(p); byte !== NEWLINE && isBlank(byte); byte = <u32>load<u8>(p)) p++;
  store<u32>(state, p - bytes);
  store<u32>(state, count, 4);
}

/** One pair of any length, digit by digit. Gives where it ends, or 0 when it is none or its value needs more than one operation. */
function readPair(p: usize, toNumber: usize, toValue: usize): usize {
  const begin = p;
  let number: u64 = 0;
  let digit = <u32>load<u8>(p) - 48;
  for (; digit < 10; digit = <u32>load<u8>(++p) - 48) {
    number = number * 10 + digit;
    if (number > LARGEST) return 0;
  }
  if (p === begin || load<u8>(p) !== 58) return 0;

  let byte = <u32>load<u8>(++p);
  const minus = byte === 45;
  if (minus || byte === 43) byte = <u32>load<u8>(++p);
  let mantissa: u64 = 0;
  let scale: i64 = 0;
  let some = false;
  for (digit = byte - 48; digit < 10; digit = byte - 48) {
    mantissa = mantissa * 10 + digit;
    if (mantissa >= EXACT) return 0;
    some = true;
    byte = <u32>load<u8>(++p);
  }
  if (byte === 46) {
    const point = p;
    byte = <u32>load<u8>(++p);
    for (digit = byte - 48; digit < 10; digit = byte - 48) {
      mantissa = mantissa * 10 + digit;
      if (mantissa >= EXACT) return 0;
      some = true;
      byte = <u32>load<u8>(++p);
    }
    scale = <i64>(point + 1) - <i64>p;
  }
  if (!some) return 0;
  if ((byte | 32) === 101) {
    const sign = <u32>load<u8>(++p);
    if (sign === 45 || sign === 43) p++;
    const first = p;
    let exponent: i64 = 0;
    for (digit = <u32>load<u8>(p) - 48; digit < 10; digit = <u32>load<u8>(++p) - 48)
      if (exponent < 1000000) exponent = exponent * 10 + digit;
    if (p === first) return 0;
    scale += sign === 45 ? -exponent : exponent;
    byte = <u32>load<u8>(p);
  }
  if (scale < -22 || scale > 22 || !(isBlank(byte) || byte === HASH)) return 0;
  const whole = <f64>mantissa;
  const size = scale < 0 ? whole / load<f64>(TENS + ((<usize>-scale) << 3)) : whole * load<f64>(TENS + ((<usize>scale) << 3));
  if (isRounded(size)) return 0;
  store<u32>(toNumber, <u32>number);
  store<f32>(toValue, <f32>(minus ? 0.0 - size : size));
  return p;
}

/** into[row][number - origin] = value for the pairs of each row, the last of which ends at ends[row]; `absent` in between. */
export function scatterRows(
  numbers: usize,
  values: usize,
  ends: usize,
  rows: u32,
  into: usize,
  width: u32,
  origin: u32,
  absent: f32,
): void {
  const size = (<usize>width) << 2;
  let i: u32 = 0;
  for (let row: u32 = 0; row < rows; row++) {
    const end = load<u32>(ends + (row << 2));
    const count = end - i;
    if (absent !== 0 && count < width) for (let j: usize = 0; j < size; j += 4) store<f32>(into + j, absent);
    if (count > 0) {
      const first = load<u32>(numbers + (i << 2));
      // Numbers ascend, so a row without gaps is a run of memory.
      if (load<u32>(numbers + ((end - 1) << 2)) - first + 1 === count)
        memory.copy(into + ((first - origin) << 2), values + (i << 2), (<usize>count) << 2);
      else
        for (let k = i; k < end; k++)
          store<f32>(into + ((load<u32>(numbers + (k << 2)) - origin) << 2), load<f32>(values + (k << 2)));
    }
    i = end;
    into += size;
  }
}

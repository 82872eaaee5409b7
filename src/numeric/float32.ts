/** Neighbours among float32 and float64 numbers, by which a comparison in one precision becomes the same comparison in another. */
const bits = new DataView(new ArrayBuffer(8));

/** The next float32 above a float32; of the largest it is Infinity. */
export function above32(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return value;
  if (value === 0) return 2 ** -149;
  bits.setFloat32(0, value);
  bits.setInt32(0, bits.getInt32(0) + (value > 0 ? 1 : -1));
  return bits.getFloat32(0);
}

/** The next float32 below a float32. */
export const below32 = (value: number): number => -above32(-value);

/** The largest float32 that is not above a number: for every float32 x, x <= value is x <= floor32(value). */
export function floor32(value: number): number {
  const near = Math.fround(value);
  return near > value ? below32(near) : near;
}

/** The next float64 above a float64. */
export function above64(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return value;
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

/** The next float64 below a float64. */
export const below64 = (value: number): number => -above64(-value);

/** The fewest digits that give the value, which may have been rounded to 32 bits when it was read: 0.2, not 0.20000000298023224. */
export function shortText(value: number): string {
  const close = (digits: number) => Number(value.toPrecision(digits));
  for (let digits = 6; digits < 10; digits++) if (Math.fround(close(digits)) === value) return String(close(digits));
  return String(value);
}

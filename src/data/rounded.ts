/** Counts, by column, the numbers beyond 2^24 that 32-bit floats round, for a notice to the user. */

/** Whole numbers up to here are 32-bit floats; beyond, some are rounded, and the kernel leaves those to `Cells.add`. */
export const EXACT = 2 ** 24;

/** Numbers of a column beyond 2^24 that were rounded: by a 32-bit float, or perhaps when they were read, as all beyond 2^53 may be. */
export interface Rounded {
  count: number;
  low: number;
  high: number;
}

/** The number of the label among features, for notices about rounded numbers. */
export const LABEL = -1;

export class RoundedNumbers {
  /** By feature number as written, or LABEL. */
  readonly columns = new Map<number, Rounded>();

  /** Counts a number, of a feature or LABEL, if it was rounded. */
  note(column: number, value: number): void {
    if (
      !(Math.abs(value) > EXACT) ||
      Math.abs(value) === Infinity ||
      (Math.fround(value) === value && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
    )
      return;
    this.add(column, { count: 1, low: value, high: value });
  }

  /** Counts several numbers of a column. */
  add(column: number, { count, low, high }: Rounded): void {
    const known = this.columns.get(column);
    if (!known) {
      this.columns.set(column, { count, low, high });
      return;
    }
    known.count += count;
    known.low = Math.min(known.low, low);
    known.high = Math.max(known.high, high);
  }

  clear(): void {
    this.columns.clear();
  }
}

const [FEW, LOOKED_AT] = [8, 10_000]; // values
const FINE = 2 ** -20; // of the range of the middle half: bins of trees are far wider

/**
 * Whether rounding to 32-bit floats could matter: at the size of the middle half of the values, floats lie apart by more than a millionth of its range, as
 * for times in milliseconds, all of which are far from 0. Budgets up to a billion lose nothing of importance. Zeros and NaN, which stand for absent and
 * missing values, are left out; of a few values nothing is known.
 */
export function roundingMatters(values: ArrayLike<number>): boolean {
  const every = Math.ceil(values.length / LOOKED_AT);
  const some: number[] = [];
  for (let row = 0; row < values.length; row += every) if (values[row]! !== 0 && !Number.isNaN(values[row]!)) some.push(values[row]!); // biome-ignore format: one line
  if (some.length < FEW) return true;
  some.sort((a, b) => a - b);
  const [low, high] = [some[Math.floor(some.length / 4)]!, some[Math.floor((3 * some.length) / 4)]!];
  return floatStep(Math.max(Math.abs(low), Math.abs(high))) > FINE * (high - low);
}

/** How far 32-bit floats of this size are apart. */
export const floatStep = (size: number): number => 2 ** (Math.floor(Math.log2(size)) - 23);

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

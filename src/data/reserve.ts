/** Memory allocated in advance for dense rows, so that they are written at their final place and not copied. */
import { type Block, NOTHING } from "./blocks.ts";

/** Memory for dense rows that are still to come. */
export interface Reserve {
  readonly values: Float32Array;
  readonly width: number;
  /** The number of the first column. */
  readonly origin: number;
  readonly rows: number;
  /** Rows. */
  used: number;
}

/** The next rows of a reserve. */
export function rowsOf(reserve: Reserve, rows: number): Block {
  const { width, origin, used } = reserve;
  reserve.used += rows;
  const values = reserve.values.subarray(used * width, (used + rows) * width);
  return { rows, width, origin, values, numbers: NOTHING, ends: NOTHING };
}

/** Whether a block is all that a reserve holds, with the columns of the matrix. */
export const isWhole = (block: Block, { values, width, origin }: Reserve, base: number, columns: number) =>
  block.values.buffer === values.buffer &&
  block.values.byteOffset === values.byteOffset &&
  width === columns &&
  (origin === base || width === 0);

/** Takes rows as they are read, instead of a matrix that keeps their values. */
import type { Matrix } from "../types.ts";

/** Rows as pairs of feature number, as written, and value; those of row r end at ends[r]. */
export interface RowWindow {
  /** Feature numbers, row after row. */
  readonly numbers: Uint32Array;
  /** Their values. */
  readonly values: Float32Array;
  /** By row: the number of pairs up to its end. */
  readonly ends: Uint32Array;
  /** Value of features that a row leaves out: 0 or NaN. */
  readonly absent: number;
}

/** What is known when all rows were read. */
export interface RowsRead {
  /** Number of rows. */
  readonly rows: number;
  /** Number of columns. */
  readonly columns: number;
  /** The number of the first feature. */
  readonly base: number;
  /** Row r in the order of reading stands at place[r] of the data; undefined where that is r. */
  readonly place: Uint32Array | undefined;
}

/** A place that rows go to; each thread has one of its own. */
export interface RowSink {
  /** What another thread makes a sink of the same kind from. */
  readonly job: unknown;
  /** Takes rows, the first of which is row number `first` in the order of reading. */
  take(window: RowWindow, first: number): void;
  /** Removes what has been gathered so far, for the sink of another thread. */
  part(): unknown;
  /** Adds what the sink of another thread has gathered. */
  join(part: unknown): void;
  /** What the data have as features. */
  finish(read: RowsRead): Matrix;
}

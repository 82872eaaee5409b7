/**
 * A table as its source hands it over: names of columns, and typed columns in batches of rows. Every source of tables (separated text, Parquet,
 * Arrow, JSON Lines, a database) gives this to `DatasetReader.addTable`, and nothing else decides what a column is for.
 *
 * A source types what its format types and interprets nothing. Words for missing values, numbers, booleans, dates and times that are written as
 * text stay text: `decide.ts` interprets them by the entries of the dictionary, so that the same values give the same dataset from any source.
 */

/** Numbers; NaN is a missing value. A 64-bit integer that a double cannot hold exactly is text. */
export interface NumberColumn {
  readonly kind: "number";
  readonly values: Float64Array | Float32Array | Int32Array;
}

/** Truth values: 0, 1, or `MISSING_BOOLEAN`. */
export interface BooleanColumn {
  readonly kind: "boolean";
  readonly values: Uint8Array;
}

export const MISSING_BOOLEAN = 255;

/** Points in time: seconds since 1970-01-01 UTC, with fractions; NaN is a missing value. */
export interface DateColumn {
  readonly kind: "date";
  readonly values: Float64Array;
}

/** Times of day and durations: seconds, with fractions; NaN is a missing value. */
export interface TimeColumn {
  readonly kind: "time";
  readonly values: Float64Array;
}

/** Texts by their place in a dictionary; `MISSING_TEXT` is a missing value. Entries that no row has are allowed, equal entries too. */
export interface TextColumn {
  readonly kind: "text";
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
}

export const MISSING_TEXT = -1;

/** Some rows of one column. */
export type TableColumn = NumberColumn | BooleanColumn | DateColumn | TimeColumn | TextColumn;

/**
 * Some rows, column by column in the order of the names. Batches of one table may differ in the kind of a column, as text does in which a word
 * stands among numbers. Where rows are split into batches has no influence on the dataset.
 */
export interface TableBatch {
  readonly rows: number;
  readonly columns: readonly TableColumn[];
}

/** All rows of one file or query, as its source hands them over. */
export interface SourceTable {
  /** The file, for messages. */
  readonly name: string;
  /** The names of the columns, not yet checked; a column without a name ("") is left out. */
  readonly columns: readonly string[];
  readonly batches: readonly TableBatch[];
  /** Where a row stands, for messages: "train.csv:17". Default: the name and "row 17". */
  readonly where?: (row: number) => string;
  /** What stands between the cells of separated text, where numbers are texts too; absent for other sources. */
  readonly separator?: string;
  /** What a user should know about how it was read. */
  readonly notices?: readonly string[];
}

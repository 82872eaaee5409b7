/** The optional packages that have been imported. */
import type * as Arrow from "apache-arrow";
import type * as Parquet from "parquet-wasm";

export const packages: { arrow?: typeof Arrow; parquet?: typeof Parquet } = {};

/**
 * The optional packages that have been imported, and what is used of them. Their own types would make those of Node known to pages that
 * import this module.
 */

/** What is used of parquet-wasm. */
export interface ParquetPackage {
  readParquet(bytes: Uint8Array, options: { readonly batchSize: number }): { intoIPCStream(): Uint8Array };
}

export const packages: { parquet?: ParquetPackage } = {};

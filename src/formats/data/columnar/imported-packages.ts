/**
 * The optional packages that have been imported, and what is used of them. Their own types would make those of Node known to pages that
 * import this module.
 */

/** A column, or a part of one, in the memory layout of Arrow. */
export interface ArrowData {
  readonly type: { readonly typeId: number };
  readonly length: number;
  readonly offset: number;
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array | null;
  readonly values: unknown;
  readonly valueOffsets: unknown;
  readonly children: readonly ArrowData[];
  readonly dictionary?: { readonly data: readonly ArrowData[] };
}

export interface ArrowSchema {
  readonly fields: readonly { readonly name: string }[];
}

export interface ArrowBatch {
  readonly schema: ArrowSchema;
  readonly data: ArrowData;
  readonly numRows: number;
}

/** What is used of apache-arrow. */
export interface ArrowPackage {
  tableFromIPC(bytes: Uint8Array): { readonly batches: readonly ArrowBatch[]; readonly schema: ArrowSchema };
  readonly Vector: new (data: readonly ArrowData[]) => { get(row: number): unknown };
}

/** What is used of parquet-wasm. */
export interface ParquetPackage {
  readParquet(bytes: Uint8Array, options: { readonly batchSize: number }): { intoIPCStream(): Uint8Array };
}

export const packages: { arrow?: ArrowPackage; parquet?: ParquetPackage } = {};

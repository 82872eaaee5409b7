/**
 * Parquet: tables of numbers and texts by code of our own (`parquet-flat.ts`), others by parquet-wasm (the Rust crate in WebAssembly), which makes Arrow record batches.
 * https://parquet.apache.org
 */
import type { SourceTable } from "../../../data/table/source-table.ts";
import { InputError } from "../../../input-error.ts";
import { firstLine, startsWith } from "./arrow.ts";
import { arrowTable } from "./arrow-columns.ts";
import { readStream } from "./arrow-messages.ts";
import { packages } from "./imported-packages.ts";
import { readFlatParquet } from "./parquet-flat.ts";
import { tableFormat } from "./table-format.ts";

const MAGIC = "PAR1";

export const parquet = tableFormat({
  id: "parquet",
  about: "Parquet files (needs the package parquet-wasm)",
  extensions: [".parquet", ".pq"],
  isMagic: (head) => startsWith(head, MAGIC),
  table: readParquet,
});

const ROWS = 65_536; // of a batch

/** The table of the bytes of a file. */
export function readParquet(file: string, bytes: Uint8Array): SourceTable {
  const { parquet } = packages;
  if (!parquet) throw new InputError(`${file}: Parquet is read with readData, which imports the package parquet-wasm`);
  if (bytes.length < 12 || !startsWith(bytes.subarray(bytes.length - MAGIC.length), MAGIC))
    throw new InputError(`${file}: the Parquet file ends unexpectedly; it is truncated`);
  const flat = readFlatParquet(file, bytes);
  if (flat) return flat;
  try {
    const stream = parquet.readParquet(bytes, { batchSize: ROWS }).intoIPCStream();
    return arrowTable(file, readStream(file, stream));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: the Parquet data are damaged, or use what parquet-wasm cannot read (${firstLine(error)})`);
  }
}

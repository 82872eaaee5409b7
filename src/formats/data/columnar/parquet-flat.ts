/**
 * Parquet files of numbers and texts, as most tools write them (plain values or dictionaries, Snappy or no compression), read without a package: values go from the bytes of
 * the file into columns once, where parquet-wasm makes three copies, and its WebAssembly is slow until it is compiled.
 */
import type { SourceTable } from "../../../data/table/source-table.ts";
import { checkMemory } from "../../../memory-budget.ts";
import { type FlatMetadata, flatMetadata } from "./parquet-metadata.ts";
import { PageScratch, readChunk } from "./parquet-pages.ts";

const [CELLS_PER_BYTE, CELLS] = [256, 16_000_000]; // a damaged file may claim any number of equal values

/** The table of the bytes of a file; undefined where it is damaged or has what only parquet-wasm reads. */
export function readFlatParquet(file: string, bytes: Uint8Array): SourceTable | undefined {
  const found = metadataOf(file, bytes);
  if (!found) return undefined;
  const { columns, groups } = found;
  const cells = columns.length * groups.reduce((sum, { rows }) => sum + rows, 0);
  if (cells > CELLS_PER_BYTE * bytes.length + CELLS) return undefined;
  checkMemory(`${file}: ${columns.length} columns`, 4 * cells);
  const scratch = new PageScratch();
  try {
    const batches = groups.map(({ rows, chunks }) => ({
      rows,
      columns: columns.map((column, c) => readChunk(column, chunks[c]!, rows, scratch)),
    }));
    return { name: file, columns: columns.map(({ name }) => name), batches };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whatever is wrong with the metadata, parquet-wasm says it. */
function metadataOf(file: string, bytes: Uint8Array): FlatMetadata | undefined {
  try {
    return flatMetadata(file, bytes);
  } catch {
    return undefined;
  }
}

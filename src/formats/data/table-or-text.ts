/** Reads one file of a command that has a parser of text of its own: text as it comes, and Parquet, Arrow, JSON Lines and queries of DuckDB as a table. */
import type { SourceTable } from "../../data/table/source-table.ts";
import { queryTable } from "./columnar/duckdb.ts";
import { importFor } from "./columnar/packages.ts";
import { isQuery } from "./columnar/query-path.ts";
import { joined } from "./columnar/table-format.ts";
import { bytesOf, checkReading } from "./file-bytes.ts";
import { sideFormat } from "./side-table.ts";

export interface TableOrText {
  /** Takes the bytes of text. */
  push(bytes: Uint8Array): void;
  /** Takes a table, in the place of text. */
  table(table: SourceTable): void;
  /** All of a text was pushed. */
  end(): void;
}

/** Hands over the content of a file. `count` is told how many bytes were read. */
export async function readTableOrText(path: string, count: (bytes: number) => void, taker: TableOrText): Promise<void> {
  if (isQuery(path)) return taker.table(await queryTable(path, () => checkReading(path, 0)));
  let format: ReturnType<typeof sideFormat> | undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytesOf(path, count)) {
    if (!format) {
      format = sideFormat(path, chunk);
      await importFor(format.id, path);
    }
    if (format.whole) chunks.push(chunk);
    else taker.push(chunk);
  }
  if (format?.whole) taker.table(format.whole(path, joined(chunks)));
  else taker.end();
}

/** The names of the columns of a table, before it is read. */
import { InputError } from "../../../input-error.ts";
import { bytesOf, checkReading, isInput, lastBytes } from "../file-bytes.ts";
import type { RowFormat } from "../format.ts";
import type { ReadOptions } from "../read-options.ts";
import { columnsOfHead, sideFormat } from "../side-table.ts";
import { readTableOrText } from "../table-or-text.ts";
import { withoutLines } from "../title-lines.ts";
import { queryColumns } from "./duckdb.ts";
import { wholeRecords } from "./json-records.ts";
import { importFor } from "./packages.ts";
import { parquetColumns } from "./parquet-metadata.ts";
import { isQuery } from "./query-path.ts";
import { joined } from "./table-format.ts";

/** The columns of the result of a query, which is kept for reading it. */
export const columnsOfQuery = (path: string): Promise<readonly string[]> => queryColumns(path, () => checkReading(path, 0));

/**
 * The columns of a file of a format that is read as a whole, of which `head` are the first bytes; undefined where they are not known, or what is wrong with the file is left to reading it. `enough` says of some
 * columns that others do not matter any more.
 */
export async function columnsOfFile(
  path: string,
  head: Uint8Array,
  format: RowFormat,
  enough: (columns: readonly string[]) => boolean,
): Promise<readonly string[] | undefined> {
  try {
    if (format.id === "parquet") return isInput(path) ? undefined : parquetColumns(await footerOf(path));
    if (format.id === "jsonl") {
      const records = wholeRecords(head);
      const some = records.length > 0 ? format.whole!(path, records).columns : [];
      if (some.length > 0 && (isInput(path) || enough(some))) return some;
    }
    if (isInput(path)) return undefined;
    await importFor(format.id, path);
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytesOf(path, () => {})) chunks.push(chunk);
    return format.whole!(path, joined(chunks)).columns;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** What a table has above its rows. */
export interface TableHeader {
  readonly columns: readonly string[];
  /** The first bytes of a table of text. */
  readonly head?: Uint8Array;
}

/** The columns of a table of any format, as reading it finds them. */
export async function tableHeader(path: string, options: ReadOptions): Promise<TableHeader> {
  if (isQuery(path)) return { columns: await columnsOfQuery(path) };
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytesOf(path, () => {})) {
    head = joined([head, chunk]);
    const shown = withoutLines(head, options.skipLines);
    const format = sideFormat(path, shown);
    if (format.whole) return { columns: await wholeColumns(path) };
    const columns = columnsOfHead(path, shown, format, options);
    if (columns) return { columns, head };
  }
  return { columns: [], head };
}

/** The columns of a table that is no text. */
async function wholeColumns(path: string): Promise<readonly string[]> {
  let columns: readonly string[] = [];
  await readTableOrText(path, () => {}, { push() {}, end() {}, table: (table) => void (columns = table.columns) });
  return columns;
}

const END = 8; // bytes after the footer of Parquet: its length, and the magic

/** The footer of a Parquet file with the bytes after it; fewer bytes where the file is damaged. */
async function footerOf(path: string): Promise<Uint8Array> {
  const end = await lastBytes(path, END);
  const length = end.length < END ? 0 : new DataView(end.buffer, end.byteOffset).getUint32(0, true);
  return lastBytes(path, length + END);
}

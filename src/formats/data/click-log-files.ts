/** Reads logs of clicks from files: text as it is, and other tables (Parquet, Arrow, queries of DuckDB) as the CSV text of the same values. */
import { check, checkOptions, numberFrom, someFunction, someName, someText, wholeFrom } from "../../arguments.ts";
import type { ClickLog } from "../../clicks/click-log.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { type ClickLogOptions, clickLogReader, type PreferredColumns } from "./click-log-parser.ts";
import { queryTable } from "./columnar/duckdb.ts";
import { importFor } from "./columnar/packages.ts";
import { isQuery, shownPath } from "./columnar/query-path.ts";
import { headerText, rowTexts } from "./columnar/table-text.ts";
import { bytesOf, checkInput, sizeOf } from "./file-bytes.ts";
import type { ByteSink } from "./lines.ts";
import { expandPaths } from "./paths.ts";
import { readOptions } from "./read-options.ts";
import { sideFormat, sideTable } from "./side-table.ts";
import { noLines } from "./title-lines.ts";

/** How logs of clicks are read. */
export interface ReadClicksOptions extends ClickLogOptions {
  /** Called while files are read. */
  readonly progress?: (bytesRead: number, bytesTotal: number) => void;
}

/**
 * A log of clicks from one or several files: tables with the columns query, document, position and clicked, or JSON lines. Names may be patterns, folders,
 * "-" and queries, as of `readData`.
 */
export function readClicks(names: readonly string[], options: ReadClicksOptions = {}): Promise<ClickLog> {
  return readClickFiles(names, options);
}

/** The same, with names of columns that are tried before the usual ones. */
export async function readClickFiles(
  names: readonly string[],
  options: ReadClicksOptions,
  prefer: PreferredColumns = {},
): Promise<ClickLog> {
  check("readClicks", names, { wanted: "an array of paths", fits: Array.isArray });
  for (const path of names) check("readClicks, a path", path, someText);
  checkOptions("readClicks", options, {
    ...{ query: someName, document: someName, position: someName, clicked: someName, impression: someName, dwell: someName },
    ...{ minDwell: numberFrom(0), skipLines: wholeFrom(0), progress: someFunction },
  });
  const paths = expandPaths(names);
  checkInput(paths);
  const { progress, ...columns } = options;
  const { skipLines = 0 } = columns;
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const reader = clickLogReader(columns, prefer);
  let read = 0;
  for (const path of paths) {
    const sink = reader.open(shownPath(path));
    const takeTable = (table: SourceTable) => {
      if (skipLines > 0) throw noLines(table.name, "no text");
      pushTable(table, sink);
    };
    if (isQuery(path)) takeTable(await queryTable(path, () => {}));
    else await pushFile(path, sink, takeTable, (more) => progress?.((read += more), Math.max(total, read)));
    sink.end();
  }
  return reader.finish();
}

async function pushFile(
  path: string,
  sink: ByteSink,
  takeTable: (table: SourceTable) => void,
  count: (bytes: number) => void,
): Promise<void> {
  let table: { push(bytes: Uint8Array): void; end(): SourceTable } | undefined;
  let begun = false;
  for await (const chunk of bytesOf(path, count)) {
    if (!begun) {
      const format = sideFormat(path, chunk);
      if (format.binary) {
        await importFor(format.id, path);
        table = sideTable("items", path, chunk, readOptions({}));
      }
      begun = true;
    }
    (table ?? sink).push(chunk);
  }
  if (table) takeTable(table.end());
}

function pushTable(table: SourceTable, sink: ByteSink): void {
  sink.push(headerText(table.columns));
  for (const text of rowTexts(table, () => {})) sink.push(text);
}

/** Parses data in memory, such as a file dropped on a page, with the same code as files on disk. */
import { check, someText } from "../../arguments.ts";
import { InputError, quote } from "../../input-error.ts";
import type { Dataset } from "../../types.ts";
import { NeedsColumns } from "./csv-direct.ts";
import { checkGathering, type DatasetReaderOptions, datasetReader, type ReadRows, type SideFiles } from "./dataset-reader.ts";
import { readOptions } from "./read-options.ts";
import { needsColumns, sideTable } from "./side-table.ts";
import { utf8Of, wideEncodingOf } from "./unicode.ts";

/** A file that is in memory already. */
export interface MemoryFile {
  /** File name; its extension can decide the format. */
  readonly name: string;
  /** What is in the file. */
  readonly content: string | Uint8Array;
  /** Content of the file `name.query`, with the sizes of the lists. */
  readonly groups?: string | Uint8Array;
  /** Content of the file `name.weight`, with weights. */
  readonly weights?: string | Uint8Array;
  /** Content of the file `name.position`, with the position at which each row was shown. */
  readonly positions?: string | Uint8Array;
}

/** Data from files in memory. */
export interface ParsedData {
  /** The data. */
  readonly data: Dataset;
  /** What a user should know about how they were read, a line each. */
  readonly notices: readonly string[];
}

/** A dataset from bytes, as `readData` makes one from files. */
export function parseData(files: readonly MemoryFile[], options: Partial<Omit<DatasetReaderOptions, "sink">> = {}): ParsedData {
  check("parseData", files, { wanted: "an array of files, each { name, content }", fits: Array.isArray });
  checkGathering("parseData", options);
  for (const file of files) checkFile(file);
  const { labels, storage, heap, scorer, columns, ...reading } = options;
  const requested = readOptions(reading);
  const how = { ...(labels && { labels }), ...(storage && { storage }), ...(heap && { heap }), ...(scorer && { scorer }) };
  const parse = (asColumns: boolean) => parseFiles(files, { ...requested, ...how, columns: asColumns });
  try {
    return parse((columns ?? false) || needsColumns(requested, scorer));
  } catch (error) {
    if (!(error instanceof NeedsColumns)) throw error;
    return parse(true);
  }
}

function parseFiles(files: readonly MemoryFile[], options: DatasetReaderOptions): ReadRows {
  const reader = datasetReader(options);
  const joined = (["items", "lists"] as const).filter((role) => options[role] !== "");
  try {
    for (const role of joined) {
      const file = files.find(({ name }) => name === options[role]);
      if (!file)
        throw new InputError(`parseData, option ${role}: expected the name of one of the files, got ${quote(options[role])}`);
      const content = unmarked(asBytes(file.content));
      const side = sideTable(role, file.name, content, options);
      side.push(content);
      reader.addSide(role, side.end());
    }
    for (const { name, content, groups, weights, positions } of files) {
      if (joined.some((role) => options[role] === name)) continue;
      const bytes = unmarked(asBytes(content));
      if (bytes.length === 0) throw new InputError(`${name}: the file is empty`);
      const sides: SideFiles = {
        ...(groups !== undefined && { groups: { name: `${name}.query`, bytes: asBytes(groups) } }),
        ...(weights !== undefined && { weights: { name: `${name}.weight`, bytes: asBytes(weights) } }),
        ...(positions !== undefined && { positions: { name: `${name}.position`, bytes: asBytes(positions) } }),
      };
      reader.open(name, bytes, bytes.length, sides).push(bytes);
      reader.close();
    }
    return reader.finish();
  } finally {
    reader.drop();
  }
}

const text = {
  wanted: "a text or bytes (Uint8Array)",
  fits: (value: unknown) => typeof value === "string" || value instanceof Uint8Array,
};

function checkFile(file: MemoryFile): void {
  const { name, content, groups, weights, positions } = (file ?? {}) as Partial<MemoryFile>;
  check("parseData, the name of a file", name, someText);
  check(`parseData, the content of ${name}`, content, text);
  for (const side of [groups, weights, positions]) if (side !== undefined) check(`parseData, beside ${name}`, side, text);
}

/** The bytes as UTF-8 where a byte order mark says that they are UTF-16. */
function unmarked(bytes: Uint8Array): Uint8Array {
  const encoding = wideEncodingOf(bytes);
  return encoding ? utf8Of(bytes, encoding) : bytes;
}

const asBytes = (text: string | Uint8Array) => (typeof text === "string" ? new TextEncoder().encode(text) : text);

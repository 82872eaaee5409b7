/** Parses data in memory, such as a file dropped on a page, with the same code as files on disk. */
import { check, someText } from "../../arguments.ts";
import { InputError } from "../../input-error.ts";
import type { Dataset } from "../../types.ts";
import { checkGathering, type DatasetReaderOptions, datasetReader, type SideFiles } from "./dataset-reader.ts";
import { readOptions } from "./read-options.ts";

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
}

/** Data from files in memory. */
export interface ParsedData {
  /** The data. */
  readonly data: Dataset;
  /** What a user should know about how they were read, a line each. */
  readonly notices: readonly string[];
}

/** A dataset from bytes, as `readData` makes one from files. */
export function parseData(files: readonly MemoryFile[], options: Partial<DatasetReaderOptions> = {}): ParsedData {
  check("parseData", files, { wanted: "an array of files, each { name, content }", fits: Array.isArray });
  checkGathering("parseData", options);
  for (const file of files) checkFile(file);
  const { labels, storage, heap, scorer, ...reading } = options;
  const reader = datasetReader({
    ...readOptions(reading),
    ...{ ...(labels && { labels }), ...(storage && { storage }), ...(heap && { heap }), ...(scorer && { scorer }) },
  });
  try {
    for (const { name, content, groups, weights } of files) {
      const bytes = asBytes(content);
      if (bytes.length === 0) throw new InputError(`${name}: the file is empty`);
      const sides: SideFiles = {
        ...(groups !== undefined && { groups: { name: `${name}.query`, bytes: asBytes(groups) } }),
        ...(weights !== undefined && { weights: { name: `${name}.weight`, bytes: asBytes(weights) } }),
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
  const { name, content, groups, weights } = (file ?? {}) as Partial<MemoryFile>;
  check("parseData, the name of a file", name, someText);
  check(`parseData, the content of ${name}`, content, text);
  for (const side of [groups, weights]) if (side !== undefined) check(`parseData, beside ${name}`, side, text);
}

const asBytes = (text: string | Uint8Array) => (typeof text === "string" ? new TextEncoder().encode(text) : text);

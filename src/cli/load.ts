/** Loads data files for a command, with progress and notices, and aligns them with a model. */
import { align, UnknownFeatures } from "../data/align.ts";
import type { Scorer } from "../formats/data/columns.ts";
import { checkInput, sizeOf } from "../formats/data/file-bytes.ts";
import { readData } from "../formats/data/read.ts";
import type { ReadOptions } from "../formats/data/read-options.ts";
import type { Training } from "../formats/models/native.ts";
import { InputError } from "../input-error.ts";
import type { Columns, Dataset } from "../types.ts";
import { heap } from "./memory.ts";
import { notice } from "./output.ts";
import { progress as bars } from "./progress.ts";

export interface LoadOptions {
  readonly reading: Partial<ReadOptions>;
  readonly quiet: boolean;
  readonly labels?: "required" | "optional";
  readonly columns?: Columns; // of the model
  readonly training?: Training; // of the model
  readonly unknown?: "error" | "ignore";
  readonly threads?: number | undefined; // at most
  readonly cache?: boolean | string; // a folder, or beside the data
}

/** Refuses files that are not there, and standard input named twice, before others are read. */
export async function checkReadable(paths: readonly string[]): Promise<void> {
  checkInput(paths);
  for (const path of paths) await sizeOf(path);
}

export async function load(
  paths: readonly string[],
  { reading, quiet, labels, columns, training, unknown = "error", threads, cache = false }: LoadOptions,
): Promise<Dataset> {
  const bar = bars("Reading", quiet);
  try {
    const { data, notices } = await readData(paths, {
      ...reading,
      ...{ heap, cache },
      ...(labels ? { labels } : {}),
      ...(threads ? { threads } : {}),
      ...(columns ? { scorer: scorerOf(columns, reading, training) } : {}),
      progress: (read, all) => bar.at(read / all, megabytes(read)),
    });
    bar.done();
    const fitted = columns ? alignTo(columns, data, paths.join(", "), unknown) : { data, notices: [] };
    if (!quiet) for (const line of [...notices, ...fitted.notices]) notice(line);
    return fitted.data;
  } finally {
    bar.done();
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** A model without features, such as utilities, numbers none. */
function scorerOf({ names, count }: Columns, reading: Partial<ReadOptions>, training?: Training): Scorer {
  const before: Readonly<Record<string, unknown>> = training?.reading ?? {};
  const remembered = Object.entries(reading).flatMap(([key, value]) => (key in before && before[key] === value ? [key] : []));
  return { numbered: names === undefined && count > 0, remembered };
}

/** Aligned once, so that dropped features can be reported; `who` prefixes errors, which mention flags here. */
export function alignTo(columns: Columns, data: Dataset, who: string, unknown: "error" | "ignore") {
  try {
    return align(data, columns, { unknownFeatures: unknown });
  } catch (error) {
    throw alignError(error, who) ?? (error instanceof InputError ? new InputError(`${who}: ${error.message}`) : error);
  }
}

/** Features that a model does not know, with the flag that leaves them out. */
const alignError = (error: unknown, who: string): InputError | undefined =>
  error instanceof UnknownFeatures
    ? new InputError(`${who}: ${error.what}; --unknown-features ignore drops such features`)
    : undefined;

/** Reads data that are aligned meanwhile. */
export async function alignedAs<R>(who: string, read: () => Promise<R>): Promise<R> {
  try {
    return await read();
  } catch (error) {
    throw alignError(error, who) ?? error;
  }
}

/** Loads data files for a command, with progress and notices, and aligns them with a model. */
import { type AlignOptions, align, UnknownFeatureError } from "../data/align.ts";
import { encodingOf } from "../data/table/encode.ts";
import { shownPaths } from "../formats/data/columnar/query-path.ts";
import type { Scorer } from "../formats/data/columns.ts";
import { checkInput, sizeOf } from "../formats/data/file-bytes.ts";
import { expandPaths } from "../formats/data/paths.ts";
import { type ReadData, readData } from "../formats/data/read.ts";
import type { ReadOptions } from "../formats/data/read-options.ts";
import { readShard } from "../formats/data/read-shard.ts";
import { withShardDigest } from "../formats/data/shard-digest.ts";
import type { Training } from "../formats/models/native.ts";
import { InputError } from "../input-error.ts";
import { idNotices } from "../inspect.ts";
import { communicator } from "../teams/processes.ts";
import type { ColumnEncoding, Columns, Dataset } from "../types.ts";
import { heap } from "./memory.ts";
import { notice } from "./output.ts";
import { progress as bars } from "./progress.ts";

export interface LoadOptions extends AlignOptions {
  readonly reading: Partial<ReadOptions>;
  readonly quiet: boolean;
  readonly labels?: "required" | "optional";
  readonly columns?: Columns; // of the model
  readonly encoding?: readonly ColumnEncoding[]; // of tables, for data that are aligned later
  readonly training?: Training; // of the model
  readonly threads?: number | undefined; // at most
  readonly cache?: boolean | string; // a folder, or beside the data
  readonly whole?: boolean; // every process reads all lists
  readonly digest?: boolean; // of data of several processes, for checkpoints
  readonly described?: boolean; // tables are read as columns, which are described
}

/** Refuses files that are not there, and standard input named twice, before others are read. */
export async function checkReadable(paths: readonly string[]): Promise<void> {
  checkInput(paths);
  for (const path of expandPaths(paths)) await sizeOf(path);
}

export const load = async (paths: readonly string[], options: LoadOptions): Promise<Dataset> =>
  (await loadDescribed(paths, options)).data;

/** The same with what the columns of tables are, if `described` says so. */
export async function loadDescribed(
  paths: readonly string[],
  {
    reading,
    quiet,
    labels,
    columns,
    encoding,
    training,
    unknownFeatures,
    threads,
    cache = false,
    described,
    ...more
  }: LoadOptions,
): Promise<Pick<ReadData, "data" | "describe">> {
  const bar = bars("Reading", quiet);
  try {
    const others = more.whole ? undefined : communicator();
    const aligning = unknownFeatures ? { unknownFeatures } : {};
    const scorer = columns ? scorerOf(columns, reading, training) : encoding && { encoding };
    const read = others ? (...given: Parameters<typeof readData>) => readShard(others, given[0], given[1]!) : readData;
    const { data, notices, describe } = await read(paths, {
      ...reading,
      ...{ heap, cache: described || others ? false : cache },
      ...(described && { columns: true }),
      ...(labels ? { labels } : {}),
      ...(threads ? { threads } : {}),
      ...(scorer && { scorer: { ...scorer, ...aligning } }),
      progress: (read, all) => bar.at(read / all, megabytes(read)),
    });
    bar.done();
    const fitted = columns ? alignTo(columns, data, shownPaths(paths), aligning) : { data, notices: [] };
    const ids = columns || encoding || described ? [] : idNotices(data); // inspect warns of them itself
    if (!quiet) for (const line of [...notices, ...fitted.notices, ...ids]) notice(line);
    const loaded = others && more.digest ? withShardDigest(others, fitted.data) : fitted.data;
    return { data: loaded, ...(describe && { describe }) };
  } finally {
    bar.done();
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** A model without features, such as utilities, numbers none, and needs no column of a table. */
function scorerOf(columns: Columns, reading: Partial<ReadOptions>, training?: Training): Scorer {
  const { names, count } = columns;
  const encoding = encodingOf(columns) ?? (count === 0 ? [] : undefined);
  const before: Readonly<Record<string, unknown>> = training?.reading ?? {};
  const remembered = Object.entries(reading).flatMap(([key, value]) => (key in before && before[key] === value ? [key] : []));
  return { numbered: names === undefined && count > 0, remembered, ...(encoding && { encoding }) };
}

/** Aligned once, so that dropped features can be reported; `who` prefixes errors, which mention flags here. */
export function alignTo(columns: Columns, data: Dataset, who: string, options: AlignOptions) {
  try {
    return align(data, columns, options);
  } catch (error) {
    throw alignError(error, who) ?? (error instanceof InputError ? new InputError(`${who}: ${error.message}`) : error);
  }
}

/** Features that a model does not know, with the flag that leaves them out. */
const alignError = (error: unknown, who: string): InputError | undefined =>
  error instanceof UnknownFeatureError
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

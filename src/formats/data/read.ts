/** Reads data files from disk and passes their bytes to the parsers. */
import { open, readFile, stat } from "node:fs/promises";
import { check, someFunction, someText, wholeFrom } from "../../arguments.ts";
import type { RowSink } from "../../data/row-sink.ts";
import type { SourceTable } from "../../data/table/source-table.ts";
import { describeValue, InputError } from "../../input-error.ts";
import { someMemory, withinMemory } from "../../teams/machine-memory.ts";
import { cores } from "../../teams/threads.ts";
import type { Dataset } from "../../types.ts";
import { type ReadResult, readThroughCache } from "./cache.ts";
import { columnsOfFile, columnsOfQuery } from "./columnar/column-names.ts";
import { queryTable } from "./columnar/duckdb.ts";
import { importFor } from "./columnar/packages.ts";
import { isQuery } from "./columnar/query-path.ts";
import { NeedsColumns } from "./csv-direct.ts";
import { checkGathering, type DatasetReaderOptions, datasetReader, type ReadRows, type SideFiles } from "./dataset-reader.ts";
import { bytesOf, checkInput, checkReading, isInput, lookIntoInput, rethrow, sizeOf } from "./file-bytes.ts";
import { ballotTable, formatOf, labelFiles } from "./formats.ts";
import type { LineBuffer } from "./line-buffer.ts";
import { readParallel } from "./parallel-read.ts";
import type { Parser } from "./parse-summary.ts";
import { expandPaths } from "./paths.ts";
import { type ReadOptions, readOptions } from "./read-options.ts";
import { GROUP_ENDINGS, POSITION_ENDING, type SideFile, sideFilePaths, WEIGHT_ENDING } from "./side-files.ts";
import { columnsLackFeatures, lacksFeatures, needsColumns, sideFormat, sideTable } from "./side-table.ts";
import type { SinkJob } from "./sinks.ts";
import { keepRows } from "./split-rows.ts";
import type { ColumnSummary } from "./table-list.ts";
import { formatBelow, withoutLines } from "./title-lines.ts";

/** How files are read. */
export type ReadDataOptions = Partial<ReadOptions> &
  Pick<DatasetReaderOptions, "labels" | "storage" | "heap" | "scorer" | "columns"> & {
    /** Maximum number of threads. Default: one per core. */
    readonly threads?: number;
    /** Bytes that a thread reads at a time; of short ones, 256 are read before threads begin. Default: 1048576. */
    readonly segment?: number;
    /** Where to cache the parsed data: true for a file beside the first one, or the path of a folder. Default: false. */
    readonly cache?: boolean | string;
    /**
     * Memory that the process may use while it reads, in bytes or as a text such as "2g"; data that need more are refused. Default: nine tenths
     * of what the machine or the container has.
     */
    readonly memory?: number | string;
    /** Called while files are read. */
    readonly progress?: (bytesRead: number, bytesTotal: number) => void;
  };

/** Data from files. */
export interface ReadData {
  /** The data. */
  readonly data: Dataset;
  /** What a user should know about how they were read, a line each. */
  readonly notices: readonly string[];
  /** Number of bytes read, without side files; with a cache, when it was written. */
  readonly bytes: number;
  /** Says what each column of the tables is; absent for other formats, and without the option `columns` where a table has numbers only. */
  readonly describe?: () => readonly ColumnSummary[];
}

/**
 * One dataset from one or several files, in their order. A name may also be a pattern such as "part-*.parquet", a folder, of which all data
 * files are read, "-" for standard input, or a query for DuckDB, "sql:select * from 'x.parquet'". `bytes` counts what was read from disk, side files left out; with a cache, what
 * was read when that was written.
 */
export async function readData(names: readonly string[], given: ReadDataOptions = {}): Promise<ReadData> {
  checkReadOptions("readData", names, given);
  const paths = expandPaths(names);
  const { cache = false, memory, ...options } = given;
  if (typeof cache !== "boolean") check("readData, option cache", cache, { ...someText, wanted: "true, false or a folder" });
  const limited = () => withinMemory(memory, () => readFiles(paths, options));
  if (cache === false || paths.length === 0 || options.split || paths.some(isQuery)) return limited();
  const {
    labels = "required",
    storage = "auto",
    heap,
    threads: _,
    segment: __,
    progress: ___,
    scorer,
    columns: ____,
    ...reading
  } = options;
  for (const path of paths) await sizeOf(path); // reports files that cannot be read
  const folder = cache === true ? undefined : cache;
  const { encoding = "none", unknownFeatures = "ignore" } = scorer ?? {};
  const key = { ...readOptions(reading), labels, storage, encoding, unknownFeatures };
  return withinMemory(memory, () => readThroughCache(paths, { folder, options: key, heap }, limited));
}

/** Refuses arguments of reading that are of the wrong kind. */
export function checkReadOptions(
  who: string,
  paths: unknown,
  options: Omit<ReadDataOptions, "cache">,
): asserts paths is string[] {
  if (typeof paths === "string")
    throw new InputError(`${who}: expected an array of paths, got ${describeValue(paths)}; put it in brackets`);
  check(who, paths, { wanted: "an array of paths", fits: Array.isArray });
  for (const path of paths as unknown[]) check(`${who}, a path`, path, someText);
  checkGathering(who, options);
  const { memory, threads, segment, progress } = options;
  if (memory !== undefined) check(`${who}, option memory`, memory, someMemory);
  if (threads !== undefined) check(`${who}, option threads`, threads, wholeFrom(1));
  if (segment !== undefined) check(`${who}, option segment`, segment, wholeFrom(1));
  if (progress !== undefined) check(`${who}, option progress`, progress, someFunction);
}

type FileOptions = Omit<ReadDataOptions, "cache" | "memory"> & {
  /** Takes the features of rows in place of a matrix. */
  readonly sink?: RowSink;
};

/** Reads tables row by row while they are numbers, and once more as columns when they turn out to hold anything else. */
export async function readFiles(
  paths: readonly string[],
  options: FileOptions,
): Promise<ReadResult & Pick<ReadRows, "describe">> {
  const states = await Promise.all(paths.map(stateOf));
  const once = states.some((state) => state === undefined); // standard input and pipes
  const mark = options.heap?.mark();
  try {
    return await readOnce(
      paths,
      options,
      (options.columns ?? false) || once || needsColumns(readOptions(readingOf(options)), options.scorer),
    );
  } catch (error) {
    if (!(error instanceof NeedsColumns)) throw error;
    if (options.sink)
      throw new InputError(
        `${paths.join(", ")}: reading in two rounds needs tables of numbers, and ${error.message || "a column has words; leave it out, or replace them by numbers"}`,
      );
    if (mark) options.heap!.release(mark);
    return readOnce(paths, options, true);
  }
}

function readingOf(options: FileOptions): Partial<ReadOptions> {
  const { labels: _, storage: __, heap: ___, scorer: ____, threads: _____, segment: ______, progress: _______, columns: ________, sink: _________, ...reading } = options; // biome-ignore format: what is left out
  return reading;
}

const HEAD = 256; // segments that one thread reads before it calls others, where their length is given: tests of threads need no large files

async function readOnce(
  paths: readonly string[],
  options: FileOptions,
  columns: boolean,
): Promise<ReadResult & Pick<ReadRows, "describe">> {
  const { labels, storage, heap, scorer, threads = cores(), segment, progress, sink } = options;
  const requested = readOptions(readingOf(options));
  const sideTables = (["items", "lists"] as const).filter((role) => requested[role] !== "");
  checkInput([...paths, ...sideTables.map((role) => requested[role])]);
  const reader = datasetReader({
    ...{ ...requested, ...(labels && { labels }), ...(storage && { storage }), columns },
    ...{ ...(heap && { heap }), ...(scorer && { scorer }), ...(sink && { sink }) },
  });
  const sizes = await Promise.all(paths.map(sizeOf));
  const states = await Promise.all(paths.map(stateOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let bytes = 0;
  const count = (more: number) => {
    bytes += more;
    progress?.(bytes, Math.max(total, bytes));
  };
  for (const role of sideTables) reader.addSide(role, await readSide(role, requested));
  const { absent, indexBase } = requested;
  const team = { threads, absent, indexBase, labels: labels ?? "required", ...(segment && { segment }), ...sinkJobOf(sink) };
  try {
    for (const [i, path] of paths.entries()) {
      if (isQuery(path)) {
        reader.addTable(await queryTable(path, () => checkReading(path, bytes)));
        continue;
      }
      const left = total - bytes;
      let parser: ReturnType<typeof reader.open> | undefined;
      let direct = false;
      const kind = { packed: false };
      for await (const chunk of bytesOf(path, count, kind, segment && HEAD * segment)) {
        if (parser) parser.push(chunk);
        else {
          await importFor(formatOf(path, chunk, requested.format).id, path);
          parser = reader.open(path, chunk, kind.packed || left < chunk.length ? undefined : left, await sidesOf(path));
          parser.push(chunk);
          direct = parser.writeWindow !== undefined && !kind.packed && sizes[i]! > chunk.length;
          if (direct) break;
        }
      }
      if (!parser) throw new InputError(`${path}: the file is empty`);
      if (direct) {
        const buffer = parser as Parser & LineBuffer;
        const guarded = (more: number) => {
          count(more);
          checkReading(path, bytes);
        };
        const parallel = await readParallel(reader, buffer, path, sizes[i]!, team, guarded);
        if (!parallel) await readRest(path, buffer.bytesReceived(), buffer, guarded);
      }
      checkUnchanged(path, states[i], await stateOf(path));
      reader.close();
    }
    const { data, notices, describe } = reader.finish();
    if (requested.split === "") return { data, notices, bytes, ...(describe && { describe }) };
    const [, file = "", column = "1"] = /^(.*?)(?::(\d+))?$/.exec(requested.split) ?? [];
    const content = await readFile(file).catch((error) => rethrow(file, error));
    const kept = keepRows(data, { name: file, bytes: content }, Number(column));
    return { data: kept.data, notices: [...notices, kept.notice], bytes };
  } finally {
    reader.drop();
  }
}

/** A table of items or lists, of any format of tables, or the result of a query. */
async function readSide(role: "items" | "lists", options: ReadOptions): Promise<SourceTable> {
  const path = options[role];
  if (isQuery(path)) return queryTable(path, () => checkReading(path, 0));
  let side: ReturnType<typeof sideTable> | undefined;
  for await (const chunk of bytesOf(path, () => {})) {
    if (!side) {
      await importFor(sideFormat(path, chunk).id, path);
      side = sideTable(role, path, chunk, options);
    }
    side.push(chunk);
  }
  if (!side) throw new InputError(`${path}: the file is empty`);
  return side.end();
}

const sinkJobOf = (sink: RowSink | undefined) => (sink ? { sink: sink.job as SinkJob } : {});

/** Goes on with a file of rows after its first bytes, straight to where they are parsed. */
async function readRest(
  path: string,
  from: number,
  { writeWindow, commit }: LineBuffer,
  count: (bytes: number) => void,
): Promise<void> {
  const file = await open(path).catch((error) => rethrow(path, error));
  try {
    for (let at = from; ; ) {
      const { bytesRead } = await file.read(writeWindow(), 0, writeWindow().length, at).catch((error) => rethrow(path, error));
      if (bytesRead === 0) return;
      count(bytesRead);
      commit(bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

interface State {
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/** Size and time of the last change of a file on disk; undefined where there is none, as of a pipe. */
async function stateOf(path: string): Promise<State | undefined> {
  const found = isInput(path) ? undefined : await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() ? found : undefined;
}

/** Refuses data of a file that was written to while it was read. */
function checkUnchanged(path: string, before: State | undefined, after: State | undefined): void {
  if (before?.size === after?.size && before?.mtimeNs === after?.mtimeNs) return;
  const sizes = before && after ? `${before.size} bytes before, ${after.size} after` : "it is gone";
  throw new InputError(`${path}: the file was changed while it was read (${sizes}); read it again when nothing writes to it`);
}

/**
 * Whether a file holds ballots, by its name and first bytes, or a table, which is one of ballots if it has no features. Standard input is looked into and read from its beginning later; what else can
 * be read only once, such as a named pipe, is judged by its name alone.
 */
export async function ballotKind(name: string, reading: Partial<ReadOptions>): Promise<"ballots" | "table" | "rows"> {
  const [path = name] = expandPaths([name]);
  const options = readOptions(reading);
  const isBallots = (columns: readonly string[]) =>
    (options.format === "auto" && ballotTable(columns) !== undefined) || columnsLackFeatures(path, columns, options);
  if (isQuery(path)) return isBallots(await columnsOfQuery(path)) ? "ballots" : "table";
  const kindOf = async (bytes: Uint8Array) => {
    const format = formatBelow(path, bytes, options);
    const head = withoutLines(bytes, options.skipLines);
    if (format.kind === "rows" && format.whole) {
      const columns = await columnsOfFile(path, head, format, (some) => !isBallots(some));
      return columns && isBallots(columns) ? "ballots" : "table";
    }
    if (format.kind !== "rows" || !format.table) return format.kind === "ballots" ? "ballots" : "rows";
    return lacksFeatures(path, head, format, options) ? "ballots" : "table";
  };
  if (isInput(path)) return kindOf(await lookIntoInput());
  const found = await stat(path).catch((error) => rethrow(path, error));
  if (!found.isFile()) return kindOf(new Uint8Array(0));
  for await (const chunk of bytesOf(path, () => {})) return kindOf(chunk);
  return "rows";
}

/** The files beside a data file. */
export async function sidesOf(path: string): Promise<SideFiles> {
  const [first, second] = await found(GROUP_ENDINGS.flatMap((ending) => sideFilePaths(path, ending)));
  if (first && second && Buffer.compare(first.bytes, second.bytes) !== 0)
    throw new InputError(`${second.name}: not the same groups as in ${first.name}; remove one of the two`);
  const [weights] = await found(sideFilePaths(path, WEIGHT_ENDING));
  const [positions] = await found(sideFilePaths(path, POSITION_ENDING));
  const [labels] = await found(labelFiles(path));
  return {
    ...(first && { groups: first }),
    ...(weights && { weights }),
    ...(positions && { positions }),
    ...(labels && { labels }),
  };
}

async function found(paths: readonly string[]): Promise<SideFile[]> {
  const files: SideFile[] = [];
  for (const path of paths) {
    const there = await stat(path).then((entry) => entry.isFile(), () => false); // biome-ignore format: both ways
    if (there) files.push({ name: path, bytes: await readFile(path).catch((error) => rethrow(path, error)) });
  }
  return files;
}

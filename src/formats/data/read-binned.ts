/**
 * Reads data files twice and keeps one byte for each value, its bin, which is all that trees need: the first round finds the edges of bins
 * in a sample of rows, the second writes the bins. A model trained on the result has the same bytes as one trained on the values.
 */
import { stat } from "node:fs/promises";
import { check, checkData, someLearner, someText } from "../../arguments.ts";
import { type AlignOptions, align, type UnknownFeatures } from "../../data/align.ts";
import type { RowSink } from "../../data/row-sink.ts";
import { encodingOf } from "../../data/table/encode.ts";
import { InputError } from "../../input-error.ts";
import { checkMemory } from "../../memory-budget.ts";
import { columnsOf } from "../../models/shared/columns.ts";
import { findFeatures, layoutOf, withMissing } from "../../models/trees/binned-dataset.ts";
import { binnedOf } from "../../models/trees/binned-input.ts";
import { COLUMNS } from "../../models/trees/layout.ts";
import { digest } from "../../numeric/digest.ts";
import { Heap } from "../../numeric/heap.ts";
import { withinMemory } from "../../teams/machine-memory.ts";
import { runSolo } from "../../teams/solo.ts";
import type { BinnedFeature, BinnedFeatures, BinOptions, BundleLayout, Columns, Dataset, Learner } from "../../types.ts";
import { type BinJob, binSink, changed } from "./bin-sink.ts";
import type { ReadResult } from "./cache.ts";
import { isQuery, shownPath } from "./columnar/query-path.ts";
import type { Scorer } from "./columns.ts";
import { bytesOf, isInput, rethrow, sizeOf } from "./file-bytes.ts";
import { checkReadOptions, type ReadData, type ReadDataOptions, readFiles } from "./read.ts";
import { type ReadOptions, readOptions } from "./read-options.ts";
import { type SampledRows, sampleSink } from "./sample-sink.ts";
import { formatBelow } from "./title-lines.ts";

const OF_TABLES = "needs whole tables, and reading in two rounds keeps none; make a table of numbers first";

/** Options that reading in two rounds cannot follow. */
const REFUSED = {
  ...{ tiers: "leaves out rows after reading; apply it to the files first" },
  ...{ labelMissing: "leaves out rows after reading; apply it to the files first" },
  ...{ split: "leaves out rows after reading; apply it to the files first" },
  ...{ duplicates: "needs all rows, and reading in two rounds keeps only bins; leave out one of the two" },
  ...{ items: OF_TABLES, lists: OF_TABLES, categories: OF_TABLES, dateColumns: OF_TABLES, timeColumns: OF_TABLES },
} as const;

/** How files are read into bins. Either `model` or `like` is needed. */
export type ReadBinnedOptions = Omit<
  ReadDataOptions,
  | ("cache" | "storage" | "labels" | "scorer" | "absentItems" | "columns" | "maxCategories")
  | ("tiers" | "labelMissing" | "split" | "duplicates" | "items" | "lists" | "categories" | "dateColumns" | "timeColumns")
> & {
  /** What will be trained on the data: trees, whose options say how features are cut into bins. Default: none. */
  readonly model?: Learner;
  /** Training data that were read in this way: the files hold validation data, which get the same bins. Default: none. */
  readonly like?: Dataset;
  /**
   * What features are that the data of `like` do not have: an error, or left out. Default: those with names are left out, and numbered ones are an
   * error.
   */
  readonly unknownFeatures?: UnknownFeatures;
};

/**
 * One dataset from files, with the bins of features instead of their values: a quarter of the memory. The files are read twice, so standard
 * input and pipes cannot be. Only `train` and `fit` take such data, with trees. The memory of the bins is given back when the data are no
 * longer referred to, or with `heap` when that is closed.
 */
export async function readBinned(paths: readonly string[], options: ReadBinnedOptions): Promise<ReadData> {
  await checkBinnedReading(paths, options);
  return withinMemory(options.memory, () => readRounds(paths, options));
}

/** Refuses arguments of reading in two rounds that are of the wrong kind, and what can be read only once. */
export async function checkBinnedReading(paths: readonly string[], options: ReadBinnedOptions): Promise<void> {
  checkReadOptions("readBinned", paths, options);
  const { model, like } = options;
  if ((model === undefined) === (like === undefined))
    throw new InputError(
      "readBinned: expected either the option model, the trees that will be trained, or the option like, the training data",
    );
  if (model) check("readBinned, option model", model, someLearner);
  if (model && !model.binOptions) throw new InputError(`readBinned, option model: ${needsValues(model.id)}`);
  model?.binOptions?.(); // throws where options need values
  if (like) checkData("readBinned, option like", like, "accept bins");
  if (like && !binnedOf(like.features))
    throw new InputError("readBinned, option like: expected data of readBinned, got data with the values of features");
  for (const path of paths) await checkTwice(path);
}

/** How files are read, without what reading in two rounds cannot follow. */
export function binnedReading(options: ReadBinnedOptions): ReadOptions {
  const own = ["model", "like", "heap", "unknownFeatures", "memory", "progress", "threads", "segment"];
  const reading = readOptions(withoutKeys(options, own) as Partial<ReadOptions>);
  const defaults = readOptions({});
  for (const [key, why] of Object.entries(REFUSED) as [keyof typeof REFUSED, string][])
    if (String(reading[key]) !== String(defaults[key])) throw new InputError(`readBinned: the option ${key} ${why}`);
  return reading;
}

/** Why a model cannot be trained on bins. */
export const needsValues = (id: string): string =>
  `the model ${id} needs the values of features, and reading in two rounds keeps only their bins; use trees, or read the values`;

/** Refuses what can be read only once, and what is not read by rows. */
async function checkTwice(path: string): Promise<void> {
  check("readBinned, a path", path, someText);
  if (isQuery(path))
    throw new InputError(
      `${shownPath(path)}: reading in two rounds reads files, and this is a query; write its result to a file`,
    );
  const found = isInput(path) ? undefined : await stat(path).catch((error) => rethrow(path, error));
  if (!found || !(found.isFile() || found.isDirectory()))
    throw new InputError(
      `${path}: reading in two rounds reads the data twice, and a pipe can be read only once; write it to a file`,
    );
}

async function readRounds(paths: readonly string[], options: ReadBinnedOptions): Promise<ReadData> {
  const { model, like, heap, unknownFeatures: _, memory: __, progress, ...given } = options;
  const reading = binnedReading(options);
  const rounds = roundCounter(like ? 2 : 3, progress);
  const pass = (sink: RowSink): Promise<ReadResult> =>
    readFiles(paths, { ...given, ...scorerLike(options), sink, progress: rounds.begin() });
  const lines = like ? 0 : await countLines(paths, reading, rounds.begin());
  const first = sampleSink({ kind: "sample", rows: lines });
  const { data } = await pass(first);
  const known = digestRows(data);
  let sampled = first.result();
  const { rows, place } = sampled.read;
  if (!like && !sampled.sample) {
    // Lines were not rows, as with comments, or rows of a list were not adjacent: the sample is of other rows.
    rounds.add();
    const again = sampleSink({ kind: "sample", rows, place });
    await pass(again);
    sampled = again.result();
  }
  const plan = like ? planLike(data, sampled, like, options) : planFor(model!, sampled, columnsOf(data));
  const own = heap ?? new Heap();
  const scratch = new Heap();
  try {
    const job: BinJob = { kind: "bins", ...plan, binned: allocateBins(plan, rows, own), ...sampledFacts(sampled, scratch) };
    if (!heap) freed.register(job.binned, own);
    const { data: binned, notices, bytes } = await pass(binSink(job, scratch));
    if (digestRows(binned) !== known) throw changed();
    const columns = like && columnsOf(like);
    return { data: columns ? withColumns(binned, columns) : binned, notices: [...notices, ...plan.notices], bytes };
  } catch (error) {
    if (!heap) own.close();
    throw error;
  } finally {
    scratch.close();
  }
}

/** What reading must know of the training data that the rows are like: the names of their columns. */
export function scorerLike({ like, unknownFeatures }: ReadBinnedOptions): { scorer?: Scorer } {
  const encoding = like && encodingOf(columnsOf(like));
  return encoding ? { scorer: { encoding, ...(unknownFeatures && { unknownFeatures }) } } : {};
}

/** Gives back the memory of bins that nobody refers to any more. */
const freed = new FinalizationRegistry<Heap>((heap) => heap.close());

function withoutKeys<T extends object>(from: T, keys: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key))) as Partial<T>;
}

/** How values become bins. */
export interface BinPlan {
  readonly features: readonly BinnedFeature[];
  readonly layout: BundleLayout;
  readonly options: BinOptions;
  readonly source?: Int32Array;
  readonly notices: readonly string[];
}

/** The bins of training data, from the sample. */
export function planFor(
  model: Learner,
  { sample, isMissing }: Pick<SampledRows, "sample" | "isMissing">,
  columns: Columns,
): BinPlan {
  const options = model.binOptions!(columns);
  return runSolo((team) => {
    const found = findFeatures(team, sample!, options);
    const features = withMissing(found.features, isMissing);
    return { features, layout: layoutOf({ ...found, features }), options, notices: [] };
  });
}

/** The bins of validation data: those of the training data, with one for missing values where these data have some. */
export function planLike(
  data: Dataset,
  { isMissing, absent }: Pick<SampledRows, "isMissing" | "absent">,
  like: Dataset,
  { unknownFeatures }: AlignOptions = {},
): BinPlan {
  const { features: known, options } = binnedOf(like.features)!;
  const { source, notices } = sourceColumns(data, columnsOf(like), unknownFeatures ? { unknownFeatures } : {});
  const features = known.map((feature, f) => {
    const column = source[f]!;
    return { ...feature, missing: feature.categorical || (column < 0 ? Number.isNaN(absent) : isMissing(column)) };
  });
  return { features, layout: layoutOf({ features }), options, source, notices };
}

/** By column of the training data: which column of these data it is, or -1. One row that holds the number of each column is aligned. */
function sourceColumns(data: Dataset, columns: Columns, options: AlignOptions) {
  const count = data.features.columns;
  const values = Float32Array.from({ length: count }, (_, column) => column + 1);
  const row: Dataset = {
    ...{ starts: Uint32Array.of(0, 1), labels: Float32Array.of(0), base: data.base },
    features: { kind: "dense", rows: 1, columns: count, values, absent: 0 },
    names: data.names.features ? { features: data.names.features } : {},
  };
  const { data: aligned, notices } = align(row, columns, options);
  return { source: Int32Array.from(aligned.features.values, (number) => number - 1), notices };
}

/** Memory for the bins. */
export function allocateBins({ features, layout, options }: BinPlan, rows: number, heap: Heap): BinnedFeatures {
  const bytes = Math.max(1, layout.groups) * rows * COLUMNS;
  checkMemory(`the bins of ${rows} rows and ${features.length} features`, bytes);
  return { features, layout, options, bins: heap.u8(bytes) };
}

/** What the second round needs to know of the first; threads share the places of rows. */
function sampledFacts({ read: { rows, columns, base, place }, absent }: SampledRows, heap: Heap) {
  const shared = place && heap.u32(place.length);
  shared?.set(place!);
  return { rows, width: columns, base, absent, ...(shared && { place: shared }) };
}

export const withColumns = (data: Dataset, { base, names }: Columns): Dataset => ({
  ...data,
  base,
  names: { ...data.names, ...(names && { features: names }) },
});

/** Everything of the rows but their features, so that a change between the rounds is noticed. */
export const digestRows = ({ starts, labels, names }: Dataset) => `${digest(starts)} ${digest(labels)} ${names.features?.join()}`;

/** Reports the progress of all rounds as one. */
function roundCounter(rounds: number, progress: ReadDataOptions["progress"]) {
  let round = 0;
  return {
    add: () => void rounds++,
    begin() {
      const before = round++;
      return (read: number, total: number) => progress?.(before * total + read, rounds * total);
    },
  };
}

const NEWLINE = 10;

/** The lines of all files that could be rows: exact unless there are comments, blank lines or line ends in cells. */
export async function countLines(
  paths: readonly string[],
  reading: Pick<ReadOptions, "format" | "skipLines">,
  progress: (read: number, total: number) => void,
): Promise<number> {
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let [lines, read] = [0, 0];
  const count = (bytes: number) => {
    read += bytes;
    progress(read, Math.max(read, total));
  };
  for (const path of paths) {
    let last: Uint8Array | undefined;
    for await (const chunk of bytesOf(path, count)) {
      const kind = last ? undefined : formatBelow(path, chunk, reading);
      if (kind?.kind === "rows" && kind.features === "named") lines -= 1 + reading.skipLines; // the header and lines above it
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
      last = chunk;
    }
    if (last && last.at(-1) !== NEWLINE) lines++;
  }
  return Math.max(0, lines);
}

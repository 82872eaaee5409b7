/**
 * Reads data files in two rounds with several processes, each of which keeps the bins of its lists: `readBinned` for what shard-pieces.ts shares out. Edges
 * are found from the rows of all processes that one process would sample, and so are those of a training on the values.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { layOut } from "../../data/blocks.ts";
import type { RowSink } from "../../data/row-sink.ts";
import { InputError } from "../../input-error.ts";
import { columnsOf } from "../../models/shared/columns.ts";
import { SAMPLE } from "../../models/trees/binned-dataset.ts";
import { Heap } from "../../numeric/heap.ts";
import { type Communicator, lengthsOf } from "../../teams/communicator.ts";
import { withinMemory } from "../../teams/machine-memory.ts";
import type { Dataset, DenseMatrix } from "../../types.ts";
import { type BinJob, binSink, changed } from "./bin-sink.ts";
import { expandPaths } from "./paths.ts";
import type { ReadData } from "./read.ts";
import {
  allocateBins,
  type BinPlan,
  binnedReading,
  checkBinnedReading,
  countLines,
  digestRows,
  planFor,
  planLike,
  type ReadBinnedOptions,
  readBinned,
  scorerLike,
  withColumns,
} from "./read-binned.ts";
import type { ReadOptions } from "./read-options.ts";
import { readPieces } from "./read-shard.ts";
import { type SamplePart, type SampleSink, sampleSink } from "./sample-sink.ts";
import { type Piece, piecesOf } from "./shard-pieces.ts";

/** The bins of this process's lists. `heap` is where they are kept. */
export async function readBinnedShard(
  others: Communicator,
  names: readonly string[],
  options: ReadBinnedOptions & { readonly heap?: Heap },
): Promise<ReadData> {
  await checkBinnedReading(names, options);
  return withinMemory(options.memory, () => readRounds(others, names, options));
}

async function readRounds(others: Communicator, names: readonly string[], options: ReadBinnedOptions): Promise<ReadData> {
  const { model, like, heap = new Heap() } = options;
  const reading = binnedReading(options);
  const scorer = scorerLike(options);
  const pieces = await piecesOf(others, expandPaths(names), {
    ...{ requested: reading, labels: "required" },
    ...scorer,
  });
  const pass = async (sink: RowSink): Promise<ReadData> =>
    (pieces && (await readPieces(others, pieces, reading, { ...scorer, sink }))) ?? refuse(names, options);
  if (!pieces) return refuse(names, options);
  const { data, sink } = await firstRound(others, like ? 0 : await linesOf(pieces, reading), pass);
  const absent = data.names.features || reading.absent === "missing" ? Number.NaN : 0;
  const found = foundRows(others, pieces, data, sink, absent);
  const plan = like ? planLike(data, found, like, options) : planFor(model!, found, columnsOf(data));
  const result = await secondRound(pieces, plan, data, { base: found.base, absent, heap }, pass);
  const columns = like && columnsOf(like);
  return {
    ...result,
    data: columns ? withColumns(result.data, columns) : result.data,
    notices: [...result.notices, ...plan.notices],
  };
}

/** Reports what is wrong with the files, or why they cannot be shared out. */
async function refuse(names: readonly string[], options: ReadBinnedOptions): Promise<never> {
  const { heap: _, ...rest } = options;
  await readBinned(names, rest);
  throw new InputError(
    `${names.join(", ")}: several processes read in two rounds what they can share out, and a file has words, rows of a list that stand apart, or weights or positions beside it; start one process, or leave --two-round out`,
  );
}

/** The lines of this process's pieces that could be rows. */
async function linesOf(pieces: readonly Piece[], reading: ReadOptions): Promise<number> {
  let lines = 0;
  for (const { path, range } of pieces)
    lines += range ? linesBetween(path, range.from, range.to) : await countLines([path], reading, () => {});
  return lines;
}

const CHUNK = 1 << 20;
const NEWLINE = 10;

function linesBetween(path: string, from: number, to: number): number {
  const file = openSync(path, "r");
  const bytes = new Uint8Array(Math.min(CHUNK, to - from));
  let [lines, last] = [0, NEWLINE];
  for (let at = from; at < to; ) {
    const got = readSync(file, bytes, 0, Math.min(CHUNK, to - at), at);
    if (got === 0) break;
    const chunk = bytes.subarray(0, got);
    for (let p = chunk.indexOf(NEWLINE); p >= 0; p = chunk.indexOf(NEWLINE, p + 1)) lines++;
    last = chunk[got - 1]!;
    at += got;
  }
  closeSync(file);
  return last === NEWLINE ? lines : lines + 1;
}

/** Samples rows; `lines` is how many this process expects to read, and 0 everywhere samples none. */
async function firstRound(
  others: Communicator,
  lines: number,
  pass: (sink: RowSink) => Promise<ReadData>,
): Promise<{ data: Dataset; sink: SampleSink }> {
  const expected = lengthsOf(others, lines);
  const total = sum(expected);
  const sink = sampleSink({ kind: "sample", rows: total, before: sum(expected.slice(0, others.rank)) });
  const { data } = await pass(sink);
  const rows = lengthsOf(others, data.labels.length);
  if (total === 0 || rows.every((count, p) => count === expected[p])) return { data, sink };
  const again = sampleSink({ kind: "sample", rows: sum(rows), before: sum(rows.slice(0, others.rank)) }); // lines were not rows
  return { data: (await pass(again)).data, sink: again };
}

const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);

/** What all processes found together. */
function foundRows(others: Communicator, pieces: readonly Piece[], data: Dataset, sink: SampleSink, absent: number) {
  const { columns } = data.features;
  const own = pieces.length > 0 ? sink.result() : undefined;
  const missing = Int32Array.from({ length: columns }, (_, column) => (own?.isMissing(column) ? 1 : 0));
  others.addUp(missing);
  const base = own?.read.base ?? data.base;
  const { blocks, indices } = sink.part() as SamplePart;
  const layout = { rows: indices.length, base, columns, absent, place: undefined, heap: undefined };
  const part = (layOut([...blocks], layout, "dense") as DenseMatrix).values;
  const lengths = lengthsOf(others, part.length);
  const values = new Float32Array(sum(lengths));
  others.gather(part, lengths, values);
  const rows = columns === 0 ? 0 : values.length / columns;
  if (rows > SAMPLE) throw new Error(`${rows} rows were sampled`);
  const sample: DenseMatrix = { kind: "dense", rows, columns, values, absent };
  return { base, absent, sample, isMissing: (column: number) => missing[column] !== 0 };
}

/** Writes the bins of this process's rows. */
async function secondRound(
  pieces: readonly Piece[],
  plan: BinPlan,
  before: Dataset,
  { base, absent, heap }: { readonly base: number; readonly absent: number; readonly heap: Heap },
  pass: (sink: RowSink) => Promise<ReadData>,
): Promise<ReadData> {
  const rows = before.labels.length;
  const scratch = new Heap();
  try {
    const binned = allocateBins(plan, rows, heap);
    const job: BinJob = { kind: "bins", ...plan, binned, rows, width: before.features.columns, base, absent };
    const { data, notices, bytes } = await pass(binSink(job, scratch));
    if (digestRows(data) !== digestRows(before)) throw changed();
    if (pieces.length > 0) return { data, notices, bytes };
    const features: DenseMatrix = {
      kind: "dense",
      rows,
      columns: plan.features.length,
      values: new Float32Array(0),
      absent,
      binned,
    };
    return { data: { ...data, features }, notices, bytes };
  } finally {
    scratch.close();
  }
}

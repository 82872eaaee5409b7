/**
 * Reads data files with several processes, each of which gets some of the lists: it reads its share of the bytes (shard-pieces.ts), so that none holds
 * the whole. Where that cannot be done, the files are read by every process, which keeps its share of the lists: where rows of a list do not stand
 * together, where a table has words, whose meaning depends on all rows, and where anything is wrong, so that errors are those of one process.
 *
 * The result is that of one process: how features are numbered and stored, and whether weights are of lists, is agreed on before the data are finished.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { counted } from "../../counted.ts";
import { isDense } from "../../data/blocks.ts";
import type { AgreedRows, RowFacts } from "../../data/builder.ts";
import { subset } from "../../data/subset.ts";
import { InputError } from "../../input-error.ts";
import { isOutOfMemory } from "../../memory-budget.ts";
import { splitLists } from "../../teams/blocks.ts";
import { type Communicator, exchange, lengthsOf } from "../../teams/communicator.ts";
import type { Dataset } from "../../types.ts";
import { importFor } from "./columnar/packages.ts";
import { NeedsColumns } from "./csv-direct.ts";
import { type DatasetReaderOptions, datasetReader } from "./dataset-reader.ts";
import { bytesOf, checkInput, checkReading, isInput } from "./file-bytes.ts";
import { expandPaths } from "./paths.ts";
import { type ReadData, type ReadDataOptions, readData } from "./read.ts";
import { type ReadOptions, readOptions } from "./read-options.ts";
import { type Piece, piecesOf } from "./shard-pieces.ts";

const CHUNK = 1 << 20;

/** The lists of this process. */
export async function readShard(others: Communicator, names: readonly string[], options: ReadDataOptions): Promise<ReadData> {
  const requested = readOptions(withoutProcess(options));
  checkInput(names);
  if (names.some(isInput))
    throw new InputError("standard input can be read by one process only; write it to a file, or start one process");
  const paths = expandPaths(names);
  const { labels = "required", scorer, columns } = options;
  const pieces = columns ? undefined : await piecesOf(others, paths, { requested, labels, scorer });
  if (pieces) {
    const found = await readPieces(others, pieces, requested, options);
    if (found) return found;
  }
  const { data, ...rest } = await readData(paths, options);
  return { ...rest, data: shareOf(others, data) };
}

/** Options of reading alone. */
function withoutProcess({ labels: _, storage: __, heap: ___, scorer: ____, threads: _____, ...rest }: ReadDataOptions) {
  const { segment: ______, cache: _______, memory: ________, progress: _________, columns: __________, ...reading } = rest;
  return reading;
}

type Reader = ReturnType<typeof datasetReader>;

/** The lists of this process's pieces; undefined where they cannot be read one without the others. */
export async function readPieces(
  others: Communicator,
  pieces: readonly Piece[],
  requested: ReadOptions,
  { labels, storage, heap, scorer, sink }: Pick<DatasetReaderOptions, "labels" | "storage" | "heap" | "scorer" | "sink">,
): Promise<ReadData | undefined> {
  const reader = datasetReader({
    ...requested,
    ...{ ...(labels && { labels }), ...(storage && { storage }), ...(heap && { heap }), ...(scorer && { scorer }) },
    ...(sink && { sink }),
  });
  try {
    const { facts, ends, bytes } = await takeIn(reader, pieces);
    const all = exchange(others, facts ?? null);
    const agreed = agree(others.rank, all, requested, storage);
    if (!agreed) return undefined;
    const { data, notices } = pieces.length > 0 ? reader.finish(agreed) : { data: noRows(agreed, requested.absent), notices: [] };
    if (haveTwice(others, listKeys(pieces, ends, data))) return undefined;
    const sharded = withShard(others, data);
    const remarks = exchange(others, notices).flat();
    const { starts } = sharded.shard!;
    const summary = `${counted(starts.at(-1)!, "row")} in ${counted(starts.length - 1, "list")}, read by ${others.size} processes`;
    return { data: sharded, notices: [summary, ...new Set(remarks.filter((line) => !/: [\d,]+ rows? in /.test(line)))], bytes };
  } finally {
    reader.drop();
  }
}

const NO_ROWS: RowFacts = { rows: 0, lists: 0, filled: 0, lowest: 2 ** 32, highest: -1, weights: "none", scattered: false, named: false }; // biome-ignore format: one row

/** What is known of the rows of all pieces, and the lists up to the end of each; no facts where something is wrong with them. */
async function takeIn(
  reader: Reader,
  pieces: readonly Piece[],
): Promise<{ facts?: RowFacts; ends: readonly number[]; bytes: number }> {
  const ends: number[] = [];
  let bytes = 0;
  try {
    for (const piece of pieces) {
      bytes += piece.range ? readRange(reader, piece.path, piece.range) : await readWhole(reader, piece);
      const facts = reader.facts();
      if (!facts) return { ends, bytes }; // ballots
      ends.push(facts.lists);
    }
  } catch (error) {
    if (!(error instanceof NeedsColumns || error instanceof InputError) || isOutOfMemory(error)) throw error;
    return { ends, bytes };
  }
  const facts = reader.facts();
  return { facts: facts ? { ...facts, lowest: Math.min(facts.lowest, NO_ROWS.lowest) } : NO_ROWS, ends, bytes }; // JSON has no infinity
}

/** Reads a part of a file, in which no list is cut; gives the number of bytes. */
function readRange(reader: Reader, path: string, { from, to, header }: NonNullable<Piece["range"]>): number {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(Math.min(CHUNK, to - from));
    let parser: ReturnType<Reader["open"]> | undefined;
    for (let at = from; at < to; ) {
      const got = readSync(file, bytes, 0, Math.min(CHUNK, to - at), at);
      if (got === 0) throw new InputError(`${path}: the file has become shorter while it was read`);
      const chunk = bytes.slice(0, got);
      if (!parser) {
        parser = reader.open(path, header.length > 0 ? header : chunk, to - from);
        if (header.length > 0) parser.push(header);
      }
      parser.push(chunk);
      at += got;
      checkReading(path, at - from);
    }
    reader.close();
    return to - from;
  } finally {
    closeSync(file);
  }
}

/** Reads a file that one process has alone; gives the number of bytes on disk. */
async function readWhole(reader: Reader, { path, format, sides }: Piece): Promise<number> {
  await importFor(format, path);
  let bytes = 0;
  let parser: ReturnType<Reader["open"]> | undefined;
  for await (const chunk of bytesOf(path, (more) => void (bytes += more))) {
    parser ??= reader.open(path, chunk, undefined, sides);
    parser.push(chunk);
  }
  reader.close();
  return bytes;
}

/** What holds for the rows of all processes; undefined where they cannot be read one without the others. */
function agree(
  rank: number,
  all: readonly (RowFacts | null)[],
  { indexBase }: ReadOptions,
  wanted: ReadDataOptions["storage"] = "auto",
): AgreedRows | undefined {
  if (all.some((one) => one === null || one.scattered)) return undefined;
  const facts = all as readonly RowFacts[];
  const withRows = facts.filter(({ rows }) => rows > 0);
  const features = withRows[0]?.features;
  if (withRows.some((one) => JSON.stringify(one.features) !== JSON.stringify(features))) return undefined; // another order of columns
  const lowest = Math.min(...facts.map((one) => one.lowest));
  const base = features ? 0 : indexBase === "auto" ? (lowest === 0 ? 0 : 1) : indexBase;
  const columns = features?.length ?? Math.max(0, ...facts.map(({ highest }) => highest + 1 - base));
  const sum = (of: (one: RowFacts) => number, some = facts) => some.reduce((total, one) => total + of(one), 0);
  const dense = isDense(sum(({ filled }) => filled), sum(({ rows }) => rows), columns); // biome-ignore format: one line
  const kinds = new Set(facts.map(({ weights }) => weights));
  return {
    ...{ base, columns, storage: wanted !== "auto" ? wanted : dense ? "dense" : "sparse" },
    weights: kinds.has("items") ? "items" : kinds.has("lists") ? "lists" : "none",
    ...{ named: facts.some(({ named }) => named), list: sum(({ lists }) => lists, facts.slice(0, rank)) },
    ...(features && { features }),
  };
}

/** The data of a process for which no lists are left. */
function noRows({ base, columns, storage, weights, features }: AgreedRows, absent: "zero" | "missing"): Dataset {
  const missing = absent === "missing" || features !== undefined;
  const empty = { rows: 0, columns, values: new Float32Array(0), absent: missing ? Number.NaN : 0 };
  return {
    ...{ starts: new Uint32Array(1), labels: new Float32Array(0), base: features ? 1 : base },
    names: { lists: [], ...(features && { features }) },
    features:
      storage === "dense"
        ? { kind: "dense", ...empty }
        : { kind: "sparse", ...empty, starts: new Uint32Array(1), indices: new Uint32Array(0) },
    ...(weights === "lists" && { listWeights: new Float32Array(0) }),
    ...(weights === "items" && { itemWeights: new Float32Array(0) }),
  };
}

/** A number for each list of parts of files, by its name and file: lists with the same number are the same list. */
function listKeys(pieces: readonly Piece[], ends: readonly number[], { names }: Dataset): number[] {
  return pieces.flatMap(({ path, range }, i) =>
    range ? names.lists!.slice(ends[i - 1] ?? 0, ends[i]).map((name) => hash(`${path} ${name}`)) : [],
  );
}

/** 52 bits of a text. */
function hash(text: string): number {
  let [a, b] = [0x9e3779b1, 0x85ebca6b];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ a, 0xc2b2ae35) ^ (b >>> 15);
  }
  return (a >>> 0) * 2 ** 20 + ((b >>> 0) & 0xfffff);
}

/** Whether two processes have the same list. */
function haveTwice(others: Communicator, keys: readonly number[]): boolean {
  const lengths = lengthsOf(others, keys.length);
  const all = new Float64Array(lengths.reduce((a, b) => a + b, 0));
  others.gather(Float64Array.from(keys), lengths, all);
  let at = 0;
  const seen = new Set<number>();
  for (const length of lengths) {
    const own = new Set(all.subarray(at, (at += length)));
    for (const key of own) if (seen.has(key)) return true;
    for (const key of own) seen.add(key);
  }
  return false;
}

/** The data with their place among those of all processes. */
export function withShard(others: Communicator, data: Dataset): Dataset {
  const own = data.starts.length - 1;
  const lengths = lengthsOf(others, own);
  const sizes = new Uint32Array(lengths.reduce((a, b) => a + b, 0));
  others.gather(Uint32Array.from({ length: own }, (_, q) => data.starts[q + 1]! - data.starts[q]!), lengths, sizes); // biome-ignore format: one line
  const starts = new Uint32Array(sizes.length + 1);
  sizes.forEach((size, q) => {
    starts[q + 1] = starts[q]! + size;
  });
  const counts = new Map<number, number>();
  for (const label of data.labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  let listsWithoutPositive = 0;
  for (let q = 0; q < own; q++)
    if (!data.labels.subarray(data.starts[q]!, data.starts[q + 1]!).some((label) => label > 0)) listsWithoutPositive++;
  const parts = exchange(others, { counts: [...counts], listsWithoutPositive });
  const all = new Map<number, number>();
  for (const part of parts) for (const [label, count] of part.counts) all.set(label, (all.get(label) ?? 0) + count);
  return {
    ...data,
    shard: {
      ...{ list: lengths.slice(0, others.rank).reduce((a, b) => a + b, 0), starts },
      labels: [...all].sort(([a], [b]) => a - b),
      listsWithoutPositive: parts.reduce((sum, part) => sum + part.listsWithoutPositive, 0),
    },
  };
}

/** This process's lists of data that every process has. */
export function shareOf(others: Communicator, data: Dataset): Dataset {
  const cuts = splitLists(data.starts, others.size);
  const [from, to] = [cuts[others.rank]!, cuts[others.rank + 1]!];
  const own = subset(
    data,
    Uint32Array.from({ length: to - from }, (_, i) => from + i),
  );
  return withShard(others, own);
}

/**
 * Reads data files with several processes, each of which gets some of the lists. Of SVMlight text without files beside it, a process reads its share of the
 * bytes, cut at lists, so that none holds the whole. Other files are read by every process, which keeps its share of the lists.
 *
 * The result is that of one process: how features are numbered and stored, and whether weights are of lists, is agreed on before the data are finished.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { isDense } from "../../data/blocks.ts";
import type { AgreedRows, RowFacts } from "../../data/builder.ts";
import { subset } from "../../data/subset.ts";
import { InputError } from "../../input-error.ts";
import { splitLists } from "../../teams/blocks.ts";
import { type Communicator, exchange, lengthsOf } from "../../teams/communicator.ts";
import type { Dataset } from "../../types.ts";
import { type DatasetReaderOptions, datasetReader } from "./dataset-reader.ts";
import { bytesOf, checkInput, checkReading, isInput, sizeOf } from "./file-bytes.ts";
import { formatOf } from "./formats.ts";
import { cutAt } from "./list-cuts.ts";
import { counted } from "./parse-summary.ts";
import { type ReadData, type ReadDataOptions, readData, sidesOf } from "./read.ts";
import { readOptions } from "./read-options.ts";

const CHUNK = 1 << 20;

/** A part of a file. */
interface Piece {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** The lists of this process. */
export async function readShard(others: Communicator, paths: readonly string[], options: ReadDataOptions): Promise<ReadData> {
  const requested = readOptions(withoutProcess(options));
  checkInput(paths);
  if (paths.some(isInput))
    throw new InputError("standard input can be read by one process only; write it to a file, or start one process");
  const pieces = (await areRows(paths, requested)) && requested.split === "" ? await piecesOf(others, paths) : undefined;
  if (pieces) {
    const found = readPieces(others, pieces, options);
    if (found) return found;
  }
  return keepShare(others, await readData(paths, options));
}

/** Options of reading alone. */
function withoutProcess({ labels: _, storage: __, heap: ___, scorer: ____, threads: _____, ...rest }: ReadDataOptions) {
  const { segment: ______, cache: _______, memory: ________, progress: _________, columns: __________, ...reading } = rest;
  return reading;
}

/** Whether all files are SVMlight text with nothing beside it, which can be cut. */
async function areRows(paths: readonly string[], requested: ReturnType<typeof readOptions>): Promise<boolean> {
  const { format, tiers, lowerIsBetter, ballots } = requested;
  if (tiers !== "" || lowerIsBetter || ballots === "always") return false;
  for (const path of paths) {
    const { groups, weights } = await sidesOf(path);
    if (groups || weights) return false;
    const kind = { packed: false };
    for await (const head of bytesOf(path, () => {}, kind)) {
      if (kind.packed || formatOf(path, head, format).id !== "svmlight") return false;
      break;
    }
  }
  return paths.length > 0;
}

/** This process's share of the bytes of all files. */
async function piecesOf({ rank, size }: Communicator, paths: readonly string[]): Promise<Piece[]> {
  const sizes = await Promise.all(paths.map(sizeOf));
  const total = sizes.reduce((a, b) => a + b, 0);
  const [first, last] = [Math.floor((total * rank) / size), Math.floor((total * (rank + 1)) / size)];
  let before = 0;
  return paths.flatMap((path, i) => {
    const length = sizes[i]!;
    const file = openSync(path, "r");
    const [from, to] = [cutAt(file, length, first - before), cutAt(file, length, last - before)];
    closeSync(file);
    before += length;
    return to > from ? [{ path, from, to }] : [];
  });
}

/** The lists of this process's pieces; undefined where the rows of a list do not stand together, so that they cannot be cut. */
function readPieces(others: Communicator, pieces: readonly Piece[], options: ReadDataOptions): ReadData | undefined {
  const requested = { ...readOptions(withoutProcess(options)), format: "svmlight" as const };
  const { labels, heap, scorer } = options;
  const reader = datasetReader({
    ...requested,
    ...(labels && { labels }),
    ...(heap && { heap }),
    ...(scorer && { scorer }),
  } as DatasetReaderOptions);
  try {
    const ends: number[] = []; // lists up to the end of each piece
    let [bytes, mistake]: [number, string | undefined] = [0, undefined];
    try {
      for (const piece of pieces) {
        bytes += readPiece(reader, piece);
        ends.push(reader.facts()!.lists);
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      mistake = error.message;
    }
    const facts = mistake === undefined ? reader.facts() : undefined;
    const all = exchange(others, { facts: facts && sendable(facts), mistake });
    // The file is read again from its beginning, which finds the first mistake and its line.
    if (all.some((one) => one.mistake !== undefined) || all.some((one) => one.facts?.scattered)) return undefined;
    const agreed = agree(all.flatMap((one) => one.facts ?? []), requested.indexBase); // biome-ignore format: one line
    const { data, notices } = facts ? reader.finish(agreed) : { data: noRows(agreed, requested.absent), notices: [] };
    const names = pieces.length === 0 ? [] : listKeys(pieces, ends, data);
    if (haveTwice(others, names)) return undefined;
    const sharded = withShard(others, data);
    const remarks = exchange(others, notices).flat();
    const summary = `${counted(sharded.shard!.starts.at(-1)!, "row")} in ${counted(sharded.shard!.starts.length - 1, "list")}, read by ${others.size} processes`;
    return { data: sharded, notices: [summary, ...new Set(remarks.filter((line) => !/: [\d,]+ rows? in /.test(line)))], bytes };
  } finally {
    reader.drop();
  }
}

/** JSON has no infinity. */
const sendable = (facts: RowFacts): RowFacts => ({ ...facts, lowest: Math.min(facts.lowest, 2 ** 32) });

function readPiece(reader: ReturnType<typeof datasetReader>, { path, from, to }: Piece): number {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(CHUNK);
    let parser: ReturnType<typeof reader.open> | undefined;
    for (let at = from; at < to; ) {
      const got = readSync(file, bytes, 0, Math.min(CHUNK, to - at), at);
      if (got === 0) throw new InputError(`${path}: the file has become shorter while it was read`);
      const chunk = bytes.slice(0, got);
      parser ??= reader.open(path, chunk, to - from);
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

/** What holds for the rows of all processes. */
function agree(facts: readonly RowFacts[], indexBase: 0 | 1 | "auto"): AgreedRows {
  const lowest = Math.min(...facts.map((one) => one.lowest));
  const base = indexBase === "auto" ? (lowest === 0 ? 0 : 1) : indexBase;
  const columns = Math.max(0, ...facts.map(({ highest }) => highest + 1 - base));
  const sum = (of: (one: RowFacts) => number) => facts.reduce((total, one) => total + of(one), 0);
  const dense = isDense(sum(({ filled }) => filled), sum(({ rows }) => rows), columns); // biome-ignore format: one line
  const kinds = new Set(facts.map(({ weights }) => weights));
  const weights = kinds.has("items") ? "items" : kinds.has("lists") ? "lists" : "none";
  return { base, columns, storage: dense ? "dense" : "sparse", weights };
}

/** The data of a process for which no lists are left. */
function noRows({ base, columns, storage, weights }: AgreedRows, absent: "zero" | "missing"): Dataset {
  const empty = { rows: 0, columns, values: new Float32Array(0), absent: absent === "zero" ? 0 : Number.NaN };
  return {
    ...{ starts: new Uint32Array(1), labels: new Float32Array(0), base, names: { lists: [] } },
    features:
      storage === "dense"
        ? { kind: "dense", ...empty }
        : { kind: "sparse", ...empty, starts: new Uint32Array(1), indices: new Uint32Array(0) },
    ...(weights === "lists" && { listWeights: new Float32Array(0) }),
    ...(weights === "items" && { itemWeights: new Float32Array(0) }),
  };
}

/** A number for each list of these pieces, by its name and file: lists with the same number are the same list. */
function listKeys(pieces: readonly Piece[], ends: readonly number[], { names }: Dataset): number[] {
  return pieces.flatMap(({ path }, i) => names.lists!.slice(ends[i - 1] ?? 0, ends[i]).map((name) => hash(`${path} ${name}`)));
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

/** This process's lists of data that every process has read. */
function keepShare(others: Communicator, { data, notices, bytes }: ReadData): ReadData {
  const cuts = splitLists(data.starts, others.size);
  const [from, to] = [cuts[others.rank]!, cuts[others.rank + 1]!];
  const own = subset(
    data,
    Uint32Array.from({ length: to - from }, (_, i) => from + i),
  );
  return { data: withShard(others, own), notices, bytes };
}

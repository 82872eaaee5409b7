/** Splits work into blocks. Block bounds depend on the data alone, never on the team, because sums are taken block by block. */
import type { Blocks, Dataset, Shard, Team } from "../types.ts";

/** Enough to keep sixteen members evenly busy, few enough to keep a copy of a gradient for each. */
export const BLOCKS = 64;

/** Cuts n things into blocks of equal size, as nearly as can be: block b owns things cuts[b] to cuts[b + 1]. */
export function splitEvenly(n: number, blocks = BLOCKS): Uint32Array {
  return Uint32Array.from({ length: blocks + 1 }, (_, block) => Math.floor((n * block) / blocks));
}

/**
 * Cuts lists into blocks of about equal numbers of entries, where list q owns entries starts[q] to starts[q + 1]: block b owns lists
 * cuts[b] to cuts[b + 1]. A list is never cut, so blocks beside a very long one may be empty.
 */
export function splitLists(starts: Uint32Array, blocks = BLOCKS): Uint32Array {
  const lists = starts.length - 1;
  const bounds = new Uint32Array(blocks + 1);
  const entries = starts[lists]! - starts[0]!;
  let list = 0;
  for (let block = 1; block < blocks; block++) {
    const wanted = starts[0]! + (entries * block) / blocks;
    // A list goes where its middle lies.
    while (list < lists && (starts[list]! + starts[list + 1]!) / 2 < wanted) list++;
    bounds[block] = list;
  }
  bounds[blocks] = lists;
  return bounds;
}

/** The lists of all processes in blocks of about equal numbers of entries, and which of them are of this process. */
export function listBlocks({ starts, shard }: Pick<Dataset, "starts" | "shard">, blocks = BLOCKS): Blocks {
  if (!shard) return wholeBlocks(splitLists(starts, blocks));
  return blocksFrom(splitLists(shard.starts, blocks), shard.list, starts.length - 1);
}

/** Blocks of lists of which only sums are wanted: those of a shard, or lists that every process has, dealt out to the processes. */
export function summedBlocks(data: Pick<Dataset, "starts" | "shard">, processes: Team["processes"], blocks = BLOCKS): Blocks {
  if (data.shard) return listBlocks(data, blocks);
  return dealtBlocks(splitLists(data.starts, blocks), splitLists(data.starts, processes.size), processes);
}

/** Rows that every process has, dealt out to the processes. */
export const dealtRows = (rows: number, processes: Team["processes"], blocks = BLOCKS): Blocks =>
  dealtBlocks(splitEvenly(rows, blocks), splitEvenly(rows, processes.size), processes);

/** Blocks with these bounds, of which process p sums the things cuts[p] to cuts[p + 1]. */
function dealtBlocks(all: Uint32Array, cuts: Uint32Array, { rank, size }: Team["processes"]): Blocks {
  if (size === 1) return wholeBlocks(all);
  const [from, to] = [cuts[rank]!, cuts[rank + 1]!];
  const own = blocksFrom(all, from, to - from);
  return { ...own, bounds: own.bounds.map((bound) => bound + from) };
}

/** The rows of all processes in blocks of equal size, and which of them are of this process. */
export function rowBlocks(rows: number, shard: Shard | undefined, blocks = BLOCKS): Blocks {
  if (!shard) return wholeBlocks(splitEvenly(rows, blocks));
  return blocksFrom(splitEvenly(shard.starts.at(-1)!, blocks), shard.starts[shard.list]!, rows);
}

const wholeBlocks = (bounds: Uint32Array): Blocks => ({
  ...{ count: bounds.length - 1, bounds, first: 0, last: bounds.length - 1 },
  ...{ continues: false, continued: false, divided: false },
});

/** The part of a process that has `count` things from `from` on, of blocks with these bounds. */
export function blocksFrom(all: Uint32Array, from: number, count: number): Blocks {
  const blocks = all.length - 1;
  const to = from + count;
  const bounds = all.map((bound) => Math.min(count, Math.max(0, bound - from)));
  let first = 0;
  while (first < blocks && all[first + 1]! <= from) first++;
  const continues = first < blocks && all[first]! < from;
  let last = first;
  while (last < blocks && all[last]! < to) last++;
  if (continues && last === first) last++; // a process without things in the middle of a block passes its sum on
  const continued = last > first && all[last]! > to;
  return { count: blocks, bounds, first, last, continues, continued, divided: true };
}

/** How many lists and entries all processes have. */
export const totalLists = ({ starts, shard }: Pick<Dataset, "starts" | "shard">): number => (shard?.starts ?? starts).length - 1;
export const totalEntries = ({ labels, shard }: Pick<Dataset, "labels" | "shard">): number =>
  shard?.starts.at(-1) ?? labels.length;

/** The number of the first list, and of the first entry, among those of all processes. */
export const firstList = ({ shard }: Pick<Dataset, "shard">): number => shard?.list ?? 0;
export const firstEntry = ({ shard }: Pick<Dataset, "shard">): number => (shard ? shard.starts[shard.list]! : 0);

/** Adds the parts of all blocks in the order of blocks, for the numbers from to to of each part. */
export function addBlocks(parts: Float64Array, blocks: number, width: number, into: Float64Array, from = 0, to = width): void {
  for (let i = from; i < to; i++) into[i] = blocks > 0 ? parts[i]! : 0;
  for (let block = 1; block < blocks; block++) {
    const start = block * width;
    for (let i = from; i < to; i++) into[i]! += parts[start + i]!;
  }
}

/** Splits work into blocks. Block bounds depend on the data alone, never on the team, because sums are taken block by block. */

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

/** Adds the parts of all blocks in the order of blocks, for the numbers from to to of each part. */
export function addBlocks(parts: Float64Array, blocks: number, width: number, into: Float64Array, from = 0, to = width): void {
  for (let i = from; i < to; i++) into[i] = blocks > 0 ? parts[i]! : 0;
  for (let block = 1; block < blocks; block++) {
    const start = block * width;
    for (let i = from; i < to; i++) into[i]! += parts[start + i]!;
  }
}

/** A team of one, in the current thread. It sums block by block like larger teams, so results are bit-identical. */
import { Heap } from "../numeric/heap.ts";
import type { Team } from "../types.ts";
import { addBlocks } from "./blocks.ts";

/** Runs a program with a team of one and gives back all memory that the team shared, so a result must not point into it. */
export function runSolo<R>(program: (team: Team) => R, onMessage: (message: unknown) => void = () => {}): R {
  const heap = new Heap();
  let parts: Float64Array = new Float64Array();
  let total: Float64Array = new Float64Array();
  const team: Team = {
    rank: 0,
    size: 1,
    barrier() {},
    allocShared: (kind, length, contents) => heap.make(kind, length, contents),
    parallelFor(blocks, visit) {
      for (let block = 0; block < blocks; block++) visit(block);
    },
    sum(blocks, width, visit) {
      if (parts.length < blocks * width) parts = heap.f64(blocks * width);
      if (total.length < width) total = heap.f64(width);
      for (let block = 0; block < blocks; block++) visit(block, parts.subarray(block * width, (block + 1) * width).fill(0));
      addBlocks(parts, blocks, width, total);
      return total.subarray(0, width);
    },
    post: onMessage,
  };
  try {
    return program(team);
  } finally {
    heap.close();
  }
}

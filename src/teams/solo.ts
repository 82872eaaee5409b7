/** A team of one, in the current thread. It sums block by block like larger teams, so results are bit-identical. */
import { type Heap, newArray, withHeap } from "../numeric/heap.ts";
import type { Team } from "../types.ts";
import { addBlocks } from "./blocks.ts";

/** What code needs of a team if it only fills arrays block by block. */
export type ParallelOps = Pick<Team, "allocShared" | "parallelFor">;

/** A team of one. Its arrays are those of a heap, or without one ordinary arrays. */
export function soloTeam(heap?: Heap, post: Team["post"] = () => {}): Team {
  let parts: Float64Array = new Float64Array();
  let total: Float64Array = new Float64Array();
  const team: Team = {
    rank: 0,
    size: 1,
    barrier() {},
    allocShared: (kind, length, contents) => (heap ? heap.make(kind, length, contents) : newArray(kind, length)),
    parallelFor(blocks, visit) {
      for (let block = 0; block < blocks; block++) visit(block);
    },
    sum(blocks, width, visit) {
      if (parts.length < blocks * width) parts = team.allocShared("f64", blocks * width);
      if (total.length < width) total = team.allocShared("f64", width);
      for (let block = 0; block < blocks; block++) visit(block, parts.subarray(block * width, (block + 1) * width).fill(0));
      addBlocks(parts, blocks, width, total);
      return total.subarray(0, width);
    },
    post,
  };
  return team;
}

/** Runs a program with a team of one and gives back all memory that the team shared, so a result must not point into it. */
export const runSolo = <R>(program: (team: Team) => R, onMessage?: (message: unknown) => void): R =>
  withHeap((heap) => program(soloTeam(heap, onMessage)));

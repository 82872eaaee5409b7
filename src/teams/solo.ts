/** A team of one, in the current thread. It sums block by block like larger teams, so results are bit-identical. */
import { type Heap, newArray, withHeap } from "../numeric/heap.ts";
import type { Team } from "../types.ts";
import { type ProcessContext, withCollectives } from "./collectives.ts";

/** What code needs of a team if it only fills arrays block by block. */
export type ParallelOps = Pick<Team, "allocShared" | "parallelFor">;

/** A team of one thread. Its arrays are those of a heap, or without one ordinary arrays. */
export const soloTeam = (heap?: Heap, post: Team["post"] = () => {}, processes?: ProcessContext): Team =>
  withCollectives(
    {
      rank: 0,
      size: 1,
      barrier() {},
      allocShared: (kind, length, contents) => (heap ? heap.make(kind, length, contents) : newArray(kind, length)),
      parallelFor(blocks, visit) {
        for (let block = 0; block < blocks; block++) visit(block);
      },
      post,
    },
    processes,
  );

/** Runs a program with a team of one and gives back all memory that the team shared, so a result must not point into it. */
export const runSolo = <R>(program: (team: Team) => R, onMessage?: (message: unknown) => void, processes?: ProcessContext): R =>
  withHeap((heap) => program(soloTeam(heap, onMessage, processes)));

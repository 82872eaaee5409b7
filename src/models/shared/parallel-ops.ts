/** The part of a team that fills arrays in blocks, and the same without one, for scoring outside training. */
import type { Team } from "../../types.ts";

export type ParallelOps = Pick<Team, "allocShared" | "parallelFor">;

/** Single-threaded, for use outside training. Only float32 arrays are asked for. */
export const singleThreaded: ParallelOps = {
  allocShared: ((_kind: "f32", length: number) => new Float32Array(length)) as unknown as Team["allocShared"],
  parallelFor(blocks, visit) {
    for (let block = 0; block < blocks; block++) visit(block);
  },
};

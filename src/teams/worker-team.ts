/**
 * Synchronization of a team of threads over shared memory, independent of how threads are started.
 *
 * A control block in shared memory holds the number of arrivals at the barrier, the number of completed barriers, and whether the team is
 * aborted. Members wait on one of its words, which changes whenever a waiting member must check again: a barrier is complete, a member has
 * returned, or the team is aborted. So no member waits forever for one that has ended.
 */
import { fromRef, Heap } from "../numeric/heap.ts";
import type { Team } from "../types.ts";
import { addBlocks } from "./blocks.ts";
import { pause } from "./jitter.ts";

// Each word has a cache line of its own.
const LINE = 16;
const WAKE = 0;
const ARRIVED = LINE;
const COMPLETE = 2 * LINE; // barriers
const ENDED = 3 * LINE; // nonzero when the team is given up
const RETURNED = 4 * LINE; // members whose program is over
const NEXT = 5 * LINE; // the next block of `parallelFor`, and one line on, that of the `parallelFor` after
const ADDRESS = 7 * LINE; // of the array last shared, and one line on, of the one after

export const CONTROL_LENGTH = 9 * LINE;

/** What a member finds when the team has been given up. The reason is known to whoever started it. */
export class TeamAborted extends Error {}

function wakeAll(control: Int32Array): void {
  Atomics.add(control, WAKE, 1);
  Atomics.notify(control, WAKE);
}

/** Ends a team: its members leave at their next barrier. */
export function abortTeam(control: Int32Array): void {
  Atomics.store(control, ENDED, 1);
  wakeAll(control);
}

/** To be called when a member's program is over, so that others do not wait for it. */
export function markReturned(control: Int32Array): void {
  Atomics.add(control, RETURNED, 1);
  wakeAll(control);
}

export interface WorkerContext {
  /** `CONTROL_LENGTH` zeros in memory that all members share. */
  readonly control: Int32Array;
  readonly rank: number;
  readonly size: number;
  /** Looks before sleeping; none where members outnumber cores. */
  readonly spins: number;
}

/** The team as one member sees it. */
export function workerTeam(context: WorkerContext, post: (message: unknown) => void): Team {
  const { control, rank, size, spins } = context;
  const heap = new Heap();
  let barriers = 0;
  let allocations = 0;
  let rounds = 0;
  let parts: Float64Array = new Float64Array();
  let total: Float64Array = new Float64Array();

  function barrier(): void {
    pause();
    meet();
    pause();
  }

  function meet(): void {
    barriers = (barriers + 1) | 0;
    if (Atomics.add(control, ARRIVED, 1) === size - 1) {
      Atomics.store(control, ARRIVED, 0);
      Atomics.store(control, COMPLETE, barriers);
      wakeAll(control);
      if (Atomics.load(control, ENDED) !== 0) throw new TeamAborted("the team has ended");
      return;
    }
    for (let look = 0; ; look++) {
      // In this order: a member that returns has reached this barrier before, so its completion is visible if the return is.
      const seen = Atomics.load(control, WAKE);
      const returned = Atomics.load(control, RETURNED);
      if (((Atomics.load(control, COMPLETE) - barriers) | 0) >= 0) return;
      if (Atomics.load(control, ENDED) !== 0) throw new TeamAborted("the team has ended");
      if (returned !== 0) throw new Error("a member of the team has returned while others wait for it");
      if (look >= spins) Atomics.wait(control, WAKE, seen);
    }
  }

  const team: Team = {
    rank,
    size,
    barrier,
    allocShared(kind, length, contents) {
      // Two words, alternately: a member may still read the last address while the first member already shares the next array.
      const word = ADDRESS + (allocations++ & 1) * LINE;
      if (rank === 0) Atomics.store(control, word, heap.make(kind, length, contents).byteOffset);
      barrier();
      return fromRef({ kind, address: Atomics.load(control, word) >>> 0, length });
    },
    parallelFor(blocks, visit) {
      const word = NEXT + (rounds & 1) * LINE;
      // All have left the `parallelFor` before this one, whose counter serves the next.
      if (rank === 0) Atomics.store(control, NEXT + (++rounds & 1) * LINE, 0);
      else rounds++;
      for (let block = Atomics.add(control, word, 1); block < blocks; block = Atomics.add(control, word, 1)) {
        pause();
        visit(block);
        pause();
      }
      barrier();
    },
    sum(blocks, width, visit) {
      if (parts.length < blocks * width) parts = team.allocShared("f64", blocks * width);
      if (total.length < width) total = team.allocShared("f64", width);
      team.parallelFor(blocks, (block) => visit(block, parts.subarray(block * width, (block + 1) * width).fill(0)));
      addBlocks(parts, blocks, width, total, Math.floor((width * rank) / size), Math.floor((width * (rank + 1)) / size));
      barrier();
      return total.subarray(0, width);
    },
    post: rank === 0 ? post : () => {},
  };
  return team;
}

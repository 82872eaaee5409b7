/**
 * Synchronization of a team of threads over shared memory, independent of how threads are started.
 *
 * A control block in shared memory holds the number of arrivals at the barrier, the number of completed barriers, and whether the team is
 * aborted. Members wait on one of its words, which changes whenever a waiting member must check again: a barrier is complete, a member has
 * returned, or the team is aborted. So no member waits forever for one that has ended.
 */
import { fromRef, Heap } from "../numeric/heap.ts";
import type { ArrayTypes, Team } from "../types.ts";
import { type ProcessContext, withCollectives } from "./collectives.ts";
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
  /** Where the team has several processes. */
  readonly processes?: ProcessContext | undefined;
}

/** The team as one member sees it. */
export function workerTeam(context: WorkerContext, post: (message: unknown) => void): Team {
  const { control, rank, size, spins, processes } = context;
  const heap = new Heap();
  let barriers = 0;
  let allocations = 0;
  let rounds = 0;

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

  const local = {
    rank,
    size,
    barrier,
    allocShared<K extends keyof ArrayTypes>(kind: K, length: number, contents?: "zeros"): ArrayTypes[K] {
      // Two words, alternately: a member may still read the last address while the first member already shares the next array.
      const word = ADDRESS + (allocations++ & 1) * LINE;
      if (rank === 0) Atomics.store(control, word, heap.make(kind, length, contents).byteOffset);
      barrier();
      return fromRef({ kind, address: Atomics.load(control, word) >>> 0, length });
    },
    parallelFor(blocks: number, visit: (block: number) => void) {
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
    post: rank === 0 ? post : () => {},
  };
  return withCollectives(local, processes);
}

/**
 * Checkpoints within a training. The first member of the team, of the first process, decides when one is due, by the clock, the number of rounds, or a request to
 * stop, and the others learn it at a barrier. It then encodes the state while they wait, so that no array changes meanwhile. When nothing is
 * due, the cost is one barrier.
 */
import type { Identity } from "./checkpoint-identity.ts";
import { decodeCheckpoint, encodeCheckpoint } from "./formats/checkpoint.ts";
import type { LoopCheckpoint, Snapshot, Team } from "./types.ts";

/** How checkpoints are kept, as plain data that threads are given. */
export interface CheckpointPlan {
  readonly identity: Identity;
  readonly seconds: number;
  readonly rounds: number;
  /** Not 0: save and stop. */
  readonly interrupt?: Int32Array;
  /** The checkpoint to continue from. */
  readonly restored?: Uint8Array;
  /** Checkpoints that another thread has saved. */
  readonly saved?: Int32Array;
}

/** What hands checkpoints to the thread that saves them, and waits until it has. */
export function savedBy({ saved }: CheckpointPlan, post: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
  let wanted = 0;
  return (bytes) => {
    post(bytes);
    wanted++;
    if (saved) for (let now = 0; (now = Atomics.load(saved, 0)) < wanted; ) Atomics.wait(saved, 0, now);
  };
}

/** What a checkpoint contains. */
export type Checkpoint = { readonly identity: Identity; readonly run: Snapshot; readonly loop: Snapshot };

/** Thrown in every member of the team when a checkpoint was written on request. */
export class StoppedByRequest extends Error {}

/** What a thread gives back that was stopped so. */
export const STOPPED = "stopped";

export interface TrainingCheckpoint {
  /** For the learner. */
  readonly loop: LoopCheckpoint;
  /** The state of the run around the loop. */
  readonly restored: Snapshot | undefined;
  roundDone(): void;
}

const [CONTINUE, SAVE, STOP] = [0, 1, 2];

/** `write` takes the bytes, in the first member; `runState` is the state around the loop. */
export function trainingCheckpoint(
  team: Team,
  { identity, seconds, rounds, interrupt, restored: bytes }: CheckpointPlan,
  write: (bytes: Uint8Array) => void,
  runState: () => Snapshot,
): TrainingCheckpoint {
  const restored = bytes && (decodeCheckpoint(bytes, "checkpoint") as Checkpoint);
  // Two words, alternately: a member may still read the last decision while the first already writes the next.
  const words = team.allocShared("i32", 2, "zeros");
  let [saves, roundsSince, last] = [0, 0, performance.now()];

  function decide(): number {
    if (interrupt && Atomics.load(interrupt, 0) !== 0) return STOP;
    return roundsSince >= rounds || performance.now() - last >= 1000 * seconds ? SAVE : CONTINUE;
  }

  return {
    restored: restored?.run,
    roundDone: () => void roundsSince++,
    loop: {
      restored: restored?.loop,
      save(state) {
        const word = saves++ & 1;
        const { rank, processes } = team;
        if (rank === 0) words[word] = decide();
        team.broadcast(words.subarray(word, word + 1), 0);
        const decision = words[word]!;
        if (decision === CONTINUE) return;
        // Of several processes, all members gather the state.
        const loop = rank === 0 || processes.size > 1 ? state() : undefined;
        if (rank === 0 && processes.rank === 0)
          write(encodeCheckpoint({ identity, run: runState(), loop: loop! } satisfies Checkpoint));
        [roundsSince, last] = [0, performance.now()];
        team.barrier();
        if (decision === STOP) throw new StoppedByRequest();
      },
    },
  };
}

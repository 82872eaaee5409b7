/**
 * Checkpoints: the state of a training is kept from time to time, and the same training with the same store continues from it to the same
 * bits as if it had never been interrupted. See docs/reliability.md.
 *
 * A store keeps bytes under a name. What they mean, whether they are damaged and whether they belong to this training is decided here.
 */
import { checkOptions, type Kind, type Kinds, numberAbove, required, someFunction, someName, wholeFrom } from "./arguments.ts";
import { differenceOf, type Identity } from "./checkpoint-identity.ts";
import { type Checkpoint, type CheckpointPlan, StoppedByRequest } from "./checkpoint-loop.ts";
import { decodeCheckpoint, sharedCopy } from "./formats/checkpoint.ts";
import { InputError } from "./input-error.ts";
import type { Snapshot } from "./types.ts";

/**
 * Keeps bytes under names: `checkpointDirectory` on disk, or an object of one's own, such as over a database or the storage of a browser.
 * Where training blocks its thread (`fit`, and `train` with `blocking`), a store may not return promises.
 */
export interface CheckpointStore {
  /** What messages call it, such as the path of a directory. */
  readonly where: string;
  /** What was saved under a name, the newest first: the last two, so that one that is damaged can be replaced by the one before; or none. */
  load(name: string): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Saves bytes under a name: all of them or, if it fails, none. */
  save(name: string, bytes: Uint8Array): void | Promise<void>;
  /** Removes what was saved under a name. */
  remove(name: string): void | Promise<void>;
}

/** Where and how often checkpoints are kept. */
export interface CheckpointOptions {
  /** Where they are kept: `checkpointDirectory(path)`, or a store of one's own. */
  readonly store: CheckpointStore;
  /** Seconds between checkpoints. Default: 60, or any number where `rounds` is given. */
  readonly seconds?: number;
  /** Rounds between checkpoints. Default: any number. */
  readonly rounds?: number;
  /** The name in the store, for several trainings that share one. Default: "training". */
  readonly name?: string;
  /**
   * A word that requests an end: when it is not 0, the state is saved, usually after the round, and training ends with `TrainingInterrupted`. It must be
   * on a `SharedArrayBuffer` where training uses threads. Default: none.
   */
  readonly interrupt?: Int32Array;
  /**
   * Called with a line about what is continued, a damaged checkpoint, or one that could not be saved. Without it, a checkpoint that cannot be
   * saved ends the training.
   */
  readonly onNotice?: (line: string) => void;
}

/** Training has ended because that was requested, and its state was saved: the same training continues from there. */
export class TrainingInterrupted extends Error {
  /** Always "TrainingInterrupted". */
  override readonly name = "TrainingInterrupted";
  /** What the store calls itself. */
  readonly where: string;

  constructor(where: string) {
    super(`training was interrupted; its state is in ${where}, and the same training continues from it`);
    this.where = where;
  }
}

/** What a training says whose end was requested and whose state is saved. */
export const interrupted = ({ store }: CheckpointOptions): TrainingInterrupted => new TrainingInterrupted(store.where);

/** Runs a training in this thread, and turns its end on request into the error that callers see. */
export function interruptible<T>(options: CheckpointOptions | undefined, train: () => T): T {
  try {
    return train();
  } catch (error) {
    throw error instanceof StoppedByRequest && options ? interrupted(options) : error;
  }
}

/** A checkpoint that cannot be used or saved. */
export class CheckpointError extends InputError {}

const SECONDS = 60;

const isStore = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as CheckpointStore).where === "string" &&
  (["load", "save", "remove"] as const).every((key) => typeof (value as CheckpointStore)[key] === "function");

const kinds: Kinds<CheckpointOptions> = {
  store: required({ wanted: "checkpointDirectory(path), or { where, load, save, remove }", fits: isStore }),
  ...{ seconds: numberAbove(0), rounds: wholeFrom(1), name: someName },
  interrupt: { wanted: "an Int32Array of length 1", fits: (value) => value instanceof Int32Array && value.length > 0 },
  onNotice: someFunction,
};

/** For options of functions that train; `checkCheckpoint` looks into it. */
export const someCheckpoint: Kind = {
  wanted: "{ store: checkpointDirectory(path) }",
  fits: (value) => typeof value === "object" && value !== null,
};

/** Refuses options that are wrong. `threads`: the request must be visible to other threads. */
export function checkCheckpoint(who: string, options: CheckpointOptions | undefined, threads: boolean): void {
  if (!options) return;
  checkOptions(`${who}, option checkpoint`, options, kinds);
  const shared = typeof SharedArrayBuffer !== "undefined" && options.interrupt?.buffer instanceof SharedArrayBuffer;
  if (threads && options.interrupt && !shared)
    throw new InputError(
      `${who}, option checkpoint, option interrupt: expected an Int32Array on a SharedArrayBuffer, which threads can see`,
    );
}

export const nameOf = ({ name = "training" }: CheckpointOptions): string => name;

/** The plan for a training, which continues from what the store has if that is of the same training. */
export function planOf(options: CheckpointOptions, identity: Identity, saved: readonly Uint8Array[]): CheckpointPlan {
  const { store, rounds, seconds = rounds === undefined ? SECONDS : Infinity, interrupt, onNotice } = options;
  const found = newestOf(store, saved, onNotice);
  if (found) {
    requireSame(store, found.state as Checkpoint, identity);
    const done = ((found.state as Checkpoint).run.history as readonly unknown[]).length;
    onNotice?.(`${store.where}: continuing ${done === 0 ? "within the first round" : `after round ${done}`}`);
  }
  return {
    ...{ identity, seconds, rounds: rounds ?? Infinity },
    ...(interrupt && { interrupt }),
    ...(found && { restored: found.bytes }),
  };
}

/** Refuses what another training saved. */
export function requireSame({ where }: CheckpointStore, saved: Pick<Checkpoint, "identity">, now: Identity): void {
  const difference = differenceOf(saved.identity, now);
  if (difference !== undefined)
    throw new CheckpointError(
      `${where}: the checkpoint was made with ${difference}; use what it was made with, or remove it to begin again`,
    );
}

/** The newest that is not damaged, or undefined where nothing was saved. */
export function newestOf(
  { where }: CheckpointStore,
  saved: readonly Uint8Array[],
  onNotice: ((line: string) => void) | undefined,
): { readonly bytes: Uint8Array; readonly state: Snapshot } | undefined {
  let reason = "";
  for (const [age, given] of saved.entries()) {
    const bytes = sharedCopy(given);
    try {
      const state = decodeCheckpoint(bytes, where);
      if (age > 0) onNotice?.(`${reason}; the one before it is used`);
      return { bytes, state };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      reason = error.message;
    }
  }
  if (saved.length > 0) throw new CheckpointError(`${reason}, and there is no other; remove it to begin again`);
  return undefined;
}

/** Saves in a thread that is blocked meanwhile. */
export function saveNow(who: string, options: CheckpointOptions, bytes: Uint8Array): void {
  const { store, onNotice } = options;
  try {
    if (store.save(nameOf(options), bytes)) throw new CheckpointError(`${who}, option checkpoint: ${BLOCKED}`);
  } catch (error) {
    if (error instanceof CheckpointError || !onNotice) throw error;
    onNotice(notSaved(store, error));
  }
}

/** What a store that returns promises is told where nothing can wait for them. */
export const BLOCKED =
  "training blocks this thread, and the store returns promises, which nothing can wait for; use train without blocking";

const notSaved = ({ where }: CheckpointStore, error: unknown) =>
  `${where}: the checkpoint could not be saved: ${error instanceof Error ? error.message : String(error)}`;

export interface BackgroundSaver {
  save(bytes: Uint8Array): void;
  /** Resolves when nothing is left to save. Rejects if the newest could not be saved and is needed, or nobody was notified. */
  settled(needed: boolean): Promise<void>;
}

/**
 * Saves for a training in other threads. `saved` counts what is saved, or could not be: training waits for it, so that it is never further from what
 * is saved than the time between two checkpoints.
 */
export function backgroundSaver(options: CheckpointOptions, saved: Int32Array): BackgroundSaver {
  const { store, onNotice } = options;
  let waiting: Uint8Array | undefined;
  let busy: Promise<void> | undefined;
  let failed: unknown;

  async function saveAll(): Promise<void> {
    await undefined; // A store that throws at once would end this before `busy` is set, and nothing would be saved after that.
    for (; waiting; ) {
      const bytes = waiting;
      waiting = undefined;
      try {
        await store.save(nameOf(options), bytes);
        failed = undefined;
      } catch (error) {
        failed = error;
        onNotice?.(notSaved(store, error));
      }
      Atomics.add(saved, 0, 1);
      Atomics.notify(saved, 0);
    }
    busy = undefined;
  }

  return {
    save(bytes) {
      if (failed !== undefined && !onNotice) throw failed;
      waiting = bytes;
      busy ??= saveAll();
    },
    async settled(needed) {
      await busy;
      if (failed !== undefined && (needed || !onNotice)) throw new CheckpointError(notSaved(store, failed));
    },
  };
}

/** The options of checkpoints, of all commands that train: where they are kept, how often, and whether there must be one. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { CheckpointOptions } from "../checkpoint.ts";
import { checkFolder, isFile } from "../formats/check-paths.ts";
import { checkpointDirectory } from "../formats/checkpoint-directory.ts";
import { InputError, quote } from "../input-error.ts";
import { heeding, requestWord } from "./interrupt.ts";
import { secondsOf } from "./seconds.ts";

export interface CheckpointFlags {
  readonly checkpoint?: string;
  readonly checkpointEvery?: string;
  readonly resume?: boolean;
}

export const addCheckpointOptions = (command: Command): Command =>
  command
    .option(
      "--checkpoint <dir>",
      "keep the state of training in this directory; the same command continues from it after an interruption, to the same result",
    )
    .option("--checkpoint-every <interval>", "time between checkpoints, such as 30s or 5m, or a number of rounds (default: 60s)")
    .option("--resume", "refuse to begin from the start: there must be a checkpoint to continue from");

/** The checkpoints of a command. */
export interface CommandCheckpoint {
  /** For the functions that train. */
  readonly options: CheckpointOptions;
  /** The file of finished trials, for searches. */
  readonly trialsFile: string;
  /** Runs the training: a signal makes it save its state and end. */
  training<T>(act: () => Promise<T>): Promise<T>;
  /** The result is written: nothing is left to continue. */
  finish(): void;
}

const TRIALS = "trials.jsonl";

/** What the options say, or undefined without --checkpoint. Comes before the data are read. */
export function checkpointOf(flags: CheckpointFlags, notify: (line: string) => void): CommandCheckpoint | undefined {
  const { checkpoint: path, checkpointEvery: every, resume } = flags;
  if (path === undefined) {
    const other = every !== undefined ? "--checkpoint-every" : resume ? "--resume" : undefined;
    if (other) throw new InputError(`${other} needs --checkpoint DIR, the directory of the checkpoints`);
    return undefined;
  }
  checkFolder("--checkpoint", path);
  const directory = checkpointDirectory(path);
  const trialsFile = join(path, TRIALS);
  if (resume && directory.isEmpty() && !isFile(trialsFile))
    throw new InputError(`--resume: there is no checkpoint in ${path}; leave --resume out to begin from the start`);
  const interval = intervalOf(every);
  return {
    options: { store: directory, ...interval, interrupt: requestWord(), onNotice: notify },
    trialsFile,
    training: heeding,
    finish() {
      directory.clear();
      rmSync(trialsFile, { force: true });
    },
  };
}

/** Seconds for 30s, 5m or 1h, and rounds for a plain number. */
function intervalOf(text: string | undefined): Pick<CheckpointOptions, "seconds" | "rounds"> {
  if (text === undefined) return {};
  if (/^\d+$/.test(text) && Number(text) > 0 && Number.isSafeInteger(Number(text))) return { rounds: Number(text) };
  const seconds = secondsOf(text);
  if (seconds === undefined)
    throw new InputError(
      `--checkpoint-every: expected a time such as 30s or 5m, or a number of rounds above 0, got ${quote(text)}`,
    );
  return { seconds };
}

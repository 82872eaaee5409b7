/** The trials file of a search. */
import { dirname } from "node:path";
import { isFile } from "../formats/check-paths.ts";
import { appendDurably, makeFolder, writeDurably } from "../formats/durable.ts";
import { bytesOfSmall } from "../formats/small-files.ts";
import { parseTrials, serializeTrial, serializeTrialsHeader, type Trial, type TrialContext } from "../formats/trials.ts";
import { exchange } from "../teams/communicator.ts";
import { communicator, isFirstProcess } from "../teams/processes.ts";
import { VERSION } from "../version.ts";
import type { CommandCheckpoint } from "./checkpoint.ts";

interface OpenTrials {
  readonly trials: readonly Trial[];
  add(trial: Trial): void;
}

/**
 * Finished trials, in a file where one is named. A trial is added by one write, so that an interruption leaves it whole or cut off. What is
 * no file, such as a pipe, holds none.
 */
export function openTrials(path: string | undefined, context: TrialContext): OpenTrials {
  if (path === undefined) return { trials: [], add() {} };
  const bytes = isFile(path) ? bytesOfSmall(path) : new Uint8Array(0);
  const { trials, whole } = parseTrials(bytes, path, context);
  if (whole < bytes.length) writeDurably(path, bytes.subarray(0, whole));
  if (whole === 0) appendDurably(path, serializeTrialsHeader(context));
  return { trials, add: (trial) => appendDurably(path, serializeTrial(trial)) };
}

/** The trials file of a search that may keep checkpoints, among which it is unless the command line names another file. */
export function openSearch(path: string | undefined, checkpoint: CommandCheckpoint | undefined, context: TrialContext) {
  if (path !== undefined || !checkpoint) return { ...openTrials(path, context), path };
  makeFolder(dirname(checkpoint.trialsFile));
  return { ...openTrials(checkpoint.trialsFile, { program: VERSION, ...context }), path: checkpoint.trialsFile };
}

type OpenSearch = ReturnType<typeof openSearch>;

/** The same with several processes: the first of them opens the file and adds trials, and all know what was in it. */
export function openTogether(open: () => OpenSearch): OpenSearch {
  const others = communicator();
  if (!others) return open();
  const own = isFirstProcess() ? open() : undefined;
  const [found] = exchange(others, own && { trials: own.trials, path: own.path });
  const { trials, path } = found!;
  return { trials, path, add: (trial) => own?.add(trial) };
}

/** The finished folds of a cross-validation in a store of checkpoints, beside the state of the fold in training. */
import { type CheckpointOptions, nameOf, newestOf, requireSame } from "./checkpoint.ts";
import type { Identity } from "./checkpoint-identity.ts";
import type { CvFold, FoldData } from "./cv.ts";
import { digestOf } from "./data/digest.ts";
import { identityFor, type PreparedFit } from "./fit.ts";
import { encodeCheckpoint } from "./formats/checkpoint.ts";
import type { SystemValues } from "./formats/values.ts";
import { loadTogether, removeOnce, saveOnce } from "./shared-checkpoints.ts";
import type { Snapshot } from "./types.ts";

/** What a fold gives. */
export interface FinishedFold {
  readonly done: CvFold;
  readonly values: SystemValues;
  readonly stopOn: string | undefined;
}

/** The checkpoints of one fold. */
export interface FoldCheckpoint {
  /** For its training. */
  readonly training: CheckpointOptions;
  /** What an interrupted cross-validation finished, if it is of the same fold. */
  finished(): Promise<FinishedFold | undefined>;
  /** Keeps the result, and drops the state of the training. */
  finish(result: FinishedFold): Promise<void>;
}

export function foldCheckpoint(
  options: CheckpointOptions,
  fold: number,
  { train, valid, test }: FoldData,
  how: PreparedFit["options"],
): FoldCheckpoint {
  const { store, onNotice } = options;
  const name = `${nameOf(options)}-fold-${fold}`;
  const training = { ...options, name: `${name}-state` };
  const identity: Identity = { ...identityFor(train, { ...how, ...(valid && { valid }) }), test: digestOf(test) };
  let known = false;
  return {
    training,
    async finished() {
      const found = newestOf(store, await loadTogether(store, name), onNotice);
      if (!found) return undefined;
      requireSame(store, found.state as { readonly identity: Identity }, identity);
      known = true;
      onNotice?.(`${store.where}: fold ${fold} was already finished`);
      return found.state.result as unknown as FinishedFold;
    },
    async finish(result) {
      if (!known) await saveOnce(store, name, encodeCheckpoint({ identity, result: result as unknown as Snapshot }));
      await removeOnce(store, training.name);
    },
  };
}

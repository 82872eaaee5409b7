/** The validation data of a search: separate files, held-out lists, or cross-validation. */
import { splitIntoParts, splitUnits, trainTestSplits } from "../data/parts.ts";
import { splitWith } from "../data/split.ts";
import { InputError } from "../input-error.ts";
import type { Dataset } from "../types.ts";
import { heldOutShare, wholeNumber } from "./options.ts";
import { partSelector } from "./shard-parts.ts";

export const HOLD_OUT = "0.25";

interface Options {
  readonly valid?: readonly string[];
  readonly holdOut?: string;
  readonly folds?: string;
}

export interface Validation {
  readonly text: string;
  readonly words: readonly string[]; // that make train validate in the same way
  /** Training and validation data; `digest` where checkpoints are identified by them. */
  folds(all: Dataset, held: Dataset | undefined, digest: boolean): { train: Dataset; valid: Dataset }[];
}

export function validationOf({ valid, holdOut, folds }: Options, seed: number): Validation {
  const given = Object.entries({ "--valid": valid, "--hold-out": holdOut, "--folds": folds }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1)
    throw new InputError(`${given.map(([name]) => name).join(" and ")} all define the validation data; give one of them`);
  if (valid)
    return {
      text: `files ${valid.join(" ")}`,
      words: ["--valid", ...valid],
      folds: (all, held) => [{ train: all, valid: held! }],
    };
  const parts = wholeNumber("folds", folds, 2);
  if (parts !== undefined)
    return {
      text: `cross-validation in ${parts} parts`,
      words: [],
      folds(all, _, digest) {
        const { count, noun } = splitUnits(all);
        if (count < parts) throw new InputError(`--folds: ${count} ${noun} are too few for ${parts} parts`);
        const splits = trainTestSplits(all, splitIntoParts(all, parts, seed), partSelector(digest));
        return splits.map(({ train, test }) => ({ train, valid: test }));
      },
    };
  const text = holdOut ?? HOLD_OUT;
  const fraction = heldOutShare(text);
  return {
    text: `${text} of the lists, held out`,
    words: ["--hold-out", text],
    folds(all, _, digest) {
      const [train, held] = splitWith(partSelector(digest), all, [1 - fraction, fraction], seed) as [Dataset, Dataset];
      return [{ train, valid: held }];
    },
  };
}

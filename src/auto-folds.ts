/** The folds by which `autoTrain` validates: whole lists, and in each fold nearly as many that can be ranked right or wrong. */
import { shuffledLists } from "./data/parts.ts";
import { subset } from "./data/subset.ts";
import { InputError } from "./input-error.ts";
import type { Dataset } from "./types.ts";

/** Folds where none are asked for. */
export const FOLDS = 5;

/** With fewer lists of at least two tiers nothing is validated. */
export const LEAST_LISTS = 4;

/** A fold: its lists in rising order, and its data on demand, so that five folds do not take five times the memory. */
export interface AutoFold {
  readonly lists: Uint32Array;
  readonly train: Dataset;
  readonly valid: Dataset;
}

/** Folds at random. Without a number there are five, or fewer where each would have less than two lists that have two tiers. */
export function autoFolds(who: string, data: Dataset, wanted: number | undefined, seed: number): AutoFold[] {
  const lists = data.starts.length - 1;
  const judged = Uint8Array.from({ length: lists }, (_, q) => (hasTiers(data, q) ? 1 : 0));
  const useful = judged.reduce((sum, one) => sum + one, 0);
  if (useful < LEAST_LISTS)
    throw new InputError(
      `${who}: expected at least ${LEAST_LISTS} lists with two different labels to validate models, got ${useful}; train one model instead, such as linear with an l2 above 0`,
    );
  if (wanted !== undefined && wanted > useful)
    throw new InputError(`${who}: ${useful} lists with two different labels are too few for ${wanted} folds`);
  const count = wanted ?? Math.min(FOLDS, Math.floor(useful / 2));
  const order = shuffledLists(lists, seed);
  const dealt = [...order.filter((q) => judged[q] === 1), ...order.filter((q) => judged[q] === 0)];
  return Array.from({ length: count }, (_, fold): AutoFold => {
    const own = Uint32Array.from(dealt.filter((_, place) => place % count === fold)).sort();
    const others = Uint32Array.from(dealt.filter((_, place) => place % count !== fold)).sort();
    return {
      lists: own,
      get train() {
        return subset(data, others);
      },
      get valid() {
        return subset(data, own);
      },
    };
  });
}

function hasTiers({ starts, labels }: Dataset, q: number): boolean {
  const own = labels.subarray(starts[q], starts[q + 1]);
  return own.some((label) => label !== own[0]);
}

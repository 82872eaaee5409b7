/**
 * Cross-validation by list, or by voter where lists are ballots with counts. They are split into k parts; as in LETOR, fold i trains on
 * k - 2 parts, validates on the next and tests on the one after: with parts 1 to 5, fold 1 is train 1 2 3, valid 4, test 5, and fold 2 is
 * train 2 3 4, valid 5, test 1.
 */
import { check, checkData, isNumbers, seedNumber } from "../arguments.ts";
import { describeValue, InputError } from "../input-error.ts";
import type { Dataset } from "../types.ts";
import { type DataPart, type SelectParts, selectParts, splitIntoParts, splitUnits, unionOf } from "./parts.ts";

/** The datasets are copied out on demand, so k folds do not take k times the memory. */
export interface DatasetFold {
  /** A ballot with voters in several parts is in several. */
  readonly lists: Readonly<Record<"train" | "valid" | "test", Uint32Array>>;
  /** Training data. */
  readonly train: Dataset;
  /** Validation data. */
  readonly valid: Dataset;
  /** Test data. */
  readonly test: Dataset;
}

/** The lists of the data, or the voters of ballots with counts, split at random into k parts, and the k folds of these. */
export function folds(data: Dataset, k: number, seed = 1): DatasetFold[] {
  checkData("folds", data);
  check("folds, the seed", seed, seedNumber);
  const { count, noun } = splitUnits(data);
  if (!(Number.isInteger(k) && k >= 3))
    throw new InputError(`folds: expected at least 3 parts (train, valid, test), got ${describeValue(k)}`);
  if (count < k) throw new InputError(`folds: ${count} ${noun} are too few for ${k} parts`);
  return foldsFromParts(data, splitIntoParts(data, k, seed));
}

/** The same for parts that are given, as lists of the data or with a fraction of each. */
export function foldsFromParts(data: Dataset, parts: readonly (Uint32Array | DataPart)[]): DatasetFold[] {
  checkData("foldsFromParts", data);
  check("foldsFromParts", parts, {
    wanted: "an array of parts, each an array of list numbers",
    fits: (value) =>
      Array.isArray(value) && value.every((one) => isNumbers(one) || (typeof one === "object" && isNumbers(one?.lists))),
  });
  const k = parts.length;
  if (k < 3) throw new InputError(`foldsFromParts: expected at least 3 parts (train, valid, test), got ${k}`);
  return rotatedFolds(
    data,
    parts.map((part): DataPart => (part instanceof Uint32Array ? { lists: part } : part)),
  );
}

/** The folds of parts whose data `select` gives. */
export function rotatedFolds(data: Dataset, parts: readonly DataPart[], select: SelectParts = selectParts): DatasetFold[] {
  const k = parts.length;
  return parts.map((_, fold) => {
    const part = (p: number) => parts[(fold + p) % k]!;
    const roles = { train: Array.from({ length: k - 2 }, (_, p) => part(p)), valid: [part(k - 2)], test: [part(k - 1)] };
    return {
      lists: { train: unionOf(roles.train), valid: unionOf(roles.valid), test: unionOf(roles.test) },
      get train() {
        return select(data, roles.train);
      },
      get valid() {
        return select(data, roles.valid);
      },
      get test() {
        return select(data, roles.test);
      },
    };
  });
}

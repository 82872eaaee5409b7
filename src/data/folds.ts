/**
 * Cross-validation by list. The lists are dealt into k parts; as in LETOR, fold i trains on k - 2 parts, validates on the next and tests
 * on the one after: with parts 1 to 5, fold 1 is train 1 2 3, valid 4, test 5, and fold 2 is train 2 3 4, valid 5, test 1.
 */
import { check, checkData, isNumbers, seedNumber } from "../arguments.ts";
import { describeValue, Mistake } from "../mistake.ts";
import type { Dataset } from "../types.ts";
import { shuffledLists } from "./split.ts";
import { subset } from "./subset.ts";

/** The datasets are copied out when they are asked for, so that k folds do not take k times the room. */
export interface Fold {
  readonly lists: Readonly<Record<"train" | "valid" | "test", Uint32Array>>;
  readonly train: Dataset;
  readonly valid: Dataset;
  readonly test: Dataset;
}

/** The lists of the data dealt by chance into k parts, and the k folds of these. */
export function folds(data: Dataset, k: number, seed = 1): Fold[] {
  checkData("folds", data);
  check("folds, the seed", seed, seedNumber);
  const count = data.starts.length - 1;
  if (!(Number.isInteger(k) && k >= 3))
    throw new Mistake(`folds: expected at least 3 parts (train, valid, test), got ${describeValue(k)}`);
  if (count < k) throw new Mistake(`folds: ${count} lists are too few for ${k} parts`);
  return foldsOf(data, deal(count, k, seed));
}

/** The lists in k parts of nearly the same size, by chance. */
export function deal(count: number, k: number, seed: number): Uint32Array[] {
  const order = shuffledLists(count, seed);
  return Array.from({ length: k }, (_, p) => order.slice(Math.floor((p * count) / k), Math.floor(((p + 1) * count) / k)).sort());
}

/** The same for parts that are given, as lists of the data. */
export function foldsOf(data: Dataset, parts: readonly Uint32Array[]): Fold[] {
  checkData("foldsOf", data);
  check("foldsOf", parts, {
    wanted: "an array of parts, each an array of list numbers",
    fits: (value) => Array.isArray(value) && value.every(isNumbers),
  });
  const k = parts.length;
  if (k < 3) throw new Mistake(`foldsOf: expected at least 3 parts (train, valid, test), got ${k}`);
  return parts.map((_, fold) => {
    const part = (p: number) => parts[(fold + p) % k]!;
    const train = Uint32Array.from(Array.from({ length: k - 2 }, (_, p) => [...part(p)]).flat()).sort();
    const lists = { train, valid: part(k - 2), test: part(k - 1) };
    return {
      lists,
      get train() {
        return subset(data, lists.train);
      },
      get valid() {
        return subset(data, lists.valid);
      },
      get test() {
        return subset(data, lists.test);
      },
    };
  });
}

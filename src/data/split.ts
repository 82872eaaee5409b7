/** Splits a dataset at random by list, or by voter for ballots with counts. Each part keeps the order of the data. */
import { check, checkData, seedNumber, someNumbers } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import type { Dataset } from "../types.ts";
import { type SelectParts, selectParts, splitBySizes, splitUnits } from "./parts.ts";

/** One part for each fraction, such as [0.8, 0.2]. Fractions are above 0 and sum to at most 1. */
export function split(data: Dataset, fractions: readonly number[], seed = 1): Dataset[] {
  return splitWith(selectParts, data, fractions, seed);
}

/** The same where `select` gives the data of a part. */
export function splitWith(select: SelectParts, data: Dataset, fractions: readonly number[], seed: number): Dataset[] {
  checkData("split", data);
  check("split, the fractions", fractions, { ...someNumbers, fits: Array.isArray });
  check("split, the seed", seed, seedNumber);
  const { count, noun } = splitUnits(data);
  const sum = fractions.reduce((total, one) => total + one, 0);
  if (fractions.length === 0 || fractions.some((one) => !(one > 0)) || sum > 1 + 1e-9)
    throw new InputError(`split: expected fractions above 0 that sum to at most 1, got ${fractions.join(", ") || "none"}`);
  let share = 0;
  let from = 0;
  const sizes = fractions.map((fraction) => {
    share += fraction;
    const to = Math.min(count, Math.round(share * count));
    if (to === from) throw new InputError(`split: ${count} ${noun} are too few for a part of ${fraction}`);
    const size = to - from;
    from = to;
    return size;
  });
  return splitBySizes(data, sizes, seed).map((part) => select(data, [part]));
}

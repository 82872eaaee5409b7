/** Parts of a dataset by chance, whole lists only. Each part keeps the order of the data. */
import { check, checkData, seedNumber, someNumbers } from "../arguments.ts";
import { Mistake } from "../mistake.ts";
import { random, shuffle } from "../numeric/random.ts";
import type { Dataset } from "../types.ts";
import { subset } from "./subset.ts";

/** One part for each fraction, such as [0.8, 0.2]. Fractions are above 0 and sum to at most 1. */
export function split(data: Dataset, fractions: readonly number[], seed = 1): Dataset[] {
  checkData("split", data);
  check("split, the fractions", fractions, { ...someNumbers, fits: Array.isArray });
  check("split, the seed", seed, seedNumber);
  const lists = data.starts.length - 1;
  const sum = fractions.reduce((total, one) => total + one, 0);
  if (fractions.length === 0 || fractions.some((one) => !(one > 0)) || sum > 1 + 1e-9)
    throw new Mistake(`split: expected fractions above 0 that sum to at most 1, got ${fractions.join(", ") || "none"}`);
  const order = shuffledLists(lists, seed);
  let share = 0;
  let from = 0;
  return fractions.map((fraction) => {
    share += fraction;
    const to = Math.min(lists, Math.round(share * lists));
    if (to === from) throw new Mistake(`split: ${lists} lists are too few for a part of ${fraction}`);
    const part = order.slice(from, to).sort();
    from = to;
    return subset(data, part);
  });
}

/** The lists of a dataset in an order that depends on the seed only. */
export function shuffledLists(lists: number, seed: number): Uint32Array {
  const order = new Uint32Array(lists).map((_, q) => q);
  return shuffle(order, random(seed));
}

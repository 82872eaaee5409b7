/** Ballots drawn again, or dealt into parts, voter by voter: a list of weight 12 stands for twelve voters. */
import { Mistake } from "../mistake.ts";
import { below, random } from "../numeric/random.ts";
import type { Dataset } from "../types.ts";
import { subset } from "./subset.ts";

/** As many voters as there are, each drawn from all of them. */
export function resample(data: Dataset, ...seed: readonly number[]): Dataset {
  const counts = votersOf(data);
  const ends = new Float64Array(counts.length);
  counts.reduce((sum, count, q) => (ends[q] = sum + count), 0);
  const voters = ends.at(-1) ?? 0;
  const draw = random(...seed, 0xb007);
  const drawn = new Float32Array(counts.length);
  for (let v = 0; v < voters; v++) {
    const voter = below(draw, voters);
    let [low, high] = [0, counts.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! > voter) high = middle;
      else low = middle + 1;
    }
    drawn[low] = drawn[low]! + 1;
  }
  return weighted(data, drawn);
}

/** For each of k parts, the voters outside it and those in it. */
export function deal(data: Dataset, k: number, seed: number): { train: Dataset; test: Dataset }[] {
  const counts = votersOf(data);
  const voters = counts.reduce((sum, count) => sum + count, 0);
  if (!(Number.isInteger(k) && k >= 2 && k <= voters))
    throw new Mistake(`expected from 2 to ${voters} parts of the ballots, got ${k}`);
  const draw = random(seed, 0xdea1);
  const parts = Array.from({ length: k }, () => new Float32Array(counts.length));
  counts.forEach((count, q) => {
    for (let v = 0; v < count; v++) {
      const part = parts[below(draw, k)]!;
      part[q] = part[q]! + 1;
    }
  });
  return parts.map((part) => ({
    train: weighted(
      data,
      part.map((inside, q) => counts[q]! - inside),
    ),
    test: weighted(data, part),
  }));
}

function votersOf({ starts, listWeights }: Dataset): Float64Array {
  const counts = Float64Array.from({ length: starts.length - 1 }, (_, q) => (listWeights ? listWeights[q]! : 1));
  if (counts.some((count) => !Number.isInteger(count)))
    throw new Mistake("ballots with weights that are no whole numbers cannot be dealt out voter by voter");
  return counts;
}

/** The lists of a weight above 0, with these weights. */
function weighted(data: Dataset, weights: Float32Array): Dataset {
  const kept = Uint32Array.from({ length: weights.length }, (_, q) => q).filter((q) => weights[q]! > 0);
  return { ...subset(data, kept), listWeights: Float32Array.from(kept, (q) => weights[q]!) };
}

/** Ballots as voters: a merged ballot of count 12 represents twelve voters, who are resampled or split into parts individually. */
import { InputError } from "../input-error.ts";
import { below, random } from "../numeric/random.ts";
import type { Dataset } from "../types.ts";
import { subset } from "./subset.ts";

/** Whether the lists are ballots: items of a item set that recur, without features. */
export const areBallots = ({ items, labelSpaceSize, features }: Dataset): boolean =>
  items !== undefined && labelSpaceSize === undefined && features.columns === 0;

/**
 * The number of voters of each list, if the data define it: ballots with whole counts. Weights of other lists, and fractions, are weights,
 * so those lists stay whole.
 */
export function countsOf(data: Dataset): Float32Array | undefined {
  const { listWeights, itemWeights } = data;
  if (!areBallots(data) || itemWeights || !listWeights?.every((count) => Number.isInteger(count) && count > 0)) return undefined;
  return listWeights;
}

/** How many ballots or lists there are, of all processes, each merged ballot as often as it was cast. */
export const ballotCount = (data: Dataset): number => total(countsOf(data)) ?? (data.shard?.starts ?? data.starts).length - 1;

/** The sum of the weights of all lists. */
export const totalWeight = ({ starts, listWeights }: Dataset): number => total(listWeights) ?? starts.length - 1;

const total = (counts: Float32Array | undefined) => counts?.reduce((sum, count) => sum + count, 0);

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

/** This many voters are assigned one by one; any others are divided evenly, which takes no time. */
const ONE_BY_ONE = 2 ** 22;

/**
 * Deals all voters at random into parts of the given sizes, which sum to at most their number: for each part, its voters by list. Up
 * to ONE_BY_ONE voters, every division into parts of these sizes is as likely as any other.
 */
export function splitVoters(counts: Float32Array, sizes: readonly number[], seed: number): Float64Array[] {
  const draw = random(seed, 0xdea1);
  let left = total(counts)!;
  const single = Math.min(1, ONE_BY_ONE / left);
  const rest = left - sizes.reduce((sum, size) => sum + size, 0); // in no part
  const capacity = [...sizes, rest];
  const parts = capacity.map(() => new Float64Array(counts.length));
  const give = (p: number, q: number, voters: number) => {
    parts[p]![q] = parts[p]![q]! + voters;
    capacity[p] = capacity[p]! - voters;
  };
  counts.forEach((count, q) => {
    const evenly = count - Math.ceil(count * single);
    const shares = evenly > 0 ? capacity.map((free) => Math.floor((evenly / left) * free)) : [];
    shares.forEach((voters, p) => void give(p, q, voters));
    let open = count - shares.reduce((sum, voters) => sum + voters, 0);
    left -= count - open;
    for (; open > 0; open--, left--) {
      let at = below(draw, left);
      let p = 0;
      while (at >= capacity[p]!) at -= capacity[p++]!;
      give(p, q, 1);
    }
  });
  return parts.slice(0, sizes.length);
}

function votersOf({ starts, listWeights }: Dataset): Float64Array {
  const counts = Float64Array.from({ length: starts.length - 1 }, (_, q) => (listWeights ? listWeights[q]! : 1));
  if (counts.some((count) => !Number.isInteger(count)))
    throw new InputError("ballots can be split by voter only if their weights are whole numbers");
  return counts;
}

/** The lists of a weight above 0, with these weights. */
export function weighted(data: Dataset, weights: Float32Array | Float64Array): Dataset {
  const kept = Uint32Array.from({ length: weights.length }, (_, q) => q).filter((q) => weights[q]! > 0);
  return { ...subset(data, kept), listWeights: Float32Array.from(kept, (q) => weights[q]!) };
}

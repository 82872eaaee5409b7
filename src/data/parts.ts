/**
 * Random parts of a dataset, by list, or by voter for ballots with counts: a ballot cast by 70 voters is then in several parts, weighted by
 * the voters in each.
 */
import { random, shuffle } from "../numeric/random.ts";
import type { Dataset } from "../types.ts";
import { subset } from "./subset.ts";
import { areBallots, ballotCount, countsOf, splitVoters, weighted } from "./voters.ts";

/** Some lists of a dataset in rising order, or some of the voters of its ballots. */
export interface DataPart {
  /** Numbers of the lists in this part, from 0, among those of all processes. */
  readonly lists: Uint32Array;
  /** One count for each list of the data. */
  readonly voters?: Float64Array;
}

/** What is split, and its name in messages. */
export const splitUnits = (data: Dataset): { readonly count: number; readonly noun: "ballots" | "lists" } => ({
  count: ballotCount(data),
  noun: areBallots(data) ? "ballots" : "lists",
});

/** Parts of the given sizes in lists or voters, which sum to at most all there are. */
export function splitBySizes(data: Dataset, sizes: readonly number[], seed: number): DataPart[] {
  const counts = countsOf(data);
  if (counts) {
    const held = (voters: Float64Array) => Uint32Array.from(counts.keys()).filter((q) => voters[q]! > 0);
    return splitVoters(counts, sizes, seed).map((voters) => ({ lists: held(voters), voters }));
  }
  const order = shuffledLists(ballotCount(data), seed);
  let from = 0;
  return sizes.map((size) => ({ lists: order.slice(from, (from += size)).sort() }));
}

/** Parts of nearly the same size. */
export function splitIntoParts(data: Dataset, parts: number, seed: number): DataPart[] {
  const { count } = splitUnits(data);
  const end = (p: number) => Math.floor((p * count) / parts);
  const sizes = Array.from({ length: parts }, (_, p) => end(p + 1) - end(p));
  return splitBySizes(data, sizes, seed);
}

/** Gives the data of some parts. */
export type SelectParts = (data: Dataset, parts: readonly DataPart[]) => Dataset;

/** All that some parts hold, in the order of the data, which one process has. */
export function selectParts(data: Dataset, parts: readonly DataPart[]): Dataset {
  if (!parts.some(({ voters }) => voters)) return subset(data, unionOf(parts));
  const sum = new Float64Array(data.starts.length - 1);
  for (const { lists, voters } of parts) for (const q of lists) sum[q] = sum[q]! + voters![q]!;
  return weighted(data, sum);
}

/** The lists of which some parts hold anything; a list that was put into two parts comes twice. */
export function unionOf(parts: readonly DataPart[]): Uint32Array {
  const lists = parts.flatMap((part) => [...part.lists]);
  return Uint32Array.from(parts.some(({ voters }) => voters) ? new Set(lists) : lists).sort();
}

/** For each part, the data outside it and those in it. The datasets are copied out on demand. */
export function trainTestSplits(
  data: Dataset,
  parts: readonly DataPart[],
  select: SelectParts = selectParts,
): { readonly train: Dataset; readonly test: Dataset }[] {
  return parts.map((part) => ({
    get train() {
      return select(
        data,
        parts.filter((other) => other !== part),
      );
    },
    get test() {
      return select(data, [part]);
    },
  }));
}

/** The lists of a dataset in an order that depends on the seed only. */
export function shuffledLists(lists: number, seed: number): Uint32Array {
  const order = new Uint32Array(lists).map((_, q) => q);
  return shuffle(order, random(seed));
}

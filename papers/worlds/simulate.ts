/**
 * Ballots whose truth follows each model's own assumptions. Utilities q_i of N items are uniform on (0, log N), and every ballot is about a few random
 * items.
 *
 * | world        | how a ballot comes about                                                                                           |
 * | ------------ | ------------------------------------------------------------------------------------------------------------------- |
 * | pl-partition | an order from Plackett-Luce, cut at random places                                                                   |
 * | pmop-fd      | at each stage a leader with chance ∝ e^q, and others with equal chances: P(S) ∝ mean of e^q, given sizes             |
 * | pmop-mean    | at each stage a subset with chance ∝ exp(mean of q), given sizes                                                    |
 * | cox          | at each stage a subset with chance ∝ exp(sum of q), given sizes                                                     |
 * | davidson     | pairs: a tie has ν times the geometric mean of both wins, ν = 0.7                                                    |
 * | rao-kupper   | pairs: one item must exceed the other by a threshold, here log 2                                                    |
 *
 * Sizes of tiers are drawn alike in the first four, so that these worlds differ in nothing but who is in a tier.
 */
import { ballots, type Dataset } from "../../src/index.ts";
import { below, descending, exp, log, random } from "../internal.ts";

export const WORLDS = ["pl-partition", "pmop-fd", "pmop-mean", "cox", "davidson", "rao-kupper"] as const;
export type World = (typeof WORLDS)[number];

export const isPairs = (world: World): boolean => world === "davidson" || world === "rao-kupper";

type Random = () => number;

export interface Simulated {
  readonly utilities: Float64Array; // the truth
  readonly train: Dataset;
  readonly test: Dataset;
}

const [ITEMS, PER_BALLOT, TEST] = [20, 7, 2000];
const [NU, THRESHOLD] = [0.7, log(2)];

/** Ballots to learn from and others to judge by. */
export function simulate(world: World, count: number, seed: number): Simulated {
  const draw = random(seed, WORLDS.indexOf(world), count);
  const utilities = Float64Array.from({ length: ITEMS }, () => draw() * log(ITEMS));
  const some = (n: number) => ballots(Array.from({ length: n }, () => named(ballot(world, utilities, draw))));
  return { utilities, train: some(count), test: some(TEST) };
}

const named = (tiers: readonly (readonly number[])[]) => tiers.map((tier) => tier.map(nameOf));
/** The name of an item, by which fits are compared with the truth. */
export const nameOf = (item: number): string => `item ${item}`;

function ballot(world: World, utilities: Float64Array, draw: Random): number[][] {
  const items = sample(ITEMS, isPairs(world) ? 2 : PER_BALLOT, draw);
  if (isPairs(world)) return pair(world, items as [number, number], utilities, draw);
  const sizes = sizesOf(items.length, draw);
  const tiers: number[][] = [];
  let left = items;
  for (const size of sizes.slice(0, -1)) {
    const tier = choose(world, left, size, utilities, draw);
    tiers.push(tier);
    left = left.filter((item) => !tier.includes(item));
  }
  return [...tiers, left];
}

function pair(world: World, [a, b]: readonly [number, number], utilities: Float64Array, draw: Random): number[][] {
  const half = (utilities[a]! - utilities[b]!) / 2;
  const [first, second, tie] = world === "davidson" ? [exp(half), exp(-half), NU] : raoKupper(2 * half);
  const u = draw() * (first + second + tie);
  return u < first ? [[a], [b]] : u < first + second ? [[b], [a]] : [[a, b]];
}

function raoKupper(margin: number): [number, number, number] {
  const [first, second] = [1 / (1 + exp(THRESHOLD - margin)), 1 / (1 + exp(THRESHOLD + margin))];
  return [first, second, 1 - first - second];
}

/** Two to four tiers, cut at different random places. */
function sizesOf(n: number, draw: Random): number[] {
  const cuts = sample(n - 1, 1 + below(draw, 3), draw)
    .map((place) => place + 1)
    .sort((a, b) => a - b);
  return [...cuts, n].map((cut, i) => cut - (i === 0 ? 0 : cuts[i - 1]!));
}

/** The next tier of a size. A Plackett-Luce order gives the same tiers whether it is cut before or drawn on from what is left. */
function choose(world: World, left: readonly number[], size: number, utilities: Float64Array, draw: Random): number[] {
  if (world === "pl-partition") {
    const noisy = Float64Array.from(left, (item) => utilities[item]! - log(-log(draw())));
    return Array.from(descending(noisy).subarray(0, size), (place) => left[place]!);
  }
  if (world === "pmop-fd") {
    const leader = left[drawIndex(left.map((item) => exp(utilities[item]!)), draw)]!; // biome-ignore format: one step
    const others = left.filter((item) => item !== leader);
    return [leader, ...sample(others.length, size - 1, draw).map((place) => others[place]!)];
  }
  const sets = subsetsOf(left, size);
  const share = world === "pmop-mean" ? 1 / size : 1;
  const weights = sets.map((set) => exp(set.reduce((sum, item) => sum + share * utilities[item]!, 0)));
  return sets[drawIndex(weights, draw)]!;
}

function subsetsOf(items: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, i) => subsetsOf(items.slice(i + 1), size - 1).map((rest) => [item, ...rest]));
}

/** An index with chances in proportion to weights. */
function drawIndex(weights: readonly number[], draw: Random): number {
  let u = draw() * weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < weights.length - 1; i++) {
    u -= weights[i]!;
    if (u < 0) return i;
  }
  return weights.length - 1;
}

/** So many different numbers below n, in random order. */
function sample(n: number, count: number, draw: Random): number[] {
  const all = Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const j = i + below(draw, n - i);
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all.slice(0, count);
}

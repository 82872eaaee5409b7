/**
 * Rank probabilities: under Plackett-Luce the scores of a list are log-worths, items are drawn one after another with probabilities
 * proportional to e^(score / temperature), and each item has a probability of every rank.
 *
 * First places are a softmax, pairs P(i above j) = 1 / (1 + e^(score_j - score_i)), and the expected rank is 1 plus the sum of the pairs: all
 * exact for any list. Places among the first k and intervals of ranks are exact (1e-13, see numeric/rank-distribution.ts) for lists of up to `exact`
 * items; for longer ones, orders are drawn by adding Gumbel noise to the scores, and `error` is the largest standard error that a
 * probability can have by the number of draws, 1 / (2 √draws).
 */
import {
  check,
  checkOptions,
  fraction,
  type Kinds,
  numberAbove,
  seedNumber,
  someFloats,
  someFunction,
  wholeFrom,
  yesOrNo,
} from "./arguments.ts";
import type { AlignOptions } from "./data/align.ts";
import { aligned, score } from "./evaluate.ts";
import { InputError } from "./input-error.ts";
import { exp, log, logistic, logSumExp } from "./numeric/functions.ts";
import { descending } from "./numeric/order.ts";
import { random } from "./numeric/random.ts";
import { logWorths, rankDistribution } from "./numeric/rank-distribution.ts";
import { type Ranked, type RankedItem, type RankOptions, rankKinds, rankScores } from "./rank.ts";
import type { Dataset, Model, Random } from "./types.ts";

/** Which probabilities are wanted, and how exactly. */
export interface ProbabilitiesOptions {
  /** What scores are divided by. Default: 1. */
  readonly temperature?: number;
  /** Cutoffs k for which P(among the first k) is computed. Default: [3, 10]. */
  readonly places?: readonly number[];
  /** Level of the rank intervals. Default: 0.9. */
  readonly level?: number;
  /** Maximum number of items for exact computation; longer lists are sampled. Default: 200. */
  readonly exact?: number;
  /** Number of random orders for longer lists. Default: 1000 to 10000, fewer for longer lists. */
  readonly draws?: number;
  /** Generator of the draws. Default: one with seed 1. */
  readonly random?: Random;
}

/** Of the items of one list, in its order. */
export interface Probabilities {
  /** By item: probability of the first place. */
  readonly first: Float64Array;
  /** By cutoff k: probabilities of being among the first k. */
  readonly within: readonly {
    /** The cutoff. */
    readonly k: number;
    /** By item: the probability. */
    readonly chances: Float64Array;
  }[];
  /** By item: expected rank, from 1. */
  readonly expected: Float64Array;
  /** By item: lower end of the rank interval, from 1. */
  readonly low: Uint32Array;
  /** By item: upper end of the rank interval, from 1. */
  readonly high: Uint32Array;
  /** Probability that item i is placed above item j. */
  above(i: number, j: number): number;
  /** Largest standard error of `within`; 0 where it is exact. */
  readonly error: number;
}

/** Items up to which ranks are exact: a list of 200 takes a few tenths of a second. */
export const EXACT = 200;
export const PLACES: readonly number[] = [3, 10];
const FARTHEST = 800; // e^-800 is 0: more changes no probability
const HELD = 2e7; // ranks that are held at once

const kinds: Kinds<ProbabilitiesOptions> = {
  temperature: numberAbove(0),
  places: {
    wanted: "an array of whole numbers above 0",
    fits: (value) => Array.isArray(value) && value.every((k) => Number.isSafeInteger(k) && k > 0),
  },
  level: fraction,
  exact: wholeFrom(0, true),
  draws: wholeFrom(100),
  random: someFunction,
};

/** The probabilities of the places of items with these scores. */
export function probabilities(scores: Float64Array, options: ProbabilitiesOptions = {}): Probabilities {
  check("probabilities", scores, someFloats);
  checkOptions("probabilities", options, kinds);
  const { temperature = 1, places = PLACES, level = 0.9, exact = EXACT } = options;
  const odd = scores.find((one) => !Number.isFinite(one));
  if (odd !== undefined) throw new InputError(`probabilities: expected finite scores, got ${odd}`);
  const n = scores.length;
  const w = logWorths(scores, temperature, FARTHEST);
  const above = (i: number, j: number) => (i === j ? 0.5 : logistic(w[i]! - w[j]!));
  const expected = w.map((_, i) => {
    let sum = 0.5; // its own pair is a half
    for (let j = 0; j < n; j++) sum += above(j, i);
    return sum;
  });
  const first = softmax(w);
  const drawn = Math.min(10_000, Math.max(1000, Math.floor(HELD / Math.max(1, n))));
  const { draws = drawn, random: draw = random(1) } = options;
  const ranks = n <= exact ? integrated(w, places, level) : sampled(w, places, level, draws, draw);
  return { first, expected, above, ...ranks };
}

/** The probability of each item to be first: the softmax of the scores over the temperature. */
export const firstPlaceProbabilities = (scores: Float64Array, temperature = 1): Float64Array =>
  softmax(logWorths(scores, temperature, FARTHEST));

function softmax(w: Float64Array): Float64Array {
  const mass = logSumExp(w);
  return w.map((one) => exp(one - mass));
}

type Ranks = Pick<Probabilities, "within" | "low" | "high" | "error">;

function integrated(w: Float64Array, places: readonly number[], level: number): Ranks {
  const n = w.length;
  const chances = rankDistribution(w);
  const upTo = (i: number, k: number) => Math.min(1, sum(chances, i * n, i * n + Math.min(k, n)));
  const end = (fraction: number) =>
    Uint32Array.from(w, (_, i) => {
      let [r, below] = [0, chances[i * n]!];
      while (below < fraction - 1e-12 && r + 1 < n) below += chances[i * n + ++r]!;
      return r + 1;
    });
  return {
    within: places.map((k) => ({ k, chances: w.map((_, i) => upTo(i, k)) })),
    ...{ low: end((1 - level) / 2), high: end((1 + level) / 2), error: 0 },
  };
}

function sampled(w: Float64Array, places: readonly number[], level: number, draws: number, draw: Random): Ranks {
  const n = w.length;
  const ranks = drawnRanks(n, draws);
  for (let d = 0; d < draws; d++) {
    const noisy = w.map((one) => one - log(-log(Math.max(draw(), 2 ** -54)))); // a chance of 0 has no logarithm
    descending(noisy).forEach((item, place) => {
      ranks.add(item, d, place + 1);
    });
  }
  const end = (fraction: number) =>
    Uint32Array.from(w, (_, i) => ranks.at(i, Math.min(draws - 1, Math.max(0, Math.ceil(fraction * draws) - 1))));
  return {
    within: places.map((k) => ({ k, chances: w.map((_, i) => ranks.atMost(i, k) / draws) })),
    ...{ low: end((1 - level) / 2), high: end((1 + level) / 2), error: 0.5 / Math.sqrt(draws) },
  };
}

/** The ranks of n items in so many draws: counted by rank, or where there are more ranks than draws, all of them. */
interface DrawnRanks {
  add(item: number, draw: number, rank: number): void;
  /** How many of an item's ranks are at most k. Only once all are added. */
  atMost(item: number, k: number): number;
  /** Number `place` of an item's ranks in ascending order, from 0. */
  at(item: number, place: number): number;
}

function drawnRanks(n: number, draws: number): DrawnRanks {
  if (n > draws) {
    const ranks = Array.from({ length: n }, () => new Uint32Array(draws));
    const sorted = new Set<number>();
    const inOrder = (item: number) => {
      if (!sorted.has(item)) ranks[item]!.sort();
      sorted.add(item);
      return ranks[item]!;
    };
    return {
      add: (item, draw, rank) => void (ranks[item]![draw] = rank),
      atMost: (item, k) => inOrder(item).reduce((count, rank) => count + (rank <= k ? 1 : 0), 0),
      at: (item, place) => inOrder(item)[place]!,
    };
  }
  const counts = Array.from({ length: n }, () => new Float64Array(n + 1)); // by rank, from 1
  return {
    add: (item, _, rank) => void (counts[item]![rank]! += 1),
    atMost: (item, k) => sum(counts[item]!, 0, Math.min(k, n) + 1),
    at(item, place) {
      let rank = 0;
      for (let left = place; left >= 0; ) left -= counts[item]![++rank]!;
      return rank;
    },
  };
}

function sum(values: Float64Array, from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i++) total += values[i]!;
  return total;
}

/** An item with the probabilities of its places. */
export interface RankedItemProbabilities extends RankedItem {
  /** Probability of the first place. */
  readonly first: number;
  /** Probability of being among the first k, by k. */
  readonly within: Readonly<Record<string, number>>;
  /** Expected rank. */
  readonly expected: number;
  /** Rank interval. */
  readonly interval: readonly [number, number];
}

/** A list with the probabilities of its items. */
export interface RankedProbabilities extends Ranked {
  /** The items, best first. */
  readonly items: readonly RankedItemProbabilities[];
  /** Largest standard error of `within`; 0 where it is exact. */
  readonly error: number;
  /** P(item of the row above that of the column), items best first. */
  readonly above?: readonly (readonly number[])[];
}

/** Which lists in order with probabilities are wanted. */
export interface RankProbabilitiesOptions extends ProbabilitiesOptions, RankOptions {
  /** Whether to add the matrix of P(i above j) of each list. Default: false. */
  readonly pairs?: boolean;
  /** Seed of the draws. Default: 1. */
  readonly seed?: number;
  /** Generator of the draws of all lists, one after another. Default: one for each list, by the seed and the number of the list. */
  readonly random?: Random;
}

/**
 * Lists in order with their probabilities, one after another, after `align` has fitted the data to the columns of the model. Draws of a list
 * depend on the seed and the list alone.
 */
export function rankProbabilities(
  model: Model,
  data: Dataset,
  options: RankProbabilitiesOptions = {},
): Generator<RankedProbabilities> {
  checkOptions("rankProbabilities", options, { ...kinds, ...rankKinds, pairs: yesOrNo, seed: seedNumber });
  const { unknownFeatures, ...rest } = options;
  const fitted = aligned("rankProbabilities", model, data, unknownFeatures ? { unknownFeatures } : {});
  if (fitted.labelSpaceSize !== undefined)
    throw new InputError("probabilities need a score for every item, which multi-label data do not have");
  return likelyRanked(model, fitted, rest);
}

function* likelyRanked(
  model: Model,
  data: Dataset,
  options: Omit<RankProbabilitiesOptions, keyof AlignOptions>,
): Generator<RankedProbabilities> {
  const { top = Infinity, pairs = false, seed = 1, ...how } = options;
  const scores = score(model, data);
  let q = 0;
  for (const { list, items, order } of rankScores(scores, data, top)) {
    const own = scores.subarray(data.starts[q]!, data.starts[q + 1]!);
    const { first, within, expected, low, high, above, error } = probabilities(own, { random: random(seed, q), ...how });
    q++;
    const withProbabilities = items.map((item, place) => {
      const i = order[place]!;
      const chances = Object.fromEntries(within.map(({ k, chances: all }) => [k, all[i]!]));
      return { ...item, first: first[i]!, within: chances, expected: expected[i]!, interval: [low[i]!, high[i]!] as const };
    });
    const shown = Array.from(order.subarray(0, items.length));
    const matrix = pairs ? { above: shown.map((i) => shown.map((j) => above(i, j))) } : {};
    yield { list, items: withProbabilities, error, ...matrix };
  }
}

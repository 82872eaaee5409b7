/**
 * Interleaving: the rankings of two models are mixed into one, and clicks on it say which model is better.
 *
 * team-draft: in each round a coin decides which model picks first; each picks the best item that is not shown yet, and gets the clicks on it.
 * Radlinski, Kurup and Joachims 2008, https://doi.org/10.1145/1458082.1458092
 *
 * probabilistic: at each place a coin decides which model draws an item, with a probability proportional to 1 / rank^3 among those not shown yet.
 * A click counts for model A with the probability that A drew the item, given what is shown: p = P_A / (P_A + P_B). Hofmann, Whiteson and
 * de Rijke 2011, https://doi.org/10.1145/2063576.2063618
 *
 * The outcome of an impression is the expected sign of the clicks of A less those of B, from -1 to 1, over who contributed the clicked items (for
 * team-draft that is known). Were the models equally good its mean would be 0. Impressions without clicks say nothing and are left out.
 */
import {
  check,
  checkOptions,
  fraction,
  isNumbers,
  type Kinds,
  oneOf,
  required,
  seedNumber,
  someFunction,
  someNumbers,
  wholeFrom,
} from "./arguments.ts";
import { InputError } from "./input-error.ts";
import { random as randomOf } from "./numeric/random.ts";
import { bootstrapMean, type Interval, LEVEL, type Randomization, randomizationTest } from "./statistics/index.ts";
import type { Random } from "./types.ts";

/** How rankings are interleaved. */
export type InterleaveMethod = "team-draft" | "probabilistic";

/** The methods, by name. */
export const interleaveMethods: readonly InterleaveMethod[] = ["team-draft", "probabilistic"];

/** Options of `interleave`. */
export interface InterleaveOptions {
  /** How places are given to the two. Default: "team-draft". */
  readonly method?: InterleaveMethod;
  /** Number of items to show. Default: all. */
  readonly top?: number;
  /** Source of the coins. */
  readonly random: Random;
}

/** An interleaved ranking. */
export interface Interleaved {
  /** The items, best first. */
  readonly items: Uint32Array;
  /** By place: the probability that model A contributed the item, which is 0 or 1 for team-draft. */
  readonly credit: Float64Array;
}

const interleaveKinds: Kinds<InterleaveOptions> = {
  method: oneOf(...interleaveMethods),
  top: wholeFrom(1, true),
  random: required(someFunction),
};

/** Mixes the rankings of models A and B, each of which has the same items, numbers from 0, in its own order. */
export function interleave(a: ArrayLike<number>, b: ArrayLike<number>, options: InterleaveOptions): Interleaved {
  check("interleave, the ranking of A", a, someNumbers);
  check("interleave, the ranking of B", b, someNumbers);
  checkOptions("interleave", options, interleaveKinds);
  const { method = "team-draft", top = Infinity, random } = options;
  const [ranksA, ranksB] = [ranksOf("A", a), ranksOf("B", b)];
  if (ranksA.length !== ranksB.length)
    throw new InputError(`interleave: expected rankings of the same items, got ${ranksA.length} and ${ranksB.length}`);
  const shown = Math.min(ranksA.length, top);
  return method === "team-draft" ? teamDraft(a, b, shown, random) : probabilistic(ranksA, ranksB, shown, random);
}

/** By item: its rank from 1. */
function ranksOf(who: string, order: ArrayLike<number>): Uint32Array {
  const ranks = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) {
    const item = order[place]!;
    if (!(Number.isInteger(item) && item >= 0 && item < order.length) || ranks[item] !== 0)
      throw new InputError(
        `interleave: the ranking of ${who} should have each of the items 0 to ${order.length - 1} once, got ${item}`,
      );
    ranks[item] = place + 1;
  }
  return ranks;
}

function teamDraft(a: ArrayLike<number>, b: ArrayLike<number>, shown: number, random: Random): Interleaved {
  const [items, credit] = [new Uint32Array(shown), new Float64Array(shown)];
  const taken = new Uint8Array(a.length);
  const next = { a: 0, b: 0 };
  let first = true; // of a round: whether A picks first
  for (let place = 0; place < shown; place++) {
    if (place % 2 === 0) first = random() < 0.5;
    const byA = (place % 2 === 0) === first;
    const [order, who] = byA ? [a, "a" as const] : [b, "b" as const];
    while (taken[order[next[who]]!]) next[who]++;
    const item = order[next[who]]!;
    taken[item] = 1;
    items[place] = item;
    credit[place] = byA ? 1 : 0;
  }
  return { items, credit };
}

const DECAY = 3;

function probabilistic(ranksA: Uint32Array, ranksB: Uint32Array, shown: number, random: Random): Interleaved {
  const weights = (ranks: Uint32Array) => Float64Array.from(ranks, (rank) => 1 / rank ** DECAY);
  const [a, b] = [weights(ranksA), weights(ranksB)];
  const [items, credit] = [new Uint32Array(shown), new Float64Array(shown)];
  for (let place = 0; place < shown; place++) {
    const [sumA, sumB] = [total(a), total(b)];
    const [from, sum] = random() < 0.5 ? [a, sumA] : [b, sumB];
    const item = draw(from, random() * sum);
    const [byA, byB] = [a[item]! / sumA, b[item]! / sumB];
    items[place] = item;
    credit[place] = byA / (byA + byB);
    a[item] = b[item] = 0;
  }
  return { items, credit };
}

/** Over again at every place: subtracting what was drawn would leave rounding errors as large as the last weights. */
const total = (weights: Float64Array) => weights.reduce((sum, weight) => sum + weight, 0);

/** The item at which the running sum of weights passes `at`. */
function draw(weights: Float64Array, at: number): number {
  let last = 0;
  for (let item = 0; item < weights.length; item++) {
    if (weights[item] === 0) continue;
    last = item;
    at -= weights[item]!;
    if (at < 0) break;
  }
  return last;
}

/** An interleaved ranking that was shown, with the clicks on it. */
export interface InterleavedImpression {
  /** By place: the probability that model A contributed the item. */
  readonly credit: ArrayLike<number>;
  /** Places that were clicked, from 0; a place clicked twice counts once. */
  readonly clicks: readonly number[];
}

/** Options of `compareInterleaved`. */
export interface CompareInterleavedOptions {
  /** Level of the interval. Default: 0.95. */
  readonly level?: number;
  /** Seed of the bootstrap and of the test. Default: 1. */
  readonly seed?: number;
}

/** Which of two interleaved models is better. */
export interface InterleavedCompared {
  /** Impressions in all. */
  readonly impressions: number;
  /** Impressions with clicks, which count. */
  readonly clicked: number;
  /** Of those, how many A won, none won, and B won. */
  readonly wins: {
    /** Won by A. */
    readonly a: number;
    /** Won by none. */
    readonly ties: number;
    /** Won by B. */
    readonly b: number;
  };
  /** Mean outcome, from -1 (B always wins) to 1 (A always wins), with its bootstrap interval. */
  readonly preference: Interval;
  /** The test of no preference, by the signs of outcomes. */
  readonly test: Randomization;
}

const compareKinds: Kinds<CompareInterleavedOptions> = { level: fraction, seed: seedNumber };

/** Compares two models by clicks on their interleaved rankings. */
export function compareInterleaved(
  impressions: Iterable<InterleavedImpression>,
  options: CompareInterleavedOptions = {},
): InterleavedCompared {
  checkOptions("compareInterleaved", options, compareKinds);
  if (typeof impressions !== "object" || impressions === null || !(Symbol.iterator in impressions))
    throw new InputError("compareInterleaved: expected an array or another iterable of impressions");
  const { level = LEVEL, seed = 1 } = options;
  const outcomes: number[] = [];
  let all = 0;
  for (const impression of impressions) {
    const { credit, clicks } = (impression ?? {}) as InterleavedImpression;
    all++;
    if (!isNumbers(credit) || !Array.isArray(clicks))
      throw new InputError(`compareInterleaved, impression ${all}: expected credit and clicks as arrays of numbers`);
    const places = [...new Set(clicks)];
    const odd = places.find((place) => !(credit[place]! >= 0 && credit[place]! <= 1));
    if (odd !== undefined)
      throw new InputError(`compareInterleaved, impression ${all}: there is no credit from 0 to 1 for the click on place ${odd}`);
    if (places.length > 0) outcomes.push(expectedSign(places.map((place) => credit[place]!)));
  }
  const count = (wanted: (outcome: number) => boolean) => outcomes.filter(wanted).length;
  return {
    ...{ impressions: all, clicked: outcomes.length },
    wins: { a: count((one) => one > 0), ties: count((one) => one === 0), b: count((one) => one < 0) },
    preference: bootstrapMean(outcomes, { random: randomOf(seed, 0), level }),
    test: randomizationTest(outcomes, randomOf(seed, 1)),
  };
}

/** E[sign(clicks of A - clicks of B)] for clicks that are A's with these probabilities. */
function expectedSign(chances: readonly number[]): number {
  let counts = [1]; // by number of clicks of A: its probability
  for (const p of chances) {
    const next = new Array<number>(counts.length + 1).fill(0);
    counts.forEach((mass, k) => {
      next[k]! += mass * (1 - p);
      next[k + 1]! += mass * p;
    });
    counts = next;
  }
  return counts.reduce((sum, mass, k) => sum + mass * Math.sign(2 * k - chances.length), 0);
}

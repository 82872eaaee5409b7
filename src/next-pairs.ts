/**
 * Which pairs should be compared next, to settle a leaderboard soonest? With utilities θ of covariance Σ, one more battle of i and j is expected to have
 * the information I_ij at the present margin, and turns Σ into Σ - a aᵀ I / (1 + I v), a = Σ (e_i - e_j), v the variance of θ_i - θ_j.
 *
 * What it should reduce is the widths of the rank intervals, the widest most. An interval has as many ranks as there are items that an item is not
 * distinguished from, at the simultaneous quantile q. That count has no derivative, so an item counts by the probability that a repetition
 * would not distinguish the two: s = Φ(q - t) - Φ(-q - t), with t the difference in standard errors. With W_i = Σ_j s_ij the goal is Σ_i W_i^4, whose
 * derivatives by the variances of differences are the weights of a Laplacian L, and the gain of a pair is aᵀ L a I / (1 + I v). Pairs are taken greedily,
 * each once, with Σ updated after each, so that a batch does not ask the same thing many times.
 */
import { checkOptions, type Kinds, numberFrom, someTexts, wholeFrom } from "./arguments.ts";
import type { Battles } from "./data/battles.ts";
import { describeValue, InputError, quote } from "./input-error.ts";
import { type LeaderboardOptions, leaderboard, leaderboardKinds } from "./leaderboard.ts";
import { product } from "./models/utilities/pair-fit.ts";
import { rankIntervals, simultaneousQuantile } from "./models/utilities/rank-intervals.ts";
import { drawsOf } from "./models/utilities/uncertainty.ts";
import { exp } from "./numeric/functions.ts";
import { normalBelow } from "./numeric/normal.ts";
import { davidson } from "./objectives/davidson.ts";
import { rankNet } from "./objectives/ranknet.ts";
import type { Objective, PairOutcomes } from "./types.ts";

/** How pairs are chosen. */
export interface NextPairsOptions extends Pick<LeaderboardOptions, "objective" | "level" | "seed" | "minBattles"> {
  /** Prior: wins and losses of each item against a ghost item, which keeps items with few battles in. Default: 0.5. */
  readonly ghost?: number;
  /** Number of pairs. Default: 20. */
  readonly pairs?: number;
  /** How often each pair will be compared. Default: 1. */
  readonly battles?: number;
  /** Only the ranks of so many items, the best, are to be settled. Default: those of all items. */
  readonly top?: number;
  /** Names of items without battles. Each is in one of the first pairs. Default: none. */
  readonly newItems?: readonly string[];
}

/** A pair to compare. */
export interface NextPair {
  /** The item with the higher rating. */
  readonly first: string;
  /** The other item. */
  readonly second: string;
  /** Standard error of the difference of their utilities, before the pair and after it with those above it. */
  readonly error: number;
  /** The same after the battles of this pair. */
  readonly errorAfter: number;
  /** Expected decrease of the mean width of rank intervals, in ranks and to first order. */
  readonly gain: number;
}

/** What is to be compared next, and what it is for. */
export interface NextPairs {
  /** Pairs, the most useful first. */
  readonly pairs: readonly NextPair[];
  /** Number of ranks in the widest rank interval. */
  readonly widest: number;
  /** Items with an interval as wide as that. */
  readonly widestItems: readonly string[];
  /** Mean number of ranks in an interval. */
  readonly mean: number;
}

/** Utilities and their covariance, of a leaderboard or of a model of utilities. */
export interface UncertainUtilities {
  /** Names of the items. */
  readonly names: readonly string[];
  /** Utilities of the items. */
  readonly utilities: ArrayLike<number>;
  /** Covariance of the utilities, items × items. */
  readonly covariance: Float64Array;
  /** Information of one comparison at a margin. Default: that of Bradley-Terry. */
  readonly information?: (margin: number) => number;
}

const { objective, ghost, level, seed, minBattles } = leaderboardKinds;
const kinds: Kinds<NextPairsOptions> = {
  ...{
    objective,
    ghost,
    level,
    seed,
    minBattles,
    pairs: wholeFrom(1),
    battles: numberFrom(1),
    top: wholeFrom(1),
    newItems: someTexts,
  },
};

const POWER = 4; // of the widths: how much wide intervals count more than narrow ones
const WORK = 2e9; // multiplications that the Laplacians of one call may take

/** The pairs to compare next, from battles. */
export function nextPairs(data: Battles, options: NextPairsOptions = {}): NextPairs {
  checkOptions("nextPairs", options, kinds);
  const { ghost = 0.5, level = 0.95, seed = 1, newItems = [], minBattles = 0 } = options;
  const objective = options.objective ?? ((data as Battles | null)?.outcome?.includes(2) ? davidson() : rankNet());
  const board = leaderboard(data, { objective, ghost, level, seed, minBattles, errors: "information" });
  const known = new Set(board.items.map(({ name }) => name));
  const doubled = newItems.find((name, i) => known.has(name) || newItems.indexOf(name) < i);
  if (doubled !== undefined)
    throw new InputError(`nextPairs, option newItems: ${quote(doubled)} has battles already, or is named twice`);
  const outcomes = objective.pairs!.at(board.auxiliary.map(({ value }) => value));
  const given = { names: board.items.map(({ name }) => name), utilities: board.utilities, covariance: board.covariance };
  return nextPairsOf({ ...given, information: (margin) => informationAt(outcomes, margin, objective) }, options);
}

/** The same from utilities with a covariance. */
export function nextPairsOf(given: UncertainUtilities, options: NextPairsOptions = {}): NextPairs {
  checkOptions("nextPairsOf", options, kinds);
  const { names, utilities, covariance } = checked(given);
  const { pairs = 20, battles = 1, newItems = [], level = 0.95, seed = 1 } = options;
  const { information = (margin: number) => exp(-Math.abs(margin)) / (1 + exp(-Math.abs(margin))) ** 2 } = given;
  const old = names.length;
  const n = old + newItems.length;
  const top = Math.min(options.top ?? n, n);
  const draws = drawsOf(covariance, old, drawCount(old), seed);
  const quantile = simultaneousQuantile(covariance, draws, old, level);
  const { low, high } = rankIntervals(utilities, covariance, draws, level);
  const widths = Float64Array.from(low, (first, i) => high[i]! - first + 1);
  const widest = Math.max(...widths.subarray(0, top));
  const all = withNew(utilities, covariance, newItems.length);
  const found: NextPair[] = [];
  const state: Search = {
    ...{ utilities: all.utilities, covariance: all.covariance, quantile, top, n },
    ...{ informationOf: (i, j) => battles * information(all.utilities[i]! - all.utilities[j]!) },
    asked: new Uint8Array(n * n),
  };
  const waiting = new Set(newItems.map((_, k) => old + k));
  const refresh = Math.max(1, Math.ceil((pairs * 2 * n ** 3) / WORK)); // pairs per Laplacian
  let [laplacian, gains] = [state.covariance, state.covariance];
  for (let count = 0; count < Math.min(pairs, (n * (n - 1)) / 2); count++) {
    if (count % refresh === 0) {
      laplacian = laplacianOf(state);
      gains = product(product(state.covariance, laplacian, n), state.covariance, n);
    }
    const best = bestPair(state, gains, waiting);
    if (!best) break;
    const [i, j] = best.pair;
    for (const item of best.pair) waiting.delete(item);
    const label = (item: number) => (item < old ? names[item]! : newItems[item - old]!);
    const [first, second] = state.utilities[i]! >= state.utilities[j]! ? [i, j] : [j, i];
    const errorAfter = learn(state, i, j, laplacian, gains);
    found.push({ ...{ first: label(first), second: label(second), error: best.error, errorAfter, gain: best.gain } });
  }
  return {
    pairs: found,
    widest,
    widestItems: names.filter((_, i) => i < top && widths[i] === widest),
    mean: widths.subarray(0, top).reduce((sum, width) => sum + width, 0) / Math.min(top, old),
  };
}

interface Search {
  readonly utilities: Float64Array;
  readonly covariance: Float64Array;
  readonly quantile: number;
  /** Items whose ranks count: those with the highest utilities. */
  readonly top: number;
  readonly n: number;
  readonly informationOf: (i: number, j: number) => number;
  readonly asked: Uint8Array;
}

const drawCount = (n: number) => Math.max(400, Math.min(4000, Math.floor(3e8 / (n * n))));

const variance = (c: Float64Array, n: number, i: number, j: number) =>
  Math.max(1e-300, c[i * n + i]! + c[j * n + j]! - 2 * c[i * n + j]!);

/** The expected second derivative by the margin, over the outcomes of a battle. */
function informationAt(outcomes: PairOutcomes, margin: number, { likelihood }: Objective): number {
  let [sum, mass] = [0, 0];
  for (let kind = 0; kind < (likelihood && outcomes.tie ? 3 : 2); kind++) {
    const { cost, curvature } = kind === 2 ? outcomes.tie!(margin) : outcomes.win(kind === 0 ? margin : -margin);
    sum += exp(-cost) * curvature;
    mass += exp(-cost);
  }
  return sum / mass;
}

/** Utilities in descending order, with names and covariance in the same. */
function checked(given: UncertainUtilities) {
  const { names, utilities, covariance } = given ?? {};
  const n = names?.length;
  const fits =
    Array.isArray(names) && utilities?.length === n && covariance instanceof Float64Array && covariance.length === n * n;
  if (!fits || !(n >= 2) || !Array.from(utilities).every(Number.isFinite) || !covariance.every(Number.isFinite))
    throw new InputError(
      `nextPairsOf: expected names, utilities and their covariance of two items or more, got ${describeValue(utilities)} and ${describeValue(covariance)}`,
    );
  const order = Array.from(names.keys()).sort((a, b) => utilities[b]! - utilities[a]! || a - b);
  return {
    names: order.map((i) => names[i]!),
    utilities: Float64Array.from(order, (i) => utilities[i]!),
    covariance: Float64Array.from({ length: n * n }, (_, at) => covariance[order[Math.floor(at / n)]! * n + order[at % n]!]!),
  };
}

/** New items are as different from the mean as the known ones are from each other, and no less uncertain than that. */
function withNew(utilities: Float64Array, covariance: Float64Array, count: number) {
  const [old, n] = [utilities.length, utilities.length + count];
  const spread = 1 + (4 * utilities.reduce((sum, value) => sum + value * value, 0)) / old;
  const grown = new Float64Array(n * n);
  for (let i = 0; i < old; i++) grown.set(covariance.subarray(i * old, (i + 1) * old), i * n);
  for (let i = old; i < n; i++) grown[i * n + i] = spread;
  const values = new Float64Array(n);
  values.set(utilities);
  return { utilities: values, covariance: grown };
}

const density = (x: number) => exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** The Laplacian of the derivatives of the goal by the variances of differences, divided so that its gains are in ranks of the mean width. */
function laplacianOf({ utilities, covariance, quantile: q, top, n }: Search): Float64Array {
  const widths = new Float64Array(n);
  const slopes = new Float64Array(n * n); // of s by the variance
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const v = variance(covariance, n, i, j);
      const t = Math.abs(utilities[i]! - utilities[j]!) / Math.sqrt(v);
      const same = normalBelow(q - t) - normalBelow(-q - t);
      widths[i] = widths[i]! + same;
      widths[j] = widths[j]! + same;
      // Items that are equal are never distinguished, but better known; a little of that counts.
      slopes[i * n + j] = ((Math.max(t, 0.1) / 2) * (density(q - t) - density(q + t) + 1e-3 * density(t))) / v;
    }
  }
  const widest = Math.max(...widths.subarray(0, top));
  const weight = (i: number) => (i < top ? (widths[i]! / widest) ** (POWER - 1) : 0);
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const value = ((weight(i) + weight(j)) * slopes[i * n + j]!) / top;
      matrix[i * n + j] = matrix[j * n + i] = -value;
      matrix[i * n + i] = matrix[i * n + i]! + value;
      matrix[j * n + j] = matrix[j * n + j]! + value;
    }
  }
  return matrix;
}

/** The pair of the largest gain, of an item that waits for its first pair if there is one. */
function bestPair({ covariance, n, asked, informationOf }: Search, gains: Float64Array, waiting: ReadonlySet<number>) {
  let best: { pair: [number, number]; gain: number; error: number } | undefined;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      if (asked[i * n + j] === 1 || (waiting.size > 0 && !waiting.has(i) && !waiting.has(j))) continue;
      const v = variance(covariance, n, i, j);
      const information = informationOf(i, j);
      const square = gains[i * n + i]! + gains[j * n + j]! - 2 * gains[i * n + j]!;
      const gain = (square * information) / (1 + information * v);
      if (!best || gain > best.gain) best = { pair: [i, j], gain, error: Math.sqrt(v) };
    }
  }
  return best;
}

/**
 * Updates the covariance Σ, as if the pair had been compared, to Σ - f a aᵀ, and the gains Σ L Σ by f (a bᵀ + b aᵀ) and f² (aᵀ L a) a aᵀ with b = Σ L a.
 * Returns the standard error of the pair's difference then.
 */
function learn(state: Search, i: number, j: number, laplacian: Float64Array, gains: Float64Array): number {
  const { covariance, n, asked, informationOf } = state;
  const times = (matrix: Float64Array, x: Float64Array) =>
    Float64Array.from(x, (_, k) => {
      let sum = 0;
      for (let l = 0; l < n; l++) sum += matrix[k * n + l]! * x[l]!;
      return sum;
    });
  const a = Float64Array.from({ length: n }, (_, k) => covariance[k * n + i]! - covariance[k * n + j]!);
  const inner = times(laplacian, a);
  const b = times(covariance, inner);
  const square = a.reduce((sum, value, k) => sum + value * inner[k]!, 0);
  const information = informationOf(i, j);
  const f = information / (1 + information * variance(covariance, n, i, j));
  for (let k = 0; k < n; k++) {
    for (let l = 0; l < n; l++) {
      const at = k * n + l;
      covariance[at] = covariance[at]! - f * a[k]! * a[l]!;
      gains[at] = gains[at]! - f * (a[k]! * b[l]! + b[k]! * a[l]!) + f * f * square * a[k]! * a[l]!;
    }
  }
  asked[i * n + j] = asked[j * n + i] = 1;
  return Math.sqrt(variance(covariance, n, i, j));
}

/**
 * Probabilities between items, of two kinds. `outcome`: what a new ballot will say, under Plackett-Luce at the fitted utilities. `truth`: how
 * sure it is that one true utility lies above another, from the asymptotic normal distribution of the fit.
 */
import { checkOptions, seedNumber, wholeFrom } from "../../arguments.ts";
import { describeValue, InputError, quote } from "../../input-error.ts";
import { log, log1p, logistic } from "../../numeric/functions.ts";
import { Z95 } from "../../numeric/normal.ts";
import { suggest } from "../../part.ts";
import { isUtilities, type UtilitiesModel } from "./model.ts";
import { drawsOf, probabilityAbove, topProbabilities } from "./uncertainty.ts";

/** Probabilities of places, of one outcome under the fit and of the truth behind it. */
export interface UtilityProbabilities {
  /** Probabilities of the next ballot, at the fitted utilities. */
  readonly outcome: {
    /** Probability that the item is placed above the other. */
    above(item: string, other: string): number;
    /** Probability that the item is placed first among all items. */
    first(item: string): number;
    /** Interval of 95 % for that probability, the item's worth: log-odds ± 1.96 standard errors, by the delta method. */
    firstInterval(item: string): {
      /** Lower end. */
      readonly low: number;
      /** Upper end. */
      readonly high: number;
    };
    /** Expected rank of the item among all items. */
    expectedRank(item: string): number;
  };
  /** Probabilities of the true utilities, given the uncertainty of the fit. */
  readonly truth: {
    /** Probability that the true utility of the item exceeds that of the other. */
    above(item: string, other: string): number;
    /** Probability that the true utility of the item is the highest. */
    first(item: string): number;
    /** By item: probability that its true utility is among the k highest. */
    top(k: number): ReadonlyMap<string, number>;
    /** Expected rank of the true utility of the item. */
    expectedRank(item: string): number;
  };
}

/** How probabilities of the truth are drawn. */
export interface ChancesOptions {
  /** Draws of the utilities for `truth.top`. Default: 4000. */
  readonly draws?: number;
  /** Seed of the draws. Default: 1. */
  readonly seed?: number;
}

/** Probabilities between the items of fitted utilities. */
export function utilityProbabilities(model: UtilitiesModel, options: ChancesOptions = {}): UtilityProbabilities {
  if (typeof model !== "object" || model === null || !isUtilities(model))
    throw new InputError(`utilityProbabilities: expected a model of utilities, got ${describeValue(model)}`);
  checkOptions("utilityProbabilities", options, { draws: wholeFrom(1), seed: seedNumber });
  const { fit, worths } = model;
  const { draws = 4000, seed = 1 } = options;
  const { names, utilities, uncertainty } = fit;
  const at = (name: string) => {
    const i = names.indexOf(name);
    if (i < 0) throw new InputError(`no item is called ${quote(String(name))}; ${suggest(String(name), names.slice(0, 50))}`);
    return i;
  };
  const known = () => {
    if (uncertainty) return uncertainty;
    throw new InputError("the utilities were fitted without standard errors; fit them with errors=yes");
  };
  const covariance = () => {
    const found = known().covariance;
    if (found) return found;
    throw new InputError("the covariance is not stored in model files with so many items; use the model returned by fit");
  };
  const leads = (i: number, j: number) => logistic(utilities[i]! - utilities[j]!);
  return {
    outcome: {
      above: (item, other) => leads(at(item), at(other)),
      first: (item) => worths[at(item)]!,
      firstInterval: (item) => worthInterval(worths, covariance(), at(item)),
      expectedRank: (item) => 0.5 + names.reduce((sum, _, j) => sum + leads(j, at(item)), 0), // its own term is a half
    },
    truth: {
      above: (item, other) => probabilityAbove(utilities, covariance(), at(item), at(other)),
      first: (item) => known().first[at(item)]!,
      top(k) {
        const shares = topProbabilities(utilities, drawsOf(covariance(), names.length, draws, seed), k);
        return new Map(names.map((name, i) => [name, shares[i]!]));
      },
      expectedRank: (item) => known().expected[at(item)]!,
    },
  };
}

/**
 * With p the worths, the log-odds of p_i are w_i - log Σ_{k≠i} e^{w_k}, whose derivatives are 1 by w_i and -p_k / (1 - p_i) by the others. On this
 * scale the estimate is close to normal, and the interval stays between 0 and 1.
 */
function worthInterval(worths: Float64Array, covariance: Float64Array, i: number): { low: number; high: number } {
  const n = worths.length;
  const rest = worths.reduce((sum, worth, k) => (k === i ? sum : sum + worth), 0);
  if (rest === 0) return { low: 1, high: 1 };
  const slopes = worths.map((worth, k) => (k === i ? 1 : -worth / rest));
  let variance = 0;
  for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) variance += slopes[a]! * slopes[b]! * covariance[a * n + b]!;
  const odds = log(worths[i]!) - log1p(-worths[i]!);
  const reach = Z95 * Math.sqrt(Math.max(0, variance));
  return { low: logistic(odds - reach), high: logistic(odds + reach) };
}

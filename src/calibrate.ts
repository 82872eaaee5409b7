/**
 * Calibration of predicted probabilities. Scores divided by a temperature are log-worths under Plackett-Luce; the temperature is fitted by
 * maximum likelihood of the tiers, and predictions are compared with outcomes, before and after. Each list is evaluated with the
 * temperature fitted on the other half of the lists.
 *
 * Two kinds of predictions. "pairs": of two items in different tiers, the one with the higher score is the better, with probability
 * 1 / (1 + e^-(difference of scores)). "top": an item is in the first tier of its list, with the probability that it is among the first m
 * places, m the size of that tier; where one item is the best alone, this is the probability of the first place.
 *
 * Leaving out pairs within a tier conditions on the outcome: with long tiers the stronger of two items wins slightly more often than the
 * formula predicts. For complete orders, and always for "top", a correct model is calibrated exactly.
 */
import { checkData, checkOptions, checkScores, fraction, type Kinds, seedNumber, someFunction, wholeFrom } from "./arguments.ts";
import { InputError } from "./input-error.ts";
import { logistic } from "./numeric/functions.ts";
import { random, shuffle } from "./numeric/random.ts";
import { firstPlaceProbabilities, probabilities } from "./probabilities.ts";
import { LEVEL, Predictions, type Reliability } from "./statistics/index.ts";
import { fitTemperature, type Temperature, tierCostAt } from "./temperature.ts";
import type { Dataset, Random } from "./types.ts";

/** How calibration is looked at. */
export interface CalibrationOptions {
  /** Number of bins of equal width. Default: 10. */
  readonly bins?: number;
  /** Maximum number of lists for the reliability of `top`; of more, a random sample. Default: 1000. */
  readonly most?: number;
  /** Level of the intervals. Default: 0.95. */
  readonly level?: number;
  /** Seed of sampling and resampling. Default: 1. */
  readonly seed?: number;
  /** Called with the fraction of the work that is done, from 0 to 1. */
  readonly progress?: (fraction: number) => void;
}

/** The temperature that fits best, and predictions before and after it. */
export interface Calibration {
  /** The temperature that fits all lists best. */
  readonly temperature: Temperature;
  /** Number of lists with more than one tier. */
  readonly lists: number;
  /** Predictions at temperature 1. */
  readonly before: CalibrationResult;
  /** Predictions for each list at the temperature that fits the other half of the lists. */
  readonly after: CalibrationResult;
}

/** How well predictions hold, at some temperature. */
export interface CalibrationResult {
  /** Mean log-likelihood of a list's tiers. */
  readonly likelihood: number;
  /** Reliability of P(i above j), over pairs of items with different labels, each from the side predicted above. */
  readonly pairs: Reliability;
  /** Reliability of P(among the first k), where k is the size of the best tier and the items of that tier are right. */
  readonly top: Reliability;
}

const kinds: Kinds<CalibrationOptions> = {
  ...{ bins: wholeFrom(1), most: wholeFrom(1, true), level: fraction, seed: seedNumber, progress: someFunction },
};

/** Whether the probabilities that follow from scores hold on these lists. */
export function calibrate(scores: Float64Array, data: Dataset, options: CalibrationOptions = {}): Calibration {
  checkData("calibrate", data);
  checkScores("calibrate", scores, data);
  checkOptions("calibrate", options, kinds);
  const { bins = 10, most = 1000, level = LEVEL, seed = 1, progress } = options;
  if (data.labelSpaceSize !== undefined)
    throw new InputError("calibration needs a score for every item, which multi-label data do not have");
  const odd = scores.find((one) => !Number.isFinite(one));
  if (odd !== undefined) throw new InputError(`calibration: expected finite scores, got ${odd}`);
  const all = severalTiers(data);
  if (all.length < 4) throw new InputError(`calibration: expected at least 4 lists with more than one tier, got ${all.length}`);

  const mixed = shuffle(all.slice(), random(seed, 1));
  const [left, right] = [mixed.slice(0, mixed.length >> 1), mixed.slice(mixed.length >> 1)];
  const others = { left: fitTemperature(scores, data, right).value, right: fitTemperature(scores, data, left).value };
  const inLeft = new Set(left);
  const shown = mixed.slice(0, most).sort();

  const judge = (temperature: (list: number) => number, done: number): CalibrationResult => {
    const pairs = new Predictions(0.5, bins, all.length);
    for (const [at, q] of all.entries()) addPairs(pairs, at, listOf(scores, data, q), temperature(q));
    const top = new Predictions(0, bins, shown.length);
    for (const [at, q] of shown.entries()) {
      addTop(top, at, listOf(scores, data, q), temperature(q), random(seed, 2, q));
      progress?.((done + (at + 1) / shown.length) / 2);
    }
    return {
      likelihood: -tierCostAt(scores, data, all, temperature).cost / all.length,
      pairs: pairs.reliability(level, random(seed, 3)),
      top: top.reliability(level, random(seed, 4)),
    };
  };
  return {
    temperature: fitTemperature(scores, data, all),
    lists: all.length,
    before: judge(() => 1, 0),
    after: judge((q) => (inLeft.has(q) ? others.left : others.right), 1),
  };
}

function severalTiers({ starts, labels }: Dataset): Uint32Array {
  const several = (q: number) => labels.subarray(starts[q], starts[q + 1]).some((label) => label !== labels[starts[q]!]);
  return Uint32Array.from(Array.from({ length: starts.length - 1 }, (_, q) => q).filter(several));
}

interface List {
  readonly scores: Float64Array;
  readonly labels: Float32Array;
}

const listOf = (scores: Float64Array, { starts, labels }: Dataset, q: number): List => ({
  scores: scores.subarray(starts[q], starts[q + 1]),
  labels: labels.subarray(starts[q], starts[q + 1]),
});

/** Every pair of different tiers once, as a prediction about the item with the higher score; equal scores are half right. */
function addPairs(into: Predictions, list: number, { scores, labels }: List, temperature: number): void {
  for (let i = 0; i < labels.length; i++)
    for (let j = 0; j < i; j++) {
      if (labels[i] === labels[j]) continue;
      const lead = scores[i]! - scores[j]!;
      const right = lead === 0 ? 0.5 : lead > 0 === labels[i]! > labels[j]! ? 1 : 0;
      into.add(list, logistic(Math.abs(lead) / temperature), right);
    }
}

function addTop(into: Predictions, list: number, { scores, labels }: List, temperature: number, chance: Random): void {
  const best = labels.reduce((most, label) => Math.max(most, label));
  const size = labels.reduce((count, label) => count + (label === best ? 1 : 0), 0);
  const chances =
    size === 1
      ? firstPlaceProbabilities(scores, temperature)
      : probabilities(scores, { temperature, places: [size], random: chance }).within[0]!.chances;
  for (const [i, predicted] of chances.entries()) into.add(list, predicted, labels[i] === best ? 1 : 0);
}

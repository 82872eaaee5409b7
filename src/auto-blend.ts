/**
 * The blend of the trials of `autoTrain`: its weights, how good it is by nested estimates, and its model. A weight is the mean of two, the share
 * of a trial in greedy selection by the metric, and in the weights under which the tiers are most likely (`blend.ts`). The first aims at what
 * is measured and is noisy, the second is less so; on validation lists their mean was better than either.
 */
import type { AutoFold } from "./auto-folds.ts";
import { listValues, type MeanWithError, meanOf, type SelectionOptions, selection, weightedSum } from "./auto-selection.ts";
import type { TrialConditions, Tried } from "./auto-trial.ts";
import { fitWeights, tierCost } from "./blend.ts";
import { shuffledLists } from "./data/parts.ts";
import { subset } from "./data/subset.ts";
import { type BlendModel, blendModel } from "./models/blend.ts";
import { columnsOf } from "./models/shared/columns.ts";
import { deviationWithinLists, fitTemperature } from "./temperature.ts";
import type { Dataset, Metric, Model } from "./types.ts";

/** Chosen on validation lists; see docs/models.md. */
const SELECTION: SelectionOptions = { start: 3, steps: 12, most: 8 };

/** A smaller weight is not worth the models that it adds. */
const LEAST_WEIGHT = 0.02;

/** Items of the lists that a blend is chosen by: more take longer and hardly change the choice. */
const ENOUGH_ITEMS = 50_000;

/** A trial that gave scores. */
export type UsableTrial = Tried & { readonly scores: Float32Array };

/** A blend of trials. */
export interface Choice {
  /** By trial: its weight in the sum of scaled scores. They sum to 1. */
  readonly weights: readonly number[];
  /** By trial: the deviation of its out-of-fold scores within lists. */
  readonly scales: readonly number[];
  /** What the blended scores are divided by to be those under which the tiers of the lists are most likely. */
  readonly temperature: number;
  /** Nested estimates, by the spec of the metric. */
  readonly estimates: Readonly<Record<string, MeanWithError>>;
}

/** Chooses a blend by the first metric. */
export function chooseBlend(trials: readonly UsableTrial[], { data, folds, metrics }: TrialConditions, seed: number): Choice {
  const all = Uint32Array.from({ length: data.starts.length - 1 }, (_, q) => q);
  const scales = trials.map(({ scores }) => deviationWithinLists(Float64Array.from(scores), data, all) || 1);
  const scaled = trials.map(({ scores }, t) => scores.map((one) => one / scales[t]!));
  const sample = sampleOf(data, seed);
  const judges = sample.length === all.length ? data : subset(data, sample);
  const sampled = judges === data ? scaled : scaled.map((own) => entriesOf(own, data, sample));
  const weigh = weighing(sampled, judges, metrics[0]!);
  const places = Uint32Array.from(sample.keys());
  const weights = weigh(places);
  const { value, limit } = fitTemperature(weightedSum(sampled, weights), judges, places);
  const nested = nestedScores(scaled, data, folds, (fold) => {
    const inside = new Set(fold.lists);
    return weigh(places.filter((place) => !inside.has(sample[place]!)));
  });
  return {
    ...{ weights, scales, temperature: limit === undefined ? value : 1 },
    estimates: Object.fromEntries(metrics.map((metric) => [metric.spec, meanOf(listValues(metric, nested, data), data, all)])),
  };
}

/** Gives the weights of models, which sum to 1, by some lists of the data. */
function weighing(scores: readonly Float32Array[], data: Dataset, metric: Metric): (lists: Uint32Array) => number[] {
  const select = selection(scores, data, metric, SELECTION);
  return (lists) => {
    const { counts, able } = select(lists);
    const likely = new Float64Array(scores.length);
    const z = able.map((m) => Float64Array.from(entriesOf(scores[m]!, data, lists)));
    fitWeights(z, tierCost(subset(data, lists))).forEach((weight, place) => {
      likely[able[place]!] = weight;
    });
    const greedy = shares(counts);
    const fitted = likely.some((weight) => weight > 0) ? shares(likely) : greedy; // scores may say nothing about these lists
    const both = greedy.map((share, m) => (share + fitted[m]!) / 2);
    return shares(both.map((weight) => (weight < LEAST_WEIGHT ? 0 : weight)));
  };
}

function shares(weights: ArrayLike<number>): number[] {
  const total = Array.from(weights).reduce((sum, one) => sum + one, 0);
  return Array.from(weights, (one) => one / total);
}

/** The scores of each fold under the blend that is chosen without it. */
function nestedScores(
  scaled: readonly Float32Array[],
  data: Dataset,
  folds: readonly AutoFold[],
  weightsWithout: (fold: AutoFold) => readonly number[],
): Float64Array {
  const nested = new Float64Array(data.labels.length);
  for (const fold of folds) {
    const blended = weightedSum(scaled, weightsWithout(fold));
    for (const q of fold.lists) nested.set(blended.subarray(data.starts[q], data.starts[q + 1]), data.starts[q]);
  }
  return nested;
}

/** Lists at random, in rising order, of about as many items as are enough. */
function sampleOf({ starts, labels }: Dataset, seed: number): Uint32Array {
  const order = shuffledLists(starts.length - 1, seed);
  if (labels.length <= ENOUGH_ITEMS) return order.sort();
  let items = 0;
  const end = order.findIndex((q) => (items += starts[q + 1]! - starts[q]!) >= ENOUGH_ITEMS);
  return order.slice(0, end + 1).sort();
}

/** The values of the items of some lists. */
function entriesOf(values: Float32Array, { starts }: Dataset, lists: Uint32Array): Float32Array {
  const parts = Array.from(lists, (q) => values.subarray(starts[q], starts[q + 1]));
  const found = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => {
    found.set(part, at);
    return at + part.length;
  }, 0);
  return found;
}

/** The model: those of all folds of the trials that were chosen, each fold with the same weight. */
export function blendOf(
  trials: readonly UsableTrial[],
  { weights, scales, temperature }: Choice,
  modelsOf: readonly (readonly Model[])[],
  data: Dataset,
): BlendModel {
  const members = trials.flatMap(({ trial: { model, objective } }, t) =>
    (modelsOf[t] ?? []).map((one, fold, { length }) => ({
      ...{ name: `${model} under ${objective}, fold ${fold + 1}`, model: one },
      ...{ weight: weights[t]! / length / temperature, scale: scales[t]! },
    })),
  );
  return blendModel(members, columnsOf(data));
}

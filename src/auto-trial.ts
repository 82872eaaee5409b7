/** One trial of `autoTrain`: a model for each fold, and its scores of the lists that it was not trained on. */
import type { AutoFold } from "./auto-folds.ts";
import { listValues, type MeanWithError, meanOf, worth } from "./auto-selection.ts";
import type { AutoSetting, TriedSetting } from "./auto-sequence.ts";
import { CheckpointError, type CheckpointOptions, nameOf } from "./checkpoint.ts";
import { score } from "./evaluate.ts";
import type { TrainingRound } from "./fit.ts";
import { decodeScores, encodeScores, type Trial } from "./formats/trials.ts";
import { InputError } from "./input-error.ts";
import { stopOnFor } from "./stop-on.ts";
import { type TrainOptions, train } from "./train.ts";
import type { Dataset, Metric, Model } from "./types.ts";

/** What all trials share. */
export interface TrialConditions
  extends Pick<TrainOptions, "transform" | "stopOn" | "patience" | "threads" | "blocking" | "signal" | "checkpoint"> {
  readonly data: Dataset;
  readonly folds: readonly AutoFold[];
  readonly metrics: readonly Metric[];
}

/** A trial that was made, here or in an earlier run. */
export interface Tried extends TriedSetting {
  readonly trial: Trial;
  /** Metrics of the out-of-fold scores, by spec; none if the setting could not be trained. */
  readonly means: Readonly<Record<string, MeanWithError>>;
  /** The out-of-fold scores; absent if it could not be trained. */
  readonly scores?: Float32Array;
  /** The model of each fold; absent for trials of an earlier run. */
  readonly models?: readonly Model[];
}

/** Rounds over which a metric is averaged to choose the best one, and rounds without a better mean before training stops. */
const SMOOTH = { rounds: 20, patience: 40 };

/** Makes a trial. A setting that does not suit the data is a trial that failed. */
export async function makeTrial(
  setting: AutoSetting,
  conditions: TrialConditions,
  seed: number,
  now: () => number,
  onRound: (round: TrainingRound, fold: number) => void,
): Promise<Tried> {
  const begun = now();
  const { model, objective } = setting;
  const empty = { settings: {}, model: model.spec, objective: objective.spec, metrics: {}, rounds: [] };
  try {
    const { models, rounds, scores } = await foldModels(setting, conditions, seed, onRound);
    const trial = { ...empty, rounds, seconds: now() - begun, scores: encodeScores(scores) };
    return { ...withMeans(setting, trial, scores, conditions), models };
  } catch (error) {
    if (!(error instanceof InputError) || error instanceof CheckpointError) throw error;
    return { setting, worth: undefined, means: {}, trial: { ...empty, seconds: now() - begun, failed: error.message } };
  }
}

/** A trial of an earlier run, which must be of this setting. */
export function recallTrial(setting: AutoSetting, trial: Trial, number: number, conditions: TrialConditions): Tried {
  const { model, objective } = setting;
  if (trial.model !== model.spec || trial.objective !== objective.spec)
    throw new InputError(
      `autoTrain, option done: trial ${number} is ${trial.model} under ${trial.objective}, where the sequence has ${model.spec} under ${objective.spec}; it was made with other data, options or by another version`,
    );
  if (trial.failed !== undefined) return { setting, worth: undefined, means: {}, trial };
  const count = conditions.data.labels.length;
  return withMeans(
    setting,
    trial,
    decodeScores(`autoTrain, option done, trial ${number}`, trial.scores ?? "", count),
    conditions,
  );
}

function withMeans(setting: AutoSetting, trial: Trial, scores: Float32Array, { data, metrics }: TrialConditions): Tried {
  const all = Array.from({ length: data.starts.length - 1 }, (_, q) => q);
  const means = Object.fromEntries(
    metrics.map((metric) => [metric.spec, meanOf(listValues(metric, Float64Array.from(scores), data), data, all)]),
  );
  const values = Object.fromEntries(Object.entries(means).map(([spec, { mean }]) => [spec, mean]));
  const [first] = metrics;
  return { setting, worth: worth(first!, means[first!.spec]!.mean), means, scores, trial: { ...trial, metrics: values } };
}

/** The models of all folds, their best rounds, and the scores of every item by the model of the fold that its list is in. */
export async function foldModels(
  { model, objective }: AutoSetting,
  { data, folds, metrics, stopOn, checkpoint, ...how }: TrialConditions,
  seed: number,
  onRound?: (round: TrainingRound, fold: number) => void,
): Promise<{ readonly models: Model[]; readonly rounds: number[]; readonly scores: Float32Array }> {
  const scores = new Float32Array(data.labels.length); // of 32 bits, as files hold them
  const [models, rounds]: [Model[], number[]] = [[], []];
  for (const [f, fold] of folds.entries()) {
    const { train: lists, valid } = fold;
    const fitted = await train(lists, {
      ...{ ...how, model, objective, valid, seed },
      ...stopping(
        stopOn,
        how.patience,
        stopOnFor("autoTrain, option stopOn", { stopOn, metrics, model, objective, valid })?.metric,
      ),
      ...(checkpoint && { checkpoint: { ...checkpoint, name: entryOf(checkpoint, seed, f) } }),
      onRound: (round) => onRound?.(round, f + 1),
    });
    models.push(fitted.model);
    rounds.push(fitted.best.round);
    const own = score(fitted.model, valid);
    let at = 0;
    for (const q of fold.lists) for (let i = data.starts[q]!; i < data.starts[q + 1]!; i++) scores[i] = own[at++]!;
  }
  if (!scores.every(Number.isFinite))
    throw new InputError(`${model.spec} under ${objective.spec}: the scores are not finite numbers`);
  return { models, rounds, scores };
}

/** The name of a fold of a trial in the store of checkpoints: each trial has a seed of its own. */
const entryOf = (checkpoint: CheckpointOptions, seed: number, fold: number) =>
  `${nameOf(checkpoint)}-seed-${seed}-fold-${fold + 1}`;

/** Drops the states of the folds of a trial that is finished. */
export async function dropStates({ checkpoint, folds }: TrialConditions, seed: number): Promise<void> {
  for (const f of folds.keys()) await checkpoint?.store.remove(entryOf(checkpoint, seed, f));
}

/**
 * A metric of the lists of one fold is noisy, and its best round looks better than it is, so that trials stopped by it would be preferred to
 * those stopped by a loss. By default it is averaged over rounds. Metrics that decide nothing are not computed.
 */
function stopping(
  given: string | undefined,
  patience: number | undefined,
  metric: Metric | undefined,
): Pick<TrainOptions, "stopOn" | "patience" | "metrics"> {
  if (!metric) return { metrics: [], ...(given !== undefined && { stopOn: given }) };
  if (given !== undefined) return { metrics: [metric], stopOn: given };
  return { metrics: [metric], stopOn: `smooth(${metric.spec},${SMOOTH.rounds})`, patience: patience ?? SMOOTH.patience };
}

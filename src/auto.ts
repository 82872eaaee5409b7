/**
 * Finds the best ranker within a number of trials or a time. Trials are cross-validated by list: a trial trains a model for each fold on the
 * lists of the others and stops it early on the fold, whose scores by that model are out of fold. Trials are blended by these scores
 * (`auto-blend.ts`), and the members of the blend are the models of all folds: on validation lists their average was better than
 * one model trained again on all lists (docs/models.md).
 *
 * The estimate that is reported is nested: for every fold the blend is chosen by the lists of the other folds, and measured on the
 * out-of-fold scores of this one. So neither trials nor weights are measured on the lists that they were chosen by.
 */
import {
  checkData,
  checkOptions,
  type Kinds,
  metricsOrModules,
  numberAbove,
  objectiveOrModule,
  someFunction,
  transformOrModule,
  wholeFrom,
} from "./arguments.ts";
import { blendOf, type Choice, chooseBlend, type UsableTrial } from "./auto-blend.ts";
import { withinLimits } from "./auto-budget.ts";
import { autoFolds } from "./auto-folds.ts";
import { sequenceFor } from "./auto-sequence.ts";
import { dropStates, foldModels, makeTrial, recallTrial, type TrialConditions, type Tried } from "./auto-trial.ts";
import { type CheckpointOptions, checkCheckpoint, someCheckpoint } from "./checkpoint.ts";
import { align } from "./data/align.ts";
import { concat } from "./data/concat.ts";
import type { TrainingRound } from "./fit.ts";
import type { ModelFile, SearchedTrial, Training } from "./formats/models/native.ts";
import type { Trial } from "./formats/trials.ts";
import { InputError } from "./input-error.ts";
import { ndcg } from "./metrics/index.ts";
import type { BlendModel } from "./models/blend.ts";
import { columnsOf } from "./models/shared/columns.ts";
import { sizeOf } from "./models/trees/defaults.ts";
import { type Loaded, loadModules, type ModuleSource } from "./modules.ts";
import { plPartition } from "./objectives/index.ts";
import { cores } from "./teams/threads.ts";
import { type TrainOptions, trainKinds } from "./train.ts";
import { dataFacts } from "./training-record.ts";
import type { Dataset, Metric, Model, Objective } from "./types.ts";

/** What is searched, how long, and how it is judged. */
export interface AutoOptions
  extends Pick<
    TrainOptions,
    "transform" | "stopOn" | "patience" | "seed" | "threads" | "blocking" | "signal" | "unknownFeatures"
  > {
  /** Number of trials. Default: 20, or none where a budget is given. */
  readonly trials?: number;
  /**
   * Seconds for all trials together. A trial that is expected to exceed them, by the time of those before it, is not begun; the first always
   * is. It only decides how many trials there are: `trials` with their number gives the same model. Default: none.
   */
  readonly budget?: number;
  /** Number of folds. Default: 5, or fewer below 10 lists. */
  readonly folds?: number;
  /** More lists, which are pooled with the data, fitted to their columns (see `align`). Default: none. */
  readonly valid?: Dataset;
  /** The objective of all trials, or a module that exports one. Default: several, most often pl-partition. */
  readonly objective?: Objective | ModuleSource;
  /** Metrics of the out-of-fold scores, or modules that export one. The first chooses the blend. Default: ndcg@10. */
  readonly metrics?: readonly (Metric | ModuleSource)[];
  /**
   * Keeps the state of the model in training, and continues from it if the same search was interrupted before. Finished trials are those of
   * `done`. Default: none.
   */
  readonly checkpoint?: CheckpointOptions;
  /** Trials of an earlier run with the same data and options, in their order, which are not repeated. Default: none. */
  readonly done?: readonly Trial[];
  /** Called after each trial, also for those of `done`, with its number from 1. Its trials can be given as `done` later. */
  readonly onTrial?: (trial: Trial, number: number) => void;
  /** Called after each round of training. */
  readonly onRound?: (round: TrainingRound, at: AutoProgress) => void;
}

/** How far `autoTrain` has come. */
export interface AutoProgress {
  /** Number of the trial, from 1. */
  readonly trial: number;
  /** Spec of the model that is tried. */
  readonly model: string;
  /** Number of the fold, from 1. */
  readonly fold: number;
  /** Number of folds in all. */
  readonly folds: number;
}

/** A trial and its part in the result. */
export interface AutoTrial extends SearchedTrial {
  /** Seconds that it took. */
  readonly seconds: number;
}

/** A blend of the best models, and what was tried. With `model`, `training` and `metrics` it is a model file: `writeModel(path, found)`. */
export interface AutoTrained extends ModelFile {
  /** The blend of the models of all folds of the trials that were chosen. */
  readonly model: BlendModel;
  /** How it was made, as model files record it. */
  readonly training: Training;
  /** Nested estimates, by the spec of the metric: means over all lists, each under a blend chosen by the lists of other folds. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Standard errors of these means, by the spec of the metric. */
  readonly errors: Readonly<Record<string, number>>;
  /** The trials, in their order. */
  readonly trials: readonly AutoTrial[];
  /** Number of folds. */
  readonly folds: number;
}

/** Trials where neither their number nor a budget is given. */
export const AUTO_TRIALS = 20;

/** Below, starting threads for every fold takes longer than they save. */
const FEW_ITEMS = 20_000;

const { stopOn, patience, seed: aSeed, threads: someThreads, blocking, signal, unknownFeatures, valid: someValid } = trainKinds;
const kinds: Kinds<AutoOptions> = {
  ...{ trials: wholeFrom(1), budget: numberAbove(0), folds: wholeFrom(2), valid: someValid },
  ...{ objective: objectiveOrModule, metrics: metricsOrModules, transform: transformOrModule },
  ...{ stopOn, patience, seed: aSeed, threads: someThreads, blocking, signal, unknownFeatures },
  checkpoint: someCheckpoint,
  ...{ done: { wanted: "an array of trials", fits: Array.isArray }, onTrial: someFunction, onRound: someFunction },
};

/**
 * Trains and blends the best models that can be found in a number of trials or a time.
 *
 * ```ts
 * const { model, metrics } = await autoTrain(data, { budget: 600 });
 * ```
 */
export const autoTrain = (data: Dataset, options: AutoOptions = {}): Promise<AutoTrained> =>
  autoTrainBy(() => performance.now() / 1000, data, options);

/** The same with another clock, in seconds. */
export async function autoTrainBy(now: () => number, given: Dataset, options: AutoOptions): Promise<AutoTrained> {
  checkData("autoTrain", given);
  checkOptions("autoTrain", options, kinds);
  checkCheckpoint("autoTrain", options.checkpoint, false);
  const loaded = await loadModules("autoTrain", options);
  const conditions = conditionsOf(given, loaded);
  const { seed = 1, signal } = loaded;
  const tried = await runTrials(now, conditions, loaded);
  const usable = tried.filter((one): one is UsableTrial => one.scores !== undefined);
  if (usable.length === 0)
    throw new InputError(`autoTrain: none of ${tried.length} trials could be trained; the last: ${tried.at(-1)?.trial.failed}`);
  const choice = chooseBlend(usable, conditions, seed);
  const models: (readonly Model[])[] = [];
  for (const [t, one] of usable.entries()) {
    signal?.throwIfAborted();
    const { setting, models: own } = one;
    const trained = () => foldModels(setting, conditions, seed + tried.indexOf(one)).then((found) => found.models);
    models.push(choice.weights[t] === 0 ? [] : (own ?? (await trained()))); // again, for a trial of an earlier run
  }
  const weightOf = (one: Tried) => choice.weights[usable.indexOf(one as UsableTrial)] ?? 0;
  const trials = tried.map((one): AutoTrial => ({ ...searched(one, weightOf(one)), seconds: one.trial.seconds ?? 0 }));
  return {
    model: blendOf(usable, choice, models, conditions.data),
    training: trainingOf(conditions, loaded, trials, choice),
    metrics: mapped(choice.estimates, ({ mean }) => mean),
    errors: mapped(choice.estimates, ({ error }) => error),
    ...{ trials, folds: conditions.folds.length },
  };
}

type LoadedOptions = Loaded<AutoOptions>;

/** All lists, their folds, and how models are trained on them. */
function conditionsOf(given: Dataset, options: LoadedOptions): TrialConditions {
  const { valid, metrics = [ndcg({ k: 10 })], folds, seed = 1, unknownFeatures: unknown } = options;
  if (metrics.length === 0) throw new InputError("autoTrain: expected at least one metric");
  if (valid) checkData("autoTrain, option valid", valid);
  const how = unknown ? { unknownFeatures: unknown } : {};
  const data = valid ? concat([given, align(valid, columnsOf(given), how).data]) : given;
  if (data.labelSpaceSize !== undefined)
    throw new InputError("autoTrain: multi-label data are not supported; train mlp, leml, sleec or label-tree");
  if (data.features.columns === 0)
    throw new InputError("autoTrain: the models learn from features, and the data have none; train utilities, which needs none");
  const { transform, stopOn: text, patience: rounds, blocking: here, signal: ends, checkpoint } = options;
  return {
    ...{ data, metrics, folds: autoFolds("autoTrain", data, folds, seed) },
    threads: options.threads ?? (data.labels.length < FEW_ITEMS ? 1 : cores()),
    ...(transform && { transform }),
    ...(text !== undefined && { stopOn: text }),
    ...(rounds !== undefined && { patience: rounds }),
    ...(here !== undefined && { blocking: here }),
    ...(ends && { signal: ends }),
    ...(checkpoint && { checkpoint }),
  };
}

/** The trials, in their order, until their number or the time is reached. */
async function runTrials(now: () => number, conditions: TrialConditions, options: LoadedOptions): Promise<Tried[]> {
  const { seed = 1, budget, trials = budget === undefined ? AUTO_TRIALS : undefined, done = [], onTrial, onRound } = options;
  const folds = conditions.folds.length;
  const next = sequenceFor(sizeOf(conditions.data), seed, options.objective);
  const tried: Tried[] = [];
  for (let number = 1; ; number++) {
    const setting = next(tried);
    const times = tried.map(({ setting: { cost }, trial: { seconds = 0 } }) => ({ cost, seconds }));
    if (!setting || !withinLimits({ trials, budget }, times, setting.cost)) return tried;
    options.signal?.throwIfAborted();
    const before = done[number - 1];
    const one = before
      ? recallTrial(setting, before, number, conditions)
      : await makeTrial(setting, conditions, seed + number - 1, now, (round, fold) =>
          onRound?.(round, { trial: number, model: setting.model.spec, fold, folds }),
        );
    tried.push(one);
    onTrial?.(one.trial, number);
    await dropStates(conditions, seed + number - 1);
  }
}

function searched({ trial, means }: Tried, weight: number): SearchedTrial {
  const { model, objective, rounds, failed } = trial;
  return {
    ...{ model, objective, rounds, weight },
    ...{ metrics: mapped(means, ({ mean }) => mean), errors: mapped(means, ({ error }) => error) },
    ...(failed !== undefined && { failed }),
  };
}

/** What the model file says; without seconds, so that the same trials give the same bytes. */
function trainingOf(
  { data, folds }: TrialConditions,
  { objective = plPartition(), seed = 1 }: LoadedOptions,
  trials: readonly AutoTrial[],
  { estimates }: Choice,
): Training {
  return {
    ...{ model: "auto", objective: objective.spec, seed },
    search: {
      folds: folds.length,
      errors: mapped(estimates, ({ error }) => error),
      trials: trials.map(({ seconds: _, ...one }) => one),
    },
    data: dataFacts(data),
  };
}

const mapped = <A, B>(by: Readonly<Record<string, A>>, to: (one: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(by).map(([key, one]) => [key, to(one)]));

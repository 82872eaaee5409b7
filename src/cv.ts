/**
 * Cross-validation: in every fold a model is trained on some lists, stopped early on others, and tested on the rest. Returns the mean over
 * folds with its standard error, and the value of every list, for comparisons.
 */
import { checkData, checkOptions, type Kinds, metricsOrModules, required, someFunction } from "./arguments.ts";
import { type CheckpointOptions, checkCheckpoint } from "./checkpoint.ts";
import { systemValues } from "./compare.ts";
import { type FinishedFold, foldCheckpoint } from "./cv-checkpoint.ts";
import { ballotCount } from "./data/voters.ts";
import { objectiveFor } from "./default-objective.ts";
import { evaluateScores, evaluationScores } from "./evaluate.ts";
import type { TrainingRound } from "./fit.ts";
import type { SystemValues } from "./formats/values.ts";
import { gatherScores } from "./gather-scores.ts";
import { heldOutLikelihood } from "./held-out.ts";
import { describeValue, InputError } from "./input-error.ts";
import { loadModules, type ModuleSource } from "./modules.ts";
import { parseStopOn } from "./stop-on.ts";
import { type TrainOptions, train, trainKinds } from "./train.ts";
import type { Dataset, Metric } from "./types.ts";

/** Data of one fold. Without validation data nothing is stopped early. */
export interface FoldData {
  /** Training data. */
  readonly train: Dataset;
  /** Validation data. Default: none, so there is no early stopping. */
  readonly valid?: Dataset;
  /** Test data. */
  readonly test: Dataset;
}

/** What is cross-validated, and in how many parts. */
export interface CvOptions
  extends Pick<
    TrainOptions,
    | "model"
    | "objective"
    | "transform"
    | "stopOn"
    | "patience"
    | "seed"
    | "threads"
    | "blocking"
    | "signal"
    | "onProgress"
    | "unknownFeatures"
  > {
  /**
   * Keeps finished folds and the state of the one in training, and continues from them if the same cross-validation was interrupted before.
   * What is kept stays in the store at the end. Default: none.
   */
  readonly checkpoint?: CheckpointOptions;
  /** Metrics, or modules that export one. */
  readonly metrics: readonly (Metric | ModuleSource)[];
  /** Called after each round, with the number of the fold from 1. */
  readonly onRound?: (fold: number, round: TrainingRound) => void;
  /** Called after each fold. */
  readonly onFold?: (fold: CvFold) => void;
}

/** One fold: what it was trained, validated and tested on, and what it reached. */
export interface CvFold {
  /** Number of the fold, from 1. */
  readonly fold: number;
  /** Number of lists in each part; for ballots, the number cast. */
  readonly lists: {
    /** Number of training lists. */
    readonly train: number;
    /** Number of validation lists. */
    readonly valid: number;
    /** Number of test lists. */
    readonly test: number;
  };
  /** Number of rounds run. */
  readonly rounds: number;
  /** The round that was kept. */
  readonly best: number;
  /** Metrics of the validation lists, by spec. */
  readonly valid: Readonly<Record<string, number>>;
  /** Metrics of the test lists, by spec. */
  readonly test: Readonly<Record<string, number>>;
  /** Mean log-likelihood of a test ballot, for utilities under a likelihood. */
  readonly likelihood?: number;
}

/** Means over folds and lists, with every fold. */
export interface CrossValidation {
  /** The result of each fold. */
  readonly folds: readonly CvFold[];
  /** Each metric of the test parts, by its spec. */
  readonly metrics: Readonly<
    Record<
      string,
      {
        /** Mean over the folds. */
        readonly mean: number;
        /** Standard error of the mean. */
        readonly error: number;
      }
    >
  >;
  /** Log-likelihood of a test ballot, for utilities under a likelihood. */
  readonly likelihood?: {
    /** Mean over the folds. */
    readonly mean: number;
    /** Standard error of the mean. */
    readonly error: number;
  };
  /** What chose the best rounds: "ndcg@10", "loss", "smooth(ndcg@10,5)". Absent where the last rounds were kept. */
  readonly stopOn?: string;
  /** Spec of the objective that the models were trained with. */
  readonly objective: string;
  /** Notices of `train` about the first fold. */
  readonly notices: readonly string[];
  /** Metrics of every tested list, as `compare` takes them. */
  readonly measured: SystemValues;
}

const { init: _, valid: __, ...shared } = trainKinds;
const kinds: Kinds<CvOptions> = { ...shared, metrics: required(metricsOrModules), onRound: someFunction, onFold: someFunction };

/** Trains and tests a model once per fold. Validation and test data are fitted to the columns of the training data as `align` says. */
export async function cv(folds: Iterable<FoldData> | AsyncIterable<FoldData>, options: CvOptions): Promise<CrossValidation> {
  if (!isIterable(folds))
    throw new InputError(`cv: expected folds, as folds and foldsFromParts give them, got ${describeValue(folds)}`);
  checkOptions("cv", options, kinds);
  checkCheckpoint("cv", options.checkpoint, false);
  const { model, metrics = [], onRound, onFold, checkpoint, ...rest } = await loadModules("cv", options);
  const { unknownFeatures } = rest;
  if (metrics.length === 0) throw new InputError("cross-validation: expected at least one metric");
  if (rest.stopOn !== undefined) parseStopOn("cv, option stopOn", rest.stopOn, metrics);
  const found: CvFold[] = [];
  const parts: SystemValues[] = [];
  let { objective } = rest;
  let notices: readonly string[] = [];
  let stopOn: string | undefined;
  for await (const one of folds) {
    const fold = found.length + 1;
    const { train: data, test } = one ?? {};
    checkData(`cv, the training data of fold ${fold}`, data);
    checkData(`cv, the test data of fold ${fold}`, test);
    if (fold === 1) ({ objective, notices } = objectiveFor(data, model, objective)); // the same in all folds
    const kept = checkpoint && foldCheckpoint(checkpoint, fold, one, { ...rest, model, objective: objective!, metrics });
    const { done, values, stopOn: by } = (await kept?.finished()) ?? (await trainFold(fold, one, kept?.training));
    await kept?.finish({ done, values, stopOn: by });
    stopOn = by;
    found.push(done);
    parts.push(values);
    onFold?.(done);
  }
  if (found.length < 2) throw new InputError(`cross-validation: expected at least 2 folds, got ${found.length}`);
  const all = found.flatMap(({ likelihood }) => likelihood ?? []);
  return {
    folds: found,
    objective: model.cost ?? objective!.spec,
    ...(stopOn !== undefined && { stopOn }),
    notices,
    ...(all.length === found.length && { likelihood: meanOf(all) }),
    metrics: Object.fromEntries(metrics.map(({ spec }) => [spec, meanOf(found.map(({ test }) => test[spec]!))])),
    measured: concatValues(`${model.spec} under ${model.cost ?? objective!.spec}`, parts),
  };

  async function trainFold(
    fold: number,
    { train: data, valid, test }: FoldData,
    keep: CheckpointOptions | undefined,
  ): Promise<FinishedFold> {
    const fitted = await train(data, {
      ...{ ...rest, model, objective: objective!, metrics },
      ...(keep && { checkpoint: keep }),
      ...(valid && { valid }),
      ...(onRound && { onRound: (round: TrainingRound) => onRound(fold, round) }),
    });
    const scored = evaluationScores(fitted.model, test, metrics, unknownFeatures ? { unknownFeatures } : {});
    const judged = test.shard ? gatherScores(scored) : scored; // the lists of all processes
    const evaluation = evaluateScores(judged.scores, judged.data, metrics);
    const likelihood = model.cost ? undefined : heldOutLikelihood(fitted.model, objective!, test);
    const done: CvFold = {
      fold,
      lists: { train: ballotCount(data), valid: valid ? ballotCount(valid) : 0, test: ballotCount(test) },
      ...{ rounds: fitted.rounds, best: fitted.best.round, valid: fitted.best.metrics, test: evaluation.metrics },
      ...(likelihood !== undefined && { likelihood }),
    };
    return { done, values: systemValues("", evaluation, test.shard ? judged.data : test), stopOn: fitted.stopOn };
  }
}

const isIterable = (value: unknown) =>
  typeof value === "object" && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);

/** The mean and its standard error. Folds for which it is undefined are left out. */
function meanOf(all: readonly number[]): { mean: number; error: number } {
  const values = all.filter((value) => !Number.isNaN(value));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, error: Math.sqrt(square / (values.length - 1) / values.length) };
}

function concatValues(name: string, parts: readonly SystemValues[]): SystemValues {
  const joined = (of: (part: SystemValues) => ArrayLike<number>) =>
    Float64Array.from(parts.flatMap((part) => Array.from(of(part))));
  return {
    name,
    lists: parts.flatMap(({ lists }) => lists),
    values: Object.fromEntries(Object.keys(parts[0]!.values).map((metric) => [metric, joined(({ values }) => values[metric]!)])),
    ...(parts.every(({ weights }) => weights) && { weights: joined(({ weights }) => weights!) }),
    ...(parts.every(({ counted }) => counted) && { counted: true as const }),
  };
}

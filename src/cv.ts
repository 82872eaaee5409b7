/**
 * Cross-validation: in every fold a model is trained on some lists, stopped early on others, and tested on the rest. Returns the mean over
 * folds with its standard error, and the value of every list, for comparisons.
 */
import { checkData, checkOptions, type Kinds, required, someFunction, someMetrics } from "./arguments.ts";
import { systemValues } from "./compare.ts";
import { ballotCount } from "./data/voters.ts";
import { objectiveFor } from "./default-objective.ts";
import { evaluate } from "./evaluate.ts";
import type { Round } from "./fit.ts";
import type { SystemValues } from "./formats/values.ts";
import { heldOutLikelihood } from "./held-out.ts";
import { describeValue, InputError } from "./input-error.ts";
import { type TrainOptions, train, trainKinds } from "./train.ts";
import type { Dataset, Metric } from "./types.ts";

/** Data of one fold. Without validation data nothing is stopped early. */
export interface FoldData {
  readonly train: Dataset;
  readonly valid?: Dataset;
  readonly test: Dataset;
}

/** What is cross-validated, and in how many parts. */
export interface CvOptions
  extends Pick<
    TrainOptions,
    "model" | "objective" | "patience" | "seed" | "threads" | "signal" | "onProgress" | "unknownFeatures"
  > {
  /** The first decides which round is best. */
  readonly metrics: readonly Metric[];
  readonly onRound?: (fold: number, round: Round) => void;
  readonly onFold?: (fold: CvFold) => void;
}

/** One fold: what it was trained, validated and tested on, and what it reached. */
export interface CvFold {
  /** From 1. */
  readonly fold: number;
  /** Of ballots, as many as were cast. */
  readonly lists: { readonly train: number; readonly valid: number; readonly test: number };
  readonly rounds: number;
  /** The round that was kept. */
  readonly best: number;
  readonly valid: Readonly<Record<string, number>>;
  readonly test: Readonly<Record<string, number>>;
  /** Of the tested ballots: mean log-likelihood of one, for utilities under a likelihood. */
  readonly likelihood?: number;
}

/** Means over folds and lists, with every fold. */
export interface CrossValidation {
  readonly folds: readonly CvFold[];
  /** Over folds. */
  readonly metrics: Readonly<Record<string, { readonly mean: number; readonly error: number }>>;
  /** Of a ballot that was tested, over folds. */
  readonly likelihood?: { readonly mean: number; readonly error: number };
  /** Under which models were trained. */
  readonly objective: string;
  /** As those of `train`, about the first fold. */
  readonly notices: readonly string[];
  /** Of all lists that were tested. */
  readonly measured: SystemValues;
}

const { init: _, valid: __, ...shared } = trainKinds;
const kinds: Kinds<CvOptions> = { ...shared, metrics: required(someMetrics), onRound: someFunction, onFold: someFunction };

/** Trains and tests a model once per fold. Validation and test data are fitted to the columns of the training data as `align` says. */
export async function cv(folds: Iterable<FoldData> | AsyncIterable<FoldData>, options: CvOptions): Promise<CrossValidation> {
  if (!isIterable(folds))
    throw new InputError(`cv: expected folds, as folds and foldsFromParts give them, got ${describeValue(folds)}`);
  checkOptions("cv", options, kinds);
  const { model, metrics, onRound, onFold, ...rest } = options;
  const { unknownFeatures } = rest;
  if (metrics.length === 0) throw new InputError("cross-validation: expected at least one metric");
  const found: CvFold[] = [];
  const parts: SystemValues[] = [];
  let objective = options.objective;
  let notices: readonly string[] = [];
  for await (const one of folds) {
    const fold = found.length + 1;
    const { train: data, valid, test } = one ?? {};
    checkData(`cv, the training data of fold ${fold}`, data);
    checkData(`cv, the test data of fold ${fold}`, test);
    if (fold === 1) ({ objective, notices } = objectiveFor(data, model, objective)); // the same in all folds
    const fitted = await train(data, {
      ...{ ...rest, model, objective: objective!, metrics },
      ...(valid && { valid }),
      ...(onRound && { onRound: (round: Round) => onRound(fold, round) }),
    });
    const judged = evaluate(fitted.model, test, metrics, unknownFeatures ? { unknownFeatures } : {});
    const likelihood = model.cost ? undefined : heldOutLikelihood(fitted.model, objective!, test);
    const done: CvFold = {
      fold,
      lists: { train: ballotCount(data), valid: valid ? ballotCount(valid) : 0, test: ballotCount(test) },
      ...{ rounds: fitted.rounds, best: fitted.best.round, valid: fitted.best.metrics, test: judged.metrics },
      ...(likelihood !== undefined && { likelihood }),
    };
    found.push(done);
    parts.push(systemValues("", judged, test));
    onFold?.(done);
  }
  if (found.length < 2) throw new InputError(`cross-validation: expected at least 2 folds, got ${found.length}`);
  const all = found.flatMap(({ likelihood }) => likelihood ?? []);
  return {
    folds: found,
    objective: model.cost ?? objective!.spec,
    notices,
    ...(all.length === found.length && { likelihood: meanOf(all) }),
    metrics: Object.fromEntries(metrics.map(({ spec }) => [spec, meanOf(found.map(({ test }) => test[spec]!))])),
    measured: concatValues(`${model.spec} under ${model.cost ?? objective!.spec}`, parts),
  };
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

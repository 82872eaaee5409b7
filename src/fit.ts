/**
 * Fits a model to data under an objective, in this thread, alone or as a member of a team. Evaluates the validation data after every round,
 * keeps the best round and stops early.
 */
import {
  checkData,
  checkOptions,
  type Kinds,
  seedNumber,
  someData,
  someFunction,
  someMetrics,
  someModel,
  someText,
  someTransform,
  training,
  wholeFrom,
} from "./arguments.ts";
import { type AlignOptions, align, alignKinds } from "./data/align.ts";
import { labelFrequency, topLists } from "./data/top-lists.ts";
import { defaultObjective, objectiveFor } from "./default-objective.ts";
import type { Training } from "./formats/models/native.ts";
import { heldOutLikelihood } from "./held-out.ts";
import { InputError } from "./input-error.ts";
import { measureList } from "./metrics/index.ts";
import { columnsOf } from "./models/shared/columns.ts";
import { learnerFor } from "./models/shared/data-dependent-defaults.ts";
import { transformOf, withTransform } from "./models/transform.ts";
import { improvesOn, lossEvaluator, smoother, stopOnFor } from "./stop-on.ts";
import { splitLists } from "./teams/blocks.ts";
import { runSolo } from "./teams/solo.ts";
import { trainingRecord } from "./training-record.ts";
import type {
  Dataset,
  LabelFrequency,
  Learner,
  Metric,
  Model,
  Objective,
  RoundOutputs,
  RoundReport,
  Run,
  Team,
  Transform,
} from "./types.ts";

/** What is fitted, to which objective, and when it ends. */
export interface FitOptions extends AlignOptions {
  /** What to train: `trees()`, `linear()`, ... */
  readonly model: Learner;
  /** Default: pl-partition, or davidson where ballots compare two items each and some tie. Learners with a cost of their own ignore it. */
  readonly objective?: Objective;
  /** A feature transform of one's own: it is fitted to the training data and becomes part of the model. Default: none. */
  readonly transform?: Transform;
  /** Model to continue training from, for learners that support it; the data are fitted to its columns (see `align`). Default: none. */
  readonly init?: Model;
  /** Validation data for early stopping, fitted to the columns of the data (see `align`). Default: none. */
  readonly valid?: Dataset;
  /** Metrics of the validation data. Default: none. */
  readonly metrics?: readonly Metric[];
  /**
   * What decides which round is best and when to stop, unless the fit converges: a metric ("ndcg@10"), "loss", the mean cost of the
   * validation lists under the objective, or the mean of either over the last rounds, "smooth(ndcg@10,5)". Default: the loss under objectives
   * that are likelihoods, the first metric under others.
   */
  readonly stopOn?: string;
  /** Rounds without improvement before training stops; 0: never stop early. Default: 20. */
  readonly patience?: number;
  /** Seed of everything random. Default: 1. */
  readonly seed?: number;
  /** Called after each round. */
  readonly onRound?: (round: TrainingRound) => void;
  /** Called within long rounds with the fraction of the longest possible training that is done, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** What is known after a round. */
export interface TrainingRound {
  /** Number of the round, from 1. */
  readonly round: number;
  /** Mean training cost over the lists, with regularization. */
  readonly cost: number;
  /** Metrics of the validation data, by spec. */
  readonly metrics: Readonly<Record<string, number>>;
  /** What `stopOn` names; NaN in the first rounds of a mean over rounds. Absent without validation data, and where the fit converges. */
  readonly criterion?: number;
}

/** A fitted model and how it came to be. */
export interface Fitted {
  /** The model of the best round. */
  readonly model: Model;
  /** Number of rounds run. */
  readonly rounds: number;
  /** The round that the model is of. */
  readonly best: TrainingRound;
  /** What chose that round: "ndcg@10", "loss", "smooth(ndcg@10,5)". Absent where none was chosen, so that the last was kept. */
  readonly stopOn?: string;
  /** Every round, the first first. */
  readonly history: readonly TrainingRound[];
  /** The validation metrics of that round. With `model` and `training`, it makes the result a model file: `writeModel(path, fitted)`. */
  readonly metrics: Readonly<Record<string, number>>;
  /** How the model was trained, as model files record it. */
  readonly training: Training;
  /** Mean log-likelihood of a validation ballot, for utilities under a likelihood. */
  readonly likelihood?: number;
  /** What is worth knowing about the data under this objective. */
  readonly notices: readonly string[];
}

/** The same as the threads of a training see it. */
export type FittedAs = Omit<Fitted, "notices" | "metrics" | "training">;

/** Rounds without a better one before training stops. */
export const PATIENCE = 20;

export const fitKinds: Kinds<FitOptions> = {
  ...training,
  ...alignKinds,
  transform: someTransform,
  ...{ init: someModel, valid: someData, metrics: someMetrics, stopOn: someText },
  ...{ patience: wholeFrom(0, true), seed: seedNumber },
  ...{ onRound: someFunction, onProgress: someFunction },
};

/** Fits a model to data in this thread. */
export function fit(data: Dataset, options: FitOptions): Fitted {
  checkData("fit", data);
  checkOptions("fit", options, fitKinds);
  const { data: fitted, options: how } = alignAll(data, options);
  const { objective, notices } = objectiveFor(fitted, how.model, how.objective);
  const sized = { ...how, objective, model: learnerFor(how.model, fitted, how.valid) };
  const result = runSolo((team) => fitAs(team, fitted, sized));
  return { ...result, metrics: result.best.metrics, training: trainingRecord(fitted, sized, objective, result), notices };
}

/** Training data with the columns of the model to go on from, if any, and validation data with those of the training data. */
export function alignAll<O extends FitOptions>(given: Dataset, options: O): { data: Dataset; options: O } {
  const { init, valid, unknownFeatures } = options;
  const how = unknownFeatures ? { unknownFeatures } : {};
  const data = init && init.columns.count > 0 ? align(given, init.columns, how).data : given;
  if (!valid) return { data, options };
  checkData("validation data", valid);
  return { data, options: { ...options, valid: align(valid, columnsOf(data), how).data } };
}

/** Refuses data, and a model to start from, that the learner cannot be trained with. */
function checkTraining(model: Learner, data: Dataset, { transform, init, valid }: FitOptions): void {
  if (data.starts.length < 2) throw new InputError("there are no lists to train on");
  if (data.listWeights && !data.listWeights.some((weight) => weight > 0))
    throw new InputError("all lists have weight 0, so there is nothing to learn from; give some of them a weight above 0");
  if (data.features.columns === 0 && !model.featureless)
    throw new InputError(
      `the model ${model.id} learns from features, and the data have none; give them a column, or use utilities, which needs none`,
    );
  if (data.labelSpaceSize !== undefined && !model.supportsLabelSpace)
    throw new InputError(
      `the model ${model.id} scores items by their own features and cannot be trained on multi-label data; use mlp or leml`,
    );
  if (valid && valid.labelSpaceSize !== data.labelSpaceSize)
    throw new InputError("the training and validation data have different labels");
  if (init && !model.supportsWarmStart)
    throw new InputError(`a model of kind ${model.id} cannot continue training from another model; trees can`);
  const carried = init && transformOf(init);
  if (carried && !transform)
    throw new InputError(
      `the model to start from was trained with the transform ${carried.spec}; pass it in the option transform`,
    );
  if (valid && valid.features.columns !== data.features.columns)
    throw new Error(`validation data have ${valid.features.columns} features and training data ${data.features.columns}`);
}

export function fitAs(team: Team, data: Dataset, options: FitOptions): FittedAs {
  const {
    transform,
    model: learner,
    objective = defaultObjective(data),
    init,
    valid,
    metrics = [],
    patience = PATIENCE,
    seed = 1,
    onRound,
    onProgress,
  } = options;
  const model = transform ? withTransform(learner, transform) : learner;
  checkTraining(model, data, options);
  const frequency = data.labelSpaceSize === undefined ? undefined : labelFrequency(data);
  const history: TrainingRound[] = [];
  let best: TrainingRound | undefined;
  const stopOn = stopOnFor("the option stopOn", { stopOn: options.stopOn, metrics, model: learner, objective, valid });
  const smooth = stopOn && smoother(stopOn);
  const extra = stopOn?.metric && metrics.every(({ spec }) => spec !== stopOn.metric!.spec) ? [stopOn.metric] : [];
  const measured = [...metrics, ...extra];
  const held = stopOn && !stopOn.metric ? lossEvaluator(team, valid!, objective, seed) : undefined;
  let since = 0; // patience counts from this round at the earliest

  /** The value of `stopOn` after a round. */
  const criterionOf = (report: RoundReport, values: Readonly<Record<string, number>>) =>
    smooth!.add(held ? held.loss(outputsOf(model, report)) : values[stopOn!.metric!.spec]!);

  const run: Run = {
    seed,
    team,
    ...(init ? { init } : {}),
    ...(valid ? { validation: valid } : {}),
    afterRound(round, report) {
      if (!Number.isFinite(report.cost))
        throw new InputError(
          `${model.spec} under ${objective.spec}: the cost of round ${round} is ${report.cost}: the steps are too large; try a lower learning rate or scaled features`,
        );
      const values =
        valid && measured.length > 0 ? measureAll(team, measured, ...validationScores(report, valid, measured, frequency)) : {};
      const now: TrainingRound = {
        ...{ round, cost: report.cost, metrics: valid ? only(metrics, values) : {} },
        ...(stopOn && { criterion: criterionOf(report, values) }),
      };
      history.push(now);
      onRound?.(now);
      if (!best || !stopOn || improvesOn(stopOn, now.criterion!, best.criterion!)) {
        best = now;
        return "improved";
      }
      return patience > 0 && round - Math.max(since, best.round) >= patience ? "stop" : "continue";
    },
    resetPatience() {
      since = history.length;
      smooth?.restart();
    },
    ...(onProgress && { progress: onProgress }),
  };
  const learned = learnAndClose();
  best ??= { round: 0, cost: Number.NaN, metrics: valid ? measureAll(team, metrics, scoresOf(learned, valid), valid) : {} };
  const likelihood = valid && heldOutLikelihood(learned, objective, valid);
  return {
    ...{ model: learned, rounds: history.length, best, history },
    ...(stopOn && { stopOn: stopOn.spec }),
    ...(likelihood !== undefined && { likelihood }),
  };

  function learnAndClose(): Model {
    try {
      return model.learn(data, objective, run);
    } finally {
      held?.close();
    }
  }
}

/** The values of some metrics. */
const only = (metrics: readonly Metric[], values: Readonly<Record<string, number>>) =>
  Object.fromEntries(metrics.map(({ spec }) => [spec, values[spec]!]));

function outputsOf({ id }: Learner, { outputs }: RoundReport): RoundOutputs {
  if (!outputs)
    throw new InputError(`the option stopOn: the model ${id} does not report what a loss needs; name a metric instead`);
  return outputs();
}

function scoresOf(model: Model, data: Dataset): Float64Array {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

/** The validation lists and their scores; for multi-label data, only the top labels that the metrics need. */
function validationScores(
  report: RoundReport,
  valid: Dataset,
  metrics: readonly Metric[],
  frequency: LabelFrequency | undefined,
): readonly [Float64Array, Dataset] {
  if (valid.labelSpaceSize === undefined || !report.top) return [report.scores(), valid];
  const { data, scores } = topLists(valid, report.top(placesOf(metrics, valid.labelSpaceSize)), frequency);
  return [scores, data];
}

/** The largest cutoff of the metrics, at most the number of labels. */
export const placesOf = (metrics: readonly Metric[], items: number) =>
  Math.min(items, Math.max(1, ...metrics.map(({ depth = items }) => depth)));

/** The means of all metrics over the lists, which the members of the team measure between them. */
function measureAll(team: Team, metrics: readonly Metric[], scores: Float64Array, data: Dataset): Record<string, number> {
  const { starts, listWeights } = data;
  const bounds = splitLists(starts);
  const sums = team.sum(bounds.length - 1, 2 * metrics.length, (block, into) => {
    for (let q = bounds[block]!; q < bounds[block + 1]!; q++) {
      const weight = listWeights ? listWeights[q]! : 1;
      metrics.forEach((metric, m) => {
        const { value, ideal } = measureList(metric, scores, data, q);
        if (Number.isNaN(value)) return;
        into[2 * m] = into[2 * m]! + weight * value;
        into[2 * m + 1] = into[2 * m + 1]! + weight * ideal;
      });
    }
  });
  return Object.fromEntries(metrics.map(({ spec }, m) => [spec, sums[2 * m]! / sums[2 * m + 1]!]));
}

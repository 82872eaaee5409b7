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
import { checkBins, checkDeciding, checkTraining } from "./check-training.ts";
import {
  BLOCKED,
  type CheckpointOptions,
  checkCheckpoint,
  interruptible,
  nameOf,
  planOf,
  saveNow,
  someCheckpoint,
} from "./checkpoint.ts";
import { type Identity, identityOf } from "./checkpoint-identity.ts";
import { type CheckpointPlan, trainingCheckpoint } from "./checkpoint-loop.ts";
import { type AlignOptions, align, alignKinds } from "./data/align.ts";
import { decidingLists } from "./data/deciding-lists.ts";
import { checkPairs } from "./data/pair-counts.ts";
import { labelFrequency } from "./data/top-lists.ts";
import { defaultObjective, objectiveFor } from "./default-objective.ts";
import type { Training } from "./formats/models/native.ts";
import { heldOutLikelihood } from "./held-out.ts";
import { InputError } from "./input-error.ts";
import { checkMemory } from "./memory-budget.ts";
import { columnsOf } from "./models/shared/columns.ts";
import { learnerFor } from "./models/shared/data-dependent-defaults.ts";
import { withTransform } from "./models/transform.ts";
import { improvesOn, lossEvaluator, smoother, stopOnFor } from "./stop-on.ts";
import { checkTogether } from "./teams/check-together.ts";
import { lengthsIn, type ProcessContext } from "./teams/collectives.ts";
import { runSolo } from "./teams/solo.ts";
import { trainingRecord } from "./training-record.ts";
import type {
  Dataset,
  Learner,
  Metric,
  Model,
  Objective,
  RoundOutputs,
  RoundReport,
  Run,
  Snapshot,
  Team,
  Transform,
} from "./types.ts";
import { measureAll, only, scoresOf, validationScores } from "./validation-metrics.ts";

const PER_FEATURE = 16; // bytes that every model needs at least, also for a number that no row has

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
  /**
   * Keeps the state of the training from time to time, and continues from it if the same training was interrupted before. The result has the
   * same bits as without. What is kept stays in the store when training is over: remove it once the model is saved. Default: none.
   */
  readonly checkpoint?: CheckpointOptions;
  /** Called after each round; not for rounds before the checkpoint that a training continues from. */
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
  ...{ checkpoint: someCheckpoint, onRound: someFunction, onProgress: someFunction },
};

/** Fits a model to data in this thread. */
export function fit(data: Dataset, options: FitOptions): Fitted {
  checkData("fit", data, "accept bins");
  checkOptions("fit", options, fitKinds);
  checkCheckpoint("fit", options.checkpoint, false);
  const prepared = prepareFit(data, options);
  const { checkpoint } = options;
  if (!checkpoint) return fitPrepared("fit", prepared);
  const saved = checkpoint.store.load(nameOf(checkpoint));
  if (!Array.isArray(saved)) throw new InputError(`fit, option checkpoint: ${BLOCKED}`);
  return fitPrepared("fit", prepared, saved);
}

/** A training whose data are aligned, and whose objective and defaults are known. */
export interface PreparedFit {
  readonly data: Dataset;
  readonly options: FitOptions & { readonly objective: Objective };
  readonly notices: readonly string[];
  /** Where several processes fit together. */
  readonly processes?: ProcessContext | undefined;
}

export function prepareFit(data: Dataset, options: FitOptions): PreparedFit {
  const { data: fitted, options: how } = alignAll(data, options);
  const { objective, notices } = objectiveFor(fitted, how.model, how.objective);
  return { data: fitted, options: { ...how, objective, model: learnerFor(how.model, fitted, how.valid) }, notices };
}

/** Fits in this thread. `saved` is what the store of checkpoints has. */
export function fitPrepared(
  who: string,
  { data, options, notices, processes }: PreparedFit,
  saved: readonly Uint8Array[] = [],
): Fitted {
  const keeping = keepingHere(who, data, options, saved);
  const result = interruptible(options.checkpoint, () =>
    runSolo((team) => fitAs(team, data, { ...options, ...keeping }), undefined, processes),
  );
  return { ...result, metrics: result.best.metrics, training: trainingRecord(data, options, options.objective, result), notices };
}

/** How a training in this thread keeps checkpoints. */
export function keepingHere(
  who: string,
  data: Dataset,
  options: PreparedFit["options"],
  saved: readonly Uint8Array[],
): Pick<FitAsOptions, "keep"> {
  const { checkpoint } = options;
  if (!checkpoint) return {};
  const plan = planOf(checkpoint, identityFor(data, options), saved);
  return { keep: { plan, write: (bytes) => saveNow(who, checkpoint, bytes) } };
}

export const identityFor = (data: Dataset, { patience = PATIENCE, seed = 1, ...options }: PreparedFit["options"]): Identity =>
  identityOf(data, { ...options, patience, seed });

/** Training data with the columns of the model to go on from, if any, and validation data with those of the training data. */
export function alignAll<O extends FitOptions>(given: Dataset, options: O): { data: Dataset; options: O } {
  const { init, valid, unknownFeatures } = options;
  checkBins(given, options);
  const data =
    init && init.columns.count > 0 ? align(given, init.columns, { unknownFeatures: unknownFeatures ?? "error" }).data : given;
  if (!valid) return { data, options };
  checkData("validation data", valid, "accept bins");
  if ("binned" in valid.features) return { data, options }; // their columns are those of the training data already
  return { data, options: { ...options, valid: align(valid, columnsOf(data), unknownFeatures ? { unknownFeatures } : {}).data } };
}

/** What every thread of a training is given. */
export interface FitAsOptions extends Omit<FitOptions, "checkpoint"> {
  /** How checkpoints are kept, and where their bytes go. */
  readonly keep?: { readonly plan: CheckpointPlan; readonly write: (bytes: Uint8Array) => void };
}

/** The state of a run that a checkpoint keeps beside that of its learner. */
type RunState = {
  readonly history: readonly Snapshot[]; // of TrainingRound
  readonly best: number;
  readonly since: number;
  readonly smooth: readonly number[];
};

export function fitAs(team: Team, data: Dataset, options: FitAsOptions): FittedAs {
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
  checkTogether(team, () => {
    checkTraining(model, data, options);
    checkPairs(objective, data);
  });
  const own = decidingLists(data);
  const deciding = data.shard ? lengthsIn(team, own).reduce((sum, lists) => sum + lists, 0) : own;
  checkDeciding(learner, objective, data, deciding);
  const frequency = data.labelSpaceSize === undefined ? undefined : labelFrequency(data);
  const history: TrainingRound[] = [];
  let best: TrainingRound | undefined;
  const stopOn = stopOnFor("the option stopOn", { stopOn: options.stopOn, metrics, model: learner, objective, valid });
  const smooth = stopOn && smoother(stopOn);
  const extra = stopOn?.metric && metrics.every(({ spec }) => spec !== stopOn.metric!.spec) ? [stopOn.metric] : [];
  const measured = [...metrics, ...extra];
  const held = stopOn && !stopOn.metric ? lossEvaluator(team, valid!, objective, seed) : undefined;
  let since = 0; // patience counts from this round at the earliest
  const { keep } = options;
  let offered = keep?.plan.restored !== undefined; // whether the learner has a state to keep
  const checkpoint = keep && trainingCheckpoint(team, keep.plan, keep.write, runState);
  if (checkpoint?.restored) restoreRun(checkpoint.restored as RunState);

  /** The value of `stopOn` after a round. */
  const criterionOf = (report: RoundReport, values: Readonly<Record<string, number>>) =>
    smooth!.add(held ? held.loss(outputsOf(model, report)) : values[stopOn!.metric!.spec]!);

  const run: Run = {
    seed,
    team,
    ...(init ? { init } : {}),
    ...(valid ? { validation: valid } : {}),
    ...(checkpoint && { checkpoint: { ...checkpoint.loop, save: saveLoop } }),
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
      if (checkpoint && !offered && history.length > 1)
        throw new InputError(`the model ${model.id} keeps no state that checkpoints could save; leave them out`);
      checkpoint?.roundDone();
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

  function saveLoop(state: () => Snapshot): void {
    offered = true;
    checkpoint!.loop.save(state);
  }

  function runState(): RunState {
    const rounds = history as unknown as readonly Snapshot[];
    return { history: rounds, best: history.indexOf(best!), since, smooth: smooth?.values() ?? [] };
  }

  function restoreRun({ history: before, best: at, since: from, smooth: values }: RunState): void {
    for (const round of before) history.push(round as unknown as TrainingRound);
    best = history[at];
    since = from;
    for (const value of values) smooth?.add(value);
  }

  function learnAndClose(): Model {
    try {
      const { count } = columnsOf(data);
      checkMemory(`a training over ${count} features, which takes memory for every feature number,`, count * PER_FEATURE);
      return model.learn(data, objective, run);
    } finally {
      held?.close();
    }
  }
}

function outputsOf({ id }: Learner, { outputs }: RoundReport): RoundOutputs {
  if (!outputs)
    throw new InputError(`the option stopOn: the model ${id} does not report what a loss needs; name a metric instead`);
  return outputs();
}

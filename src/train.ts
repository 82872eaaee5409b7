/**
 * `train` fits a model with all cores. The data are copied to shared memory, and all threads fit the same model together; the result is
 * bit-identical for any number of threads. The calling thread stays responsive.
 */
import {
  checkData,
  checkOptions,
  type Kinds,
  metricsOrModules,
  objectiveOrModule,
  someSignal,
  transformOrModule,
  wholeFrom,
  yesOrNo,
} from "./arguments.ts";
import { backgroundSaver, checkCheckpoint, interrupted, interruptible, nameOf, planOf } from "./checkpoint.ts";
import { type CheckpointPlan, STOPPED } from "./checkpoint-loop.ts";
import { objectiveFor } from "./default-objective.ts";
import {
  alignAll,
  type FitOptions,
  type Fitted,
  type FittedAs,
  fitAs,
  fitKinds,
  fitPrepared,
  identityFor,
  keepingHere,
  type PreparedFit,
  prepareFit,
  type TrainingRound,
} from "./fit.ts";
import { InputError } from "./input-error.ts";
import { metrics as allMetrics } from "./metrics/index.ts";
import { models, revive } from "./models/index.ts";
import { learnerFor } from "./models/shared/data-dependent-defaults.ts";
import { type Loaded, loadModules, type ModuleOrigin, type ModuleSource, moduleOf, type OwnOptions } from "./modules.ts";
import { Heap, isInHeap, memory } from "./numeric/heap.ts";
import { objectives } from "./objectives/index.ts";
import { isBuiltBy } from "./part.ts";
import { loadTogether } from "./shared-checkpoints.ts";
import { someMemory, withinMemory } from "./teams/machine-memory.ts";
import { communicator, processContext } from "./teams/processes.ts";
import { runSolo } from "./teams/solo.ts";
import { cores, runThreads } from "./teams/threads.ts";
import { trainingRecord } from "./training-record.ts";
import type { Columns, Dataset, Matrix, Metric, Objective, SavedModel, Transform } from "./types.ts";

/** What `fit` takes, and how many threads work on it. Code of the caller is given as an object or, for more than one thread, as a module. */
export interface TrainOptions extends Omit<FitOptions, keyof OwnOptions> {
  /**
   * What is minimised, or a module that exports it, such as `{ module: new URL("./mine.js", import.meta.url), options: { alpha: 2 } }`.
   * Default: pl-partition, or davidson where ballots compare two items each and some tie.
   */
  readonly objective?: Objective | ModuleSource;
  /** Metrics of the validation data, or modules that export one. Default: none. */
  readonly metrics?: readonly (Metric | ModuleSource)[];
  /** A feature transform of one's own, or a module that exports one: it becomes part of the model. Default: none. */
  readonly transform?: Transform | ModuleSource;
  /** Default: one for each core; 1 where the model, the objective, a metric or the transform is code of the caller that is no module. */
  readonly threads?: number;
  /**
   * Train in the calling thread, which is busy until the end, if `threads` is 1. Saves the time of starting a thread, about a quarter of a
   * second. Default: false.
   */
  readonly blocking?: boolean;
  /**
   * Memory that the process may use meanwhile, in bytes or as a text such as "2g"; a training that needs more is refused. Default: nine tenths
   * of what the machine or the container has.
   */
  readonly memory?: number | string;
  /** Ends the training. Where that runs in this thread, it is looked at before the first round and after every other. */
  readonly signal?: AbortSignal;
}

/** What builds an object in another thread: its spec, where the library built it, or its module. */
export type Reference = string | ModuleOrigin;

const referenceTo = (value: { readonly spec: string }): Reference => moduleOf(value) ?? value.spec;

/** The options once modules are imported. */
type LoadedOptions = Loaded<TrainOptions>;

/** What each thread is given: specs and modules instead of functions, which cannot be sent. */
export interface TrainPayload {
  readonly data: Dataset;
  readonly valid?: Dataset;
  readonly init?: { readonly saved: SavedModel; readonly columns: Columns };
  readonly model: string;
  readonly objective: Reference;
  readonly metrics: readonly Reference[];
  readonly transform?: ModuleOrigin;
  readonly stopOn?: string;
  readonly patience?: number;
  readonly seed?: number;
  readonly plan?: CheckpointPlan;
}

/** What the first thread gives back. */
export interface TrainWorkerResult extends Omit<FittedAs, "model"> {
  readonly saved: SavedModel;
  readonly columns: Columns;
}

export const trainKinds: Kinds<TrainOptions> = {
  ...fitKinds,
  ...{ objective: objectiveOrModule, metrics: metricsOrModules, transform: transformOrModule },
  ...{ threads: wholeFrom(1), blocking: yesOrNo, memory: someMemory, signal: someSignal },
};

/**
 * Fits a model to data with all cores. The result has the same bits as that of `fit`.
 *
 * Threads build the model, the objective and the metrics again from their specs, which only what the library built has, or import the
 * module that they are given as. With other code of the caller, such as `{ ...plPartition(), evaluate: mine }`, training runs in this thread,
 * and `threads` above 1 is an error.
 */
export async function train(given: Dataset, requested: TrainOptions): Promise<Fitted> {
  checkData("train", given, "accept bins");
  checkOptions("train", requested, trainKinds);
  const inThreads = !(requested.threads === 1 && requested.blocking);
  checkCheckpoint("train", requested.checkpoint, inThreads && memory() !== null);
  const { memory: budget, ...options } = requested;
  return withinMemory(budget, () => trainWithin(given, options));
}

async function trainWithin(given: Dataset, requested: Omit<TrainOptions, "memory">): Promise<Fitted> {
  requested.signal?.throwIfAborted();
  const { data, options: loaded } = alignAll(given, await loadModules("train", requested));
  const options: LoadedOptions = { ...loaded, model: learnerFor(loaded.model, data, loaded.valid) };
  requested.signal?.throwIfAborted();
  const own = ownCode(options);
  if (own !== undefined && (options.threads ?? 1) > 1)
    throw new InputError(
      `train: ${own} is not as the library builds it, and other threads cannot be given code; give it as a module ({ module: new URL("./mine.js", import.meta.url) }), leave out threads, or set it to 1`,
    );
  checkProcesses(data, options);
  return own !== undefined || !memory() ? trainHere(data, options) : trainTogether(data, options);
}

/** Refuses what several processes cannot train together. */
function checkProcesses(data: Dataset, { model, transform }: LoadedOptions): void {
  if (!communicator()) return;
  const refuse = (what: string) => {
    throw new InputError(`train: ${what} with the threads of one process only; start one process`);
  };
  if (!model.supportsProcesses) refuse(`the model ${model.spec} trains`);
  if (transform) refuse(`the transform ${transform.id} runs`);
  if (!data.shard && !model.featureless) refuse("ballots train under a model of features");
}

/** What of a training is code of the caller, in words, or undefined. */
function ownCode({ model, objective, metrics = [], transform }: LoadedOptions): string | undefined {
  if (!isBuiltBy(models, model)) return `the model ${model.id}`;
  if (transform && !moduleOf(transform)) return `the transform ${transform.id}`;
  if (objective && !moduleOf(objective) && !isBuiltBy(objectives, objective)) return `the objective ${objective.id}`;
  const metric = metrics.find((one) => !moduleOf(one) && !isBuiltBy(allMetrics, one));
  return metric && `the metric ${metric.spec}`;
}

/** Trains in this thread, which is busy until the end. */
const trainHere = async (data: Dataset, options: LoadedOptions): Promise<Fitted> =>
  fitPrepared("train", { ...prepareFit(data, abortable(options)), processes: processContext() }, await savedFor(options));

/** What the store of checkpoints has. */
const savedFor = async ({ checkpoint }: LoadedOptions): Promise<readonly Uint8Array[]> =>
  checkpoint ? loadTogether(checkpoint.store, nameOf(checkpoint)) : [];

/** The options of `fit`, with callbacks that end the training on a signal. */
function abortable({ threads: _, blocking: __, signal, onRound, onProgress, ...options }: LoadedOptions): FitOptions {
  return {
    ...options,
    onRound(round) {
      onRound?.(round);
      signal?.throwIfAborted();
    },
    onProgress(fraction) {
      onProgress?.(fraction);
      signal?.throwIfAborted();
    },
  };
}

/** Does in this thread what a team of one thread does. */
function fitAlone(data: Dataset, options: PreparedFit["options"], saved: readonly Uint8Array[]): TrainWorkerResult {
  const keeping = keepingHere("train", data, options, saved);
  const alone = () => runSolo((team) => fitAs(team, data, { ...options, ...keeping }), undefined, processContext());
  const { model, ...result } = interruptible(options.checkpoint, alone);
  return { ...result, saved: model.save(), columns: model.columns };
}

async function trainTogether(data: Dataset, options: LoadedOptions): Promise<Fitted> {
  const {
    threads = cores(),
    model,
    transform,
    init,
    valid,
    metrics = [],
    checkpoint,
    onRound,
    onProgress,
    signal,
    stopOn,
    patience,
    seed,
  } = options;
  const { objective, notices } = objectiveFor(data, model, options.objective);
  const before = await savedFor(options);
  const alone = threads === 1 && options.blocking;
  const saved = checkpoint && !alone ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  const saver = saved && backgroundSaver(checkpoint!, saved);
  const plan = saved && { ...planOf(checkpoint!, identityFor(data, { ...options, objective }), before), saved };
  const heap = new Heap();
  try {
    const shared = { data: toHeap(data, heap), ...(valid ? { valid: toHeap(valid, heap) } : {}) };
    const payload: TrainPayload = {
      ...shared,
      model: model.spec,
      objective: referenceTo(objective),
      metrics: metrics.map(referenceTo),
      ...(transform && { transform: moduleOf(transform)! }),
      ...(init ? { init: { saved: init.save(), columns: init.columns } } : {}),
      ...(stopOn === undefined ? {} : { stopOn }),
      ...(patience === undefined ? {} : { patience }),
      ...(seed === undefined ? {} : { seed }),
      ...(plan && { plan }),
    };
    const onMessage = (message: unknown) => {
      if (typeof message === "number") onProgress?.(message);
      else if (message instanceof Uint8Array) saver?.save(message);
      else onRound?.(message as TrainingRound);
    };
    const together = async (): Promise<TrainWorkerResult> => {
      const program = new URL("./train-worker.js", import.meta.url);
      const result = await runThreads({
        size: threads,
        program,
        payload,
        onMessage,
        processes: processContext(),
        ...(signal ? { signal } : {}),
      });
      await saver?.settled(result === STOPPED);
      if (result === STOPPED) throw interrupted(checkpoint!);
      return result as TrainWorkerResult;
    };
    const outcome = alone ? fitAlone(shared.data, { ...abortable(options), ...shared, objective }, before) : await together();
    const { saved: trained, columns, ...rest } = outcome;
    const result = { ...rest, model: revive(trained, columns, transform ? [transform] : []) };
    return { ...result, metrics: result.best.metrics, training: trainingRecord(data, options, objective, result), notices };
  } finally {
    heap.close();
  }
}

/** The data where the threads and their kernels can read them: a copy of what does not lie there already. */
function toHeap(data: Dataset, heap: Heap): Dataset {
  const floats = (from: Float32Array) => {
    if (isInHeap(from)) return from;
    const copy = heap.f32(from.length);
    copy.set(from);
    return copy;
  };
  const whole = (from: Uint32Array) => {
    if (isInHeap(from)) return from;
    const copy = heap.u32(from.length);
    copy.set(from);
    return copy;
  };
  const { starts, labels, items, listWeights, itemWeights } = data;
  return {
    ...data,
    starts: whole(starts),
    labels: floats(labels),
    features: matrixInHeap(data.features, floats, whole, heap),
    ...(items ? { items: whole(items) } : {}),
    ...(listWeights ? { listWeights: floats(listWeights) } : {}),
    ...(itemWeights ? { itemWeights: floats(itemWeights) } : {}),
  };
}

type Copy<A> = (from: A) => A;

function matrixInHeap(matrix: Matrix, floats: Copy<Float32Array>, whole: Copy<Uint32Array>, heap: Heap): Matrix {
  if (matrix.kind === "dense" && matrix.binned) {
    const { bins } = matrix.binned;
    const copied = isInHeap(bins) ? bins : heap.u8(bins.length);
    if (copied !== bins) copied.set(bins);
    return { ...matrix, binned: { ...matrix.binned, bins: copied } };
  }
  if (matrix.kind === "dense") return { ...matrix, values: floats(matrix.values) };
  const starts = heap.f64(matrix.starts.length);
  starts.set(matrix.starts);
  return { ...matrix, starts, indices: whole(matrix.indices), values: floats(matrix.values) };
}

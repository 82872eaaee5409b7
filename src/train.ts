/**
 * The verb `train`: fits a model with all cores. The data are put into shared memory, every thread fits the same model on its share of the
 * lists, and the result has the same bits for any number of threads. This thread stays free meanwhile.
 */
import { objectiveFor } from "./default-objective.ts";
import { type FitOptions, type Fitted, type FittedAs, fit, type Round } from "./fit.ts";
import { models, revive } from "./models/index.ts";
import { Heap, holds, memory } from "./numeric/heap.ts";
import { objectives } from "./objectives/index.ts";
import { cores, runThreads } from "./teams/threads.ts";
import type { Columns, Dataset, Matrix, SavedModel } from "./types.ts";

/** What `fit` takes, and how many threads work on it. */
export interface TrainOptions extends FitOptions {
  readonly threads?: number; // default: one for each core
  readonly signal?: AbortSignal;
}

/** What each thread is given: names instead of functions, which cannot travel. */
export interface Assignment {
  readonly data: Dataset;
  readonly valid?: Dataset;
  readonly init?: { readonly saved: SavedModel; readonly columns: Columns };
  readonly model: string;
  readonly objective: string;
  readonly metrics: readonly string[];
  readonly patience?: number;
  readonly seed?: number;
}

/** What the first thread gives back. */
export interface Outcome extends Omit<FittedAs, "model"> {
  readonly saved: SavedModel;
  readonly columns: Columns;
}

/** Fits a model to data with all cores. The result has the same bits as that of `fit`. */
export async function train(data: Dataset, options: TrainOptions): Promise<Fitted> {
  const { threads = cores(), model, init, valid, metrics = [], onRound, onProgress, signal, patience, seed } = options;
  const { objective, notices } = objectiveFor(data, model, options.objective);
  const known = models.some(({ id }) => id === model.id) && objectives.some(({ id }) => id === objective.id);
  if (!known || !memory()) return fit(data, options);

  const heap = new Heap();
  try {
    const payload: Assignment = {
      data: inHeap(data, heap),
      model: model.text,
      objective: objective.text,
      metrics: metrics.map(({ text }) => text),
      ...(init ? { init: { saved: init.save(), columns: init.columns } } : {}),
      ...(valid ? { valid: inHeap(valid, heap) } : {}),
      ...(patience === undefined ? {} : { patience }),
      ...(seed === undefined ? {} : { seed }),
    };
    const outcome = (await runThreads({
      size: threads,
      program: new URL("./train-member.js", import.meta.url),
      payload,
      onMessage: (told) => (typeof told === "number" ? onProgress?.(told) : onRound?.(told as Round)),
      ...(signal ? { signal } : {}),
    })) as Outcome;
    const { saved, columns, ...rest } = outcome;
    return { ...rest, model: revive(saved, columns), notices };
  } finally {
    heap.close();
  }
}

/** The data where the threads and their kernels can read them: a copy of what does not lie there already. */
function inHeap(data: Dataset, heap: Heap): Dataset {
  const floats = (from: Float32Array) => {
    if (holds(from)) return from;
    const copy = heap.f32(from.length);
    copy.set(from);
    return copy;
  };
  const whole = (from: Uint32Array) => {
    if (holds(from)) return from;
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
  if (matrix.kind === "dense") return { ...matrix, values: floats(matrix.values) };
  const starts = heap.f64(matrix.starts.length);
  starts.set(matrix.starts);
  return { ...matrix, starts, indices: whole(matrix.indices), values: floats(matrix.values) };
}

/**
 * Evaluates a model: metrics of its scores over the lists of a data set. Data are fitted to the columns of the model as `align` says:
 * features by name or by number, unknown ones an error unless `unknownFeatures` is "ignore".
 */
import {
  check,
  checkData,
  checkModelAndData,
  checkOptions,
  checkScores,
  isDataset,
  someMetrics,
  someModel,
} from "./arguments.ts";
import { type AlignOptions, align, alignKinds } from "./data/align.ts";
import { checkItems, type ItemOptions, itemKinds, itemList, namedList } from "./data/items.ts";
import { topLists } from "./data/top-lists.ts";

import { InputError } from "./input-error.ts";
import { type Average, average } from "./metrics/index.ts";
import { isUtilities } from "./models/index.ts";
import type { Dataset, Metric, Model } from "./types.ts";
import { placesOf } from "./validation-metrics.ts";

/** Means of metrics over lists, with the values of every list. */
export interface Evaluation {
  /** Means by the spec of the metric. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Number of lists. */
  readonly lists: number;
  /** Lists that at least one metric leaves out. */
  readonly skipped: number;
  /** More on each metric, by its spec. */
  readonly details: Readonly<
    Record<
      string,
      Average & {
        /** Definition of the metric in words. */
        readonly variant: string;
      }
    >
  >;
}

/** The scores that a model gives to all items of a dataset, in their order, after `align` has fitted the data to its columns. */
export function score(model: Model, data: Dataset, options?: AlignOptions): Float64Array;
/** The scores of the items of one list, in their order; see `rank` for what an item may be. */
export function score<T>(model: Model, items: Iterable<T>, options?: ItemOptions<T>): Float64Array;
export function score<T>(model: Model, what: Dataset | Iterable<T>, options: AlignOptions | ItemOptions<T> = {}): Float64Array {
  const data = isDataset(what)
    ? aligned("score", model, what, options as AlignOptions)
    : listOf("score", model, what, options as ItemOptions<T>);
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

/** The items of one list, checked, with the columns of the model. */
export function listOf<T>(who: string, model: Model, items: Iterable<T>, options: ItemOptions<T>): Dataset {
  check(who, model, someModel);
  checkItems(who, items);
  checkOptions(who, options, itemKinds);
  if (model.labelSpace)
    throw new InputError(
      `${who}: a model of kind ${model.id} ranks the labels that it was trained on; give it a dataset of documents`,
    );
  return isUtilities(model) ? namedList(items) : itemList(items, model.columns, options);
}

/** Checks of a model, data and options that all verbs make, and the data with the columns of the model, as `align` gives them. */
export function aligned(who: string, model: Model, data: Dataset, options: AlignOptions): Dataset {
  checkModelAndData(who, model, data);
  checkOptions(who, options, alignKinds);
  return align(data, model.columns, options).data;
}

/** Metrics of a model over the lists of the data, after `align` has fitted the data to its columns. */
export function evaluate(model: Model, data: Dataset, metrics: readonly Metric[], options: AlignOptions = {}): Evaluation {
  check("evaluate", model, someModel);
  check("evaluate", metrics, someMetrics);
  const found = evaluationScores(model, data, metrics, options);
  return evaluateScores(found.scores, found.data, metrics);
}

/** Scores and the lists that they belong to. */
export interface EvaluationScores {
  /** The lists, with their labels. */
  readonly data: Dataset;
  /** Score of each entry of `data`. */
  readonly scores: Float64Array;
}

/** Scores and their lists, as metrics need them: for multi-label data, only the top labels and the relevant ones. */
export function evaluationScores(
  model: Model,
  data: Dataset,
  metrics: readonly Metric[],
  options: AlignOptions = {},
): EvaluationScores {
  const fitted = aligned("evaluate", model, data, options);
  check("evaluate", metrics, someMetrics);
  if (fitted.labelSpaceSize === undefined || !model.top) return { data: fitted, scores: score(model, fitted) };
  const top = model.top(fitted, placesOf(metrics, fitted.labelSpaceSize));
  return topLists(fitted, top, fitted.labelFrequency ?? model.labelSpace?.frequency);
}

/** The same for scores that came from anywhere, one for each item of the data. */
export function evaluateScores(scores: Float64Array, data: Dataset, metrics: readonly Metric[]): Evaluation {
  checkData("evaluateScores", data, "accept bins");
  checkScores("evaluateScores", scores, data);
  check("evaluateScores", metrics, someMetrics);
  const details = Object.fromEntries(
    metrics.map((metric) => [metric.spec, { ...average(metric, scores, data), variant: metric.variant }]),
  );
  const all = Object.values(details);
  const lists = data.starts.length - 1;
  let skipped = 0;
  for (let q = 0; q < lists; q++) if (all.some(({ values }) => Number.isNaN(values[q]!))) skipped++;
  return {
    metrics: Object.fromEntries(Object.entries(details).map(([text, { mean }]) => [text, mean])),
    lists,
    skipped,
    details,
  };
}

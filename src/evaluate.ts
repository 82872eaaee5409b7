/** The verb that says how good a model is: metrics of its scores over the lists of a data set. */
import { checkItems, type ItemOptions, isDataset, itemList, namedList } from "./data/items.ts";
import { judgedTop } from "./data/judged-top.ts";
import { placesOf } from "./fit.ts";
import { type Average, average } from "./metrics/index.ts";
import { Mistake } from "./mistake.ts";
import { isUtilities } from "./models/index.ts";
import type { Dataset, Metric, Model } from "./types.ts";

/** Means of metrics over lists, with the values of every list. */
export interface Evaluation {
  readonly metrics: Readonly<Record<string, number>>; // means, by the text of the metric
  readonly lists: number;
  readonly skipped: number; // lists that at least one metric leaves out
  readonly details: Readonly<Record<string, Average & { readonly variant: string }>>;
}

/** The scores of all entries of a dataset, whose columns must be those of the model. */
export function score(model: Model, data: Dataset): Float64Array;
/** The scores of the items of one list, in their order; see `rank` for what an item may be. */
export function score<T>(model: Model, items: Iterable<T>, options?: ItemOptions<T>): Float64Array;
export function score<T>(model: Model, what: Dataset | Iterable<T>, options?: ItemOptions<T>): Float64Array {
  const data = isDataset(what) ? what : listOf(model, what, options);
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

function listOf<T>(model: Model, items: Iterable<T>, options: ItemOptions<T> | undefined): Dataset {
  checkItems(items);
  if (model.catalogue)
    throw new Mistake(`a model of the kind ${model.id} ranks the labels that it was trained on; give it a dataset of documents`);
  return isUtilities(model) ? namedList(items) : itemList(items, model.columns, options);
}

export function evaluate(model: Model, data: Dataset, metrics: readonly Metric[]): Evaluation {
  const found = judged(model, data, metrics);
  return evaluateScores(found.scores, found.data, metrics);
}

/** Scores and the lists they belong to, as metrics see them: of a catalogue only the places that the metrics look at, and what was judged. */
export function judged(
  model: Model,
  data: Dataset,
  metrics: readonly Metric[],
): { readonly data: Dataset; readonly scores: Float64Array } {
  if (data.catalogue === undefined || !model.top) return { data, scores: score(model, data) };
  const top = model.top(data, placesOf(metrics, data.catalogue));
  return judgedTop(data, top, data.popular ?? model.catalogue?.popular);
}

/** The same for scores that came from anywhere. */
export function evaluateScores(scores: Float64Array, data: Dataset, metrics: readonly Metric[]): Evaluation {
  const details = Object.fromEntries(
    metrics.map((metric) => [metric.text, { ...average(metric, scores, data), variant: metric.variant }]),
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

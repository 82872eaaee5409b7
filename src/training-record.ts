/** What a model file says about how its model was trained. */
import { listSummary, sizeSummary } from "./data/summary.ts";
import type { FitOptions, FittedAs } from "./fit.ts";
import type { Training } from "./formats/models/native.ts";
import type { Dataset, Objective, Shard } from "./types.ts";

/** The record of a training, as it stands in model files. */
export function trainingRecord(
  data: Dataset,
  { model, seed = 1 }: FitOptions,
  objective: Objective,
  { rounds, best, stopOn }: FittedAs,
): Training {
  return {
    ...{ model: model.spec, objective: model.cost ?? objective.spec, seed, rounds, best: best.round, cost: best.cost },
    ...(stopOn !== undefined && { stopOn }),
    data: dataFacts(data),
  };
}

/** The numbers of data that model files record. */
export function dataFacts(data: Dataset): Record<string, unknown> {
  const { lists, entries, features, labels, sizes, listsWithoutPositive } = data.shard
    ? shardSummary(data, data.shard)
    : listSummary(data);
  const most = labels.length <= 32 ? { labels: Object.fromEntries(labels.map(({ label, count }) => [label, count])) } : {};
  return { lists, items: entries, features, sizes, listsWithoutPositive, ...most };
}

/** The summary of the data of all processes, as far as it is recorded. */
function shardSummary({ features }: Dataset, { starts, labels, listsWithoutPositive }: Shard) {
  const sizes = starts.slice(1).map((end, q) => end - starts[q]!);
  return {
    ...{ lists: starts.length - 1, entries: starts.at(-1)!, features: features.columns, sizes: sizeSummary(sizes) },
    ...{ labels: labels.map(([label, count]) => ({ label, count })), listsWithoutPositive },
  };
}

/** What a model file says about how its model was trained. */
import { listSummary } from "./data/summary.ts";
import type { FitOptions, FittedAs } from "./fit.ts";
import type { Training } from "./formats/models/native.ts";
import type { Dataset, Objective } from "./types.ts";

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
  const { lists, entries, features, labels, sizes, listsWithoutPositive } = listSummary(data);
  const most = labels.length <= 32 ? { labels: Object.fromEntries(labels.map(({ label, count }) => [label, count])) } : {};
  return { lists, items: entries, features, sizes, listsWithoutPositive, ...most };
}

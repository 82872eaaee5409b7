/** Metrics of the validation data after a round of training. */
import { topLists } from "./data/top-lists.ts";
import { measureList } from "./metrics/index.ts";
import { summedBlocks } from "./teams/blocks.ts";
import type { Dataset, LabelFrequency, Metric, Model, RoundReport, Team } from "./types.ts";

/** The values of some metrics. */
export const only = (metrics: readonly Metric[], values: Readonly<Record<string, number>>) =>
  Object.fromEntries(metrics.map(({ spec }) => [spec, values[spec]!]));

/** The scores of all items. */
export function scoresOf(model: Model, data: Dataset): Float64Array {
  const scores = new Float64Array(data.labels.length);
  model.score(data, scores);
  return scores;
}

/** The validation lists and their scores; for multi-label data, only the top labels that the metrics need. */
export function validationScores(
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
export function measureAll(team: Team, metrics: readonly Metric[], scores: Float64Array, data: Dataset): Record<string, number> {
  const { listWeights } = data;
  const blocks = summedBlocks(data, team.processes);
  const { bounds } = blocks;
  const sums = team.sum(blocks, 2 * metrics.length, (block, into) => {
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

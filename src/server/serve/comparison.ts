/** How the rankings of a second model differ from those served, summed over all requests since the start. */
import type { Metrics } from "../http/prometheus.ts";
import { type RankingDifference, TOP } from "./compare-rankings.ts";

export interface Comparison {
  add(difference: RankingDifference): void;
  skip(requests: number): void;
  fail(message: string): void;
  /** For GET /models/NAME. */
  summary(): Record<string, unknown>;
}

/** `names` are those of the two models. */
export function comparison(metrics: Metrics, { model, other }: { readonly model: string; readonly other: string }): Comparison {
  const labels = { model, other };
  const counted = metrics.counter("tierwise_comparison_lists_total", "Lists ranked by both models.");
  const skipped = metrics.counter("tierwise_comparison_skipped_total", "Requests that were not compared because others waited.");
  const failed = metrics.counter("tierwise_comparison_errors_total", "Requests that the second model could not score.");
  const sums: RankingDifference = { lists: 0, ordered: 0, tau: 0, overlap: 0, sameFirst: 0 };
  let last: string | undefined;
  const mean = (sum: number, count: number) => (count === 0 ? Number.NaN : sum / count);
  const tau = metrics.gauge("tierwise_comparison_kendall_tau", "Mean of Kendall's tau-b between the rankings of both models.");
  const overlap = metrics.gauge("tierwise_comparison_top_overlap", `Mean share of the first ${TOP} items in common.`);
  const first = metrics.gauge("tierwise_comparison_same_first", "Share of lists with the same first item.");
  return {
    add(difference) {
      for (const key of Object.keys(sums) as (keyof RankingDifference)[]) sums[key] += difference[key];
      counted.add(labels, difference.lists);
      if (sums.ordered > 0) tau.set(mean(sums.tau, sums.ordered), labels);
      overlap.set(mean(sums.overlap, sums.lists), labels);
      first.set(mean(sums.sameFirst, sums.lists), labels);
    },
    skip: (requests) => skipped.add(labels, requests),
    fail(message) {
      failed.add(labels);
      last = message;
    },
    summary: () => ({
      ...{ with: other, lists: sums.lists },
      ...(sums.ordered > 0 && { kendallTau: mean(sums.tau, sums.ordered) }),
      ...(sums.lists > 0 && { topOverlap: mean(sums.overlap, sums.lists), sameFirst: mean(sums.sameFirst, sums.lists) }),
      ...(last !== undefined && { lastError: last }),
    }),
  };
}

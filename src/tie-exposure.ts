/**
 * Tie exposure: how much of a metric depends on how tied scores are broken. Computes its mean under the worst and the best order of ties,
 * its expected value, and the gap between best and worst.
 */
import { check, checkData, checkScores, someMetric } from "./arguments.ts";
import { average, metrics, optionsOf, variantOf } from "./metrics/index.ts";
import { isBuiltBy } from "./part.ts";
import type { Dataset, Metric } from "./types.ts";

/** The range of a metric over the orders of tied scores. */
export interface TieExposure {
  /** Value if ties are broken in the worst order. */
  readonly worst: number;
  /** Value expected over all orders of ties. */
  readonly expected: number;
  /** Value if ties are broken in the best order. */
  readonly best: number;
  /** Best - worst. */
  readonly exposure: number;
  /** Number of lists whose value depends on the order of ties. */
  readonly lists: number;
}

/** Nothing where a metric does not depend on how ties are broken, or is code of the caller, of which no other variant is known. */
export function tieExposure(metric: Metric, scores: Float64Array, data: Dataset): TieExposure | undefined {
  check("tieExposure", metric, someMetric);
  checkData("tieExposure", data);
  checkScores("tieExposure", scores, data);
  if (!isBuiltBy(metrics, metric)) return undefined;
  if (!("ties" in optionsOf(metric))) return undefined;
  const [worst, expected, best] = (["worst", "expected", "best"] as const).map((ties) =>
    average(variantOf(metric, { ties }), scores, data),
  );
  let lists = 0;
  for (let q = 0; q < worst!.lists; q++) if (best!.values[q]! - worst!.values[q]! > 1e-12) lists++;
  return { worst: worst!.mean, expected: expected!.mean, best: best!.mean, exposure: best!.mean - worst!.mean, lists };
}

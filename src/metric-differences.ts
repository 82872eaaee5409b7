/**
 * Explains why two variants of a metric differ on the same scores: goes from one to the other, changing one option at a time in the order
 * in which the metric declares them, and reports the effect of each change on the mean. The effects add up to the difference; if options
 * interact, they depend on the order of the changes.
 */
import { check, checkData, checkScores, someMetric } from "./arguments.ts";
import { InputError } from "./input-error.ts";
import { average, nativeVariant, optionsOf, variantOf } from "./metrics/index.ts";
import type { Dataset, Metric } from "./types.ts";

/** What one option of a metric changes. */
export interface MetricChange {
  /** Name of the option. */
  readonly option: string;
  /** Value before the change. */
  readonly from: string;
  /** Value after the change. */
  readonly to: string;
  /** Mean of the metric after the change. */
  readonly mean: number;
  /** Change of the mean. */
  readonly effect: number;
  /** Number of lists whose value changes, including those that begin or cease to count. */
  readonly lists: number;
}

/** The difference of two variants of a metric, taken apart. */
export interface MetricDifference {
  /** The first metric. */
  readonly from: {
    /** Spec of the metric. */
    readonly text: string;
    /** Mean over the lists. */
    readonly mean: number;
  };
  /** The second metric. */
  readonly to: {
    /** Spec of the metric. */
    readonly text: string;
    /** Mean over the lists. */
    readonly mean: number;
  };
  /** The effect of each option, one after another. */
  readonly changes: readonly MetricChange[];
}

/** Why two variants of a metric differ on these lists, option by option. */
export function metricDifference(from: Metric, to: Metric, scores: Float64Array, data: Dataset): MetricDifference {
  check("metricDifference", from, someMetric);
  check("metricDifference", to, someMetric);
  checkData("metricDifference", data);
  checkScores("metricDifference", scores, data);
  if (from.id !== to.id)
    throw new InputError(`${from.spec} and ${to.spec} are different metrics; only variants of one metric can be compared`);
  const [start, end] = [optionsOf(from), optionsOf(to)];
  let here = variantOf(from, start);
  let last = average(here, scores, data);
  const first = last.mean;
  const changes: MetricChange[] = [];
  for (const option of Object.keys(end)) {
    if (start[option] === end[option]) continue;
    here = variantOf(here, { [option]: end[option] });
    const next = average(here, scores, data);
    let lists = 0;
    for (let q = 0; q < next.lists; q++) if (!same(last.values[q]!, next.values[q]!)) lists++;
    changes.push({
      option,
      from: String(start[option]),
      to: String(end[option]),
      mean: next.mean,
      effect: next.mean - last.mean,
      lists,
    });
    last = next;
  }
  return { from: { text: from.spec, mean: first }, to: { text: to.spec, mean: last.mean }, changes };
}

const same = (a: number, b: number) => (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= 1e-12;

/**
 * Which variants to hold against each other: of several of one metric, each against the first; a single one against ours with the same
 * cutoff. A metric that is already ours has nothing to explain.
 */
export function variantPairs(metrics: readonly Metric[]): [Metric, Metric][] {
  return [...new Set(metrics.map(({ id }) => id))].flatMap((id) => {
    const [first, ...others] = metrics.filter((one) => one.id === id);
    if (others.length > 0) return others.map((other): [Metric, Metric] => [first!, other]);
    const ours = nativeVariant(first!);
    return ours.spec === first!.spec ? [] : [[ours, first!]];
  });
}

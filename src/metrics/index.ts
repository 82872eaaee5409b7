/**
 * All metrics, and how they are found by name.
 *
 * Besides our own `ndcg@10;gain=lin` and presets of other tools, `ndcg@10:lightgbm` (presets.ts), the spellings of ir_measures, `nDCG@10`
 * and `P(rel=2)@5`, and of trec_eval, `ndcg_cut_10` and `P_5`, are read. They are aliases of our metrics: gain, ties and empty lists follow
 * our defaults, as stated in the definition.
 */

import { check, someMetric, someText } from "../arguments.ts";
import { describeValue, InputError, quote } from "../input-error.ts";
import { type AnyPart, buildPart, find, isBuiltBy, parseSpec, resolveOptions } from "../part.ts";
import type { Metric } from "../types.ts";
import { dcg } from "./dcg.ts";
import { err } from "./err.ts";
import { kendall } from "./kendall.ts";
import { meanAveragePrecision } from "./map.ts";
import { mrr } from "./mrr.ts";
import { ndcg } from "./ndcg.ts";
import { precision } from "./precision.ts";
import { psndcg } from "./psndcg.ts";
import { psp } from "./psp.ts";
import { recall } from "./recall.ts";
import { spearman } from "./spearman.ts";
import { tierAccuracy } from "./tier-accuracy.ts";
import { tierBoundaries } from "./tier-boundaries.ts";
import { tierLikelihood } from "./tier-likelihood.ts";

export type { DcgOptions } from "./dcg.ts";
export type { ErrOptions } from "./err.ts";
export type { MeanAveragePrecisionOptions } from "./map.ts";
export { type Average, average, type ListValue, measureList } from "./mean.ts";
export type { MrrOptions } from "./mrr.ts";
export type { NdcgOptions } from "./ndcg.ts";
export type { PrecisionOptions } from "./precision.ts";
export type { PsndcgOptions } from "./psndcg.ts";
export type { PspOptions } from "./psp.ts";
export type { RecallOptions } from "./recall.ts";
export type { MetricOptions, RankMetricOptions } from "./shared/metric-part.ts";
export type { TierBoundariesOptions } from "./tier-boundaries.ts";
export type { TierLikelihoodOptions } from "./tier-likelihood.ts";
export {
  dcg,
  err,
  kendall,
  meanAveragePrecision,
  mrr,
  ndcg,
  precision,
  psndcg,
  psp,
  recall,
  spearman,
  tierAccuracy,
  tierBoundaries,
  tierLikelihood,
};

/** Every metric, as `tierwise list metrics` has them. */
export const metrics: readonly AnyPart<Metric>[] = [
  ndcg,
  dcg,
  err,
  meanAveragePrecision,
  mrr,
  precision,
  recall,
  psp,
  psndcg,
  kendall,
  spearman,
  tierLikelihood,
  tierAccuracy,
  tierBoundaries,
];

/** The metric that a text names: `ndcg@10`, `ndcg@10;gain=lin;ties=worst`, `ndcg@10:lightgbm`, `P(rel=2)@5` or `ndcg_cut_10`. */
export function metric(spec: string): Metric {
  if (typeof spec !== "string")
    throw new InputError(`expected the name of a metric, such as "ndcg@10", got ${describeValue(spec)}`);
  const trec = /^\s*([a-z]+(?:_[a-z]+)*)_(\d+)(?=\s*(?:[:;]|$))/i;
  return find(metrics, "metric", spec.replace(trec, "$1@$2"));
}

/** The part that built a metric and its options. Code of the caller has none, whatever it is called. */
function declared(one: Metric): ReturnType<typeof parseSpec<Metric>> {
  check("options of a metric", one, someMetric);
  if (!isBuiltBy(metrics, one))
    throw new InputError(
      `the metric ${one.spec} is not as the library builds it, so its options are not known and cannot be changed`,
    );
  return parseSpec(metrics, "metric", one.spec);
}

/** All options of a metric as they stand, by name, whether said or from the defaults of a tool. */
export function optionsOf(one: Metric): Readonly<Record<string, unknown>> {
  const { part, options } = declared(one);
  const all = Object.entries(resolveOptions(part, "metric", options));
  return Object.fromEntries(all.filter(([name]) => !part.fields[name]?.preset));
}

/** The same metric with some options changed. */
export function variantOf(one: Metric, changed: Readonly<Record<string, unknown>>): Metric {
  if (typeof changed !== "object" || changed === null)
    throw new InputError(`variantOf: expected options as an object, got ${describeValue(changed)}`);
  const { part, options } = declared(one);
  return buildPart(part, "metric", { ...options, ...changed });
}

/** Our own definition of a metric, at the same cutoff. */
export function nativeVariant(one: Metric): Metric {
  const { part, options } = declared(one);
  return buildPart(part, "metric", options.k === undefined ? {} : { k: options.k });
}

/**
 * Metrics separated by commas; the options of one are separated by semicolons. A metric named twice is listed once. `own` are metrics of the caller, by the names
 * that they have in the text.
 */
export function metricList(spec: string, own: ReadonlyMap<string, Metric> = new Map()): Metric[] {
  check("metricList", spec, someText);
  const found = new Map<string, Metric>();
  for (const name of metricNames(spec)) {
    if (/^[a-z-]+=/i.test(name) && !own.has(name))
      throw new InputError(`${quote(name)} is not a metric; options follow their metric after ";", as in "ndcg@10;gain=lin"`);
    const one = own.get(name) ?? metric(name);
    if (!found.has(one.spec)) found.set(one.spec, one);
  }
  if (found.size === 0) throw new InputError(`expected metrics separated by ",", such as "ndcg@10,err", got ${quote(spec)}`);
  return [...found.values()];
}

/** The names in a list of metrics, which commas outside parentheses separate. */
export function metricNames(spec: string): string[] {
  check("metricNames", spec, someText);
  return spec
    .split(/,(?![^(]*\))/)
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/**
 * Declares a metric from its own options and its formula: over groups of tied items for a rank metric, which then has the option `ties`, or
 * over the scores themselves. Adds what all metrics have in common: the options `empty` and `as`, input checks, the text of the definition,
 * and the spec `ndcg@10:lightgbm;gain=lin`.
 */
import { InputError } from "../../input-error.ts";
import { choice, type Fields, type NonDefault, type Part, part } from "../../part.ts";
import type { LabelFrequency, Metric } from "../../types.ts";
import { presetField } from "../presets.ts";
import { type TieGroups, type Ties, tieGroups, ties } from "./ties.ts";

const empty = choice(
  ["skip", "0", "1"],
  "a list for which the metric is undefined: left out of the mean and counted, or counted as 0 or 1",
);

/** Options of every metric. */
export interface MetricOptions {
  /** A list for which the metric is undefined: left out of the mean and counted, or counted as 0 or 1. Default: "skip". */
  readonly empty: "skip" | "0" | "1";
  /**
   * Preset of another tool, also without a key in specs, as in `ndcg@10:lightgbm`: the metric as that tool defines it, unless other options
   * are given. `tierwise list ndcg` names the tools that have the metric. Default: "tierwise".
   */
  readonly as?: string;
}

/** Options of every metric of the order that scores give. */
export interface RankMetricOptions extends MetricOptions {
  /** Tied scores: mean over their orders, order of the data, least or greatest value, or descending document id. Default: "expected". */
  readonly ties: "expected" | "order" | "worst" | "best" | "docno";
}

/** A metric as all of them are declared in the end: a value from the scores of one list. */
export interface Definition {
  /** The definition in words, without empty lists. */
  readonly description: string;
  /** What a list must have to tell, as in "lists without a relevant item". */
  readonly requires: string;
  /** The value of one list, NaN where it is undefined. */
  value(scores: Float64Array, labels: Float32Array, ids?: readonly string[], frequency?: LabelFrequency): number;
  /** What the best order would reach, where the mean over lists is a ratio of means. */
  readonly ideal?: (labels: Float32Array, frequency?: LabelFrequency) => number;
}

/** A metric of the order that scores give, with groups of tied items. */
export interface Formula {
  /** The definition in words, without ties and empty lists. */
  readonly description: string;
  readonly requires: string;
  /** Tied scores, where they are not averaged over their orders. */
  readonly tieRule?: string;
  value(list: TieGroups, labels: Float32Array, frequency?: LabelFrequency): number;
  readonly ideal?: Definition["ideal"];
  /** The greatest or least value over the orders of tied items, where sorting them by label does not give it. */
  extreme?(list: TieGroups, labels: Float32Array, which: "best" | "worst"): number;
}

const TIED: Record<Ties, string> = {
  expected: "expected over tied scores",
  order: "tied scores in the order of the data",
  worst: "tied scores in the worst order",
  best: "tied scores in the best order",
  docno: "tied scores by descending document id",
};

/** A metric of the order of a list. */
export function metricPart<O extends object>(
  id: string,
  about: string,
  own: Fields<O>,
  define: (options: O, spec: string) => Formula,
  aliases: readonly string[] = [],
): Part<O & RankMetricOptions, Metric> {
  const fields = { ...own, ties } as unknown as Fields<O & { readonly ties: Ties }>;
  const order = (options: O & { readonly ties: Ties }, spec: string): Definition => {
    const formula = define(options, spec);
    const rule = options.ties;
    const tied = (rule === "expected" && formula.tieRule) || TIED[rule];
    const extreme = formula.extreme && (rule === "best" || rule === "worst") ? rule : undefined;
    return {
      description: `${formula.description}, ${tied}`,
      requires: formula.requires,
      ...(formula.ideal && { ideal: formula.ideal }),
      value: (scores, labels, ids, frequency) =>
        extreme
          ? formula.extreme!(tieGroups(scores, labels, "expected"), labels, extreme)
          : formula.value(tieGroups(scores, labels, rule, ids), labels, frequency),
    };
  };
  return scorePart(id, about, fields, order, aliases, true);
}

/** A metric that looks at the scores themselves. */
export function scorePart<O extends object>(
  id: string,
  about: string,
  own: Fields<O>,
  define: (options: O, spec: string) => Definition,
  aliases: readonly string[] = [],
  ofOrder = false,
): Part<O & MetricOptions, Metric> {
  const fields = { ...own, empty, ...presetField(id) } as unknown as Fields<O & MetricOptions>;
  const make = (options: O & MetricOptions, spec: string): Metric => {
    const { description, requires, value, ideal } = define(options, spec);
    const emptyValue = options.empty === "skip" ? Number.NaN : Number(options.empty);
    const depth = (options as { readonly k?: number }).k;
    const counted = options.empty === "skip" ? "left out" : `count as ${options.empty}`;
    return {
      id,
      spec,
      variant: `${description}, lists without ${requires} ${counted}`,
      better: "higher",
      ...(depth !== undefined && depth !== Infinity && { depth }),
      ...(ideal && { ideal }),
      ...(ofOrder && { ofOrder: true as const }),
      measure(scores, labels, ids, frequency) {
        check(spec, scores, labels, ids);
        const found = value(scores, labels, ids, frequency);
        return Number.isNaN(found) ? emptyValue : found;
      },
    };
  };
  return part(id, about, fields, make, aliases, formatSpec);
}

/** `ndcg@10;gain=lin;ties=worst` or `ndcg@10:lightgbm;ties=worst` */
function formatSpec(id: string, nonDefault: readonly NonDefault[]): string {
  const at = nonDefault.find(({ key }) => key === "k");
  const tool = nonDefault.find(({ bare }) => bare);
  const rest = nonDefault.filter((one) => one !== at && one !== tool).map(({ key, value }) => `;${key}=${value}`);
  return `${id}${at ? `@${at.value}` : ""}${tool ? `:${tool.value}` : ""}${rest.join("")}`;
}

function check(spec: string, scores: Float64Array, labels: Float32Array, ids?: readonly string[]): void {
  if (scores.length !== labels.length)
    throw new InputError(`${spec}: expected a score for each of ${labels.length} labels, got ${scores.length} scores`);
  if (ids && ids.length !== labels.length)
    throw new InputError(`${spec}: expected a document id for each of ${labels.length} labels, got ${ids.length} ids`);
  for (let i = 0; i < labels.length; i++) {
    if (Number.isNaN(scores[i]!)) throw new InputError(`${spec}: the score of item ${i + 1} of a list is not a number`);
    if (!Number.isFinite(labels[i]!))
      throw new InputError(`${spec}: expected finite labels, got ${labels[i]} for item ${i + 1} of a list`);
  }
}

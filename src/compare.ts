/**
 * Function that says compare systems, with intervals and significance tests: for every metric the mean of each system with its interval,
 * and list by list the differences to one of them, the baseline, with a randomization test. p-values are corrected by Holm over all
 * comparisons made, systems times metrics. All systems must have run on the same lists. Of ballots it is the voters who are resampled and
 * signed, one by one, however many of them cast the same ballot.
 */
import {
  check,
  checkData,
  checkOptions,
  fraction,
  type Kinds,
  required,
  seedNumber,
  someMetrics,
  someText,
  wholeFrom,
} from "./arguments.ts";
import { countsOf } from "./data/voters.ts";
import type { Evaluation } from "./evaluate.ts";
import { checkMeasured, isMeasured, type SystemValues } from "./formats/values.ts";
import { InputError, quote } from "./input-error.ts";
import { random } from "./numeric/random.ts";
import { suggest } from "./part.ts";
import { bootstrapMean, compareValues, holm, type Interval, paired } from "./statistics/index.ts";
import type { Dataset, Metric } from "./types.ts";

/** How systems are compared. */
export interface ComparisonOptions {
  /** Metrics to compare. */
  readonly metrics: readonly Metric[];
  /** Name of the system that the others are compared with. Default: the first system. */
  readonly baseline?: string;
  /** Number of most changed lists to name for each comparison. Default: 5. */
  readonly changed?: number;
  /** Level of the intervals. Default: 0.95. */
  readonly level?: number;
  /** Random sign assignments of the randomization test. Default: 100000. */
  readonly rounds?: number;
  /** Resamples of the bootstrap intervals. Default: 4000. */
  readonly resamples?: number;
  /** Seed of the test and the resampling. Default: 1. */
  readonly seed?: number;
}

/** Systems compared on the same lists. */
export interface Comparison {
  /** Name of the baseline. */
  readonly baseline: string;
  /** Number of lists; for ballots, of voters. */
  readonly lists: number;
  /** Number of comparisons that p-values are corrected for. */
  readonly comparisons: number;
  /** Results by metric. */
  readonly metrics: readonly ComparedMetric[];
}

/** The systems under one metric. */
export interface ComparedMetric {
  /** Spec of the metric. */
  readonly metric: string;
  /** Definition of the metric in words. */
  readonly variant: string;
  /** Whether higher or lower values are better. */
  readonly better: Metric["better"];
  /** Mean and interval of each system. */
  readonly systems: readonly ({
    /** Name of the system. */
    readonly system: string;
  } & Interval)[];
  /** Difference of each other system to the baseline. */
  readonly differences: readonly SystemDifference[];
}

/** System minus baseline, over the lists for which both are defined. */
export interface SystemDifference {
  /** Name of the system. */
  readonly system: string;
  /** Mean difference with its interval. */
  readonly difference: Interval;
  /** Two-sided p-value of the randomization test. */
  readonly p: number;
  /** p-value corrected by Holm's method over all comparisons. */
  readonly corrected: number;
  /** Whether p was computed over all sign assignments rather than a random sample. */
  readonly exact: boolean;
  /** Number of lists on which the system is better. */
  readonly wins: number;
  /** Number of lists on which both are equal. */
  readonly ties: number;
  /** Number of lists on which the baseline is better. */
  readonly losses: number;
  /** The lists that changed most, largest change first. */
  readonly changed: readonly ChangedList[];
}

/** A list whose value differs between system and baseline. */
export interface ChangedList {
  /** Id of the list. */
  readonly list: string;
  /** Value of the baseline. */
  readonly baseline: number;
  /** Value of the system. */
  readonly system: number;
  /** System minus baseline. */
  readonly difference: number;
}

const kinds: Kinds<ComparisonOptions> = {
  metrics: required(someMetrics),
  baseline: someText,
  ...{ changed: wholeFrom(0, true), level: fraction, rounds: wholeFrom(1), resamples: wholeFrom(10), seed: seedNumber },
};

/** Compares systems that were measured on the same lists (see `measured`). */
export function compare(systems: readonly SystemValues[], options: ComparisonOptions): Comparison {
  check("compare", systems, { wanted: "an array of what measured or parseValues give", fits: areMeasured });
  checkOptions("compare", options, kinds);
  for (const one of systems) checkMeasured("compare", one);
  const { metrics, baseline: wanted, changed = 5, seed = 1, rounds, ...sampling } = options;
  if (systems.length < 2) throw new InputError(`compare: expected at least two systems, got ${systems.length}`);
  const names = systems.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(`compare: ${quote(twice)} is given twice`);
  const baseline = wanted === undefined ? systems[0]! : systems.find(({ name }) => name === wanted);
  if (!baseline) throw new InputError(`compare: no system is called ${quote(wanted!)}; ${suggest(wanted!, names)}`);
  const others = systems.filter((one) => one !== baseline);
  const orders = new Map(systems.map((one) => [one.name, sameLists(baseline, one)]));
  const voters = votersIn(baseline);
  const each = (values: Float64Array) => (voters ? Float64Array.from(voters, (q) => values[q]!) : values);
  const weights = baseline.weights && !voters ? { weights: baseline.weights } : {};
  const values = (system: SystemValues, { spec }: Metric) => {
    const all = system.values[spec];
    if (!all)
      throw new InputError(`${system.name} has no values of ${spec}; it has ${Object.keys(system.values).join(", ") || "none"}`);
    return Float64Array.from(orders.get(system.name)!, (at) => all[at]!);
  };

  const found = metrics.map((metric, m) => {
    const base = values(baseline, metric);
    const sign = metric.better === "higher" ? 1 : -1;
    return {
      ...{ metric: metric.spec, variant: metric.variant, better: metric.better },
      systems: systems.map((system, s) => ({
        system: system.name,
        ...bootstrapMean(each(values(system, metric)), { ...sampling, ...weights, random: random(seed, m, s) }),
      })),
      differences: others.map((system) => {
        const own = values(system, metric);
        const {
          error: _,
          wins,
          losses,
          ...comparison
        } = compareValues(each(own), each(base), {
          ...{ ...sampling, ...weights, seed },
          ...(rounds === undefined ? {} : { rounds }),
        });
        return {
          system: system.name,
          ...comparison,
          ...(sign > 0 ? { wins, losses } : { wins: losses, losses: wins }),
          changed: mostChanged(own, base, baseline.lists, changed),
        };
      }),
    };
  });
  const corrected = holm(found.flatMap(({ differences }) => differences.map(({ p }) => p)));
  return {
    baseline: baseline.name,
    lists: (voters ?? baseline.lists).length,
    comparisons: corrected.filter((p) => !Number.isNaN(p)).length,
    metrics: found.map((one, m) => ({
      ...one,
      differences: one.differences.map((difference, d) => ({ ...difference, corrected: corrected[m * others.length + d]! })),
    })),
  };
}

/**
 * What an evaluation reached on each list. Where the mean of a metric is a ratio of means, values are scaled by the one number that makes
 * their mean that ratio, so that differences of means are differences of what is printed.
 */
export function systemValues(name: string, evaluation: Evaluation, data: Dataset): SystemValues {
  check("systemValues, the name", name, someText);
  check("systemValues", evaluation, { wanted: "what evaluate gives", fits: isEvaluation });
  checkData("systemValues", data);
  const { details, lists } = evaluation;
  const { starts, names, listWeights } = data;
  if (lists !== starts.length - 1)
    throw new InputError(
      `systemValues: expected the data of the evaluation, which has ${lists} lists, got data of ${starts.length - 1}`,
    );
  return {
    name,
    lists: names.lists ?? Array.from({ length: starts.length - 1 }, (_, q) => String(q + 1)),
    values: Object.fromEntries(
      Object.entries(details).map(([text, { values, mean }]) => {
        const plain = meanOf(values, listWeights);
        return [text, plain === 0 || plain === mean ? values : values.map((value) => value * (mean / plain))];
      }),
    ),
    ...(listWeights && { weights: listWeights }),
    ...(countsOf(data) && { counted: true as const }),
  };
}

const MOST_VOTERS = 2 ** 20; // beyond, resampling them takes minutes, and the ballots are resampled with their weights

/** The list of each voter, where lists are ballots that several cast. */
function votersIn({ weights, counted, lists }: SystemValues): Uint32Array | undefined {
  if (!counted || !weights) return undefined;
  const counts = Array.from(weights);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (!(total <= MOST_VOTERS && counts.every((count) => Number.isInteger(count) && count >= 0))) return undefined;
  const voters = new Uint32Array(total);
  let at = 0;
  lists.forEach((_, q) => void voters.fill(q, at, (at += counts[q]!)));
  return voters;
}
const isEvaluation = (value: unknown) =>
  typeof value === "object" && value !== null && "details" in value && "lists" in value && typeof value.details === "object";

const areMeasured = (value: unknown) => Array.isArray(value) && value.every((one) => isMeasured.fits(one));

/** The same sum as that of `average`, so that it has the same bits. */
function meanOf(values: Float64Array, weights: Float32Array | undefined): number {
  let [sum, mass] = [0, 0];
  values.forEach((value, q) => {
    if (Number.isNaN(value)) return;
    const weight = weights ? weights[q]! : 1;
    sum += weight * value;
    mass += weight;
  });
  return sum / mass;
}

/** Where each list of the baseline stands in another system. */
function sameLists(baseline: SystemValues, system: SystemValues): Uint32Array {
  const { lists } = baseline;
  if (lists.length === system.lists.length && lists.every((id, q) => id === system.lists[q]))
    return Uint32Array.from(lists.keys());
  for (const { name, lists: ids } of [baseline, system])
    if (new Set(ids).size < ids.length)
      throw new InputError(`compare: two lists of ${name} have the same id, so they cannot be matched with another system`);
  const lacks = (one: SystemValues, other: SystemValues) => {
    const ids = new Set(one.lists);
    const missing = other.lists.filter((id) => !ids.has(id));
    if (missing.length === 0) return;
    const named = missing.slice(0, 5).join(", ");
    throw new InputError(
      `compare: ${one.name} did not run on ${missing.length} of the ${other.lists.length} lists of ${other.name} (${named}${missing.length > 5 ? ", ..." : ""}); only the same lists can be compared`,
    );
  };
  lacks(system, baseline);
  lacks(baseline, system);
  const places = new Map(system.lists.map((id, at) => [id, at]));
  return Uint32Array.from(lists, (id) => places.get(id)!);
}

function mostChanged(own: Float64Array, base: Float64Array, ids: readonly string[], most: number): ChangedList[] {
  const { a, b, differences, lists } = paired(own, base);
  const order = Array.from(lists.keys()).filter((i) => differences[i] !== 0);
  order.sort((i, j) => Math.abs(differences[j]!) - Math.abs(differences[i]!) || i - j);
  return order
    .slice(0, most)
    .map((i) => ({ list: ids[lists[i]!]!, baseline: b[i]!, system: a[i]!, difference: differences[i]! }));
}

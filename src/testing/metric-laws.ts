/**
 * The laws of metrics: values lie in their range, NaN depends on the labels alone, the ideal order is best, neither the order of the data nor a
 * monotone change of the scores matters, `depth` and `ideal` are what they claim, and where the definition for one order is given, tied scores
 * get the mean over all their orders.
 */
import { below, shuffle } from "../numeric/random.ts";
import type { LabelFrequency, Metric, Random } from "../types.ts";
import { close, type Law, type List, showList, Violation } from "./laws.ts";

/** What a metric claims about itself beyond its members. */
export interface MetricCheckOptions {
  /** Least and greatest value. Default: no bounds. */
  readonly range?: readonly [least: number, most: number];
  /** "order": only the order of the scores matters. "scores": the scores themselves do, such as a likelihood. Default: "order". */
  readonly dependsOn?: "order" | "scores";
  /** What tied scores are. "any": their order in the data does not matter. "order": that order breaks them. Default: "any". */
  readonly ties?: "any" | "order";
  /**
   * The metric for one order without ties: labels from the first place to the last, NaN where the list is left out. Where it is given, tied
   * scores must have the mean over all their orders. Default: not checked.
   */
  readonly definition?: (placed: readonly number[]) => number;
  /** The labels that lists are drawn from. Default: [-2, -0.5, 0, 0, 0.25, 0.5, 1, 1, 1.5, 2, 3, 4]. */
  readonly labels?: readonly number[];
  /** Lists that each law is checked on. Default: 100. */
  readonly cases?: number;
}

/** The options with their defaults; the definition may be absent. */
export type MetricClaims = Required<Omit<MetricCheckOptions, "definition">> & Pick<MetricCheckOptions, "definition">;

export const metricClaims = (options: MetricCheckOptions): MetricClaims => ({
  range: [-Infinity, Infinity],
  dependsOn: "order",
  ties: "any",
  labels: [-2, -0.5, 0, 0, 0.25, 0.5, 1, 1, 1.5, 2, 3, 4],
  cases: 100,
  ...options,
});

const TINY = 1e-12; // what rounding may change, relative to the larger of 1 and the value

/** Metrics of propensities want label frequencies; here every item is relevant in 9 of 100 training lists. */
const frequencyOf = ({ labels }: List): LabelFrequency => ({ lists: 100, counts: new Uint32Array(labels.length).fill(9) });

const measure = (metric: Metric, list: List) => metric.measure(list.scores, list.labels, undefined, frequencyOf(list));

interface Shape {
  readonly most: number; // items
  readonly scores: number; // different scores: few make ties
}
const SHORT: Shape = { most: 6, scores: 4 };
const LONG: Shape = { most: 60, scores: 31 };

function draw({ labels }: MetricClaims, random: Random, { most, scores }: Shape): List {
  const items = below(random, most + 1);
  return {
    scores: Float64Array.from({ length: items }, () => below(random, scores) / 2 - 1),
    labels: Float32Array.from({ length: items }, () => labels[below(random, labels.length)]!),
  };
}

/** A list without tied scores. */
function untied(claims: MetricClaims, random: Random, shape = LONG): List {
  const list = draw(claims, random, shape);
  return {
    ...list,
    scores: Float64Array.from(
      shuffle(
        Uint32Array.from(list.labels, (_, i) => i),
        random,
      ),
      (i) => i / 4 - 3,
    ),
  };
}

const permuted = ({ scores, labels }: List, random: Random): List => {
  const order = shuffle(
    Uint32Array.from(labels, (_, i) => i),
    random,
  );
  return { scores: Float64Array.from(order, (i) => scores[i]!), labels: Float32Array.from(order, (i) => labels[i]!) };
};

const list = (scores: readonly number[], labels: readonly number[]): List => ({
  scores: Float64Array.from(scores),
  labels: Float32Array.from(labels),
});

/** Calls `visit` for as many lists as the options say. */
function repeat({ cases }: MetricClaims, visit: () => void): void {
  for (let round = 0; round < cases; round++) visit();
}

/** The labels of every order that the scores allow. */
function orders({ scores, labels }: List): number[][] {
  const visit = (left: readonly number[]): number[][] => {
    if (left.length === 0) return [[]];
    const top = Math.max(...left.map((i) => scores[i]!));
    return left.flatMap((first) =>
      scores[first] === top ? visit(left.filter((i) => i !== first)).map((rest) => [labels[first]!, ...rest]) : [],
    );
  };
  return visit(Array.from(labels, (_, i) => i));
}

const better = ({ better: way }: Metric, one: number, other: number) => (way === "higher" ? one > other : one < other);

/** All laws of metrics. */
export const metricLaws: readonly Law<Metric, MetricClaims>[] = [
  {
    name: "measure changes neither scores nor labels, and gives the same value again",
    applies: () => true,
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = draw(claims, random, { most: 10, scores: 8 });
        const before = showList(list);
        const value = measure(metric, list);
        if (showList(list) !== before) throw new Violation(`${before} became ${showList(list)}`);
        close("the value of the second call", measure(metric, list), value, 0, list);
      }),
  },
  {
    name: "a value is a number in its range",
    applies: () => true,
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = draw(claims, random, LONG);
        const value: unknown = measure(metric, list);
        const [least, most] = claims.range;
        if (typeof value !== "number") throw new Violation(`the value is no number but ${typeof value} (${showList(list)})`);
        if (!Number.isNaN(value) && !(value >= least && value <= most))
          throw new Violation(`the value ${value} is not between ${least} and ${most} (${showList(list)})`);
      }),
  },
  {
    name: "whether a value is NaN depends on the labels alone",
    applies: () => true,
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = draw(claims, random, LONG);
        const other = { ...list, scores: draw(claims, random, LONG).scores };
        const same = { ...list, scores: list.scores.map((_, i) => other.scores[i] ?? 0) };
        const [one, two] = [measure(metric, list), measure(metric, same)];
        if (Number.isNaN(one) !== Number.isNaN(two))
          throw new Violation(`${one} with ${showList(list)} and ${two} with ${showList(same)}`);
      }),
  },
  {
    name: "the ideal order is best",
    applies: (_, { dependsOn }) => dependsOn === "order",
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = draw(claims, random, LONG);
        const [value, ideal] = [measure(metric, list), measure(metric, { ...list, scores: Float64Array.from(list.labels) })];
        if (better(metric, value, ideal) && Math.abs(value - ideal) > TINY)
          throw new Violation(`${value} is better than ${ideal}, the value of scores equal to the labels (${showList(list)})`);
      }),
  },
  {
    name: "the order of the data does not matter",
    applies: () => true,
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = claims.ties === "order" ? untied(claims, random) : draw(claims, random, LONG);
        const other = permuted(list, random);
        close("the value of the permuted list", measure(metric, other), measure(metric, list), TINY, other);
      }),
  },
  {
    name: "only the order of the scores matters",
    applies: (_, { dependsOn }) => dependsOn === "order",
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = draw(claims, random, LONG);
        const other = { ...list, scores: list.scores.map((score) => score * score * score + 2 * score + 5) };
        close("the value of rescaled scores", measure(metric, other), measure(metric, list), 0, other);
      }),
  },
  {
    name: "the order of items below `depth` does not matter",
    applies: ({ depth }) => depth !== undefined,
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = untied(claims, random);
        const ranked = Array.from(list.scores, (_, i) => i).sort((a, b) => list.scores[b]! - list.scores[a]!);
        const scores = list.scores.slice();
        const tail = ranked.slice(metric.depth);
        const moved = shuffle(Uint32Array.from(tail), random);
        tail.forEach((item, at) => void (scores[moved[at]!] = list.scores[item]!));
        close("the value after reordering the tail", measure(metric, { ...list, scores }), measure(metric, list), TINY, list);
      }),
  },
  {
    name: "`ideal` is what the ideal order reaches",
    applies: ({ ideal }) => ideal !== undefined,
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = untied(claims, random);
        const ideal = metric.ideal!(list.labels, frequencyOf(list));
        const reached = measure(metric, { ...list, scores: Float64Array.from(list.labels) });
        if (!Number.isNaN(reached)) close("ideal", ideal, reached, TINY, list);
      }),
  },
  {
    name: "tied scores have the mean over all their orders",
    applies: (_, { definition }) => definition !== undefined,
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = draw(claims, random, SHORT);
        const values = orders(list).map((placed) => claims.definition!(placed));
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        close("the value", measure(metric, list), mean, TINY, list);
      }),
  },
  {
    name: "without ties the value is that of the definition",
    applies: (_, { definition }) => definition !== undefined,
    check: (metric, claims, random) =>
      repeat(claims, () => {
        const list = untied(claims, random);
        close("the value", measure(metric, list), claims.definition!(orders(list)[0]!), TINY, list);
      }),
  },
  {
    name: "empty lists, single items and scores of any size give a number or NaN",
    applies: () => true,
    check(metric, { labels, dependsOn }) {
      const [low, high] = [Math.min(...labels), Math.max(...labels)];
      const far = dependsOn === "order" ? [list([Infinity, 0], [low, high])] : [];
      for (const one of [list([], []), list([3], [high]), list([1e300, -1e300], [high, low]), ...far]) {
        const value: unknown = measure(metric, one);
        if (typeof value !== "number" || Math.abs(value) === Infinity)
          throw new Violation(`the value is ${String(value)} (${showList(one)})`);
      }
    },
  },
];

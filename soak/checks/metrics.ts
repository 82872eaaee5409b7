/**
 * Metrics with random options: the laws of src/testing on random lists, tied scores against the mean over all orders of the same metric without
 * ties, and the common ones against their definitions.
 */
import { digestOf } from "../../fuzz/target.ts";
import { InputError } from "../../src/input-error.ts";
import { metric as find, metrics as parts } from "../../src/metrics/index.ts";
import { tools } from "../../src/metrics/presets.ts";
import { below } from "../../src/numeric/random.ts";
import { optimizers } from "../../src/optimizers/index.ts";
import type { Metric, Random } from "../../src/types.ts";
import { build } from "../../test/random-cases.ts";
import { type Check, each, Finding } from "../check.ts";

interface List {
  readonly scores: Float64Array;
  readonly labels: Float32Array;
}

const pick = <T>(draw: Random, from: readonly T[]): T => from[below(draw, from.length)]!;

/** Labels from the first place to the last, for every order that the scores allow. */
function orders({ scores, labels }: List): number[][] {
  const visit = (left: readonly number[]): number[][] => {
    if (left.length === 0) return [[]];
    const top = Math.max(...left.map((i) => scores[i]!));
    return left.flatMap((first) =>
      scores[first] === top ? visit(left.filter((i) => i !== first)).map((rest) => [labels[first]!, ...rest]) : [],
    );
  };
  return visit(Array.from(labels.keys()));
}

const placed = (labels: readonly number[]): List => ({
  scores: Float64Array.from(labels, (_, i) => -i),
  labels: Float32Array.from(labels),
});

const sumOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const relevant = (label: number) => label > 0;

/** Definitions of metrics for one order, by their specs. Labels are whole and not below 0; NaN: the list is left out. */
const definitions: Readonly<Record<string, (k: number) => { spec: string; of(labels: readonly number[]): number }>> = {
  ndcg: (k) => ({
    spec: `ndcg@${k}`,
    of(labels) {
      const dcg = (order: readonly number[]) => sumOf(order.slice(0, k).map((label, p) => (2 ** label - 1) / Math.log2(p + 2)));
      const best = dcg([...labels].sort((a, b) => b - a));
      return best === 0 ? Number.NaN : dcg(labels) / best;
    },
  }),
  dcg: (k) => ({
    spec: `dcg@${k}`,
    of: (labels) => sumOf(labels.slice(0, k).map((label, p) => (2 ** label - 1) / Math.log2(p + 2))),
  }),
  precision: (k) => ({ spec: `precision@${k}`, of: (labels) => labels.slice(0, k).filter(relevant).length / k }),
  mrr: (k) => ({
    spec: `mrr@${k}`,
    of: (labels) => {
      const first = labels.findIndex(relevant);
      return first < 0 ? Number.NaN : first < k ? 1 / (first + 1) : 0;
    },
  }),
};

/** Whether the metric, with its defaults, agrees with the definition where the list is not left out. */
function compareWithDefinition(list: List, draw: Random): void {
  const name = pick(draw, Object.keys(definitions));
  const { spec, of } = definitions[name]!(1 + below(draw, 5));
  const values = orders(list).map(of);
  const wanted = sumOf(values) / values.length;
  const got = find(spec).measure(list.scores, list.labels);
  if (!Number.isNaN(wanted) && !Number.isNaN(got) && !(Math.abs(got - wanted) <= 1e-12 * (1 + Math.abs(wanted))))
    throw new Finding(`${spec}, scores ${list.scores}, labels ${list.labels}: ${got} instead of ${wanted}`);
}

/** What the definition in words says of tied scores. */
const RULES = {
  expected: /expected over tied scores/,
  best: /tied scores in the best order/,
  worst: /tied scores in the worst order/,
};

/** Ties by the mean over all orders, or by the greatest or least value. Presets of other tools decide it, so that the spec need not say it. */
function compareWithOrders(metric: Metric, list: List): void {
  const rule = (Object.keys(RULES) as (keyof typeof RULES)[]).find((one) => RULES[one].test(metric.variant));
  if (!/^(dcg|ndcg|map|mrr|precision|recall|err)\b/.test(metric.spec) || !rule) return;
  // What is found divides, so that another relevant item may lower it: src/metrics/map.ts says that best and worst then go by label.
  if (rule !== "expected" && /divided by the relevant items among them/.test(metric.variant)) return;
  const values = orders(list).map((labels) => metric.measure(placed(labels).scores, placed(labels).labels));
  const got = metric.measure(list.scores, list.labels);
  const shown = () => `${metric.spec}, scores ${list.scores}, labels ${list.labels}: ${got}`;
  if (values.some(Number.isNaN) || Number.isNaN(got)) {
    if (values.every(Number.isNaN) !== Number.isNaN(got)) throw new Finding(`${shown()} and not ${values}`);
    return;
  }
  const extreme = rule === "best" ? Math.max : Math.min;
  const wanted = rule === "expected" ? sumOf(values) / values.length : extreme(...values);
  if (!(Math.abs(got - wanted) <= 1e-12 * (1 + Math.abs(wanted)))) throw new Finding(`${shown()} instead of ${wanted}`);
}

/** A preset must be the options that it stands for. */
function compareWithPreset(list: List, ids: readonly string[], draw: Random): void {
  const [name, { all, metrics: own }] = pick(draw, Object.entries(tools));
  const id = pick(draw, Object.keys(own));
  const { k = Infinity, ...options } = { ...all, ...own[id] };
  const written = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  const specs = [`${id}:${name}`, `${k === Infinity ? id : `${id}@${k}`};${written.join(";")}`];
  const [preset, spelled] = specs.map((spec) => find(spec).measure(list.scores, list.labels, ids));
  if (!Object.is(preset, spelled))
    throw new Finding(`${specs[0]}, labels ${list.labels}: ${preset}, and ${specs[1]}: ${spelled}`);
}

/** Labels that a metric refuses, such as those above the highest grade of err, are no finding: the line that refuses them is the result. */
function unlessRefused(act: () => number | undefined): string {
  try {
    return String(act());
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

function check(draw: Random): string {
  const n = below(draw, 7);
  const metric = build(pick(draw, parts), draw, { optimizers, metrics: parts });
  const list: List = {
    scores: Float64Array.from({ length: n }, () => below(draw, 4) / 2 - 1),
    labels: Float32Array.from({ length: n }, () => below(draw, 4)),
  };
  const ids = Array.from({ length: n }, (_, i) => `d${(i * 5) % 7}`);
  compareWithDefinition(list, draw);
  unlessRefused(() => {
    compareWithPreset(list, ids, draw);
    return undefined;
  });
  unlessRefused(() => {
    compareWithOrders(metric, list);
    return undefined;
  });
  const frequency = { lists: 100, counts: new Uint32Array(n).fill(9) };
  return digestOf(
    metric.spec,
    unlessRefused(() => metric.measure(list.scores, list.labels, ids, frequency)),
  );
}

export const metrics: Check = {
  id: "metrics",
  about: "metrics of tied scores against the mean over all orders, and common ones against their definitions",
  batch: 500,
  run: each((_, draw) => check(draw)),
};

/**
 * Feature effects of a model. If the model can be explained by feature, the effect of a feature on an item is its contribution to the score
 * relative to the mean of the list, since only differences within a list change its order; the size is the mean absolute effect. For other
 * models the size is permutation importance, the loss of the metric when the feature is shuffled, and the effect is partial dependence: how
 * the score of one item of a list, relative to the mean of the others, changes with the value.
 */
import { checkModelAndData, checkOptions, type Kinds, required, seedNumber, someMetric, wholeFrom } from "./arguments.ts";
import { sample } from "./baselines.ts";
import { type AlignOptions, alignKinds } from "./data/align.ts";
import { column } from "./data/column.ts";
import { denseCopy } from "./data/dense-copy.ts";
import { aligned, score } from "./evaluate.ts";
import { InputError } from "./input-error.ts";
import { explainedColumns } from "./models/shared/columns.ts";
import { withCounts } from "./models/trees/index.ts";
import { below, random, shuffle } from "./numeric/random.ts";
import { permutationImportance } from "./permutation-importance.ts";
import type { Columns, Dataset, Metric, Model } from "./types.ts";

/** How one feature moves the score. */
export interface Effect {
  /** Column of the feature, from 0, among `columns` of the result. */
  readonly feature: number;
  /** Importance of the feature. */
  readonly size: number;
  /** Mean effect by value of the feature, values ascending. */
  readonly curve: readonly EffectPoint[];
  /** Mean effect for items without a value. */
  readonly missing?: EffectPoint;
  /** Effects for single items, if the model can explain its scores. */
  readonly points: readonly (readonly [value: number, effect: number])[];
}

/** The effect around one value: its mean, and between which ends four of five items lie. */
export interface EffectPoint {
  /** Value of the feature. */
  readonly value: number;
  /** Mean effect on the score at that value. */
  readonly mean: number;
  /** 10th percentile of the effects. */
  readonly low: number;
  /** 90th percentile of the effects. */
  readonly high: number;
}

/** The features that matter to a model. */
export interface Effects {
  /** How importance was measured. */
  readonly how: "contributions" | "permutation";
  /** Number of items used. */
  readonly rows: number;
  /** The features: those of the model, or those that it computes from them where it says what these add to a score. */
  readonly columns: Columns;
  /** Importance of each feature, by column. */
  readonly sizes: Float64Array;
  /** The most important features, largest first. */
  readonly effects: readonly Effect[];
}

/** How closely effects are looked at. */
export interface EffectOptions extends AlignOptions {
  /** Metric of the permutation importance, for models that cannot explain their scores. */
  readonly metric: Metric;
  /** Number of features with a curve. Default: 6. */
  readonly most?: number;
  /** Maximum number of items used. Default: 1500. */
  readonly rows?: number;
  /** Maximum number of single items per feature. Default: 300. */
  readonly points?: number;
  /** Seed of the sampling. Default: 1. */
  readonly seed?: number;
}

const MANY = 2000; // features, for permutation importance

const kinds: Kinds<EffectOptions> = {
  ...alignKinds,
  metric: required(someMetric),
  ...{ most: wholeFrom(0, true), rows: wholeFrom(1), points: wholeFrom(0), seed: seedNumber },
};

/**
 * Which features matter to the model on these data, after `align` has fitted them to its columns. Undefined where there are no features of
 * items to speak of.
 */
export function effects(model: Model, given: Dataset, options: EffectOptions): Effects | undefined {
  checkOptions("effects", options, kinds);
  const { metric, most = 6, rows = 1500, points = 300, seed = 1, unknownFeatures } = options;
  checkModelAndData("effects", model, given);
  if (given.labelSpaceSize !== undefined || given.features.columns === 0) return undefined;
  const data = aligned("effects", model, given, unknownFeatures ? { unknownFeatures } : {});
  const some = sample(data, rows, seed);
  const parts = contributionsOf(model, some);
  if (parts) {
    const seen = model.derived?.of(some) ?? some;
    const sizes = new Float64Array(seen.features.columns);
    for (const row of parts) row.forEach((part, c) => void (sizes[c]! += Math.abs(part) / parts.length));
    const found = largest(sizes, most).map((feature): Effect => {
      const values = column(seen.features, feature);
      const all = parts.map((row, i) => [values[i]!, row[feature]!] as const);
      const kept = all.filter(([value]) => !Number.isNaN(value));
      const lost = all.filter(([value]) => Number.isNaN(value)).map(([, effect]) => effect);
      const missing = lost.length > 0 ? { missing: effectPoint(Number.NaN, lost) } : {};
      return { feature, size: sizes[feature]!, curve: curveOf(kept), ...missing, points: thinned(kept, points, seed) };
    });
    return { how: "contributions", rows: some.features.rows, columns: explainedColumns(model), sizes, effects: found };
  }
  if (some.features.columns > MANY) return undefined;
  const { features: measured } = permutationImportance(model, some, { metric, repeats: 1, shuffle: "data", seed });
  const sizes = Float64Array.from(measured, ({ mean }) => mean);
  const found = largest(sizes, most).map(
    (feature): Effect => ({ feature, size: sizes[feature]!, curve: partialDependence(model, some, feature, seed), points: [] }),
  );
  return { how: "permutation", rows: some.features.rows, columns: model.columns, sizes, effects: found };
}

/** What each feature adds to each item's score, against the mean of the list; undefined where the model cannot say. */
function contributionsOf(model: Model, data: Dataset): Float64Array[] | undefined {
  if (!model.explain) return undefined;
  const counted = withCounts(model, data);
  const all: Float64Array[] = [];
  try {
    for (let q = 0; q + 1 < data.starts.length; q++) {
      const { contributions } = counted.explain!(data, q);
      const mean = new Float64Array(explainedColumns(model).count);
      for (const one of contributions) for (let c = 0; c < mean.length; c++) mean[c]! += one[c]! / contributions.length;
      for (const one of contributions) all.push(one.map((part, c) => part - mean[c]!));
    }
  } catch (error) {
    if (error instanceof InputError) return undefined; // several outputs that fold into one score
    throw error;
  }
  return all;
}

function largest(sizes: Float64Array, most: number): number[] {
  return Array.from(sizes.keys())
    .filter((c) => sizes[c]! > 0)
    .sort((a, b) => sizes[b]! - sizes[a]! || a - b)
    .slice(0, most);
}

const GROUPS = 14;

/**
 * Means over groups of neighboring values: each value by itself where there are few, else groups of enough items that are wide, or far from
 * the next.
 */
function curveOf(points: readonly (readonly [number, number])[]): EffectPoint[] {
  const sorted = [...points].sort(([a], [b]) => a - b);
  const kinds = new Set(sorted.map(([value]) => value)).size;
  const groups: (readonly [number, number])[][] = [];
  const narrow = ((sorted.at(-1)?.[0] ?? 0) - (sorted[0]?.[0] ?? 0)) / 40;
  for (const point of sorted) {
    const last = groups.at(-1);
    const same = last && last.at(-1)![0] === point[0];
    const wide = last && (last.at(-1)![0] - last[0]![0] >= narrow || point[0] - last.at(-1)![0] >= narrow);
    const full = last && last.length >= sorted.length / GROUPS && wide;
    if (!last || (!same && (kinds <= GROUPS || full))) groups.push([point]);
    else last.push(point);
  }
  return groups.map((group) =>
    effectPoint(
      group.reduce((sum, [value]) => sum + value, 0) / group.length,
      group.map(([, effect]) => effect),
    ),
  );
}

function effectPoint(value: number, effects: readonly number[]): EffectPoint {
  const sorted = Float64Array.from(effects).sort();
  const at = (fraction: number) => sorted[Math.round(fraction * (sorted.length - 1))]!;
  return { value, mean: sorted.reduce((sum, one) => sum + one, 0) / sorted.length, low: at(0.1), high: at(0.9) };
}

const thinned = <T>(points: readonly T[], most: number, seed: number): T[] =>
  points.length <= most ? [...points] : shuffle([...points], random(seed, 7)).slice(0, most);

/** How the score of one item of each list, against the mean of the others, moves with the value of a feature. */
function partialDependence(model: Model, data: Dataset, feature: number, seed: number): EffectPoint[] {
  const features = denseCopy(data.features);
  const { columns, values } = features;
  const { starts } = data;
  const draw = random(seed, 11);
  const chosen = Array.from({ length: starts.length - 1 }, (_, q) => starts[q]! + below(draw, starts[q + 1]! - starts[q]!));
  const held = column(features, feature);
  const grid = curveOf(Array.from(held, (value) => [value, 0] as const).filter(([value]) => !Number.isNaN(value)));
  const lists = chosen.map((_, q) => q).filter((q) => starts[q + 1]! - starts[q]! > 1);
  return grid.map(({ value }) => {
    for (const q of lists) values[chosen[q]! * columns + feature] = value;
    const scores = score(model, { ...data, features });
    for (const q of lists) values[chosen[q]! * columns + feature] = held[chosen[q]!]!;
    return effectPoint(
      value,
      lists.map((q) => {
        let others = 0;
        for (let row = starts[q]!; row < starts[q + 1]!; row++) if (row !== chosen[q]) others += scores[row]!;
        return scores[chosen[q]!]! - others / (starts[q + 1]! - starts[q]! - 1);
      }),
    );
  });
}

/**
 * Feature interactions, as a wrapper of learners: products of two features, including squares, are added if their absolute correlation with
 * the label exceeds a threshold. Truyen, Phung, Venkatesh, section 5.1. Products are standardized over the training data; the features
 * themselves are unchanged, so their scale is determined by the outer wrapper (standardize). The model stores the selected products.
 *
 * All correlations come from one pass over the rows, without the products being stored: with X the features, y the label less its mean, the
 * sums of p, p y and p² of every product p are the entries of X'X, X' diag(y) X and (X∘X)'(X∘X). Missing values count as zero.
 */
import { InputError } from "../input-error.ts";
import { Heap } from "../numeric/heap.ts";
import { matmul, matrixView, transposed } from "../numeric/matmul.ts";
import { real } from "../part.ts";
import { splitEvenly } from "../teams/blocks.ts";
import { type ParallelOps, soloTeam } from "../teams/solo.ts";
import type {
  Columns,
  Dataset,
  DenseMatrix,
  Explanation,
  Learner,
  Matrix,
  Model,
  Objective,
  Run,
  SavedModel,
  Team,
} from "../types.ts";
import { checkColumns, checkScoring, columnName, columnsOf } from "./shared/columns.ts";
import { savedIntegers, savedModel, savedNumbers } from "./shared/saved.ts";

export interface FeaturePairs {
  /** Product k is of features first[k] and second[k]. */
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  readonly mean: Float64Array;
  /** 1 / standard deviation. */
  readonly factor: Float64Array;
}

/** The option of models that weigh features one by one. */
export const interactionField = real(
  0,
  "add products of two features whose absolute correlation with the label exceeds this; 0: none",
  { min: 0, below: 1, aliases: ["products"] },
);

/** Learns from lists whose products are written out one list at a time: for what is too large to be stored. */
export type ListwiseLearner = (data: Dataset, pairs: FeaturePairs, objective: Objective, run: Run) => Model;

export const interactions = (inner: Learner, threshold: number, wide?: ListwiseLearner, table = TABLE): Learner =>
  threshold === 0
    ? inner
    : {
        ...inner,
        learn(data, objective, run) {
          const pairs = choosePairs(data, threshold, run.team);
          const values = data.features.rows * (data.features.columns + pairs.first.length);
          if (values > table && wide) return wrap(wide(data, pairs, objective, run), columnsOf(data), pairs);
          const validation = run.validation && expand(run.validation, pairs, run.team);
          const learned = inner.learn(expand(data, pairs, run.team), objective, validation ? { ...run, validation } : run);
          return wrap(learned, columnsOf(data), pairs);
        },
      };

const CHUNK = 512; // rows whose sums are taken in single precision before they are added in double
const TABLE = 2 ** 28; // values that are stored, 1 GiB
const MOST = 2 ** 12; // features: their squares must fit into memory several times

/** The correlation of every product of features a <= b with the label, and the product's mean and deviation; by a * features + b. */
export function correlations(
  { features, labels }: Pick<Dataset, "features" | "labels">,
  { sum }: Pick<Team, "sum">,
): Record<"correlation" | "mean" | "deviation", Float64Array> {
  const { rows, columns: n } = features;
  if (n > MOST) throw new InputError(`products of ${n} features are too many; at most ${MOST} features can be multiplied`);
  const average = labels.reduce((total, label) => total + label, 0) / Math.max(1, rows);
  const spread = Math.sqrt(labels.reduce((total, label) => total + (label - average) * (label - average), 0) / Math.max(1, rows));
  const blocks = Math.max(1, Math.min(64, Math.floor(2 ** 24 / (3 * n * n)), Math.ceil(rows / CHUNK)));
  const bounds = splitEvenly(rows, blocks);
  const heap = new Heap();
  const [plain, weighed, squared] = [0, 1, 2].map(() => heap.f32(CHUNK * n)) as [Float32Array, Float32Array, Float32Array];
  const part = heap.f32(n * n);
  const sums = sum(blocks, 3 * n * n, (block, into) => {
    for (let from = bounds[block]!; from < bounds[block + 1]!; from += CHUNK) {
      const count = Math.min(CHUNK, bounds[block + 1]! - from);
      for (let row = 0; row < count; row++) {
        readRow(features, from + row, plain, row * n);
        const deviation = labels[from + row]! - average;
        for (let at = row * n; at < (row + 1) * n; at++) {
          weighed[at] = plain[at]! * deviation;
          squared[at] = plain[at]! * plain[at]!;
        }
      }
      for (const [kind, left, right] of [
        [0, plain, plain],
        [1, plain, weighed],
        [2, squared, squared],
      ] as const) {
        matmul(transposed(matrixView(left, count, n)), matrixView(right, count, n), matrixView(part, n, n));
        for (let at = 0, to = kind * n * n; at < part.length; at++, to++) into[to] = into[to]! + part[at]!;
      }
    }
  }).slice();
  heap.close();
  const mean = sums.slice(0, n * n).map((total) => total / rows);
  const deviation = mean.map((one, at) => Math.sqrt(Math.max(0, sums[2 * n * n + at]! / rows - one * one)));
  // A variance below the resolution of single precision gives no correlation.
  const sure = (at: number) => deviation[at]! > 1e-5 * Math.sqrt(sums[2 * n * n + at]! / rows) && spread > 0;
  const correlation = mean.map((_, at) => (sure(at) ? sums[n * n + at]! / rows / (deviation[at]! * spread) : 0));
  return { correlation, mean, deviation };
}

export function choosePairs(data: Dataset, threshold: number, team: Pick<Team, "sum">): FeaturePairs {
  const n = data.features.columns;
  const { correlation, mean, deviation } = correlations(data, team);
  const kept: number[] = [];
  for (let a = 0; a < n; a++) for (let b = a; b < n; b++) if (Math.abs(correlation[a * n + b]!) > threshold) kept.push(a * n + b);
  return {
    first: Uint32Array.from(kept, (at) => Math.floor(at / n)),
    second: Uint32Array.from(kept, (at) => at % n),
    mean: Float64Array.from(kept, (at) => mean[at]!),
    factor: Float64Array.from(kept, (at) => 1 / deviation[at]!),
  };
}

/** The values of a row, missing ones as 0. */
function readRow(features: Matrix, row: number, into: Float32Array, to: number): void {
  const { columns } = features;
  if (features.kind === "dense") {
    for (let c = 0; c < columns; c++) into[to + c] = features.values[row * columns + c]!;
  } else {
    into.fill(0, to, to + columns);
    for (let at = features.starts[row]!; at < features.starts[row + 1]!; at++)
      into[to + features.indices[at]!] = features.values[at]!;
  }
  for (let at = to; at < to + columns; at++) if (Number.isNaN(into[at]!)) into[at] = 0;
}

/** The features and after them the products, of all rows. */
export function expand(data: Dataset, pairs: FeaturePairs, ops: ParallelOps): Dataset {
  const { rows, columns: n } = data.features;
  const columns = n + pairs.first.length;
  if (rows * columns > 2 * TABLE)
    throw new InputError(
      `${pairs.first.length} products of features for ${rows} rows do not fit into memory; raise interactions, or use a linear model`,
    );
  const values = ops.allocShared("f32", rows * columns);
  const bounds = splitEvenly(rows);
  ops.parallelFor(bounds.length - 1, (block) => {
    const [from, to] = [bounds[block]!, bounds[block + 1]!];
    expandRows(data.features, pairs, from, to, values.subarray(from * columns, to * columns));
  });
  const features: DenseMatrix = { kind: "dense", rows, columns, values };
  return { ...data, features, names: { ...data.names, features: namesOf(columnsOf(data), pairs) } };
}

function expandRows(
  features: Matrix,
  { first, second, mean, factor }: FeaturePairs,
  from: number,
  to: number,
  into: Float32Array,
): void {
  const n = features.columns;
  const columns = n + first.length;
  for (let row = from; row < to; row++) {
    const start = (row - from) * columns;
    readRow(features, row, into, start);
    for (let k = 0; k < first.length; k++)
      into[start + n + k] = (into[start + first[k]!]! * into[start + second[k]!]! - mean[k]!) * factor[k]!;
  }
}

/** Lists one at a time, with their products, in the same memory: what it gave last is gone at the next call. */
export function listExpander(pairs: FeaturePairs, heap: Heap): (data: Dataset, list: number) => Dataset {
  let scratch: Float32Array = new Float32Array(0);
  return (data, list) => {
    const [from, to] = [data.starts[list]!, data.starts[list + 1]!];
    const columns = data.features.columns + pairs.first.length;
    if (scratch.length < (to - from) * columns) scratch = heap.f32((to - from) * columns);
    const values = scratch.subarray(0, (to - from) * columns);
    expandRows(data.features, pairs, from, to, values);
    return {
      ...{ starts: Uint32Array.of(0, to - from), labels: data.labels.subarray(from, to), base: data.base, names: {} },
      features: { kind: "dense", rows: to - from, columns, values },
    };
  };
}

export function namesOf(columns: Columns, { first, second }: FeaturePairs): string[] {
  const names = Array.from({ length: columns.count }, (_, c) => columnName(columns, c));
  return [...names, ...Array.from(first, (a, k) => `${names[a]}*${names[second[k]!]}`)];
}

function wrap(inner: Model, columns: Columns, pairs: FeaturePairs): Model {
  const count = pairs.first.length;
  return {
    id: inner.id,
    columns,
    score(data, into) {
      checkScoring(columns, data, into);
      const heap = new Heap();
      const expanded = listExpander(pairs, heap);
      const names = inner.columns.names ? { features: inner.columns.names } : {};
      for (let q = 0; q + 1 < data.starts.length; q++)
        inner.score({ ...expanded(data, q), names }, into.subarray(data.starts[q]!, data.starts[q + 1]!));
      heap.close();
    },
    ...(inner.explain
      ? {
          explain(data, list) {
            checkColumns(columns, data);
            return splitContributions(inner.explain!(expand(data, pairs, soloTeam()), list), columns, pairs);
          },
        }
      : {}),
    save: () => ({
      ...{ id: "products", first: [...pairs.first], second: [...pairs.second] },
      ...{ mean: [...pairs.mean], factor: [...pairs.factor], inner: inner.save() },
    }),
    describe() {
      const description = inner.describe();
      return { ...description, facts: { ...description.facts, features: `${columns.count} and ${count} products of two` } };
    },
  };
}

/** What a product adds is shared by its two features. */
function splitContributions(
  { expected, scores, contributions }: Explanation,
  { count }: Columns,
  { first, second }: FeaturePairs,
): Explanation {
  const merged = contributions.map((part) => {
    const own = part.slice(0, count);
    for (let k = 0; k < first.length; k++) for (const c of [first[k]!, second[k]!]) own[c] = own[c]! + part[count + k]! / 2;
    return own;
  });
  return { expected, scores, contributions: merged };
}

export function readInteractions(
  saved: SavedModel,
  columns: Columns,
  revive: (saved: SavedModel, columns: Columns) => Model,
): Model {
  const first = savedIntegers(saved, "first");
  const k = first.length;
  const second = savedIntegers(saved, "second", k);
  const far = [...first, ...second].find((c) => c >= columns.count);
  if (far !== undefined)
    throw new InputError(`the model file is damaged: a product is of feature ${far}, and there are ${columns.count}`);
  const pairs = { first, second, mean: savedNumbers(saved, "mean", k), factor: savedNumbers(saved, "factor", k) };
  const names = namesOf(columns, pairs);
  return wrap(revive(savedModel(saved, "inner"), { count: names.length, base: columns.base, names }), columns, pairs);
}

/**
 * Feature scaling, as a wrapper of learners: features are standardized over all the training data ("all") or within each list ("list"); or
 * every row is scaled to length 1 ("row"); or only missing values are replaced ("none"). The transform is part of the model, so it cannot
 * be forgotten when serving. Missing values become the mean, or 0 under "row" and "none"; a feature that never varies becomes 0. Sparse
 * features whose absent values are zeros are only scaled, under "all", so that they stay sparse.
 */
import { InputError } from "../input-error.ts";
import { rowBlocks, splitEvenly, splitLists, totalEntries } from "../teams/blocks.ts";
import { type ParallelOps, soloTeam } from "../teams/solo.ts";
import type { Columns, Dataset, DenseMatrix, Learner, Matrix, Model, SavedModel, Team } from "../types.ts";
import { checkColumns, checkScoring } from "./shared/columns.ts";
import { savedChoice, savedModel, savedNumbers } from "./shared/saved.ts";

const methods = ["all", "list", "row", "none"] as const;
type Method = (typeof methods)[number];

export const standardize = (inner: Learner, by: Method): Learner => ({
  ...inner,
  learn(data, objective, run) {
    const scale = by === "all" ? measure(data, run.team) : identityScale(by, data.features.columns);
    const validation = run.validation && transform(run.validation, scale, run.team);
    const learned = inner.learn(transform(data, scale, run.team), objective, validation ? { ...run, validation } : run);
    return wrap(learned, scale);
  },
});

interface Scale {
  readonly by: Method;
  readonly mean: Float64Array;
  readonly factor: Float64Array; // 1 / standard deviation, or 0
}

const identityScale = (by: Method, columns: number): Scale => ({
  by,
  mean: new Float64Array(columns),
  factor: new Float64Array(columns).fill(1),
});

function wrap(inner: Model, scale: Scale): Model {
  // The transform reads columns by place as well, so they are looked at before it.
  const scaled = (data: Dataset) => {
    checkColumns(inner.columns, data);
    return transform(data, scale, soloTeam());
  };
  return {
    id: inner.id,
    columns: inner.columns,
    ...(inner.labelSpace && { labelSpace: inner.labelSpace }),
    ...(inner.top && { top: (data: Dataset, k: number) => inner.top!(scaled(data), k) }),
    score(data, into) {
      checkScoring(inner.columns, data, into);
      inner.score(transform(data, scale, soloTeam()), into);
    },
    ...((scale.by === "list" || inner.listwise) && { listwise: true as const }),
    ...(inner.explain ? { explain: (data, list) => inner.explain!(scaled(data), list) } : {}),
    save: () => ({
      id: "standardise",
      by: scale.by,
      ...(scale.by === "all" ? { mean: [...scale.mean], factor: [...scale.factor] } : {}),
      inner: inner.save(),
    }),
    describe() {
      const description = inner.describe();
      const how = {
        all: ", standardized over the training data",
        list: ", standardized within each list",
        row: ", each row scaled to length 1",
        none: "",
      }[scale.by];
      return { ...description, facts: { ...description.facts, features: `${description.facts.features}${how}` } };
    },
  };
}

export function readStandardize(
  saved: SavedModel,
  columns: Columns,
  revive: (saved: SavedModel, columns: Columns) => Model,
): Model {
  const by = savedChoice(saved, "by", methods);
  const inner = revive(savedModel(saved, "inner"), columns);
  if (by !== "all") return wrap(inner, identityScale(by, columns.count));
  return wrap(inner, {
    by,
    mean: savedNumbers(saved, "mean", columns.count),
    factor: savedNumbers(saved, "factor", columns.count),
  });
}

/** Mean and standard deviation of each column in two passes, missing values left out. */
function measure(data: Dataset, { sum }: Team): Scale {
  const { features, shard } = data;
  const n = features.columns;
  const rows = shard ? totalEntries(data) : features.rows;
  const zeros = features.kind === "sparse" && features.absent === 0;
  const blocks = rowBlocks(features.rows, shard, n > 2 ** 17 ? 1 : 64);
  const { bounds } = blocks;
  const sums = (term: (value: number, column: number) => number) =>
    sum(blocks, 2 * n, (block, into) => {
      visitRows(features, bounds[block]!, bounds[block + 1]!, (c, value) => {
        into[c] = into[c]! + term(value, c);
        into[n + c] = into[n + c]! + 1;
      });
    }).slice();

  const first = sums((value) => value);
  const counts = first.subarray(n);
  const mean = first.slice(0, n).map((total, c) => total / Math.max(1, zeros ? rows : counts[c]!));
  const squares = sums((value, c) => (value - mean[c]!) * (value - mean[c]!)).subarray(0, n);
  const factor = squares.map((total, c) => {
    const absent = zeros ? rows - counts[c]! : 0;
    return factorFor(Math.sqrt((total + absent * mean[c]! * mean[c]!) / Math.max(1, counts[c]! + absent)), mean[c]!);
  });
  return { by: "all", mean: zeros ? new Float64Array(n) : mean, factor };
}

/** 0 for what varies no more than rounding does. */
const factorFor = (deviation: number, mean: number) => (deviation > 1e-12 * Math.abs(mean) && deviation > 0 ? 1 / deviation : 0);

function visitRows(features: Matrix, from: number, to: number, visit: (column: number, value: number) => void) {
  for (let row = from; row < to; row++) {
    const [first, last] =
      features.kind === "dense"
        ? [row * features.columns, (row + 1) * features.columns]
        : [features.starts[row]!, features.starts[row + 1]!];
    for (let at = first; at < last; at++) {
      const value = features.values[at]!;
      if (!Number.isNaN(value)) visit(features.kind === "dense" ? at - first : features.indices[at]!, value);
    }
  }
}

function transform(data: Dataset, scale: Scale, ops: ParallelOps): Dataset {
  if (scale.by === "list") return { ...data, features: withinLists(data, ops) };
  if (scale.by === "row") return { ...data, features: toLengthOne(data.features, ops) };
  return { ...data, features: overAll(data.features, scale, ops) };
}

/** Every row over its Euclidean length; a row of zeros stays one. What a sparse row leaves out is taken as 0. */
function toLengthOne(features: Matrix, ops: ParallelOps): Matrix {
  const values = ops.allocShared("f32", features.values.length);
  const at = (row: number) => (features.kind === "dense" ? row * features.columns : features.starts[row]!);
  const bounds = splitEvenly(features.rows);
  ops.parallelFor(bounds.length - 1, (block) => {
    for (let row = bounds[block]!; row < bounds[block + 1]!; row++) {
      let square = 0;
      visitRows(features, row, row + 1, (_, value) => void (square += value * value));
      const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
      for (let i = at(row); i < at(row + 1); i++) {
        const value = features.values[i]!;
        values[i] = Number.isNaN(value) ? 0 : value * factor;
      }
    }
  });
  return features.kind === "dense" ? { ...features, values } : { ...features, values, absent: 0 };
}

/** (x - mean) factor, and 0 for what is missing. */
function overAll(features: Matrix, { mean, factor }: Scale, ops: ParallelOps): Matrix {
  const dense = features.kind === "dense";
  const values = ops.allocShared("f32", features.values.length);
  const bounds = splitEvenly(dense ? features.rows : values.length);
  const width = dense ? features.columns : 1;
  ops.parallelFor(bounds.length - 1, (block) => {
    for (let at = bounds[block]! * width, c = 0; at < bounds[block + 1]! * width; at++, c++) {
      if (!dense) c = features.indices[at]!;
      else if (c === width) c = 0;
      const value = features.values[at]!;
      values[at] = Number.isNaN(value) ? 0 : (value - mean[c]!) * factor[c]!;
    }
  });
  return { ...features, values };
}

function withinLists({ features, starts }: Dataset, ops: ParallelOps): DenseMatrix {
  const { rows, columns } = features;
  if (rows * columns > 2 ** 30)
    throw new InputError("features standardized within lists are dense, and these are too many; choose scale=all");
  const values = ops.allocShared("f32", rows * columns);
  const bounds = splitLists(starts);
  ops.parallelFor(bounds.length - 1, (block) => {
    const [first, last] = [starts[bounds[block]!]!, starts[bounds[block + 1]!]!];
    values.subarray(first * columns, last * columns).fill(features.kind === "dense" ? Number.NaN : features.absent);
    for (let row = first; row < last; row++)
      visitRows(features, row, row + 1, (c, value) => void (values[row * columns + c] = value));
    for (let q = bounds[block]!; q < bounds[block + 1]!; q++) {
      for (let c = 0; c < columns; c++) standard(values, starts[q]!, starts[q + 1]!, columns, c);
    }
  });
  return { kind: "dense", rows, columns, values };
}

/** Brings one column of one list to mean 0 and deviation 1, in place; what is missing becomes 0. */
function standard(values: Float32Array, from: number, to: number, columns: number, column: number) {
  let count = 0;
  let mean = 0;
  for (let at = from * columns + column; at < to * columns; at += columns) {
    if (Number.isNaN(values[at]!)) continue;
    count++;
    mean += values[at]!;
  }
  mean /= Math.max(1, count);
  let square = 0;
  for (let at = from * columns + column; at < to * columns; at += columns) {
    if (!Number.isNaN(values[at]!)) square += (values[at]! - mean) * (values[at]! - mean);
  }
  const factor = factorFor(Math.sqrt(square / Math.max(1, count)), mean);
  for (let at = from * columns + column; at < to * columns; at += columns) {
    values[at] = Number.isNaN(values[at]!) ? 0 : (values[at]! - mean) * factor;
  }
}

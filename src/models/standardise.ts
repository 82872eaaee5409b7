/**
 * A wrapper of learners: features are brought to mean 0 and standard deviation 1 before the model sees them, over all the training data or
 * within each list. The model carries the transform, so that serving cannot forget it. Missing values become the mean; a feature that
 * never varies becomes 0. Sparse features whose absent values are zeros are only scaled, over all the data, so that they stay sparse.
 */
import { Mistake } from "../mistake.ts";
import type { Columns, Dataset, DenseMatrix, Learner, Model, SavedModel } from "../types.ts";
import { aModel, aWord, numbers } from "./shared/saved.ts";

type By = "all" | "list";

export const standardise = (inner: Learner, by: By): Learner => ({
  id: inner.id,
  text: inner.text,
  learn(data, objective, run) {
    const scale = by === "all" ? measure(data) : perList(data.features.columns);
    const watched = run.watched && transform(run.watched, scale);
    return wrap(inner.learn(transform(data, scale), objective, watched ? { ...run, watched } : run), scale);
  },
});

interface Scale {
  readonly by: By;
  readonly mean: Float64Array;
  readonly factor: Float64Array; // 1 / standard deviation, or 0
}

const perList = (columns: number): Scale => ({ by: "list", mean: new Float64Array(columns), factor: new Float64Array(columns) });

function wrap(inner: Model, scale: Scale): Model {
  return {
    id: inner.id,
    columns: inner.columns,
    score: (data, into) => inner.score(transform(data, scale), into),
    save: () => ({
      id: "standardise",
      by: scale.by,
      ...(scale.by === "all" ? { mean: [...scale.mean], factor: [...scale.factor] } : {}),
      inner: inner.save(),
    }),
    describe() {
      const told = inner.describe();
      const facts = {
        ...told.facts,
        features: `${told.facts.features}, standardised ${scale.by === "all" ? "over the training data" : "within each list"}`,
      };
      return { ...told, facts };
    },
  };
}

export function readStandardise(
  saved: SavedModel,
  columns: Columns,
  revive: (saved: SavedModel, columns: Columns) => Model,
): Model {
  const by = aWord(saved, "by", ["all", "list"]);
  const inner = revive(aModel(saved, "inner"), columns);
  if (by === "list") return wrap(inner, perList(columns.count));
  return wrap(inner, { by, mean: numbers(saved, "mean", columns.count), factor: numbers(saved, "factor", columns.count) });
}

/** Mean and standard deviation of each column in two passes, missing values left out. */
function measure({ features }: Dataset): Scale {
  const n = features.columns;
  const [mean, square, count] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const zeros = features.kind === "sparse" && features.absent === 0;
  const each = (visit: (column: number, value: number) => void) => {
    for (let at = 0; at < features.values.length; at++) {
      const value = features.values[at]!;
      if (!Number.isNaN(value)) visit(features.kind === "dense" ? at % n : features.indices[at]!, value);
    }
  };
  each((c, value) => {
    mean[c] = mean[c]! + value;
    count[c] = count[c]! + 1;
  });
  for (let c = 0; c < n; c++) mean[c] = mean[c]! / Math.max(1, zeros ? features.rows : count[c]!);
  each((c, value) => {
    square[c] = square[c]! + (value - mean[c]!) * (value - mean[c]!);
  });
  const factor = square.map((sum, c) => {
    const absent = zeros ? features.rows - count[c]! : 0;
    const deviation = Math.sqrt((sum + absent * mean[c]! * mean[c]!) / Math.max(1, count[c]! + absent));
    return deviation > 1e-12 * Math.abs(mean[c]!) && deviation > 0 ? 1 / deviation : 0;
  });
  return { by: "all", mean: zeros ? new Float64Array(n) : mean, factor };
}

function transform(data: Dataset, scale: Scale): Dataset {
  return { ...data, features: scale.by === "all" ? overAll(data, scale) : withinLists(data) };
}

function overAll({ features }: Dataset, { mean, factor }: Scale): Dataset["features"] {
  const values = new Float32Array(features.values.length);
  for (let at = 0; at < values.length; at++) {
    const c = features.kind === "dense" ? at % features.columns : features.indices[at]!;
    const value = features.values[at]!;
    values[at] = !Number.isNaN(value) ? (value - mean[c]!) * factor[c]! : 0;
  }
  return { ...features, values };
}

function withinLists({ features, starts }: Dataset): DenseMatrix {
  const { rows, columns } = features;
  if (rows * columns > 2 ** 31)
    throw new Mistake("features standardised within lists are dense, and these are too many; choose scale=all");
  const values = new Float32Array(rows * columns);
  if (features.kind === "dense") values.set(features.values);
  else {
    values.fill(features.absent);
    for (let row = 0; row < rows; row++) {
      for (let at = features.starts[row]!; at < features.starts[row + 1]!; at++)
        values[row * columns + features.indices[at]!] = features.values[at]!;
    }
  }
  for (let q = 0; q + 1 < starts.length; q++) {
    for (let c = 0; c < columns; c++) standard(values, starts[q]!, starts[q + 1]!, columns, c);
  }
  return { kind: "dense", rows, columns, values };
}

/** Brings one column of one list to mean 0 and deviation 1, in place. */
function standard(values: Float32Array, from: number, to: number, columns: number, column: number) {
  let count = 0;
  let mean = 0;
  for (let row = from; row < to; row++) {
    const value = values[row * columns + column]!;
    if (!Number.isNaN(value)) {
      count++;
      mean += value;
    }
  }
  mean /= Math.max(1, count);
  let square = 0;
  for (let row = from; row < to; row++) {
    const value = values[row * columns + column]!;
    if (!Number.isNaN(value)) square += (value - mean) * (value - mean);
  }
  const deviation = Math.sqrt(square / Math.max(1, count));
  const factor = deviation > 1e-12 * Math.abs(mean) && deviation > 0 ? 1 / deviation : 0;
  for (let row = from; row < to; row++) {
    const value = values[row * columns + column]!;
    values[row * columns + column] = !Number.isNaN(value) ? (value - mean) * factor : 0;
  }
}

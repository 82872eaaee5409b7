/**
 * A weighted sum of features: score = bias + Σ weight_c x_c, fitted by an optimizer to any objective that has a gradient.
 * An objective with several outputs per item gets as many sums, which fold into one score. Missing values count as zero.
 */
import { InputError } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import { rowsTimesVector, vectorTimesRows } from "../../numeric/rows.ts";
import { autoOptimizer, optimizers } from "../../optimizers/index.ts";
import { choice, type Fields, part, partField, real } from "../../part.ts";
import type { Columns, Dataset, Learner, Matrix, Model, Optimizer, OutputReduction, SavedModel } from "../../types.ts";
import { type FeaturePairs, interactions, type ListwiseLearner, listExpander, namesOf } from "../interactions.ts";
import { checkColumns, checkScoring, columnName, columnsOf } from "../shared/columns.ts";
import { optimize, type ScoreFunction } from "../shared/optimize.ts";
import { reduceOutputs } from "../shared/reduce-outputs.ts";
import { savedNamedNumbers, savedNumbers, savedReduction } from "../shared/saved.ts";
import { standardize } from "../standardize.ts";

/** An option of models that weigh features one by one. */
export const interactionField = real(
  0,
  "add products of two features whose absolute correlation with the label exceeds this; 0: none",
  { min: 0, below: 1, aliases: ["products"] },
);

/** Options of `linear`. */
export interface LinearOptions {
  /** Weight of the squared weights in the cost. A number of at least 0. Default: 0. */
  readonly l2: number;
  /** Features standardized over all the data or within each list, rows of length 1, or unscaled. Default: "all". */
  readonly scale: "all" | "list" | "row" | "none";
  /**
   * Add products of two features whose absolute correlation with the label exceeds this; 0: none. A number of at least 0 and below 1.
   * Default: 0.
   */
  readonly interactions: number;
  /** Optimizer of the weights. Default: auto. */
  readonly optimizer: Optimizer;
}

const fields: Fields<LinearOptions> = {
  l2: real(0, "weight of the squared weights in the cost", { min: 0, aliases: ["lambda-l2", "reg-lambda", "lambda"] }),
  scale: choice(
    ["all", "list", "row", "none"],
    "features standardized over all the data or within each list, rows of length 1, or unscaled",
  ),
  interactions: interactionField,
  optimizer: partField(optimizers, "optimizer", autoOptimizer(), "optimizer of the weights", "minimize"),
};

/** A weighted sum of features; `linear` on the command line. */
export const linear = part(
  "linear",
  "a weighted sum of features",
  fields,
  ({ l2, scale, interactions: least, optimizer }, spec): Learner => {
    const plain: Learner = {
      id: "linear",
      spec,
      ...(optimizer.rounds === undefined ? {} : { rounds: optimizer.rounds }),
      learn(data, objective, run) {
        const scorer = sums(data.features.columns, objective.outputs);
        const { params, auxiliary } = optimize(data, objective, run, scorer, { optimizer, l2 });
        return model(columnsOf(data), params, auxiliary, objective.reduction);
      },
    };
    return standardize(interactions(plain, least, linearOverInteractions(optimizer, l2)), scale);
  },
);

/** Learns the weights where features and their products are too many to be stored. */
export const linearOverInteractions =
  (optimizer: Optimizer, l2: number): ListwiseLearner =>
  (data, pairs, objective, run) => {
    const names = namesOf(columnsOf(data), pairs);
    const heap = new Heap();
    const scorer = widened(sums(names.length, objective.outputs), pairs, heap);
    const { params, auxiliary } = optimize(data, objective, run, scorer, { optimizer, l2 });
    heap.close();
    return model({ count: names.length, base: data.base, names }, params, auxiliary, objective.reduction);
  };

/** Sums over features and products of features, which are written out for one list at a time. */
function widened(inner: ScoreFunction, pairs: FeaturePairs, heap: Heap): ScoreFunction {
  const expanded = listExpander(pairs, heap);
  return {
    ...inner,
    score: (params, data, q, into) => inner.score(params, expanded(data, q), 0, into),
    backward: (data, q, gradient, into) => inner.backward(expanded(data, q), 0, gradient, into),
  };
}

/** Weights of output o from o * columns on; the biases at the end. */
function sums(columns: number, outputs: number): ScoreFunction {
  const biases = columns * outputs;
  return {
    size: biases + outputs,
    penalized: biases,
    score(params, { starts, features }, q, into) {
      const [from, to] = [starts[q]!, starts[q + 1]!];
      for (let o = 0; o < outputs; o++) {
        const weights = params.subarray(o * columns, (o + 1) * columns);
        if (features.kind === "dense" && outputs === 1) rowsTimesVector(features.values.subarray(from * columns), weights, into);
        else for (let row = from; row < to; row++) into[(row - from) * outputs + o] = dotRow(features, row, weights);
        for (let at = o; at < into.length; at += outputs) into[at] = into[at]! + params[biases + o]!;
      }
    },
    backward({ starts, features }, q, gradient, into) {
      const [from, to] = [starts[q]!, starts[q + 1]!];
      for (let o = 0; o < outputs; o++) {
        const weights = into.subarray(o * columns, (o + 1) * columns);
        if (features.kind === "dense" && outputs === 1)
          vectorTimesRows(gradient, features.values.subarray(from * columns), weights);
        else for (let row = from; row < to; row++) addRow(features, row, gradient[(row - from) * outputs + o]!, weights);
        for (let at = o; at < gradient.length; at += outputs) into[biases + o] = into[biases + o]! + gradient[at]!;
      }
    },
  };
}

/** Σ_c x_c weights_c over one row. */
function dotRow(matrix: Matrix, row: number, weights: Float64Array): number {
  let sum = 0;
  if (matrix.kind === "dense") {
    const start = row * matrix.columns;
    for (let c = 0; c < matrix.columns; c++) sum += matrix.values[start + c]! * weights[c]!;
  } else
    for (let at = matrix.starts[row]!; at < matrix.starts[row + 1]!; at++)
      sum += matrix.values[at]! * weights[matrix.indices[at]!]!;
  return sum;
}

/** into_c += share x_c over one row. */
function addRow(matrix: Matrix, row: number, factor: number, into: Float64Array): void {
  if (matrix.kind === "dense") {
    const start = row * matrix.columns;
    for (let c = 0; c < matrix.columns; c++) into[c] = into[c]! + factor * matrix.values[start + c]!;
  } else {
    for (let at = matrix.starts[row]!; at < matrix.starts[row + 1]!; at++) {
      const c = matrix.indices[at]!;
      into[c] = into[c]! + factor * matrix.values[at]!;
    }
  }
}

/** The model of given weights, without a bias. */
export function weightedSum(columns: Columns, weights: Float64Array): Model {
  const params = new Float64Array(weights.length + 1);
  params.set(weights);
  return model(columns, params, {});
}

type Auxiliary = Readonly<Record<string, number>>;

function model(columns: Columns, params: Float64Array, auxiliary: Auxiliary, reduction?: OutputReduction): Model {
  const outputs = reduction ? reduction.values.length : 1;
  const scorer = sums(columns.count, outputs);
  return {
    id: "linear",
    columns,
    score(data: Dataset, into) {
      checkScoring(columns, data, into);
      for (let q = 0; q + 1 < data.starts.length; q++) {
        const scores = into.subarray(data.starts[q]!, data.starts[q + 1]!);
        const raw = reduction ? new Float64Array(scores.length * outputs) : scores;
        scorer.score(params, data, q, raw);
        if (reduction) reduceOutputs(raw, reduction, scores);
      }
    },
    explain(data, list) {
      if (reduction)
        throw new InputError("this model reduces several outputs to one score, which cannot be explained by feature");
      checkColumns(columns, data);
      const contributions: Float64Array[] = [];
      for (let row = data.starts[list]!; row < data.starts[list + 1]!; row++) {
        const part = new Float64Array(columns.count);
        addRow(data.features, row, 1, part);
        contributions.push(part.map((value, c) => value * params[c]!));
      }
      const expected = params[columns.count]!;
      return {
        expected,
        scores: Float64Array.from(contributions, (part) => part.reduce((sum, value) => sum + value, expected)),
        contributions,
      };
    },
    save: () => ({ id: "linear", weights: [...params], extras: auxiliary, ...(reduction ? { fold: reduction } : {}) }),
    describe() {
      const cells = Array.from({ length: columns.count }, (_, c) =>
        Array.from({ length: outputs }, (_, o) => params[o * columns.count + c]!),
      );
      const sizes = cells.map((row) => Math.max(...row.map(Math.abs)));
      const kept = sizes.map((_, c) => c).filter((c) => sizes[c]! > 0);
      const rows = kept.sort((a, b) => sizes[b]! - sizes[a]!).map((c) => [columnName(columns, c), ...cells[c]!]);
      const head = ["feature", ...(reduction ? reduction.values.map((value) => `grade ${value}`) : ["weight"])];
      return {
        title: "linear: a weighted sum of features",
        facts: { features: `${columns.count}`, "weights that are not 0": kept.length, ...auxiliary },
        tables: [{ title: "Weights, largest first", head, rows }],
      };
    },
  };
}

export function readLinear(saved: SavedModel, columns: Columns): Model {
  const reduction = savedReduction(saved, "fold");
  const outputs = reduction ? reduction.values.length : 1;
  return model(
    columns,
    savedNumbers(saved, "weights", (columns.count + 1) * outputs),
    savedNamedNumbers(saved, "extras"),
    reduction,
  );
}

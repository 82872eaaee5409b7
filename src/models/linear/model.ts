/**
 * A linear model: score = bias + Σ weight_c x_c. An objective with several outputs per item gets as many sums, which are reduced to one
 * score. Missing values count as zero.
 */
import { InputError } from "../../input-error.ts";
import { rowsTimesVector, vectorTimesRows } from "../../numeric/rows.ts";
import type { Columns, Dataset, Matrix, Model, OutputReduction, SavedModel } from "../../types.ts";
import { checkColumns, checkScoring, columnName } from "../shared/columns.ts";
import type { ScoreFunction } from "../shared/optimize.ts";
import { reduceOutputs } from "../shared/reduce-outputs.ts";
import { savedNamedNumbers, savedNumbers, savedReduction } from "../shared/saved.ts";

/** Weights of output o from o * columns on; the biases at the end. */
export function linearScores(columns: number, outputs: number): ScoreFunction {
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

/** into_c += factor x_c over one row. */
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
  return linearModel(columns, params, {});
}

/** Weights that are this share of the largest are 0 but for rounding, as those of features that all items of a list share are. */
const ROUNDING = 1e-12;

type Auxiliary = Readonly<Record<string, number>>;

export function linearModel(columns: Columns, params: Float64Array, auxiliary: Auxiliary, reduction?: OutputReduction): Model {
  const outputs = reduction ? reduction.values.length : 1;
  const scorer = linearScores(columns.count, outputs);
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
      const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
      const kept = sizes.map((_, c) => c).filter((c) => sizes[c]! > ROUNDING * largest);
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
  return linearModel(
    columns,
    savedNumbers(saved, "weights", (columns.count + 1) * outputs),
    savedNamedNumbers(saved, "extras"),
    reduction,
  );
}

/**
 * A weighted sum of features: score = bias + Σ weight_c x_c, fitted by an optimizer to any objective that has a gradient.
 * An objective with several outputs per item gets as many sums, which fold into one score. Missing values count as zero.
 */
import { Mistake } from "../mistake.ts";
import { Heap } from "../numeric/heap.ts";
import { rowsTimesVector, vectorTimesRows } from "../numeric/rows.ts";
import { auto, optimizers } from "../optimizers/index.ts";
import { choice, member, part, real } from "../part.ts";
import type { Columns, Dataset, Fold, Learner, Matrix, Model, Optimizer, SavedModel } from "../types.ts";
import { listExpander, namesOf, type Pairs, products, type Wide } from "./products.ts";
import { columnName, columnsOf } from "./shared/columns.ts";
import { descend, type Shape } from "./shared/descend.ts";
import { foldOutputs } from "./shared/fold.ts";
import { aFold, namedNumbers, numbers } from "./shared/saved.ts";
import { standardise } from "./standardise.ts";

/** An option of models that weigh features one by one. */
export const secondOrder = real(
  0,
  "products of two features are features too where their correlation with the label exceeds this; 0: none",
  { least: 0, below: 1 },
);

const fields = {
  l2: real(0, "weight of the squared weights in the cost", { least: 0, aliases: ["lambda-l2", "reg-lambda", "lambda"] }),
  scale: choice(
    ["all", "list", "row", "none"],
    "features standardised over all the data or within each list, rows of length 1, or as they are",
  ),
  products: secondOrder,
  optimizer: member(optimizers, "optimizer", auto(), "how the weights are found"),
};

export const linear = part(
  "linear",
  "a weighted sum of features",
  fields,
  ({ l2, scale, products: least, optimizer }, text): Learner => {
    const plain: Learner = {
      id: "linear",
      text,
      ...(optimizer.rounds === undefined ? {} : { rounds: optimizer.rounds }),
      learn(data, objective, run) {
        const shape = sums(data.features.columns, objective.outputs);
        const { params, extras } = descend(data, objective, run, shape, { optimizer, l2 });
        return model(columnsOf(data), params, extras, objective.fold);
      },
    };
    return standardise(products(plain, least, wideSums(optimizer, l2)), scale);
  },
);

/** Learns the weights where features and their products are too many to be stored. */
export const wideSums =
  (optimizer: Optimizer, l2: number): Wide =>
  (data, pairs, objective, run) => {
    const names = namesOf(columnsOf(data), pairs);
    const heap = new Heap();
    const shape = widened(sums(names.length, objective.outputs), pairs, heap);
    const { params, extras } = descend(data, objective, run, shape, { optimizer, l2 });
    heap.close();
    return model({ count: names.length, base: data.base, names }, params, extras, objective.fold);
  };

/** Sums over features and products of features, which are written out for one list at a time. */
function widened(inner: Shape, pairs: Pairs, heap: Heap): Shape {
  const expanded = listExpander(pairs, heap);
  return {
    ...inner,
    score: (params, data, q, into) => inner.score(params, expanded(data, q), 0, into),
    pull: (data, q, gradient, into) => inner.pull(expanded(data, q), 0, gradient, into),
  };
}

/** Weights of output o from o * columns on; the biases at the end. */
function sums(columns: number, outputs: number): Shape {
  const biases = columns * outputs;
  return {
    size: biases + outputs,
    penalised: biases,
    score(params, { starts, features }, q, into) {
      const [from, to] = [starts[q]!, starts[q + 1]!];
      for (let o = 0; o < outputs; o++) {
        const weights = params.subarray(o * columns, (o + 1) * columns);
        if (features.kind === "dense" && outputs === 1) rowsTimesVector(features.values.subarray(from * columns), weights, into);
        else for (let row = from; row < to; row++) into[(row - from) * outputs + o] = dotRow(features, row, weights);
        for (let at = o; at < into.length; at += outputs) into[at] = into[at]! + params[biases + o]!;
      }
    },
    pull({ starts, features }, q, gradient, into) {
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
function addRow(matrix: Matrix, row: number, share: number, into: Float64Array): void {
  if (matrix.kind === "dense") {
    const start = row * matrix.columns;
    for (let c = 0; c < matrix.columns; c++) into[c] = into[c]! + share * matrix.values[start + c]!;
  } else {
    for (let at = matrix.starts[row]!; at < matrix.starts[row + 1]!; at++) {
      const c = matrix.indices[at]!;
      into[c] = into[c]! + share * matrix.values[at]!;
    }
  }
}

/** The model of given weights, without a bias. */
export function weightedSum(columns: Columns, weights: Float64Array): Model {
  const params = new Float64Array(weights.length + 1);
  params.set(weights);
  return model(columns, params, {});
}

type Extras = Readonly<Record<string, number>>;

function model(columns: Columns, params: Float64Array, extras: Extras, fold?: Fold): Model {
  const outputs = fold ? fold.values.length : 1;
  const shape = sums(columns.count, outputs);
  return {
    id: "linear",
    columns,
    score(data: Dataset, into) {
      for (let q = 0; q + 1 < data.starts.length; q++) {
        const scores = into.subarray(data.starts[q]!, data.starts[q + 1]!);
        const raw = fold ? new Float64Array(scores.length * outputs) : scores;
        shape.score(params, data, q, raw);
        if (fold) foldOutputs(raw, fold, scores);
      }
    },
    explain(data, list) {
      if (fold) throw new Mistake("this model has several outputs that fold into one score, which has no parts by feature");
      const parts: Float64Array[] = [];
      for (let row = data.starts[list]!; row < data.starts[list + 1]!; row++) {
        const part = new Float64Array(columns.count);
        addRow(data.features, row, 1, part);
        parts.push(part.map((value, c) => value * params[c]!));
      }
      const expected = params[columns.count]!;
      return { expected, scores: Float64Array.from(parts, (part) => part.reduce((sum, value) => sum + value, expected)), parts };
    },
    save: () => ({ id: "linear", weights: [...params], extras, ...(fold ? { fold } : {}) }),
    describe() {
      const cells = Array.from({ length: columns.count }, (_, c) =>
        Array.from({ length: outputs }, (_, o) => params[o * columns.count + c]!),
      );
      const sizes = cells.map((row) => Math.max(...row.map(Math.abs)));
      const kept = sizes.map((_, c) => c).filter((c) => sizes[c]! > 0);
      const rows = kept.sort((a, b) => sizes[b]! - sizes[a]!).map((c) => [columnName(columns, c), ...cells[c]!]);
      const head = ["feature", ...(fold ? fold.values.map((value) => `grade ${value}`) : ["weight"])];
      return {
        title: "linear: a weighted sum of features",
        facts: { features: `${columns.count}`, "weights that are not 0": kept.length, ...extras },
        tables: [{ title: "Weights, largest first", head, rows }],
      };
    },
  };
}

export function readLinear(saved: SavedModel, columns: Columns): Model {
  const fold = aFold(saved, "fold");
  const outputs = fold ? fold.values.length : 1;
  return model(columns, numbers(saved, "weights", (columns.count + 1) * outputs), namedNumbers(saved, "extras"), fold);
}

/**
 * A weighted sum of features: score = bias + Σ weight_c x_c, fitted by an optimizer to any objective that has a gradient.
 * An objective with several outputs per item gets as many sums. Missing values count as zero.
 */
import { auto, optimizers } from "../optimizers/index.ts";
import { choice, member, part, real } from "../part.ts";
import type { Columns, Dataset, Learner, Model, SavedModel } from "../types.ts";
import { columnName, columnsOf } from "./shared/columns.ts";
import { descend, type Shape } from "./shared/descend.ts";
import { addRow, dotRow } from "./shared/rows.ts";
import { numbers } from "./shared/saved.ts";
import { standardise } from "./standardise.ts";

const fields = {
  l2: real(0, "weight of the squared weights in the cost", { least: 0, aliases: ["lambda-l2", "reg-lambda", "lambda"] }),
  scale: choice(["all", "list", "none"], "features standardised over all the data, within each list, or not at all"),
  optimizer: member(optimizers, "optimizer", auto(), "how the weights are found"),
};

export const linear = part("linear", "a weighted sum of features", fields, ({ l2, scale, optimizer }, text): Learner => {
  const plain: Learner = {
    id: "linear",
    text,
    learn(data, objective, run) {
      const shape = sums(data.features.columns, objective.outputs);
      const { params, extras } = descend(data, objective, run, shape, { optimizer, l2 });
      return model(columnsOf(data), params, extras);
    },
  };
  return scale === "none" ? plain : standardise(plain, scale);
});

/** Weights of output o from o * columns on; the biases at the end. */
function sums(columns: number, outputs: number): Shape {
  const biases = columns * outputs;
  return {
    size: biases + outputs,
    penalised: biases,
    score(params, { starts, features }, q, into) {
      let at = 0;
      for (let row = starts[q]!; row < starts[q + 1]!; row++) {
        for (let o = 0; o < outputs; o++) into[at++] = params[biases + o]! + dotRow(features, row, params, o * columns);
      }
    },
    pull({ starts, features }, q, gradient, into) {
      let at = 0;
      for (let row = starts[q]!; row < starts[q + 1]!; row++) {
        for (let o = 0; o < outputs; o++) {
          const share = gradient[at++]!;
          if (share === 0) continue;
          addRow(features, row, share, into, o * columns);
          into[biases + o] = into[biases + o]! + share;
        }
      }
    },
  };
}

function model(columns: Columns, params: Float64Array, extras: Readonly<Record<string, number>>): Model {
  const shape = sums(columns.count, 1);
  return {
    id: "linear",
    columns,
    score(data: Dataset, into) {
      for (let q = 0; q + 1 < data.starts.length; q++)
        shape.score(params, data, q, into.subarray(data.starts[q]!, data.starts[q + 1]!));
    },
    save: () => ({ id: "linear", weights: [...params], extras }),
    describe() {
      const weights = Array.from({ length: columns.count }, (_, c) => ({ name: columnName(columns, c), weight: params[c]! }));
      const sorted = weights.filter(({ weight }) => weight !== 0).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
      return {
        title: "linear: a weighted sum of features",
        facts: { features: `${columns.count}`, "weights that are not 0": sorted.length, ...extras },
        tables: [
          {
            title: "Weights, largest first",
            head: ["feature", "weight"],
            rows: sorted.map(({ name, weight }) => [name, weight]),
          },
        ],
      };
    },
  };
}

export function readLinear(saved: SavedModel, columns: Columns): Model {
  const extras = (saved.extras ?? {}) as Record<string, number>;
  return model(columns, numbers(saved, "weights", columns.count + 1), extras);
}

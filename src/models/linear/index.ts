/** A weighted sum of features, score = bias + Σ weight_c x_c, fitted by an optimizer to any objective that has a gradient. */
import { Heap } from "../../numeric/heap.ts";
import { autoOptimizer, optimizers } from "../../optimizers/index.ts";
import { choice, type Fields, part, partField, real } from "../../part.ts";
import type { Learner, Optimizer } from "../../types.ts";
import {
  type FeaturePairs,
  interactionField,
  interactions,
  type ListwiseLearner,
  listExpander,
  namesOf,
} from "../interactions.ts";
import { columnsOf } from "../shared/columns.ts";
import { optimize, type ScoreFunction } from "../shared/optimize.ts";
import { standardize } from "../standardize.ts";
import { type WithinListOptions, withinList, withinListFields } from "../within-list.ts";
import { linearModel, linearScores } from "./model.ts";

/** Options of `linear`. */
export interface LinearOptions extends WithinListOptions {
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
  ...withinListFields,
};

/** A weighted sum of features; `linear` on the command line. */
export const linear = part(
  "linear",
  "a weighted sum of features",
  fields,
  ({ l2, scale, interactions: least, optimizer, ...within }, spec): Learner => {
    const plain: Learner = {
      id: "linear",
      spec,
      ...(least === 0 && { supportsProcesses: true as const }),
      ...(least === 0 && scale !== "row" && { additive: true as const }), // rows of length 1 depend on all of their features
      ...(optimizer.rounds === undefined ? {} : { rounds: optimizer.rounds }),
      learn(data, objective, run) {
        const scorer = linearScores(data.features.columns, objective.outputs);
        const { params, auxiliary } = optimize(data, objective, run, scorer, { optimizer, l2 });
        return linearModel(columnsOf(data), params, auxiliary, objective.reduction);
      },
    };
    return withinList(standardize(interactions(plain, least, linearOverInteractions(optimizer, l2)), scale), within);
  },
);

/** Learns the weights where features and their products are too many to be stored. */
export const linearOverInteractions =
  (optimizer: Optimizer, l2: number): ListwiseLearner =>
  (data, pairs, objective, run) => {
    const names = namesOf(columnsOf(data), pairs);
    const heap = new Heap();
    const scorer = widened(linearScores(names.length, objective.outputs), pairs, heap);
    const { params, auxiliary } = optimize(data, objective, run, scorer, { optimizer, l2 });
    heap.close();
    return linearModel({ count: names.length, base: data.base, names }, params, auxiliary, objective.reduction);
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

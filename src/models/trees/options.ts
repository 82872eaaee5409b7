/** Options of boosted trees, with their aliases in other tools. */
import { choice, type Field, type Fields, integer, real, textField } from "../../part.ts";

export interface Options {
  readonly rounds: number;
  readonly leaves: number;
  readonly learningRate: number;
  readonly learningRateDecay: number;
  readonly minLearningRate: number;
  readonly maxDepth: number;
  readonly minItems: number;
  readonly minItemsUnit: "hessian" | "rows" | "both";
  readonly minHessian: number;
  readonly minGain: number;
  readonly l1: number;
  readonly l2: number;
  readonly maxBins: number;
  readonly listFraction: number;
  readonly featureFraction: number;
  readonly leaf: "newton-diagonal" | "newton-block";
  readonly monotone: string;
  readonly categorical: string;
}

const FASTEST = 10; // Newton steps at once: beyond two even a parabola is overshot, and nothing comes of more
const GREATEST = 1e15; // far beyond any sum over rows

/** Also accepts names that values had before. */
function withFormer<T extends string>(field: Field<T>, former: Readonly<Record<string, T>>): Field<T> {
  return { ...field, read: (value) => field.read(Object.hasOwn(former, String(value)) ? former[String(value)] : value) };
}

export const fields: Fields<Options> = {
  rounds: integer(100, "trees to grow, times the outputs of the objective", {
    above: 0,
    aliases: ["num_iterations", "num_iteration", "n_estimators", "num_boost_round", "num_round", "num_trees", "n_iter", "tree"],
  }),
  leaves: integer(31, "maximum number of leaves per tree", {
    min: 2,
    max: 65536,
    aliases: ["num_leaves", "max_leaves", "num_leaf"],
  }),
  learningRate: real(0.1, "learning rate, the factor of each leaf's Newton step", {
    ...{ above: 0, max: FASTEST },
    aliases: ["eta", "shrinkage", "shrinkage_rate"],
  }),
  learningRateDecay: real(0, "amount by which the learning rate decreases after each round", {
    min: 0,
    max: FASTEST,
    aliases: ["rate_step"],
  }),
  minLearningRate: real(0.01, "lower bound of the learning rate", { above: 0, max: FASTEST, aliases: ["least_rate"] }),
  maxDepth: integer(Infinity, "maximum depth of a tree", { above: 0 }),
  minItems: integer(20, "minimum number of items per leaf", {
    above: 0,
    aliases: ["min_data_in_leaf", "min_child_samples", "min_data", "min_samples_leaf", "mls"],
  }),
  minItemsUnit: withFormer(
    choice(
      ["hessian", "rows", "both"],
      "what min-items counts: rows, the sum of Hessians in units of the mean of the leaf being split (as LightGBM), or both",
      ["count"],
    ),
    { curvature: "hessian" },
  ),
  minHessian: real(1e-3, "minimum sum of Hessians per leaf", {
    ...{ min: 0, max: GREATEST },
    aliases: ["min_curvature", "min_sum_hessian_in_leaf", "min_sum_hessian", "min_child_weight"],
  }),
  minGain: real(0, "minimum gain of a split", {
    ...{ min: 0, max: GREATEST },
    aliases: ["min_gain_to_split", "min_split_gain", "min_split_loss", "gamma"],
  }),
  l1: real(0, "L1 regularization of leaf values", {
    min: 0,
    max: GREATEST,
    aliases: ["lambda_l1", "reg_alpha", "alpha"],
  }),
  l2: real(0, "L2 regularization of leaf values", { min: 0, max: GREATEST, aliases: ["lambda_l2", "reg_lambda", "lambda"] }),
  maxBins: integer(255, "maximum number of bins per feature", { min: 2, max: 255, aliases: ["max_bin"] }),
  listFraction: real(1, "fraction of the lists sampled for each tree", {
    above: 0,
    max: 1,
    aliases: ["bagging_fraction", "subsample", "row_fraction"],
  }),
  featureFraction: real(1, "fraction of the features sampled for each tree", {
    above: 0,
    max: 1,
    aliases: ["colsample_bytree", "sub_feature"],
  }),
  leaf: choice(
    ["newton-diagonal", "newton-block"],
    "Hessian of a leaf: the sum of the diagonal entries of its items, or of the whole block, at the cost of one evaluation per leaf",
  ),
  monotone: textField("", "monotone constraints, increasing (+) or decreasing (-), as (3+,7-)", ["monotone_constraints"]),
  categorical: textField("", "categorical features, as (3,7)", ["categorical_feature", "cat_feature"]),
};

/** Options of boosted trees, with their aliases in other tools. */
import { automatic, choice, integer, real, textField } from "../../fields.ts";
import type { Field, Fields } from "../../part.ts";
import { type WithinListOptions, withinListFields } from "../within-list.ts";

/** Options of `trees`. The values of "auto" depend on the size of the data: see docs/models.md. */
export interface TreesOptions extends WithinListOptions {
  /** Trees to grow, times the outputs of the objective. A whole number above 0, or "auto". Default: "auto". */
  readonly rounds: number | "auto";
  /** Maximum number of leaves per tree. A whole number from 2 to 65536, or "auto". Default: "auto". */
  readonly leaves: number | "auto";
  /**
   * How trees grow; leaf-wise: the leaf with the largest gain is split next; symmetric: all leaves of a level by one feature and threshold,
   * to a depth of log2(leaves). Default: "leaf-wise".
   */
  readonly shape: "leaf-wise" | "symmetric";
  /** Learning rate, the factor of each leaf's Newton step. A number above 0 and of at most 10, or "auto". Default: "auto". */
  readonly learningRate: number | "auto";
  /** Amount by which the learning rate decreases after each round. A number from 0 to 10. Default: 0. */
  readonly learningRateDecay: number;
  /** Lower bound of the learning rate. A number above 0 and of at most 10. Default: 0.01. */
  readonly minLearningRate: number;
  /** Maximum depth of a tree. A whole number above 0 or Infinity. Default: Infinity. */
  readonly maxDepth: number;
  /** Minimum number of items per leaf. A whole number above 0. Default: 20. */
  readonly minItems: number;
  /**
   * What min-items counts: rows, the sum of Hessians in units of the mean of the leaf being split (as LightGBM), or both. Default:
   * "hessian".
   */
  readonly minItemsUnit: "hessian" | "rows" | "both";
  /** Minimum sum of Hessians per leaf. A number from 0 to 1000000000000000. Default: 0.001. */
  readonly minHessian: number;
  /** Minimum gain of a split. A number from 0 to 1000000000000000. Default: 0. */
  readonly minGain: number;
  /** L1 regularization of leaf values. A number from 0 to 1000000000000000. Default: 0. */
  readonly l1: number;
  /** L2 regularization of leaf values. A number from 0 to 1000000000000000, or "auto". Default: "auto". */
  readonly l2: number | "auto";
  /** Maximum number of bins per feature. A whole number from 2 to 255. Default: 255. */
  readonly maxBins: number;
  /** Fraction of the lists sampled for each tree. A number above 0 and of at most 1, or "auto". Default: "auto". */
  readonly listFraction: number | "auto";
  /** Fraction of the features sampled for each tree. A number above 0 and of at most 1, or "auto". Default: "auto". */
  readonly featureFraction: number | "auto";
  /**
   * Ensembles grown side by side with their own samples of lists and features, and averaged; each round grows a tree of each. A whole number
   * from 1 to 1000. Default: 1.
   */
  readonly bag: number;
  /**
   * Hessian of a leaf: the sum of the diagonal entries of its items, or of the whole block, at the cost of one evaluation per leaf.
   * Default: "newton-diagonal".
   */
  readonly leaf: "newton-diagonal" | "newton-block";
  /** Monotone constraints, increasing (+) or decreasing (-), as (3+,7-). Default: "". */
  readonly monotone: string;
  /** Categorical features, as (3,7). Default: "". */
  readonly categorical: string;
  /**
   * Groups of features that may occur together on a path from the root, as (1,2)(2,3); the features in no group form one more. Default: "".
   */
  readonly interactionConstraints: string;
  /**
   * Factors of the gains of splits by these features, 1 for the others and 0 for a feature that is never used, as (3=0.5,7=2). Default: "".
   */
  readonly featureWeights: string;
}

/** The options with the defaults that depend on the data filled in. */
export type TreesSettings = { readonly [K in keyof TreesOptions]: Exclude<TreesOptions[K], "auto"> };

const FASTEST = 10; // Newton steps at once: beyond two even a parabola is overshot, and nothing comes of more
const GREATEST = 1e15; // far beyond any sum over rows

/** Also accepts other names of values, earlier ones and those of other tools. */
function withFormer<T extends string>(field: Field<T>, former: Readonly<Record<string, T>>): Field<T> {
  return { ...field, read: (value) => field.read(Object.hasOwn(former, String(value)) ? former[String(value)] : value) };
}

/** Names of features, written in parentheses without commas between them, since a comma ends the option in a spec. */
const featuresField = (about: string, aliases: readonly string[] = []): Field<string> => ({
  ...textField("", about, aliases),
  write(value) {
    const text = value.trim().replace(/\)[\s,]*\(/g, ")(");
    return text === "" || /^\([\s\S]*\)$/.test(text) ? text : `(${text})`;
  },
});

export const fields: Fields<TreesOptions> = {
  rounds: automatic(
    integer(100, "trees to grow, times the outputs of the objective", {
      above: 0,
      aliases: ["num_iterations", "num_iteration", "n_estimators", "num_boost_round", "num_round", "num_trees", "n_iter", "tree"],
    }),
  ),
  leaves: automatic(
    integer(31, "maximum number of leaves per tree", {
      min: 2,
      max: 65536,
      aliases: ["num_leaves", "max_leaves", "num_leaf"],
    }),
  ),
  shape: withFormer(
    choice(
      ["leaf-wise", "symmetric"],
      "how trees grow; leaf-wise: the leaf with the largest gain is split next; symmetric: all leaves of a level by one feature and threshold, to a depth of log2(leaves)",
      ["grow_policy"],
    ),
    { Lossguide: "leaf-wise", lossguide: "leaf-wise", SymmetricTree: "symmetric", oblivious: "symmetric" },
  ),
  learningRate: automatic(
    real(0.1, "learning rate, the factor of each leaf's Newton step", {
      ...{ above: 0, max: FASTEST },
      aliases: ["eta", "shrinkage", "shrinkage_rate"],
    }),
  ),
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
  l2: automatic(
    real(0, "L2 regularization of leaf values", { min: 0, max: GREATEST, aliases: ["lambda_l2", "reg_lambda", "lambda"] }),
  ),
  maxBins: integer(255, "maximum number of bins per feature", { min: 2, max: 255, aliases: ["max_bin"] }),
  listFraction: automatic(
    real(1, "fraction of the lists sampled for each tree", {
      above: 0,
      max: 1,
      aliases: ["bagging_fraction", "subsample", "row_fraction"],
    }),
  ),
  featureFraction: automatic(
    real(1, "fraction of the features sampled for each tree", {
      above: 0,
      max: 1,
      aliases: ["colsample_bytree", "sub_feature"],
    }),
  ),
  bag: integer(
    1,
    "ensembles grown side by side with their own samples of lists and features, and averaged; each round grows a tree of each",
    { min: 1, max: 1000, aliases: ["bags"] },
  ),
  leaf: choice(
    ["newton-diagonal", "newton-block"],
    "Hessian of a leaf: the sum of the diagonal entries of its items, or of the whole block, at the cost of one evaluation per leaf",
  ),
  monotone: featuresField("monotone constraints, increasing (+) or decreasing (-), as (3+,7-)", ["monotone_constraints"]),
  categorical: featuresField("categorical features, as (3,7)", ["categorical_feature", "cat_feature"]),
  interactionConstraints: featuresField(
    "groups of features that may occur together on a path from the root, as (1,2)(2,3); the features in no group form one more",
  ),
  featureWeights: featuresField(
    "factors of the gains of splits by these features, 1 for the others and 0 for a feature that is never used, as (3=0.5,7=2)",
  ),
  ...withinListFields,
};

/** How trees are grown: one declaration for code, the command line and its help, with the names that other tools use. */
import { choice, type Fields, real, whole, words } from "../../part.ts";

export interface Options {
  readonly rounds: number;
  readonly leaves: number;
  readonly learningRate: number;
  readonly rateStep: number;
  readonly leastRate: number;
  readonly maxDepth: number;
  readonly minItems: number;
  readonly count: "curvature" | "rows" | "both";
  readonly minCurvature: number;
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

export const fields: Fields<Options> = {
  rounds: whole(100, "trees to grow, times the outputs of the objective", {
    above: 0,
    aliases: ["num_iterations", "num_iteration", "n_estimators", "num_boost_round", "num_round", "num_trees", "n_iter", "tree"],
  }),
  leaves: whole(31, "leaves of a tree at most", { least: 2, most: 65536, aliases: ["num_leaves", "max_leaves", "num_leaf"] }),
  learningRate: real(0.1, "share of each leaf's Newton step that is taken", {
    ...{ above: 0, most: FASTEST },
    aliases: ["eta", "shrinkage", "shrinkage_rate"],
  }),
  rateStep: real(0, "how much the learning rate falls after each round", { least: 0, most: FASTEST }),
  leastRate: real(0.01, "where it stops falling", { above: 0, most: FASTEST }),
  maxDepth: whole(Infinity, "cuts between root and leaf at most", { above: 0 }),
  minItems: whole(20, "items that a leaf must hold", {
    above: 0,
    aliases: ["min_data_in_leaf", "min_child_samples", "min_data", "min_samples_leaf", "mls"],
  }),
  count: choice(
    ["curvature", "rows", "both"],
    "what min-items counts: rows, or curvature in units of the mean of the leaf being cut (as LightGBM), or each must suffice",
  ),
  minCurvature: real(1e-3, "curvature that a leaf must hold", {
    ...{ least: 0, most: GREATEST },
    aliases: ["min_sum_hessian_in_leaf", "min_sum_hessian", "min_child_weight"],
  }),
  minGain: real(0, "gain that a cut must bring", {
    ...{ least: 0, most: GREATEST },
    aliases: ["min_gain_to_split", "min_split_gain", "min_split_loss", "gamma"],
  }),
  l1: real(0, "how far sums of gradients are drawn towards zero", {
    least: 0,
    most: GREATEST,
    aliases: ["lambda_l1", "reg_alpha", "alpha"],
  }),
  l2: real(0, "curvature added to every leaf", { least: 0, most: GREATEST, aliases: ["lambda_l2", "reg_lambda", "lambda"] }),
  maxBins: whole(255, "bins of a feature's values at most", { least: 2, most: 255, aliases: ["max_bin"] }),
  listFraction: real(1, "share of the lists that each tree sees, drawn anew", {
    above: 0,
    most: 1,
    aliases: ["bagging_fraction", "subsample", "row_fraction"],
  }),
  featureFraction: real(1, "share of the features that each tree sees, drawn anew", {
    above: 0,
    most: 1,
    aliases: ["colsample_bytree", "sub_feature"],
  }),
  leaf: choice(
    ["newton-diagonal", "newton-block"],
    "curvature of a leaf: the sum of its items' own, or that of moving all together, which costs an evaluation for each leaf",
  ),
  monotone: words("", "features whose rise may never lower (+) or raise (-) the score, as (3+,7-)", ["monotone_constraints"]),
  categorical: words("", "features whose values are names without order, as (3,7)", ["categorical_feature", "cat_feature"]),
};

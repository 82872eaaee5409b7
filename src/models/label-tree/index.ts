/**
 * Label trees: labels are clustered by the features of their documents into a balanced tree, and linear classifiers lead a document from the
 * root to the leaves, where one classifier for each label decides. A node sees only the documents that have one of its labels, so training
 * takes time in proportion to the logarithm of the number of labels, and scoring as well, by beam search. Several trees with other clusters
 * are averaged. Prabhu, Kag, Harsola, Agrawal and Varma 2018, Parabel: Partitioned Label Trees for Extreme Classification; with `branches` above
 * 2, trees are shallower and wider as in Khandagale, Xiao and Babbar 2020, Bonsai. The cost is its own, so it takes no objective; a round is a tree.
 */
import { labelFrequency } from "../../data/top-lists.ts";
import { InputError } from "../../input-error.ts";
import { choice, type Fields, integer, part, real } from "../../part.ts";
import type { Dataset, Learner } from "../../types.ts";
import { columnsOf } from "../shared/columns.ts";
import { standardize } from "../standardize.ts";
import { fitTrees } from "./fit.ts";
import { labelTreeModel } from "./model.ts";

/** Options of `label-tree`. */
export interface LabelTreeOptions {
  /** Number of trees, which are averaged. A whole number above 0. Default: 3. */
  readonly trees: number;
  /** Children of a node. A whole number of at least 2. Default: 2. */
  readonly branches: number;
  /** Labels of a leaf at most. A whole number above 0. Default: 100. */
  readonly leafLabels: number;
  /** Weight of the squared hinge loss of a document; the squared weights count ½. A number above 0. Default: 1. */
  readonly cost: number;
  /** Weights closer to 0 than this are dropped. A number of at least 0. Default: 0.1. */
  readonly threshold: number;
  /** Nodes of each level that are followed when scoring. A whole number above 0. Default: 10. */
  readonly beam: number;
  /** Violation of the optimality conditions at which a classifier is done. A number above 0. Default: 0.1. */
  readonly tolerance: number;
  /** Passes of the solver over the documents of a node at most. A whole number above 0. Default: 20. */
  readonly passes: number;
  /** Rows of length 1, features standardized over all the data, or unscaled. Default: "row". */
  readonly scale: "row" | "all" | "none";
}

const fields: Fields<LabelTreeOptions> = {
  trees: integer(3, "number of trees, which are averaged", { above: 0, aliases: ["rounds"] }),
  branches: integer(2, "children of a node", { min: 2 }),
  leafLabels: integer(100, "labels of a leaf at most", { above: 0 }),
  cost: real(1, "weight of the squared hinge loss of a document; the squared weights count ½", { above: 0, aliases: ["c"] }),
  threshold: real(0.1, "weights closer to 0 than this are dropped", { min: 0 }),
  beam: integer(10, "nodes of each level that are followed when scoring", { above: 0, aliases: ["beam-size"] }),
  tolerance: real(0.1, "violation of the optimality conditions at which a classifier is done", { above: 0, aliases: ["eps"] }),
  passes: integer(20, "passes of the solver over the documents of a node at most", { above: 0, aliases: ["max-iter"] }),
  scale: choice(["row", "all", "none"], "rows of length 1, features standardized over all the data, or unscaled"),
};

/** Linear classifiers in a tree of labels; `label-tree` on the command line. */
export const labelTree = part(
  "label-tree",
  "linear classifiers in a tree of labels",
  fields,
  ({ scale, ...options }, spec): Learner => {
    const scaled = standardize(
      {
        id: "label-tree",
        spec,
        supportsLabelSpace: true,
        rounds: options.trees,
        cost: "squared hinge loss of the classifiers",
        learn: (data, _objective, run) => {
          const ensemble = fitTrees(data, run, options);
          const names = data.names.items;
          const labelSpace = { count: data.labelSpaceSize!, frequency: labelFrequency(data), ...(names && { names }) };
          return labelTreeModel(columnsOf(data), ensemble, options, labelSpace);
        },
      },
      scale,
    );
    return {
      ...scaled,
      learn(data, objective, run) {
        checkSize(data);
        return scaled.learn(data, objective, run);
      },
    };
  },
);

/** Refuses counts that a header declares before anything is allocated for them. */
function checkSize({ features: { columns }, labelSpaceSize = 0 }: Dataset): void {
  if (Math.max(columns, labelSpaceSize) > MOST)
    throw new InputError(
      `label-tree: ${columns} features and ${labelSpaceSize} labels are too many for memory, at most ${MOST} of each; check the counts that the data declare`,
    );
}

const MOST = 2 ** 27; // each thread keeps several numbers for each of them

/**
 * SLEEC: nearest neighbors in an embedding that keeps the similarity of label sets. Documents are clustered by their features. Within a cluster,
 * embeddings z are found whose inner products match those of the (normalized) label vectors for each document and its nearest neighbors by
 * labels, and of no other pair, by singular value projection; a linear regression V predicts them from features. A new document is mapped by the
 * V of its cluster, and the labels of the nearest training documents vote. Several such learners, which differ in their clusters, vote
 * together. Bhatia, Jain, Kar, Varma and Jain 2015, Sparse Local Embeddings for Extreme Multi-label Classification. The cost is its own, so it
 * takes no objective; a round is a learner.
 */
import { labelFrequency } from "../../data/top-lists.ts";
import { InputError } from "../../input-error.ts";
import { choice, type Fields, integer, part, real } from "../../part.ts";
import type { Dataset, Learner } from "../../types.ts";
import { columnsOf } from "../shared/columns.ts";
import { standardize } from "../standardize.ts";
import { fitLearners } from "./fit.ts";
import { sleecModel } from "./model.ts";

/** Options of `sleec`. */
export interface SleecOptions {
  /** Number of learners that vote. A whole number above 0. Default: 10. */
  readonly learners: number;
  /** Dimension of the embedding. A whole number above 0. Default: 100. */
  readonly rank: number;
  /** Documents per cluster, about. A whole number above 0. Default: 1500. */
  readonly clusterSize: number;
  /** Nearest documents by labels whose similarity the embedding keeps. A whole number above 0. Default: 15. */
  readonly neighbors: number;
  /** Nearest documents by embedding that vote on the labels of a new document. A whole number above 0. Default: 25. */
  readonly voters: number;
  /** Steps of singular value projection. A whole number above 0. Default: 30. */
  readonly steps: number;
  /** Weight of the squared coefficients of the regression. A number above 0. Default: 1. */
  readonly l2: number;
  /** Weight of the absolute values of predicted embeddings, which makes them sparse. A number of at least 0. Default: 0. */
  readonly l1: number;
  /** Rows of length 1, features standardized over all the data, or unscaled. Default: "row". */
  readonly scale: "row" | "all" | "none";
}

const fields: Fields<SleecOptions> = {
  learners: integer(10, "number of learners that vote", { above: 0, aliases: ["rounds"] }),
  rank: integer(100, "dimension of the embedding", { above: 0, aliases: ["dimension"] }),
  clusterSize: integer(1500, "documents per cluster, about", { above: 0 }),
  neighbors: integer(15, "nearest documents by labels whose similarity the embedding keeps", { above: 0 }),
  voters: integer(25, "nearest documents by embedding that vote on the labels of a new document", { above: 0, aliases: ["knn"] }),
  steps: integer(30, "steps of singular value projection", { above: 0 }),
  l2: real(1, "weight of the squared coefficients of the regression", { above: 0, aliases: ["lambda", "reg-lambda"] }),
  l1: real(0, "weight of the absolute values of predicted embeddings, which makes them sparse", {
    min: 0,
    aliases: ["mu", "reg-alpha"],
  }),
  scale: choice(["row", "all", "none"], "rows of length 1, features standardized over all the data, or unscaled"),
};

/** Nearest neighbors in a local embedding of label sets; `sleec` on the command line. */
export const sleec = part(
  "sleec",
  "nearest neighbors in an embedding of label sets",
  fields,
  ({ scale, ...options }, spec): Learner => {
    const plain: Learner = {
      id: "sleec",
      spec,
      supportsLabelSpace: true,
      rounds: options.learners,
      cost: "squared error of similarities of label sets",
      learn: (data, _objective, run) => {
        const ensemble = fitLearners(data, run, options);
        const names = data.names.items;
        const labelSpace = { count: data.labelSpaceSize!, frequency: labelFrequency(data), ...(names && { names }) };
        return sleecModel(columnsOf(data), ensemble, labelSpace);
      },
    };
    const scaled = scale === "none" ? plain : standardize(plain, scale);
    return {
      ...scaled,
      learn(data, objective, run) {
        checkSize(data, options.rank);
        return scaled.learn(data, objective, run);
      },
    };
  },
);

/** Refuses counts that a header declares before anything is allocated for them. */
function checkSize({ features: { columns }, starts, labelSpaceSize = 0 }: Dataset, rank: number): void {
  if (Math.max(columns, labelSpaceSize / rank, starts.length) * rank > MOST)
    throw new InputError(
      `sleec: ${columns} features, ${starts.length - 1} documents and ${labelSpaceSize} labels at rank ${rank} are too many for memory; lower the rank, or check the counts that the data declare`,
    );
}

const MOST = 2 ** 27; // numbers of a matrix, of which there are several

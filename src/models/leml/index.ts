/**
 * LEML: labels of low rank, Y ≈ X W Hᵀ, by least squares over all labels, relevant (1, or the grade) and not (0):
 *
 *   cost = ½ ‖Y - X W Hᵀ‖² + λ/2 (‖W‖² + ‖H‖²)
 *
 * W has a row of `rank` numbers for each feature, and one for a feature that is always 1, and H has one for each label. Each round solves for
 * H, where all labels share one matrix of rank by rank, and then improves W by conjugate gradients on X'X W H'H + λ W = X'Y H. Y and X stay
 * sparse. Rows have length 1 unless said otherwise, as is usual with these data. The cost is its own, so it takes no objective. Yu, Jain,
 * Kar and Dhillon 2014, Large-scale Multi-label Learning with Missing Labels, section 4.
 */
import { labelFrequency } from "../../data/top-lists.ts";
import { InputError } from "../../input-error.ts";
import { choice, type Fields, integer, part, real } from "../../part.ts";
import type { Dataset, Learner } from "../../types.ts";
import { columnsOf } from "../shared/columns.ts";
import { standardize } from "../standardize.ts";
import { fitFactors } from "./fit.ts";
import { lemlModel } from "./model.ts";

/** Options of `leml`. */
export interface LemlOptions {
  /** Rank of the factorization. A whole number above 0. Default: 100. */
  readonly rank: number;
  /** Weight of the squared numbers in the cost. A number above 0. Default: 1. */
  readonly l2: number;
  /** Alternating rounds. A whole number above 0. Default: 10. */
  readonly rounds: number;
  /** Steps of conjugate gradients in each round. A whole number above 0. Default: 10. */
  readonly steps: number;
  /** Rows of length 1, features standardized over all the data, or unscaled. Default: "row". */
  readonly scale: "row" | "all" | "none";
}

const fields: Fields<LemlOptions> = {
  rank: integer(100, "rank of the factorization", { above: 0, aliases: ["dimension"] }),
  l2: real(1, "weight of the squared numbers in the cost", { above: 0, aliases: ["lambda", "reg-lambda"] }),
  rounds: integer(10, "alternating rounds", { above: 0, aliases: ["iterations"] }),
  steps: integer(10, "steps of conjugate gradients in each round", { above: 0 }),
  scale: choice(["row", "all", "none"], "rows of length 1, features standardized over all the data, or unscaled"),
};

/** Labels of low rank by least squares; `leml` on the command line. */
export const leml = part("leml", "labels of low rank by least squares", fields, ({ scale, ...options }, spec): Learner => {
  const plain: Learner = {
    id: "leml",
    spec,
    supportsLabelSpace: true,
    cost: "squared error of all labels",
    learn: (data, _objective, run) => {
      const network = fitFactors(data, run, options);
      const names = data.names.items;
      const labelSpace = { count: data.labelSpaceSize!, frequency: labelFrequency(data), ...(names && { names }) };
      return lemlModel(columnsOf(data), network, labelSpace);
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
});

/** Refuses counts that a header declares before anything is allocated for them. */
function checkSize({ features: { columns }, labelSpaceSize = 0 }: Dataset, rank: number): void {
  if ((columns + labelSpaceSize) * rank > MOST)
    throw new InputError(
      `leml: ${columns} features and ${labelSpaceSize} labels of rank ${rank} make a model too large for memory; lower the rank, or check the counts that the data declare`,
    );
}

const MOST = 2 ** 28; // numbers of a model: as many again are needed several times while it is fitted

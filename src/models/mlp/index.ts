/**
 * Fully connected networks with ReLU: features in, hidden layers, and a score for each label (extreme multi-label data, as in Ma et al.
 * 2021, section 4.2), or one score for the item whose features they are (ordinary lists). Trained by mini-batches with Adam.
 */
import { labelFrequency } from "../../data/top-lists.ts";
import { choice, type Fields, integer, numberList, part, real } from "../../part.ts";
import type { Learner } from "../../types.ts";
import { columnsOf } from "../shared/columns.ts";
import { standardize } from "../standardize.ts";
import { type WithinListOptions, withinList, withinListFields } from "../within-list.ts";
import { networkModel } from "./model.ts";
import { trainNetwork } from "./train.ts";

/** Options of `mlp`. */
export interface MlpOptions extends WithinListOptions {
  /** Sizes of the hidden layers. Each a whole number above 0. Default: [256]. */
  readonly hidden: readonly number[];
  /** Learning rate; of several, the best on validation data is kept. Each a number above 0 and of at most 1000. Default: [0.001]. */
  readonly rate: readonly number[];
  /** Lists per step. A whole number above 0. Default: 128. */
  readonly batch: number;
  /** Passes over the data, unless stopped early. A whole number above 0. Default: 30. */
  readonly epochs: number;
  /** Fraction of hidden activations dropped at each step. A number of at least 0 and below 1. Default: 0. */
  readonly dropout: number;
  /** Weight of the squared weights in the cost. A number of at least 0. Default: 0. */
  readonly l2: number;
  /**
   * Features standardized over all the data or within lists, rows of length 1, or unscaled; auto: all, but none for multi-label data.
   * Default: "auto".
   */
  readonly scale: "auto" | "all" | "list" | "row" | "none";
  /** Weights of absent features: updated as if in every step, or only when the feature occurs. Default: "exact". */
  readonly sparse: "exact" | "lazy";
  /** Number of irrelevant labels sampled at each step, with an unbiased gradient; 0: all. A whole number of at least 0. Default: 0. */
  readonly negatives: number;
  /** Adam: decay rate of the mean gradient. A number of at least 0 and below 1. Default: 0.9. */
  readonly beta1: number;
  /** Adam: decay rate of the mean squared gradient. A number above 0 and below 1. Default: 0.999. */
  readonly beta2: number;
  /** Adam: added to the denominator for numerical stability. A number above 0. Default: 1e-8. */
  readonly epsilon: number;
}

const fields: Fields<MlpOptions> = {
  hidden: numberList(
    [256],
    "sizes of the hidden layers",
    "a whole number above 0",
    (size) => Number.isSafeInteger(size) && size > 0,
    ["hidden-size"],
  ),
  rate: numberList(
    [1e-3],
    "learning rate; of several, the best on validation data is kept",
    "a number above 0 and of at most 1000",
    (rate) => rate > 0 && rate <= 1000,
    ["learning-rate", "lr", "eta"],
  ),
  batch: integer(128, "lists per step", { above: 0, aliases: ["batch-size"] }),
  epochs: integer(30, "passes over the data, unless stopped early", { above: 0, aliases: ["max-epochs"] }),
  dropout: real(0, "fraction of hidden activations dropped at each step", { min: 0, below: 1 }),
  l2: real(0, "weight of the squared weights in the cost", { min: 0, aliases: ["lambda-l2", "reg-lambda", "weight-decay"] }),
  scale: choice(
    ["auto", "all", "list", "row", "none"],
    "features standardized over all the data or within lists, rows of length 1, or unscaled; auto: all, but none for multi-label data",
  ),
  sparse: choice(["exact", "lazy"], "weights of absent features: updated as if in every step, or only when the feature occurs"),
  negatives: integer(0, "number of irrelevant labels sampled at each step, with an unbiased gradient; 0: all", { min: 0 }),
  beta1: real(0.9, "Adam: decay rate of the mean gradient", { min: 0, below: 1 }),
  beta2: real(0.999, "Adam: decay rate of the mean squared gradient", { above: 0, below: 1 }),
  epsilon: real(1e-8, "Adam: added to the denominator for numerical stability", { above: 0 }),
  ...withinListFields,
};

/** A network of fully connected layers; `mlp` on the command line. */
export const mlp = part(
  "mlp",
  "a network of fully connected layers",
  fields,
  ({ scale, withinList: statistic, withinListRaw, ...options }, spec): Learner => {
    const plain: Learner = {
      id: "mlp",
      spec,
      learn(data, objective, run) {
        const { network, auxiliary } = trainNetwork(data, objective, run, options);
        const labelSpace =
          data.labelSpaceSize === undefined
            ? undefined
            : {
                count: data.labelSpaceSize,
                frequency: labelFrequency(data),
                ...(data.names.items && { names: data.names.items }),
              };
        return networkModel(columnsOf(data), { network, auxiliary, reduction: objective.reduction, labelSpace });
      },
    };
    const scaled: Learner = {
      id: "mlp",
      spec,
      supportsLabelSpace: true,
      learn(data, objective, run) {
        const by = scale === "auto" ? (data.labelSpaceSize === undefined ? "all" : "none") : scale;
        // Missing values count as zero in any case.
        return (by === "none" ? plain : standardize(plain, by)).learn(data, objective, run);
      },
    };
    return withinList(scaled, { withinList: statistic, withinListRaw });
  },
  ["network", "neural-network", "nn"],
);

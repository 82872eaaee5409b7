/**
 * Fully connected networks with ReLU: features in, hidden layers, and out a score for each label of a catalogue (extreme multi-label data,
 * as in Ma et al. 2021, section 4.2), or one score for the item whose features they are (ordinary lists). Trained by mini-batches with Adam.
 */
import { labelFrequency } from "../../data/top-lists.ts";
import { choice, type Field, integer, part, real } from "../../part.ts";
import type { Learner } from "../../types.ts";
import { columnsOf } from "../shared/columns.ts";
import { standardize } from "../standardize.ts";
import { networkModel } from "./model.ts";
import { trainNetwork } from "./train.ts";

/** Numbers with "/" between them. */
function numberList(
  defaultValue: readonly number[],
  about: string,
  kind: string,
  fits: (value: number) => boolean,
  aliases: string[] = [],
): Field<readonly number[]> {
  return {
    ...{ about, default: defaultValue, aliases },
    kind: `${kind}, or several with "/" between them`,
    read(value) {
      const given =
        typeof value === "number"
          ? [value]
          : typeof value === "string"
            ? value.split("/").map((one) => (one.trim() === "" ? Number.NaN : Number(one)))
            : value;
      return Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === "number" && fits(one))
        ? given
        : undefined;
    },
    write: (value) => value.join("/"),
  };
}

const fields = {
  hidden: numberList(
    [256],
    "sizes of the hidden layers",
    "a whole number above 0",
    (size) => Number.isSafeInteger(size) && size > 0,
    ["hidden-size"],
  ),
  rate: numberList(
    [1e-3],
    "length of a step; of several, the one that validates best",
    "a number above 0 and of at most 1000",
    (rate) => rate > 0 && rate <= 1000,
    ["learning-rate", "lr", "eta"],
  ),
  batch: integer(128, "lists per step", { above: 0, aliases: ["batch-size"] }),
  epochs: integer(30, "passes over the data, fewer where validation stops them", { above: 0, aliases: ["max-epochs"] }),
  dropout: real(0, "share of hidden activations left out at each step", { min: 0, below: 1 }),
  l2: real(0, "weight of the squared weights in the cost", { min: 0, aliases: ["lambda-l2", "reg-lambda", "weight-decay"] }),
  scale: choice(
    ["auto", "all", "list", "row", "none"],
    "features standardised over all the data or within lists, rows of length 1, or as they are; auto: all, but none with a catalogue",
  ),
  sparse: choice(
    ["exact", "lazy"],
    "weights of absent features: moved as if each step had moved them, or only when their feature occurs",
  ),
  negatives: integer(0, "labels of the last tier sampled at each step, the gradient unbiased; 0: all", { min: 0 }),
  beta1: real(0.9, "Adam: share of the past in the mean gradient", { min: 0, below: 1 }),
  beta2: real(0.999, "Adam: share of the past in the mean square", { above: 0, below: 1 }),
  epsilon: real(1e-8, "Adam: keeps steps finite where gradients vanish", { above: 0 }),
};

export const mlp = part(
  "mlp",
  "a network of fully connected layers",
  fields,
  ({ scale, ...options }, spec): Learner => {
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
    return {
      id: "mlp",
      spec,
      supportsLabelSpace: true,
      learn(data, objective, run) {
        const by = scale === "auto" ? (data.labelSpaceSize === undefined ? "all" : "none") : scale;
        // Missing values count as zero in any case.
        return (by === "none" ? plain : standardize(plain, by)).learn(data, objective, run);
      },
    };
  },
  ["network", "neural-network", "nn"],
);

/**
 * Fully connected networks with ReLU: features in, hidden layers, and out a score for each label of a catalogue (extreme multi-label data,
 * as in Ma et al. 2021, section 4.2), or one score for the item whose features they are (ordinary lists). Trained by mini-batches with Adam.
 */
import { popularity } from "../../data/judged-top.ts";
import { choice, type Field, part, real, whole } from "../../part.ts";
import type { Learner } from "../../types.ts";
import { columnsOf } from "../shared/columns.ts";
import { standardise } from "../standardise.ts";
import { networkModel } from "./model.ts";
import { trainNetwork } from "./train.ts";

/** Numbers with "/" between them. */
function several(
  start: readonly number[],
  about: string,
  kind: string,
  fits: (value: number) => boolean,
  aliases: string[] = [],
): Field<readonly number[]> {
  return {
    ...{ about, start, aliases },
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
  hidden: several(
    [256],
    "sizes of the hidden layers",
    "a whole number above 0",
    (size) => Number.isSafeInteger(size) && size > 0,
    ["hidden-size"],
  ),
  rate: several(
    [1e-3],
    "length of a step; of several, the one that validates best",
    "a number above 0 and of at most 1000",
    (rate) => rate > 0 && rate <= 1000,
    ["learning-rate", "lr", "eta"],
  ),
  batch: whole(128, "lists per step", { above: 0, aliases: ["batch-size"] }),
  epochs: whole(30, "passes over the data, fewer where validation stops them", { above: 0, aliases: ["max-epochs"] }),
  dropout: real(0, "share of hidden activations left out at each step", { least: 0, below: 1 }),
  l2: real(0, "weight of the squared weights in the cost", { least: 0, aliases: ["lambda-l2", "reg-lambda", "weight-decay"] }),
  scale: choice(
    ["auto", "all", "list", "row", "none"],
    "features standardised over all the data or within lists, rows of length 1, or as they are; auto: all, but none with a catalogue",
  ),
  sparse: choice(
    ["exact", "lazy"],
    "weights of absent features: moved as if each step had moved them, or only when their feature occurs",
  ),
  negatives: whole(0, "labels of the last tier sampled at each step, the gradient unbiased; 0: all", { least: 0 }),
  beta1: real(0.9, "Adam: share of the past in the mean gradient", { least: 0, below: 1 }),
  beta2: real(0.999, "Adam: share of the past in the mean square", { above: 0, below: 1 }),
  epsilon: real(1e-8, "Adam: keeps steps finite where gradients vanish", { above: 0 }),
};

export const mlp = part(
  "mlp",
  "a network of fully connected layers",
  fields,
  ({ scale, ...options }, text): Learner => {
    const plain: Learner = {
      id: "mlp",
      text,
      learn(data, objective, run) {
        const { network, extras } = trainNetwork(data, objective, run, options);
        const catalogue =
          data.catalogue === undefined
            ? undefined
            : { count: data.catalogue, popular: popularity(data), ...(data.names.items && { names: data.names.items }) };
        return networkModel(columnsOf(data), { network, extras, fold: objective.fold, catalogue });
      },
    };
    return {
      id: "mlp",
      text,
      catalogues: true,
      learn(data, objective, run) {
        const by = scale === "auto" ? (data.catalogue === undefined ? "all" : "none") : scale;
        // Missing values count as zero in any case.
        return (by === "none" ? plain : standardise(plain, by)).learn(data, objective, run);
      },
    };
  },
  ["network", "neural-network", "nn"],
);

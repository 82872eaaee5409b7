/** What a learner cannot be trained with. */
import type { FitOptions } from "./fit.ts";
import { InputError } from "./input-error.ts";
import { transformOf } from "./models/transform.ts";
import { objectives } from "./objectives/index.ts";
import { isBuiltBy } from "./part.ts";
import { totalLists } from "./teams/blocks.ts";
import type { Dataset, Learner, Objective } from "./types.ts";

/** Refuses what needs the values of features where the data have only bins. */
export function checkBins(
  data: Dataset,
  { model, transform, init, valid }: Pick<FitOptions, "model" | "init" | "valid"> & { transform?: unknown },
): void {
  if (!("binned" in data.features)) {
    if (valid && "binned" in valid.features)
      throw new InputError(
        "the validation data were read with readBinned and the training data were not; read both in the same way",
      );
    return;
  }
  if (!model.binOptions)
    throw new InputError(
      `the model ${model.id} needs the values of features, and the data were read with readBinned, which keeps only their bins; use trees, or readData`,
    );
  if (init)
    throw new InputError(
      "training cannot go on from a model on data of readBinned: scores of its trees need the values of features; use readData",
    );
  if (transform)
    throw new InputError("a transform needs the values of features, and readBinned keeps only their bins; use readData");
}

/**
 * Refuses data from which nothing is learned: no list has two different labels, and every order of each is as good. `deciding` is the number of lists that have,
 * of all processes. Objectives of users may learn from other lists, and those to which a tie is an outcome learn from any two items.
 */
export function checkDeciding(model: Learner, objective: Objective, data: Dataset, deciding: number): void {
  if (deciding > 0 || (!model.cost && !isBuiltBy(objectives, objective))) return;
  const lists = totalLists(data);
  if (data.labelSpaceSize !== undefined) throw new InputError("no document has a relevant label, so nothing can be learned");
  const { starts } = data.shard ?? data;
  const longest = starts.reduce((most, start, at) => Math.max(most, at > 0 ? start - starts[at - 1]! : 0), 0);
  if (longest > 1 && !model.cost && objective.ties === "event") return;
  const many = lists === 1 ? "the only list has" : `each of the ${lists} lists has`;
  throw new InputError(
    longest < 2
      ? `no order can be learned: ${many} one item; check the column of the list (--list)`
      : `no order can be learned: no list has two different labels; check the columns of the label and the list (--label, --list)`,
  );
}

/** Refuses data, and a model to start from, that the learner cannot be trained with. */
export function checkTraining(model: Learner, data: Dataset, { transform, init, valid }: FitOptions): void {
  if (totalLists(data) === 0) throw new InputError("there are no lists to train on");
  if (data.listWeights && !data.shard && !data.listWeights.some((weight) => weight > 0))
    throw new InputError("all lists have weight 0, so there is nothing to learn from; give some of them a weight above 0");
  if (data.features.columns === 0 && !model.featureless)
    throw new InputError(
      `the model ${model.id} learns from features, and the data have none; give them a column, or use utilities, which needs none`,
    );
  if (data.labelSpaceSize !== undefined && !model.supportsLabelSpace)
    throw new InputError(
      `the model ${model.id} scores items by their own features and cannot be trained on multi-label data; use mlp, leml, sleec or label-tree`,
    );
  if (valid && valid.labelSpaceSize !== data.labelSpaceSize)
    throw new InputError("the training and validation data have different labels");
  if (init && !model.supportsWarmStart)
    throw new InputError(`a model of kind ${model.id} cannot continue training from another model; trees can`);
  const carried = init && transformOf(init);
  if (carried && !transform)
    throw new InputError(
      `the model to start from was trained with the transform ${carried.spec}; pass it in the option transform`,
    );
  if (valid && valid.features.columns !== data.features.columns)
    throw new Error(`validation data have ${valid.features.columns} features and training data ${data.features.columns}`);
}

/** Boosted regression trees under any objective that has a gradient. */
import { InputError } from "../../input-error.ts";
import { checkMemory } from "../../memory-budget.ts";
import { part } from "../../part.ts";
import type { Columns, Learner, Model, Objective } from "../../types.ts";
import { columnName, columnsOf } from "../shared/columns.ts";
import { dependsOnData } from "../shared/data-dependent-defaults.ts";
import { learnWithin } from "../within-list.ts";
import { binnedOf, binOptionsOf, checkBinned, checkBinning } from "./binned-input.ts";
import { boost } from "./boost.ts";
import { isAutomatic, settingsFor, sizeOf } from "./defaults.ts";
import { isTrees, treesModel } from "./model.ts";
import { interactionGroups, mentioned, weightsOf } from "./named-features.ts";
import { fields, type TreesOptions } from "./options.ts";
import { isPlain, plainSum } from "./sum.ts";
import type { Tree } from "./tree.ts";

export { withCounts } from "./counts.ts";
export { explainList } from "./explain.ts";
export { importance } from "./importance.ts";
export { isTrees, readTrees, type TreesModel, treesModel } from "./model.ts";

/** Boosted regression trees under any objective that has a gradient. */
export const trees = part("trees", "boosted regression trees", fields, (options, spec): Learner => {
  const learner = learnerOf(options, spec);
  if (!isAutomatic(options)) return learner;
  return dependsOnData(learner, (data, validated) => trees(settingsFor(options, sizeOf(data), validated)));
});

const PER_FEATURE = 1000; // bytes, even for a feature that no row has

const learnerOf = (options: TreesOptions, spec: string): Learner => ({
  id: "trees",
  spec,
  ...(options.rounds === "auto" ? {} : { rounds: options.rounds }),
  supportsWarmStart: true,
  supportsProcesses: true,
  binOptions(columns) {
    checkBinning(options);
    return binOptionsOf(options, columns ? categoricalOf(options, columns) : new Set());
  },
  learn(data, objective, run) {
    if (objective.gradient === "none") throw new InputError(`trees need a gradient, and objective ${objective.spec} has none`);
    const settings = settingsFor(options, sizeOf(data), run.validation !== undefined);
    const columns = columnsOf(data);
    checkMemory(
      `a training of trees over ${columns.count} features, which takes memory for every feature number,`,
      columns.count * PER_FEATURE,
    );
    const monotone = new Int8Array(columns.count);
    if (options.monotone !== "" && objective.outputs > 1)
      throw new InputError(
        `trees, option monotone: objective ${objective.spec} has ${objective.outputs} outputs for each item, and a score made of several can fall where each of them rises; use an objective with one output`,
      );
    for (const { feature, sign } of mentioned(options.monotone, columns, "monotone")) monotone[feature] = sign === "-" ? -1 : 1;
    const categorical = categoricalOf(options, columns);
    const both = [...categorical].find((feature) => monotone[feature] !== 0);
    if (both !== undefined)
      throw new InputError(`trees: feature ${columnName(columns, both)} is categorical, so it cannot have a monotone constraint`);
    const groups = interactionGroups(options.interactionConstraints, columns);
    const weights = weightsOf(options.featureWeights, columns);
    if (options.shape === "symmetric") checkSymmetric(options);
    checkBinned(data, run.validation, binOptionsOf(options, categorical));
    if (binnedOf(data.features)) checkBinning(options);
    return learnWithin(options, data, run, categorical, (expanded, its, source) => {
      const own = columnsOf(expanded);
      const ofThese = (some: ReadonlySet<number>) => new Set(Array.from(source.keys()).filter((k) => some.has(source[k]!)));
      const inputs = {
        ...begin(its.init, own, objective),
        monotone: Int8Array.from(source, (c) => monotone[c]!),
        categorical: ofThese(categorical),
        interactions: groups?.map(ofThese),
        weights: weights && Float64Array.from(source, (c) => weights[c]!),
      };
      const boosted = boost(expanded, objective, its, settings, inputs);
      return treesModel(own, boosted.trees, boosted.auxiliary, objective.reduction, plainSum, boosted.bag);
    });
  },
});

/** Leaves of a level have one split, so it cannot follow what each of them would need. */
function checkSymmetric({ monotone, categorical, minItemsUnit }: TreesOptions): void {
  const refuse = (option: string, why: string, out: string) => {
    throw new InputError(`trees: shape=symmetric does not support ${option}: ${why}; ${out}`);
  };
  const other = "leave it out, or use shape=leaf-wise";
  if (monotone.replace(/[()\s,]/g, "") !== "") refuse("monotone constraints", "they bound the values of each leaf apart", other);
  if (categorical.replace(/[()\s,]/g, "") !== "")
    refuse("categorical features", "each leaf puts categories in another order", other);
  if (minItemsUnit !== "hessian") refuse(`min-items-unit=${minItemsUnit}`, "rows are not counted by bin", "use hessian");
}

/** The trees of a model to go on from. */
function begin(
  model: Model | undefined,
  columns: Columns,
  { outputs, spec }: Objective,
): { readonly trees: readonly Tree[]; readonly bag: number } {
  if (!model) return { trees: [], bag: 1 };
  if (!isTrees(model)) throw new InputError(`trees can only continue training from trees, and the initial model is ${model.id}`);
  const before = model.reduction ? model.reduction.values.length : 1;
  if (before !== outputs)
    throw new InputError(`the initial model has ${before} outputs for each item, and objective ${spec} wants ${outputs}`);
  if (model.columns.count !== columns.count)
    throw new InputError(
      `the initial model has ${model.columns.count} features, and the data have ${columns.count}; align them first`,
    );
  if (!isPlain(model.sum) || model.trees.some(({ threshold }) => threshold instanceof Float64Array))
    throw new InputError(
      "trees can go on from trees that were trained here; the first model was imported and sums in another way",
    );
  return { trees: model.trees, bag: model.bag };
}

const categoricalOf = ({ categorical }: TreesOptions, columns: Columns): ReadonlySet<number> =>
  new Set(mentioned(categorical, columns, "categorical").map(({ feature }) => feature));

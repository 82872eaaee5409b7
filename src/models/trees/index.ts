/** Boosted regression trees under any objective that has a gradient. */
import { Mistake, quote } from "../../mistake.ts";
import { part } from "../../part.ts";
import type { Columns, Learner, Model, Objective } from "../../types.ts";
import { columnName, columnsOf } from "../shared/columns.ts";
import { boost } from "./boost.ts";
import { isTrees, treesModel } from "./model.ts";
import { fields } from "./options.ts";
import { isPlain } from "./sum.ts";
import type { Tree } from "./tree.ts";

export { explainList } from "./explain.ts";
export { importance } from "./importance.ts";
export { isTrees, readTrees, type TreesModel, treesModel } from "./model.ts";

/** Boosted regression trees under any objective that has a gradient. */
export const trees = part(
  "trees",
  "boosted regression trees",
  fields,
  (options, text): Learner => ({
    id: "trees",
    text,
    rounds: options.rounds,
    goesOn: true,
    learn(data, objective, run) {
      if (objective.gradient === "none") throw new Mistake(`trees need a gradient, and objective ${objective.text} has none`);
      const columns = columnsOf(data);
      const monotone = new Int8Array(columns.count);
      for (const { feature, sign } of mentioned(options.monotone, columns, "monotone")) monotone[feature] = sign === "-" ? -1 : 1;
      const categorical = new Set(mentioned(options.categorical, columns, "categorical").map(({ feature }) => feature));
      const both = [...categorical].find((feature) => monotone[feature] !== 0);
      if (both !== undefined)
        throw new Mistake(`trees: feature ${columnName(columns, both)} is categorical, so it can neither rise nor fall`);
      const given = { trees: begin(run.init, columns, objective), monotone, categorical };
      const boosted = boost(data, objective, run, options, given);
      return treesModel(columns, boosted.trees, boosted.extras, objective.fold);
    },
  }),
);

/** The trees of a model to go on from. */
function begin(model: Model | undefined, columns: Columns, { outputs, text }: Objective): readonly Tree[] {
  if (!model) return [];
  if (!isTrees(model)) throw new Mistake(`trees can only go on from trees, and the first model is ${model.id}`);
  const before = model.fold ? model.fold.values.length : 1;
  if (before !== outputs)
    throw new Mistake(`the first model gives ${before} outputs for each item, and objective ${text} wants ${outputs}`);
  if (model.columns.count !== columns.count)
    throw new Mistake(
      `the first model knows ${model.columns.count} features, and the data have ${columns.count}; align them first`,
    );
  if (!isPlain(model.sum) || model.trees.some(({ threshold }) => threshold instanceof Float64Array))
    throw new Mistake("trees can go on from trees that were trained here; the first model was imported and sums in another way");
  return model.trees;
}

/** The features that an option names, each with a sign after it or none: "(3+,7-)" or "(price-,age)". */
function mentioned(text: string, columns: Columns, option: string): { feature: number; sign: string }[] {
  const names = text.replace(/^\((.*)\)$/, "$1").split(/[,\s]+/);
  return names
    .filter((name) => name !== "")
    .map((name) => {
      const [, plain, sign] = /^(.*?)([+-]?)$/.exec(name)!;
      const feature = Array.from({ length: columns.count }, (_, c) => columnName(columns, c)).indexOf(plain!);
      if (feature >= 0) return { feature, sign: sign! };
      throw new Mistake(`trees, option ${option}: there is no feature ${quote(plain!)} in the data`);
    });
}

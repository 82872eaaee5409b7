/** A trained tree ensemble. With several outputs, trees alternate between them, and a reduction gives one score. */
import { InputError } from "../../input-error.ts";
import type { Columns, Dataset, Description, Model, OutputReduction, SavedModel } from "../../types.ts";
import { checkColumns, checkScoring, columnName } from "../shared/columns.ts";
import { reduceOutputs } from "../shared/reduce-outputs.ts";
import { savedNamedNumbers, savedNumber, savedReduction } from "../shared/saved.ts";
import { drawTree } from "./draw.ts";
import { explainList } from "./explain.ts";
import { saveTrees, treesOf } from "./file.ts";
import { importance } from "./importance.ts";
import { scorer } from "./score.ts";
import { finishAll, isPlain, plainSum, sumOf, type TreeSum } from "./sum.ts";
import { depthOf, type Tree } from "./tree.ts";

/** A model that adds up trees. */
export interface TreesModel extends Model {
  /** Name of the model. */
  readonly id: "trees";
  /** The trees, in the order in which they were grown. */
  readonly trees: readonly Tree[];
  /** How the values of the leaves are added up to a score. */
  readonly sum: TreeSum;
  /** Trees of each round for each output: above 1, the ensembles that were averaged (option bag). */
  readonly bag: number;
  /** How several outputs become one score. */
  readonly reduction?: OutputReduction;
}

/** Whether a model consists of trees. */
export const isTrees = (model: Model): model is TreesModel => model?.id === "trees" && "trees" in model;

export type Auxiliary = Readonly<Record<string, number>>; // numbers that the objective learned beside the trees

export function treesModel(
  columns: Columns,
  trees: readonly Tree[],
  auxiliary: Auxiliary,
  reduction?: OutputReduction,
  sum: TreeSum = plainSum,
  bag = 1,
): TreesModel {
  const outputs = reduction ? reduction.values.length : 1;
  const options = { columns: columns.count, outputs, sums: sum.precision };
  const prepared = scorer(trees, options);
  // Data sets hold float32. Rows of other numbers are compared in float64 if the tool that trained the model does so.
  const double = trees.some(({ threshold }) => threshold instanceof Float64Array);
  const byRows = double ? scorer(trees, { ...options, inputs: "float64" }) : prepared;
  const model: TreesModel = {
    id: "trees",
    ...{ columns, trees, sum, bag, ...(reduction ? { reduction } : {}) },
    score(data: Dataset, into) {
      checkScoring(columns, data, into);
      const { labels, features } = data;
      const scores = into.subarray(0, labels.length);
      const raw = (reduction ? new Float64Array(labels.length * outputs) : scores).fill(sum.start);
      prepared.addMatrix(features, 0, labels.length, raw);
      finishAll(raw, sum);
      if (reduction) reduceOutputs(raw, reduction, scores);
    },
    scoreRows(rows, into) {
      const raw = (reduction ? new Float64Array(rows.length * outputs) : into).fill(sum.start);
      byRows.addRows(rows, raw);
      finishAll(raw, sum);
      if (reduction) reduceOutputs(raw, reduction, into);
    },
    save: () => ({
      id: "trees",
      extras: auxiliary,
      ...(reduction ? { fold: reduction } : {}),
      ...(isPlain(sum) ? {} : { sum }),
      ...(bag > 1 ? { bag } : {}),
      ...saveTrees(trees),
    }),
    describe: () => describeTrees(model, auxiliary),
    stages: {
      count: Math.floor(trees.length / (outputs * bag)),
      ...(bag > 1 ? { trees: bag } : {}),
      after: (rounds) => {
        const fewer = sum.divisor === trees.length / outputs ? { ...sum, divisor: Math.max(1, rounds) } : sum; // a mean of trees
        return treesModel(columns, trees.slice(0, rounds * outputs * bag), auxiliary, reduction, fewer, bag);
      },
    },
    explain(data, list) {
      checkColumns(columns, data);
      return explainList(model, data, list);
    },
    drawTree(index) {
      const tree = trees[index];
      if (!tree) throw new InputError(`the model has trees 0 to ${trees.length - 1}, and no tree ${index}`);
      return drawTree(tree, columns);
    },
  };
  return model;
}

function describeTrees({ columns, trees, bag, reduction }: TreesModel, auxiliary: Auxiliary): Description {
  const used = importance(trees, columns.count)
    .filter(({ splits }) => splits > 0)
    .sort((a, b) => b.gain - a.gain || a.feature - b.feature);
  const all = used.reduce((sum, { gain }) => sum + gain, 0);
  return {
    title: "trees: a sum of decision trees",
    facts: {
      trees: trees.length,
      ...(bag > 1 ? { "averaged ensembles": bag } : {}),
      ...(reduction ? { outputs: reduction.values.length } : {}),
      "leaves in all": trees.reduce((sum, tree) => sum + tree.feature.filter((feature) => feature < 0).length, 0),
      "deepest leaf": trees.reduce((most, tree) => Math.max(most, depthOf(tree)), 0),
      features: `${columns.count}, of which ${used.length} are used`,
      ...auxiliary,
    },
    tables: [
      {
        title: "Features by total gain in training",
        head: ["feature", "gain", "fraction", "splits"],
        rows: used.map(({ feature, gain, splits }) => [columnName(columns, feature), gain, gain / all, splits]),
      },
    ],
  };
}

export function readTrees(saved: SavedModel, columns: Columns): TreesModel {
  const reduction = savedReduction(saved, "fold");
  const bag = saved.bag === undefined ? 1 : savedNumber(saved, "bag");
  if (!(Number.isSafeInteger(bag) && bag >= 1))
    throw new InputError(`the model file is damaged: bag should be a whole number above 0, and is ${bag}`);
  const trees = treesOf(saved, columns, (reduction?.values.length ?? 1) * bag);
  return treesModel(columns, trees, savedNamedNumbers(saved, "extras"), reduction, sumOf(saved), bag);
}

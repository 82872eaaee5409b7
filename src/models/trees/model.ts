/** Trees that have been grown: scores, and what there is to tell. With several outputs, trees serve them by turns, and a fold makes one score. */
import { Mistake } from "../../mistake.ts";
import type { Columns, Dataset, Fold, Model, SavedModel } from "../../types.ts";
import { columnName } from "../shared/columns.ts";
import { foldOutputs } from "../shared/fold.ts";
import { aFold, namedNumbers } from "../shared/saved.ts";
import { drawTree } from "./draw.ts";
import { explainList } from "./explain.ts";
import { saveTrees, treesOf } from "./file.ts";
import { importance } from "./importance.ts";
import { scorer } from "./score.ts";
import { finishAll, isPlain, plainSum, type Sum, sumOf } from "./sum.ts";
import { depthOf, type Tree } from "./tree.ts";

export interface TreesModel extends Model {
  readonly id: "trees";
  readonly trees: readonly Tree[];
  readonly sum: Sum;
  readonly fold?: Fold;
}

export const isTrees = (model: Model): model is TreesModel => model.id === "trees" && "trees" in model;

export type Extras = Readonly<Record<string, number>>; // numbers that the objective learned beside the trees

export function treesModel(
  columns: Columns,
  trees: readonly Tree[],
  extras: Extras,
  fold?: Fold,
  sum: Sum = plainSum,
): TreesModel {
  const outputs = fold ? fold.values.length : 1;
  const options = { columns: columns.count, outputs, sums: sum.precision };
  const prepared = scorer(trees, options);
  // Data sets hold float32. Rows of other numbers are compared in full where the model's own tool does so.
  const double = trees.some(({ threshold }) => threshold instanceof Float64Array);
  const byRows = double ? scorer(trees, { ...options, inputs: "float64" }) : prepared;
  const model: TreesModel = {
    id: "trees",
    ...{ columns, trees, sum, ...(fold ? { fold } : {}) },
    score({ labels, features }: Dataset, into) {
      const scores = into.subarray(0, labels.length);
      const raw = (fold ? new Float64Array(labels.length * outputs) : scores).fill(sum.start);
      prepared.addMatrix(features, 0, labels.length, raw);
      finishAll(raw, sum);
      if (fold) foldOutputs(raw, fold, scores);
    },
    scoreRows(rows, into) {
      const raw = (fold ? new Float64Array(rows.length * outputs) : into).fill(sum.start);
      byRows.addRows(rows, raw);
      finishAll(raw, sum);
      if (fold) foldOutputs(raw, fold, into);
    },
    save: () => ({ id: "trees", extras, ...(fold ? { fold } : {}), ...(isPlain(sum) ? {} : { sum }), ...saveTrees(trees) }),
    describe() {
      const used = importance(trees, columns.count)
        .filter(({ splits }) => splits > 0)
        .sort((a, b) => b.gain - a.gain || a.feature - b.feature);
      const all = used.reduce((sum, { gain }) => sum + gain, 0);
      return {
        title: "trees: a sum of decision trees",
        facts: {
          trees: trees.length,
          ...(fold ? { outputs } : {}),
          "leaves in all": trees.reduce((sum, tree) => sum + tree.feature.filter((feature) => feature < 0).length, 0),
          "deepest leaf": trees.reduce((most, tree) => Math.max(most, depthOf(tree)), 0),
          features: `${columns.count}, of which ${used.length} are used`,
          ...extras,
        },
        tables: [
          {
            title: "Features, by what their cuts gained in training",
            head: ["feature", "gain", "share", "cuts"],
            rows: used.map(({ feature, gain, splits }) => [columnName(columns, feature), gain, gain / all, splits]),
          },
        ],
      };
    },
    stages: {
      count: Math.floor(trees.length / outputs),
      after: (rounds) => {
        const fewer = sum.divisor === trees.length / outputs ? { ...sum, divisor: Math.max(1, rounds) } : sum; // a mean of trees
        return treesModel(columns, trees.slice(0, rounds * outputs), extras, fold, fewer);
      },
    },
    explain: (data, list) => explainList(model, data, list),
    drawTree(index) {
      const tree = trees[index];
      if (!tree) throw new Mistake(`the model has trees 0 to ${trees.length - 1}, and no tree ${index}`);
      return drawTree(tree, columns);
    },
  };
  return model;
}

export const readTrees = (saved: SavedModel, columns: Columns): TreesModel =>
  treesModel(columns, treesOf(saved, columns), namedNumbers(saved, "extras"), aFold(saved, "fold"), sumOf(saved));

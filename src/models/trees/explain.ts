/**
 * Why items stand where they do. Each score is the expected score plus what its features add (see shap.ts); within a list the expected score
 * and what all items share cancel out, so "why is A above B" is the difference of their parts.
 */
import { Mistake } from "../../mistake.ts";
import type { Dataset } from "../../types.ts";
import type { TreesModel } from "./model.ts";
import { addShap, expected } from "./shap.ts";
import { unfold } from "./table.ts";

export interface Explained {
  readonly expected: number; // score of an item of which nothing is known
  readonly scores: Float64Array; // by item of the list
  readonly parts: readonly Float64Array[]; // by item, then feature: expected + the sum of an item's parts is its score
}

/** The parts of every item of one list. */
export function explainList(model: TreesModel, data: Dataset, list: number): Explained {
  if (model.fold)
    throw new Mistake(
      "these trees give several outputs that fold into one score, which has no parts by feature; explain trees of one output",
    );
  const { columns } = data.features;
  const [from, to] = [data.starts[list]!, data.starts[list + 1]!];
  const values = new Float32Array((to - from) * columns);
  unfold(data.features, from, to, values);
  const base = model.trees.reduce((sum, tree) => sum + expected(tree), 0);
  const parts = Array.from({ length: to - from }, (_, i) => {
    const into = new Float64Array(columns);
    for (const tree of model.trees) addShap(tree, values, i * columns, into);
    return into;
  });
  return { expected: base, scores: Float64Array.from(parts, (one) => one.reduce((a, b) => a + b, base)), parts };
}

export interface Reason {
  readonly feature: number;
  readonly part: number; // of the difference of scores
}

/** Why item a scores above item b: the features that make the difference, largest first. The parts sum to the difference. */
export function whyAbove({ parts }: Explained, a: number, b: number): Reason[] {
  return Array.from(parts[a]!, (part, feature) => ({ feature, part: part - parts[b]![feature]! }))
    .filter(({ part }) => part !== 0)
    .sort((x, y) => Math.abs(y.part) - Math.abs(x.part) || x.feature - y.feature);
}

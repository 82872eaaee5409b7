/** Why items stand where they do: each score is the expected score plus what its features add (see shap.ts). */
import { Mistake } from "../../mistake.ts";
import type { Dataset, Explained } from "../../types.ts";
import type { TreesModel } from "./model.ts";
import { addShap, expected } from "./shap.ts";
import { unfold } from "./table.ts";

/** The parts of every item of one list. */
export function explainList(model: TreesModel, data: Dataset, list: number): Explained {
  if (model.fold)
    throw new Mistake(
      "these trees give several outputs that fold into one score, which has no parts by feature; explain trees of one output",
    );
  if (model.trees.some(({ feature, items }) => feature[0]! >= 0 && !(items[0]! > 0)))
    throw new Mistake(
      "to explain scores the model must say how many training rows came to each node, and the file that it came from does not",
    );
  const { columns } = data.features;
  const [from, to] = [data.starts[list]!, data.starts[list + 1]!];
  const values = new Float32Array((to - from) * columns);
  unfold(data.features, from, to, values);
  const { start, divisor, scale, bias } = model.sum;
  const factor = scale / divisor;
  const base = model.trees.reduce((sum, tree) => sum + expected(tree), start) * factor + bias;
  const parts = Array.from({ length: to - from }, (_, i) => {
    const into = new Float64Array(columns);
    for (const tree of model.trees) addShap(tree, values, i * columns, into);
    return factor === 1 ? into : into.map((part) => part * factor);
  });
  return { expected: base, scores: Float64Array.from(parts, (one) => one.reduce((a, b) => a + b, base)), parts };
}

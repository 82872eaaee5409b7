/** Why items stand where they do: each score is the expected score plus what its features add (see shap.ts). */
import { InputError } from "../../input-error.ts";
import type { Dataset, Explanation } from "../../types.ts";
import { denseRows } from "./binned-dataset.ts";
import type { TreesModel } from "./model.ts";
import { addShap, expected } from "./shap.ts";

/** The parts of every item of one list. */
export function explainList(model: TreesModel, data: Dataset, list: number): Explanation {
  if (model.reduction)
    throw new InputError("these trees give several outputs reduced to one score, which cannot be explained by feature");
  if (model.trees.some(({ feature, items }) => feature[0]! >= 0 && !(items[0]! > 0)))
    throw new InputError(
      "explaining scores needs the number of training rows of each node, which the imported model file did not contain",
    );
  const { columns } = data.features;
  const [from, to] = [data.starts[list]!, data.starts[list + 1]!];
  const values = new Float32Array((to - from) * columns);
  denseRows(data.features, from, to, values);
  const { start, divisor, scale, bias } = model.sum;
  const factor = scale / divisor;
  const base = model.trees.reduce((sum, tree) => sum + expected(tree), start) * factor + bias;
  const contributions = Array.from({ length: to - from }, (_, i) => {
    const into = new Float64Array(columns);
    for (const tree of model.trees) addShap(tree, values, i * columns, into);
    return factor === 1 ? into : into.map((contribution) => contribution * factor);
  });
  return { expected: base, scores: Float64Array.from(contributions, (one) => one.reduce((a, b) => a + b, base)), contributions };
}

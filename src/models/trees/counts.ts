/** Numbers of rows by node, which explanations need and some files of other tools (RankLib, ONNX, Solr) do not hold. */
import type { Dataset, Model } from "../../types.ts";
import { denseRows } from "./binned-dataset.ts";
import { isTrees, treesModel } from "./model.ts";
import { leafOf, type Tree } from "./tree.ts";

/** Whether explanations know how many training rows went which way. */
export const hasCounts = (trees: readonly Tree[]): boolean =>
  trees.every(({ feature, items }) => feature[0]! < 0 || items[0]! > 0);

const MOST = 20_000; // rows that are counted; more change the fractions little

/** The model itself, or, where its trees lack the number of training rows, one in which rows of the data are counted in their place. */
export function withCounts(model: Model, data: Dataset): Model {
  if (!isTrees(model) || hasCounts(model.trees) || data.features.rows === 0) return model;
  const { rows, columns } = data.features;
  const counted = Math.min(rows, MOST);
  const items = model.trees.map(({ feature }) => new Float64Array(feature.length));
  const row = new Float32Array(columns);
  for (let i = 0; i < counted; i++) {
    const at = Math.floor((i * rows) / counted); // spread evenly over the data
    denseRows(data.features, at, at + 1, row);
    model.trees.forEach((tree, t) => {
      items[t]![leafOf(tree, row, 0)]!++;
    });
  }
  const trees = model.trees.map((tree, t) => ({ ...tree, items: addedUp(tree, items[t]!) }));
  return treesModel(model.columns, trees, {}, model.reduction, model.sum);
}

/** Rows of leaves, added up to the nodes above them. Children come after their parent. */
function addedUp({ feature, left, right }: Tree, items: Float64Array): Float64Array {
  for (let node = feature.length - 1; node >= 0; node--)
    if (feature[node]! >= 0) items[node] = items[left[node]!]! + items[right[node]!]!;
  return items;
}

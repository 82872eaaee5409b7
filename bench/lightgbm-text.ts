/** Trees as a LightGBM model file, so that other tools score the same trees. */
import type { TreesModel } from "../src/models/trees/index.ts";

type Tree = TreesModel["trees"][number];

/** The bits of a set of categories in words of 32. */
function wordsOf(set: Float32Array): Uint32Array {
  const words = new Uint32Array(Math.floor(Math.max(...set) / 32) + 1);
  for (const category of set) words[category >> 5]! |= 1 << (category & 31);
  return words;
}

function treeText(tree: Tree, number: number): string {
  const nodes = Array.from(tree.feature.keys());
  const splits = nodes.filter((node) => tree.feature[node]! >= 0);
  const leaves = nodes.filter((node) => tree.feature[node]! < 0);
  const places = new Map([...splits.map((node, k) => [node, k] as const), ...leaves.map((node, k) => [node, ~k] as const)]);
  const [bounds, words]: [number[], number[]] = [[0], []];
  const thresholds = splits.map((node) => {
    const set = tree.sets.get(node);
    if (!set) return tree.threshold[node]!;
    words.push(...wordsOf(set));
    return bounds.push(words.length) - 2;
  });
  const line = (key: string, list: readonly number[]) => `${key}=${list.join(" ")}`;
  const ones = (of: readonly number[]) => of.map(() => 1);
  return [
    ...[`Tree=${number}`, `num_leaves=${leaves.length}`, `num_cat=${bounds.length - 1}`],
    line(
      "split_feature",
      splits.map((node) => tree.feature[node]!),
    ),
    ...[line("split_gain", ones(splits)), line("threshold", thresholds)],
    line(
      "decision_type",
      splits.map((node) => (tree.sets.has(node) ? 1 : 8 + 2 * tree.missing[node]!)),
    ),
    line(
      "left_child",
      splits.map((node) => places.get(tree.left[node]!)!),
    ),
    line(
      "right_child",
      splits.map((node) => places.get(tree.right[node]!)!),
    ),
    line(
      "leaf_value",
      leaves.map((node) => tree.value[node]!),
    ),
    ...[line("leaf_weight", ones(leaves)), line("leaf_count", ones(leaves))],
    ...[line("internal_value", ones(splits)), line("internal_weight", ones(splits)), line("internal_count", ones(splits))],
    ...(words.length > 0 ? [line("cat_boundaries", bounds), line("cat_threshold", words)] : []),
    ...["is_linear=0", "shrinkage=1", "", ""],
  ].join("\n");
}

export function lightgbmText({ trees, columns: { count } }: TreesModel): string {
  const categorical = new Set(trees.flatMap((tree) => [...tree.sets.keys()].map((node) => tree.feature[node]!)));
  const features = Array.from({ length: count }, (_, f) => f);
  return [
    ...["tree", "version=v4", "num_class=1", "num_tree_per_iteration=1", "label_index=0", `max_feature_idx=${count - 1}`],
    ...["objective=lambdarank", `feature_names=${features.map((f) => `f${f}`).join(" ")}`],
    `feature_infos=${features.map((f) => (categorical.has(f) ? "0:1:2" : "[-1e+30:1e+30]")).join(" ")}`,
    ...["", trees.map(treeText).join("\n"), "end of trees", "", "pandas_categorical:null", ""],
  ].join("\n");
}

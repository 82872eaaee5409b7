/**
 * Vespa's import of LightGBM models: LightGBM's dump as JSON, of which Vespa makes `feature < threshold`, so that the next float64 above each
 * threshold is written. default_left alone decides where missing values go; categories need feature_infos and pandas_categorical. Names of
 * features are ranking expressions, such as attribute(price). Not run by Vespa.
 */
import { InputError } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { plainSum } from "../../models/trees/sum.ts";
import { MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import { above64, below64 } from "../../numeric/float32.ts";
import type { ModelFormat } from "./format.ts";
import { type DumpedRules, dumpedTree } from "./lightgbm-json.ts";
import { checkTrees } from "./shared/build-tree.ts";
import { checkNames, countOf, largest } from "./shared/columns.ts";
import { lower } from "./shared/lower.ts";
import { Json, jsonOf, textOf } from "./shared/text.ts";

/** What tells the file from a dump of LightGBM, whose thresholds mean something else. */
const MARK = "thresholds as Vespa compares them";

export const vespa: ModelFormat = {
  id: "vespa",
  about: "Vespa: LightGBM's JSON with thresholds as Vespa compares them",
  endings: [".vespa.json"],
  named: true,
  sniff: (head) => head.startsWith(`{"tierwise":${JSON.stringify(MARK)}`),
  read(bytes, path) {
    const root = new Json(jsonOf(textOf(bytes, path), path), path);
    const names = root
      .at("feature_names")
      .list()
      .map((name) => name.text());
    checkNames(names, `${path}: feature_names`);
    const dumped = root.at("tree_info").list();
    checkTrees(dumped.length, path);
    const trees = dumped.map((tree) => dumpedTree(tree.at("tree_structure"), names.length, vespaRules));
    return {
      model: treesModel({ count: names.length, base: 0, names }, trees, {}, undefined, plainSum),
      objective: root.at("objective").text(),
      notes: [],
    };
  },
  write(model, options) {
    if (model.kind !== "trees")
      throw new InputError(
        "a LightGBM model for Vespa holds trees, and this model has none; onnx serves weighted sums and networks",
      );
    const { trees, tolerance, notes } = lower(
      model,
      { name: "Vespa", precision: "float64", missing: "side", sets: "missing right" },
      options,
    );
    const names = model.columns.names!;
    // The largest category of each categorical feature.
    const most = new Map<number, number>();
    for (const { feature, sets } of trees)
      for (const [node, set] of sets) most.set(feature[node]!, Math.max(most.get(feature[node]!) ?? 0, largest(set, 0)));
    const categorical = [...most.keys()].sort((a, b) => a - b);
    const upTo = (column: number) => Array.from({ length: most.get(column)! + 1 }, (_, category) => category);
    const root = {
      tierwise: MARK,
      name: "tree",
      version: "v4",
      num_class: 1,
      num_tree_per_iteration: 1,
      label_index: 0,
      max_feature_idx: names.length - 1,
      objective: "lambdarank",
      average_output: false,
      feature_names: names,
      monotone_constraints: [],
      feature_infos: Object.fromEntries(
        categorical.map((c) => [names[c]!, { min_value: 0, max_value: most.get(c), values: upTo(c) }]),
      ),
      tree_info: trees.map((tree, t) => ({
        tree_index: t,
        num_leaves: (tree.feature.length + 1) / 2,
        num_cat: tree.sets.size,
        shrinkage: 1,
        tree_structure: nodeRecord(tree, 0),
      })),
      feature_importances: {},
      pandas_categorical: categorical.length > 0 ? categorical.map(upTo) : null,
    };
    return { content: `${JSON.stringify(root)}\n`, precision: "float64", tolerance, missing: "kept", notes };
  },
};

const MOST = Number.MAX_VALUE;

function nodeRecord(tree: Tree, node: number): unknown {
  if (tree.feature[node]! < 0) return { leaf_index: node, leaf_value: tree.value[node]!, leaf_count: countOf(tree.items[node]!) };
  const set = tree.sets.get(node);
  return {
    split_index: node,
    split_feature: tree.feature[node]!,
    split_gain: tree.gain[node]!,
    threshold: set ? Array.from(set).join("||") : Math.max(-MOST, Math.min(MOST, above64(tree.threshold[node]!))),
    decision_type: set ? "==" : "<=",
    default_left: (tree.missing[node]! & MISSING_LEFT) !== 0,
    missing_type: "NaN",
    internal_count: countOf(tree.items[node]!),
    left_child: nodeRecord(tree, tree.left[node]!),
    right_child: nodeRecord(tree, tree.right[node]!),
  };
}

/** Vespa asks whether a value is below the threshold, and looks at default_left alone. */
const vespaRules: DumpedRules = (threshold, toLeft) => ({ threshold: below64(threshold), rules: toLeft ? MISSING_LEFT : 0 });

/**
 * Elasticsearch's own trained model (learning_to_rank since 8.12): the definition with an ensemble of trees, thresholds and sums in float64, and
 * a side for missing values at each node. Elasticsearch sums in another order. Not run by it.
 */
import { InputError } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { plainSum } from "../../models/trees/sum.ts";
import { MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import type { ModelFormat } from "./format.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { checkNames } from "./shared/columns.ts";
import { lower } from "./shared/lower.ts";
import { Json, jsonOf, textOf } from "./shared/text.ts";

export const elasticsearch: ModelFormat = {
  id: "elasticsearch",
  about: "Elasticsearch's own inference ensemble (learning_to_rank)",
  endings: [".elasticsearch.json"],
  named: true,
  sniff: (head) => /^\s*\{\s*"trained_model"\s*:/.test(head),
  read(bytes, path) {
    const root = new Json(jsonOf(textOf(bytes, path), path), path).at("trained_model").at("ensemble");
    const names = root
      .at("feature_names")
      .list()
      .map((name) => name.text());
    checkNames(names, `${path}: feature_names`);
    const models = root.at("trained_models").list();
    checkTrees(models.length, path);
    const trees = models.map((model) => treeFrom(model.at("tree").at("tree_structure"), names.length));
    const weights = root.at("aggregate_output").at("weighted_sum").at("weights").numbers(trees.length);
    if (weights.some((weight) => weight !== 1)) throw root.at("aggregate_output").error("weights of 1");
    return {
      model: treesModel({ count: names.length, base: 0, names }, trees, {}, undefined, plainSum),
      objective: "unknown",
      notes: [],
    };
  },
  write(model, options) {
    if (model.kind !== "trees")
      throw new InputError("an inference ensemble of Elasticsearch holds trees here, and this model has none");
    const { trees, notes } = lower(
      model,
      { name: "Elasticsearch", precision: "float64", missing: "side", sets: "none" },
      options,
    );
    const names = model.columns.names!;
    const ensemble = {
      feature_names: names,
      trained_models: trees.map((tree) => ({
        tree: { feature_names: names, tree_structure: structure(tree), target_type: "regression" },
      })),
      aggregate_output: { weighted_sum: { weights: trees.map(() => 1) } },
      target_type: "regression",
    };
    const content = `${JSON.stringify({ trained_model: { ensemble } })}\n`;
    return { content, precision: "float64", tolerance: 1e-12, missing: "kept", notes };
  },
};

const MOST = Number.MAX_VALUE;

const structure = (tree: Tree) =>
  Array.from(tree.feature, (feature, node) =>
    feature < 0
      ? { node_index: node, leaf_value: tree.value[node]!, number_samples: Math.round(tree.items[node]!) }
      : {
          node_index: node,
          decision_type: "lte",
          split_feature: feature,
          threshold: Math.max(-MOST, Math.min(MOST, tree.threshold[node]!)),
          left_child: tree.left[node]!,
          right_child: tree.right[node]!,
          default_left: (tree.missing[node]! & MISSING_LEFT) !== 0,
          number_samples: Math.round(tree.items[node]!),
        },
  );

function treeFrom(list: Json, features: number): Tree {
  const all = list.list();
  const nodes = new Map(all.map((node) => [node.at("node_index").whole(0, all.length - 1), node]));
  if (nodes.size < all.length) throw list.error("nodes that each have a node_index of their own");
  const where = `${list.path}: ${list.place}`;
  return buildTree({ nodes: all.length, root: 0, features, thresholds: "float64", where }, (at): Node => {
    const node = nodes.get(at);
    if (!node) throw new InputError(`${where}: there is no node ${at}`);
    const items = node.has("number_samples") ? node.at("number_samples").number() : 0;
    if (node.has("leaf_value")) return { value: node.at("leaf_value").number(), items };
    if (node.at("decision_type").value !== "lte") throw node.at("decision_type").error("lte");
    return {
      feature: node.at("split_feature").whole(),
      threshold: node.at("threshold").number(),
      rules: node.at("default_left").value === true ? MISSING_LEFT : 0,
      left: node.at("left_child").whole(),
      right: node.at("right_child").whole(),
      gain: 0,
      items,
    };
  });
}

/**
 * LightGBM's dump as JSON (Booster.dump_model()): the same trees and rules as its text file. LightGBM writes it and does not read it. What is
 * read was compared with dumps of LightGBM 4.7.0.
 */
import { InputError, quote } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { plainSum } from "../../models/trees/sum.ts";
import { CATEGORY_TRUNCATED, MISSING_LEFT, type Tree, ZERO_MISSING } from "../../models/trees/tree.ts";
import type { ModelFormat } from "./format.ts";
import { lightgbmTarget, rulesOf } from "./lightgbm.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { countOf, largest, namesFor } from "./shared/columns.ts";
import { lower } from "./shared/lower.ts";
import { Json, jsonOf, numberOf, textOf } from "./shared/text.ts";

export const lightgbmJson: ModelFormat = {
  id: "lightgbm-json",
  about: "LightGBM's dump as JSON (dump_model)",
  endings: [".lightgbm.json"],
  sniff: (head) => /^\s*\{\s*"name"\s*:\s*"tree"/.test(head),
  read(bytes, path) {
    const root = new Json(jsonOf(textOf(bytes, path), path), path);
    if (root.has("num_tree_per_iteration") && root.at("num_tree_per_iteration").whole() > 1)
      throw new InputError(
        `${path}: the model has ${root.at("num_tree_per_iteration").whole()} outputs for each row, and a ranking needs one score`,
      );
    const names = root
      .at("feature_names")
      .list()
      .map((name) => name.text());
    const dumped = root.at("tree_info").list();
    checkTrees(dumped.length, path);
    const trees = dumped.map((tree) => dumpedTree(tree.at("tree_structure"), names.length, rules));
    const mean = root.has("average_output") && root.at("average_output").value === true;
    const sum = mean ? { ...plainSum, divisor: Math.max(1, trees.length) } : plainSum;
    const objective = root.has("objective") ? root.at("objective").text() : "unknown";
    return {
      model: treesModel(
        namesFor(names.length, 0, names, `${path}: feature_names`, (c) => `Column_${c}`),
        trees,
        {},
        undefined,
        sum,
      ),
      objective,
      notes: [],
    };
  },
  write(model, options) {
    if (model.kind !== "trees") throw new InputError("a LightGBM dump holds trees, and this model has none");
    const { trees, mean, tolerance, notes } = lower(model, lightgbmTarget, options);
    const count = Math.max(1, model.columns.count);
    const names = Array.from({ length: count }, (_, c) => model.columns.names?.[c] ?? `Column_${c + model.columns.base}`);
    const root = dumpRecord(names, trees, (threshold) => threshold, mean);
    return { content: `${JSON.stringify(root)}\n`, precision: "float64", tolerance, missing: "kept", notes };
  },
};

/** What LightGBM dumps; `thresholdOf` gives the number to write for a threshold. */
export function dumpRecord(
  names: readonly string[],
  trees: readonly Tree[],
  thresholdOf: (threshold: number) => number,
  mean: boolean,
) {
  // The largest category of each categorical feature.
  const most = new Map<number, number>();
  for (const { feature, sets } of trees)
    for (const [node, set] of sets) most.set(feature[node]!, Math.max(most.get(feature[node]!) ?? 0, largest(set, 0)));
  const categorical = [...most.keys()].sort((a, b) => a - b);
  const upTo = (column: number) => Array.from({ length: most.get(column)! + 1 }, (_, category) => category);
  return {
    name: "tree",
    version: "v4",
    num_class: 1,
    num_tree_per_iteration: 1,
    label_index: 0,
    max_feature_idx: names.length - 1,
    objective: "lambdarank",
    average_output: mean,
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
      tree_structure: nodeRecord(tree, 0, thresholdOf),
    })),
    feature_importances: {},
    pandas_categorical: categorical.length > 0 ? categorical.map(upTo) : null,
  };
}

const MOST = 1e300; // what LightGBM dumps in the place of an infinite threshold

function nodeRecord(tree: Tree, node: number, thresholdOf: (threshold: number) => number): unknown {
  if (tree.feature[node]! < 0) return { leaf_index: node, leaf_value: tree.value[node]!, leaf_count: countOf(tree.items[node]!) };
  const set = tree.sets.get(node);
  const rules = tree.missing[node]!;
  return {
    split_index: node,
    split_feature: tree.feature[node]!,
    split_gain: tree.gain[node]!,
    threshold: set ? Array.from(set).join("||") : Math.max(-MOST, Math.min(MOST, thresholdOf(tree.threshold[node]!))),
    decision_type: set ? "==" : "<=",
    default_left: (rules & MISSING_LEFT) !== 0,
    missing_type: rules & ZERO_MISSING ? "Zero" : "NaN",
    internal_count: countOf(tree.items[node]!),
    left_child: nodeRecord(tree, tree.left[node]!, thresholdOf),
    right_child: nodeRecord(tree, tree.right[node]!, thresholdOf),
  };
}

/** What a comparison of a dump means: threshold and rules of the node, from the number, default_left and missing_type of the dump. */
export type DumpedRules = (
  threshold: number,
  toLeft: boolean,
  missing: string,
  where: string,
) => { threshold: number; rules: number };

const TYPES = ["None", "Zero", "NaN"];

const rules: DumpedRules = (threshold, toLeft, missing, where) => {
  const type = TYPES.indexOf(missing);
  if (type < 0) throw new InputError(`${where}: a node's missing_type is ${quote(missing)}, and None, Zero and NaN are known`);
  const given = Math.abs(threshold) >= MOST ? Math.sign(threshold) * Infinity : threshold;
  return rulesOf(given, (toLeft ? 2 : 0) + 4 * type);
};

/** A tree of LightGBM's dump; `rulesOf` says what its comparisons mean. */
export function dumpedTree(root: Json, features: number, rulesOf: DumpedRules): Tree {
  const nodes: Json[] = [root];
  const sides = new Map<number, [number, number]>();
  for (let at = 0; at < nodes.length; at++)
    if (!nodes[at]!.has("leaf_value"))
      sides.set(at, [nodes.push(nodes[at]!.at("left_child")) - 1, nodes.push(nodes[at]!.at("right_child")) - 1]);
  return buildTree(
    { nodes: nodes.length, root: 0, features, thresholds: "float64", where: `${root.path}: ${root.place}` },
    (at): Node => {
      const node = nodes[at]!;
      const both = sides.get(at);
      const count = (key: string) => (node.has(key) ? node.at(key).number() : 0);
      if (node.has("leaf_coeff"))
        throw new InputError(`${root.path}: ${root.place} has linear functions in its leaves (linear_tree), which are not read`);
      if (!both) return { value: node.at("leaf_value").number(), items: count("leaf_count") };
      const common = {
        feature: node.at("split_feature").whole(),
        left: both[0],
        right: both[1],
        gain: count("split_gain"),
        items: count("internal_count"),
      };
      if (node.at("decision_type").value === "==") {
        const members = node
          .at("threshold")
          .text()
          .split("||")
          .filter((word, _, all) => word !== "" || all.length > 1) // an empty text is an empty set
          .map((word) => numberOf(word) ?? Number.NaN);
        if (!members.every((member) => Number.isInteger(member) && member >= 0))
          throw node.at("threshold").error("categories with || between them");
        return { ...common, threshold: 0, rules: CATEGORY_TRUNCATED, set: Float32Array.from(members) };
      }
      if (node.at("decision_type").value !== "<=") throw node.at("decision_type").error("<= or ==");
      const missing = node.has("missing_type") ? node.at("missing_type").text() : "None";
      return {
        ...common,
        ...rulesOf(node.at("threshold").number(), node.at("default_left").value === true, missing, `${root.path}: ${root.place}`),
      };
    },
  );
}

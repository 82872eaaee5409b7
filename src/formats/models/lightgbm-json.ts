/** LightGBM's dump as JSON (Booster.dump_model()), read only: the same trees and rules as its text file. Not compared with a dump of LightGBM's own. */
import { InputError, quote } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { plainSum } from "../../models/trees/sum.ts";
import { CATEGORY_TRUNCATED, type Tree } from "../../models/trees/tree.ts";
import type { ModelFormat } from "./format.ts";
import { rulesOf } from "./lightgbm.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { namesFor } from "./shared/columns.ts";
import { Json, jsonOf, numberOf, textOf } from "./shared/text.ts";

export const lightgbmJson: ModelFormat = {
  id: "lightgbm-json",
  about: "LightGBM's dump as JSON",
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
};

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
  return rulesOf(threshold, (toLeft ? 2 : 0) + 4 * type);
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

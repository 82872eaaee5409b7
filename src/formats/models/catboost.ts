/**
 * CatBoost's model as JSON (save_model(format="json")), read only. A value goes right where it is above the border, in float32; missing values
 * go by the feature's nan_value_treatment. score = scale * Σ + bias in float64, in the order of trees. One-hot features and target
 * statistics work on hashed text categories and are refused. Checked against CatBoost 1.2.10.
 */
import { InputError, quote } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import type { Imported, ModelFormat } from "./format.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { checkNames } from "./shared/columns.ts";
import { Json, jsonOf, textOf } from "./shared/text.ts";

export const catboost: ModelFormat = {
  id: "catboost",
  about: "CatBoost's model as JSON",
  endings: [".catboost.json"],
  sniff: (head) => /^\s*\{/.test(head) && /"(features_info|oblivious_trees|model_info)"\s*:/.test(head),
  read,
};

interface Floats {
  readonly column: number;
  readonly missingLeft: boolean;
}

function read(bytes: Uint8Array, path: string): Imported {
  const root = new Json(jsonOf(textOf(bytes, path), path), path);
  const info = root.at("features_info");
  const features = info.at("float_features").list();
  const floats = features.map((feature): Floats => {
    const treatment = feature.has("nan_value_treatment") ? feature.at("nan_value_treatment").text() : "AsIs";
    if (!["AsTrue", "AsFalse", "AsIs"].includes(treatment))
      throw feature.at("nan_value_treatment").error("AsTrue, AsFalse or AsIs");
    return { column: feature.at("flat_feature_index").whole(0, 2 ** 24), missingLeft: treatment !== "AsTrue" };
  });
  const others = ["categorical_features", "text_features", "embedding_features"].flatMap((key) =>
    info.has(key)
      ? info
          .at(key)
          .list()
          .map((feature) => feature.at("flat_feature_index").whole(0, 2 ** 24))
      : [],
  );
  const taken = new Set(others);
  floats.forEach(({ column }, i) => {
    if (taken.has(column)) throw features[i]!.at("flat_feature_index").error("a column that no other feature has");
    taken.add(column);
  });
  const count = 1 + [...floats.map(({ column }) => column), ...others].reduce((most, column) => Math.max(most, column), -1);
  const [scale, bias] = scaleOf(root.at("scale_and_bias"));
  const isOblivious = root.has("oblivious_trees");
  const trees = root.at(isOblivious ? "oblivious_trees" : "trees").list();
  checkTrees(trees.length, path);
  const grown = trees.map((tree) => (isOblivious ? oblivious(tree, floats, count) : nested(tree, floats, count)));
  const sum = { precision: "float64", start: 0, divisor: 1, scale, bias } as const;
  const names = features.map((feature) => (feature.has("feature_id") ? feature.at("feature_id").text() : ""));
  checkNames(
    names.filter((name) => name !== ""),
    `${path}: features_info.float_features`,
  );
  const named = others.length === 0 && names.length === count && names.every((name) => name !== "");
  const columns = named ? { count, base: 0 as const, names } : { count, base: 0 as const };
  const objective = lossOf(root);
  return { model: treesModel(columns, grown, {}, undefined, sum), objective, notes: [] };
}

function scaleOf(field: Json): [number, number] {
  const [scale, bias] = field.list();
  if (!scale || !bias) throw field.error("a scale and a bias");
  const biases = bias.numbers();
  if (biases.length > 1)
    throw new InputError(`${field.path}: the model has ${biases.length} outputs for each row, and a ranking needs one score`);
  return [scale.number(), biases[0] ?? 0];
}

function lossOf(root: Json): string {
  const loss = (root.value as { model_info?: { params?: { loss_function?: { type?: unknown } } } }).model_info?.params
    ?.loss_function?.type;
  return typeof loss === "string" ? loss : "unknown";
}

/** The test of a split: which column, which border, where missing values go. */
function splitOf(split: Json, floats: readonly Floats[]) {
  const kind = split.at("split_type").text();
  if (kind !== "FloatFeature")
    throw new InputError(
      `${split.path}: ${split.place} is of the type ${quote(kind)}, a hashed category or a statistic of it, which only CatBoost can compute`,
    );
  const feature = floats[split.at("float_feature_index").whole(0, floats.length - 1)]!;
  return {
    feature: feature.column,
    threshold: Math.fround(split.at("border").number()),
    rules: feature.missingLeft ? MISSING_LEFT : 0,
    gain: 0,
  };
}

/** All nodes of a level test the same split; bit i of the leaf's number is the answer of split i. */
function oblivious(tree: Json, floats: readonly Floats[], features: number): Tree {
  const splits =
    tree.has("splits") && tree.at("splits").value !== null
      ? tree
          .at("splits")
          .list()
          .map((split) => splitOf(split, floats))
      : [];
  const depth = splits.length;
  if (depth > 20) throw tree.at("splits").error("at most 20 levels");
  const leaves = 2 ** depth;
  const values = tree.at("leaf_values").numbers(leaves);
  const weights = tree.has("leaf_weights") ? tree.at("leaf_weights").numbers() : new Float64Array(leaves);
  if (weights.length !== leaves && weights.length !== 0) throw tree.at("leaf_weights").error(`${leaves} numbers`);
  // Node h of a heap: its path from the root, the last split first, gives the high bits of the leaves below.
  const items = new Float64Array(2 * leaves);
  for (let h = 2 * leaves - 1; h > 0; h--)
    items[h] = h >= leaves ? (weights[leafAt(h, depth)] ?? 0) : items[2 * h]! + items[2 * h + 1]!;
  return buildTree(
    { nodes: 2 * leaves, root: 1, features, thresholds: "float32", where: `${tree.path}: ${tree.place}` },
    (h): Node => {
      if (h >= leaves) return { value: values[leafAt(h, depth)]!, items: items[h]! };
      const level = Math.floor(Math.log2(h));
      return { ...splits[depth - 1 - level]!, left: 2 * h, right: 2 * h + 1, items: items[h]! };
    },
  );
}

/** The root tests the last split, which is the highest bit, so that leaves stand in the order of their numbers. */
const leafAt = (h: number, depth: number) => h - 2 ** depth;

function nested(tree: Json, floats: readonly Floats[], features: number): Tree {
  const nodes: Json[] = [tree];
  const weights = new Map<number, number>();
  const children = new Map<number, [number, number]>();
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!;
    if (!node.has("split")) continue;
    children.set(at, [nodes.push(node.at("left")) - 1, nodes.push(node.at("right")) - 1]);
  }
  for (let at = nodes.length - 1; at >= 0; at--) {
    const [left, right] = children.get(at) ?? [];
    const own =
      left === undefined
        ? nodes[at]!.has("weight")
          ? nodes[at]!.at("weight").number()
          : 0
        : weights.get(left)! + weights.get(right!)!;
    weights.set(at, own);
  }
  return buildTree(
    { nodes: nodes.length, root: 0, features, thresholds: "float32", where: `${tree.path}: ${tree.place}` },
    (at): Node => {
      const items = weights.get(at)!;
      const node = nodes[at]!;
      const [left, right] = children.get(at) ?? [];
      if (left === undefined) {
        if (Array.isArray(node.at("value").value))
          throw new InputError(`${node.path}: ${node.place} has several values, and a ranking needs one score`);
        return { value: node.at("value").number(), items };
      }
      return { ...splitOf(node.at("split"), floats), left, right: right!, items };
    },
  );
}

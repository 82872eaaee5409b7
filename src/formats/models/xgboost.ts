/**
 * XGBoost's model file, as JSON and as UBJSON. A value goes left where it is below the split condition, in float32; members of a category set
 * go right; missing values have a side at each node. Leaves, learning rate inside, are added in float32 to base_score in the order of trees.
 * Children of a node must stand side by side, and floats must look like floats. Checked against XGBoost 3.2.0.
 */
import { InputError, quote } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { CATEGORY_FLOORED, MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import { above32, below32, floor32 } from "../../numeric/float32.ts";
import type { Exported, Imported, ModelFormat, WriteOptions } from "./format.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { namesFor } from "./shared/columns.ts";
import { lower, type Target } from "./shared/lower.ts";
import type { Portable, PortableTrees } from "./shared/portable.ts";
import { Json, jsonOf, numberOf, textOf } from "./shared/text.ts";
import { ubjsonBytes, ubjsonOf } from "./shared/ubjson.ts";

export const xgboost: ModelFormat = {
  id: "xgboost",
  about: "XGBoost's model file as JSON",
  endings: [".xgboost.json", ".xgb.json"],
  sniff: (head) => /^\s*\{/.test(head) && /"learner"\s*:/.test(head.slice(0, 200)),
  read: (bytes, path) => modelFrom(new Json(jsonOf(textOf(bytes, path), path), path)),
  write: (model, options) => exported(model, options, jsonText),
};

export const xgboostUbj: ModelFormat = {
  id: "xgboost-ubj",
  about: "XGBoost's model file as UBJSON",
  endings: [".ubj"],
  sniff: (_, bytes) => bytes[0] === 0x7b && [0x4c, 0x69, 0x55, 0x6c, 0x49].includes(bytes[1]!) && bytes.length > 2,
  read: (bytes, path) => modelFrom(new Json(ubjsonOf(bytes, path), path)),
  write: (model, options) => exported(model, options, ubjsonBytes),
};

function modelFrom(root: Json): Imported {
  const learner = root.at("learner");
  const booster = learner.at("gradient_booster");
  const kind = booster.at("name").text();
  if (kind !== "gbtree" && kind !== "dart")
    throw new InputError(`${root.path}: the booster is ${quote(kind)}, and only gbtree and dart, which have trees, are read`);
  const model = kind === "dart" ? booster.at("gbtree").at("model") : booster.at("model");
  const param = learner.at("learner_model_param");
  const count = param.at("num_feature").whole(0, 2 ** 24);
  const objective = learner.at("objective").at("name").text();
  const groups = Math.max(
    param.has("num_class") ? param.at("num_class").whole() : 0,
    param.has("num_target") ? param.at("num_target").whole() : 1,
  );
  if (groups > 1)
    throw new InputError(`${root.path}: the model has ${groups} outputs for each row, and a ranking needs one score`);
  const trees = model.at("trees").list();
  checkTrees(trees.length, root.path);
  const declared = model.at("gbtree_model_param").at("num_trees").whole();
  if (declared !== trees.length)
    throw new InputError(`${root.path}: the model says that it has ${declared} trees, and ${trees.length} are there`);
  const outputs = model.at("tree_info").numbers(trees.length);
  if (outputs.some((output) => output !== 0))
    throw new InputError(`${root.path}: trees serve several outputs, and a ranking needs one score`);
  const weights = kind === "dart" ? booster.at("weight_drop").numbers(trees.length) : undefined;
  const grown = trees.map((tree, t) => treeFrom(tree, count, weights ? Math.fround(weights[t]!) : undefined));
  const names = learner.has("feature_names")
    ? learner
        .at("feature_names")
        .list()
        .map((name) => name.text())
    : [];
  if (names.length > 0 && names.length !== count) throw learner.at("feature_names").error(`${count} names`);
  const start = marginOf(param.at("base_score"), objective);
  const sum = { precision: "float32", start, divisor: 1, scale: 1, bias: 0 } as const;
  const columns = namesFor(count, 0, names, `${root.path}: learner.feature_names`, (c) => `f${c}`);
  return { model: treesModel(columns, grown, {}, undefined, sum), objective, notes: notesOf(learner, model, objective) };
}

function notesOf(learner: Json, model: Json, objective: string): string[] {
  const notes: string[] = [];
  if (!objective.startsWith("rank:") && !objective.startsWith("reg:squared"))
    notes.push(`the objective is ${objective}: scores are the raw ones, as predict(output_margin=True) gives them`);
  if (learner.has("attributes") && learner.at("attributes").has("best_iteration"))
    notes.push("the file names a best iteration; all its trees are used, as Booster.predict does by default");
  if (model.has("cats") && model.at("cats").has("enc") && model.at("cats").at("enc").list().length > 0)
    notes.push(
      "the model was trained on a data frame with categories: its categorical features take the codes of the categories, from 0",
    );
  return notes;
}

/** base_score is given on the scale of predictions, and sums begin with its margin. */
function marginOf(field: Json, objective: string): number {
  const text = String(field.value).replace(/^\[(.*)\]$/, "$1");
  const base = Math.fround(numberOf(text.trim()) ?? Number.NaN);
  if (!Number.isFinite(base)) throw field.error("one number");
  const f = Math.fround;
  const margin = ["binary:logistic", "reg:logistic"].includes(objective)
    ? f(-f(Math.log(f(f(1 / base) - 1)))) + 0
    : ["count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft"].includes(objective)
      ? f(Math.log(base))
      : base;
  if (!Number.isFinite(margin)) throw field.error(`a number that ${objective} can predict`);
  return margin;
}

function treeFrom(tree: Json, features: number, weight: number | undefined): Tree {
  const left = tree.at("left_children").numbers();
  const n = left.length;
  if (tree.at("tree_param").at("size_leaf_vector").whole() > 1)
    throw new InputError(`${tree.path}: ${tree.place} has vectors in its leaves, and a ranking needs one score`);
  const column = (key: string, finite: "finite" | "any" = "finite") => tree.at(key).numbers(n, finite);
  const right = column("right_children");
  const [split, condition, missing] = [
    column("split_indices"),
    column("split_conditions", "any"),
    tree.at("default_left").flags(n),
  ];
  const gain = column("loss_changes", "any");
  const hessian = column("sum_hessian", "any");
  const parents = tree.has("parents") ? column("parents") : undefined;
  if (tree.at("tree_param").has("num_nodes") && tree.at("tree_param").at("num_nodes").whole() !== n)
    throw tree.at("tree_param").at("num_nodes").error(`${n}, the number of nodes`);
  const sets = setsOf(tree, tree.has("split_type") ? tree.at("split_type").flags(n) : []);
  const where = `${tree.path}: ${tree.place}`;
  const wrong = (what: string) => new InputError(`${where}: ${what}`);
  return buildTree({ nodes: n, root: 0, features, thresholds: "float32", where }, (node): Node => {
    const items = hessian[node]!;
    const value = Math.fround(condition[node]!);
    if (left[node] === -1 && right[node] !== -1) throw wrong(`node ${node} has a right child and no left one`);
    if (left[node] === -1) return { value: weight === undefined ? value : Math.fround(value * weight), items };
    for (const child of [left[node]!, right[node]!])
      if (parents && child >= 0 && child < n && parents[child] !== node)
        throw wrong(`node ${child} is a child of node ${node}, and names ${parents[child] ?? "none"} as its parent`);
    const common = { feature: split[node]!, gain: gain[node]!, items };
    const toLeft = missing[node]!;
    const set = sets.get(node);
    // Members go right, so that the sides change places.
    if (set)
      return {
        ...common,
        threshold: 0,
        set,
        rules: CATEGORY_FLOORED | (toLeft ? 0 : MISSING_LEFT),
        left: right[node]!,
        right: left[node]!,
      };
    return { ...common, threshold: below32(value), rules: toLeft ? MISSING_LEFT : 0, left: left[node]!, right: right[node]! };
  });
}

function setsOf(tree: Json, categorical: readonly boolean[]): Map<number, Float32Array> {
  const sets = new Map<number, Float32Array>();
  if (!categorical.includes(true)) return sets;
  const nodes = tree.at("categories_nodes").numbers();
  const [from, size] = [tree.at("categories_segments").numbers(nodes.length), tree.at("categories_sizes").numbers(nodes.length)];
  const members = tree.at("categories").numbers();
  const other = members.findIndex((member) => !Number.isInteger(member) || member < 0);
  if (other >= 0) throw new Json(members[other], tree.path, `${tree.place}.categories[${other}]`).error("a category from 0 on");
  let total = 0;
  nodes.forEach((node, i) => {
    const [begin, count] = [from[i]!, size[i]!];
    if (!(Number.isInteger(begin) && Number.isInteger(count) && begin >= 0 && count >= 0 && begin + count <= members.length))
      throw new InputError(`${tree.path}: ${tree.place}.categories_segments[${i}]: the set is not there`);
    if (!categorical[node] || sets.has(node))
      throw new InputError(
        `${tree.path}: ${tree.place}.categories_nodes[${i}]: expected a categorical split of its own, got ${node}`,
      );
    total += count;
    if (total > members.length) throw new InputError(`${tree.path}: ${tree.place}.categories_sizes[${i}]: sets overlap`);
    sets.set(node, Float32Array.from(members.subarray(begin, begin + count)));
  });
  const lacking = categorical.findIndex((is, node) => is && !sets.has(node));
  if (lacking >= 0)
    throw new InputError(`${tree.path}: ${tree.place}.split_type[${lacking}]: a categorical split without categories`);
  return sets;
}

const target: Target = { name: "XGBoost", precision: "float32", missing: "side", sets: "missing either", start: true };

/** Trees whose nodes XGBoost can hold: float32, strictly below, siblings side by side. */
export function xgboostTrees(model: PortableTrees, options: WriteOptions, to: Target = target) {
  return lower(model, to, options);
}

function exported(model: Portable, options: WriteOptions, encode: (root: unknown) => string | Uint8Array): Exported {
  if (model.kind !== "trees") throw new InputError("an XGBoost file holds trees here, and this model has none");
  const { trees, start, tolerance, notes } = xgboostTrees(model, options);
  return { content: encode(xgboostRoot(model, trees, start)), precision: "float32", tolerance, missing: "kept", notes };
}

/** The tree of keys that XGBoost reads; typed arrays are lists of floats or of whole numbers by their kind. */
export function xgboostRoot(model: PortableTrees, trees: readonly Tree[], start: number): unknown {
  const { columns } = model;
  const used = new Set(trees.flatMap((tree) => [...tree.sets.keys()].map((node) => tree.feature[node]!)));
  const types = Array.from({ length: columns.count }, (_, c) => (used.has(c) ? "c" : "float"));
  const booster = {
    model: {
      cats: { enc: [], feature_segments: new Int32Array(0), sorted_idx: new Int32Array(0) },
      gbtree_model_param: { num_parallel_tree: "1", num_trees: String(trees.length) },
      iteration_indptr: Array.from({ length: trees.length + 1 }, (_, t) => t),
      tree_info: trees.map(() => 0),
      trees: trees.map((tree, t) => treeRecord(tree, t, columns.count)),
    },
    name: "gbtree",
  };
  return {
    learner: {
      attributes: {},
      feature_names: columns.names ? [...columns.names] : [],
      feature_types: types,
      gradient_booster: booster,
      learner_model_param: {
        base_score: `[${floatText(start)}]`,
        boost_from_average: "0",
        num_class: "0",
        num_feature: String(columns.count),
        num_target: "1",
      },
      objective: { lambdarank_param: {}, name: "rank:ndcg" },
    },
    version: [3, 2, 0],
  };
}

function treeRecord(tree: Tree, id: number, features: number) {
  const order = breadthFirst(tree);
  const place = new Map(order.map((node, at) => [node, at]));
  const n = order.length;
  const isLeaf = (node: number) => tree.feature[node]! < 0;
  const [ints, floats] = [
    (of: (node: number) => number) => Int32Array.from(order, of),
    (of: (node: number) => number) => Float32Array.from(order, of),
  ];
  const [first, second] = [
    (node: number) => (tree.sets.has(node) ? tree.right[node]! : tree.left[node]!),
    (node: number) => (tree.sets.has(node) ? tree.left[node]! : tree.right[node]!),
  ];
  const parents = new Int32Array(n).fill(2147483647);
  order.forEach((node, at) => {
    if (!isLeaf(node)) parents[place.get(tree.left[node]!)!] = parents[place.get(tree.right[node]!)!] = at;
  });
  const sets = order.flatMap((node, at) =>
    tree.sets.has(node) ? [{ at, members: Int32Array.from(tree.sets.get(node)!).sort() }] : [],
  );
  let from = 0;
  const segments = BigInt64Array.from(sets, ({ members }) => BigInt((from += members.length) - members.length));
  return {
    base_weights: floats((node) => tree.value[node]!),
    categories: Int32Array.from(sets.flatMap(({ members }) => [...members])),
    categories_nodes: Int32Array.from(sets, ({ at }) => at),
    categories_segments: segments,
    categories_sizes: BigInt64Array.from(sets, ({ members }) => BigInt(members.length)),
    default_left: Uint8Array.from(order, (node) => {
      const toLeft = (tree.missing[node]! & MISSING_LEFT) !== 0;
      return isLeaf(node) ? 0 : Number(tree.sets.has(node) ? !toLeft : toLeft);
    }),
    id,
    left_children: ints((node) => (isLeaf(node) ? -1 : place.get(first(node))!)),
    loss_changes: floats((node) => tree.gain[node]!),
    parents,
    right_children: ints((node) => (isLeaf(node) ? -1 : place.get(second(node))!)),
    split_conditions: floats((node) =>
      isLeaf(node) ? tree.value[node]! : tree.sets.has(node) ? 0 : above32(floor32(tree.threshold[node]!)),
    ),
    split_indices: ints((node) => Math.max(0, tree.feature[node]!)),
    split_type: Uint8Array.from(order, (node) => Number(tree.sets.has(node))),
    sum_hessian: floats((node) => tree.items[node]!),
    tree_param: { num_deleted: "0", num_feature: String(features), num_nodes: String(n), size_leaf_vector: "1" },
  };
}

/** Nodes level by level, with the two children of a node side by side. */
export function breadthFirst(tree: Tree): number[] {
  const order = [0];
  for (let at = 0; at < order.length; at++) {
    const node = order[at]!;
    if (tree.feature[node]! < 0) continue;
    const [a, b] = [tree.left[node]!, tree.right[node]!];
    order.push(...(tree.sets.has(node) ? [b, a] : [a, b]));
  }
  return order;
}

/** A number with a point or an exponent, without which XGBoost takes it for an integer. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function jsonText(root: unknown): string {
  const write = (value: unknown): string => {
    if (value instanceof Float32Array) return `[${Array.from(value, floatText).join(",")}]`;
    if (ArrayBuffer.isView(value)) return `[${(value as Int32Array).join(",")}]`;
    if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
    if (typeof value === "object" && value !== null)
      return `{${Object.entries(value)
        .map(([key, one]) => `${JSON.stringify(key)}:${write(one)}`)
        .join(",")}}`;
    return JSON.stringify(value);
  };
  return `${write(root)}\n`;
}

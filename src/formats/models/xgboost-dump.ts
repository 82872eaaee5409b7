/**
 * XGBoost's dump as JSON (dump_model(dump_format="json")): nested trees without base_score, which XGBoost itself does not load but search
 * engines do. The same rules as the model file; members of a category set go "yes". Not compared with a dump of XGBoost's own.
 */
import { InputError } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { CATEGORY_FLOORED, MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import { above32, below32, floor32 } from "../../numeric/float32.ts";
import type { Columns, Model } from "../../types.ts";
import type { ModelFormat } from "./format.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { largest } from "./shared/columns.ts";
import { lower } from "./shared/lower.ts";
import { Json, jsonOf, textOf } from "./shared/text.ts";

export const xgboostDump: ModelFormat = {
  id: "xgboost-dump",
  about: "XGBoost's dump of trees as JSON",
  endings: [".dump.json"],
  sniff: (head) => /^\s*\[\s*\{\s*"(nodeid|leaf)"/.test(head),
  read(bytes, path) {
    const root = new Json(jsonOf(textOf(bytes, path), path), path);
    const notes = ["a dump holds no base_score, so that scores lack this constant"];
    return { model: dumpedModel(root, "numbered"), objective: "unknown", notes };
  },
  write(model, options) {
    if (model.kind !== "trees") throw new InputError("an XGBoost dump holds trees, and this model has none");
    const target = { name: "an XGBoost dump", precision: "float32", missing: "side", sets: "missing either" } as const;
    const { trees, tolerance, notes } = lower(model, target, options);
    const content = `${JSON.stringify(trees.map((tree) => dumpTree(tree, model.columns)))}\n`;
    return { content, precision: "float32", tolerance, missing: "kept", notes };
  },
};

/** Trees as XGBoost dumps them. */
export function dumpTree(tree: Tree, { names }: Columns): unknown {
  let id = 0;
  const node = (at: number, depth: number): Record<string, unknown> => {
    const nodeid = id++;
    const feature = tree.feature[at]!;
    if (feature < 0) return { nodeid, leaf: Math.fround(tree.value[at]!) };
    const set = tree.sets.get(at);
    const threshold = above32(floor32(tree.threshold[at]!));
    // Infinities are no JSON; beyond the largest float32 a number is read as one.
    const condition = set ? [...set] : Math.max(-BEYOND, Math.min(BEYOND, threshold));
    const children = [node(tree.left[at]!, depth + 1), node(tree.right[at]!, depth + 1)] as const;
    const [yes, no] = [children[0].nodeid, children[1].nodeid];
    const missing = tree.missing[at]! & MISSING_LEFT ? yes : no;
    return { nodeid, depth, split: names?.[feature] ?? `f${feature}`, split_condition: condition, yes, no, missing, children };
  };
  return node(0, 0);
}

const BEYOND = 1e39;

/** The model of a list of dumped trees; features called f0, f1, ... are numbered where that may be, others are named in the order in which they come. */
export function dumpedModel(root: Json, naming: "numbered" | "named"): Model {
  const dumped = root.list();
  checkTrees(dumped.length, root.path);
  const flat = dumped.map(flatten);
  const names = new Set(
    flat.flatMap((nodes) => nodes.flatMap(({ node }) => (node.has("leaf") ? [] : [node.at("split").text()]))),
  );
  const numbered = naming === "numbered" && [...names].every((name) => /^f\d{1,7}$/.test(name));
  const places = new Map([...names].map((name, i) => [name, numbered ? Number(name.slice(1)) : i]));
  const count = 1 + largest(places.values(), -1);
  const trees = flat.map((nodes, t) => treeFrom(nodes, dumped[t]!, places, count));
  const columns: Columns = numbered ? { count, base: 0 } : { count, base: 0, names: [...names] };
  return treesModel(columns, trees, {}, undefined, { precision: "float32", start: 0, divisor: 1, scale: 1, bias: 0 });
}

interface Dumped {
  readonly node: Json;
  readonly children: readonly number[];
}

function flatten(root: Json): Dumped[] {
  const nodes: { node: Json; children: number[] }[] = [{ node: root, children: [] }];
  for (let at = 0; at < nodes.length; at++) {
    const { node, children } = nodes[at]!;
    if (!node.has("leaf"))
      for (const child of node.at("children").list()) children.push(nodes.push({ node: child, children: [] }) - 1);
  }
  return nodes;
}

function treeFrom(nodes: readonly Dumped[], root: Json, places: ReadonlyMap<string, number>, features: number): Tree {
  const where = `${root.path}: ${root.place}`;
  return buildTree({ nodes: nodes.length, root: 0, features, thresholds: "float32", where }, (at): Node => {
    const { node, children } = nodes[at]!;
    if (node.has("leaf"))
      return { value: Math.fround(node.at("leaf").number()), items: node.has("cover") ? node.at("cover").number() : 0 };
    const [yes, no] = ["yes", "no"].map((key) =>
      children.find((child) => nodes[child]!.node.at("nodeid").value === node.at(key).value),
    );
    if (children.length !== 2 || yes === undefined || no === undefined || yes === no)
      throw node.error("two children, one for yes and one for no");
    const missing = node.has("missing") ? node.at("missing").value : node.at("no").value;
    if (missing !== node.at("yes").value && missing !== node.at("no").value) throw node.at("missing").error("yes or no");
    const rules = missing === node.at("yes").value ? MISSING_LEFT : 0;
    const extra = {
      gain: node.has("gain") ? node.at("gain").number() : 0,
      items: node.has("cover") ? node.at("cover").number() : 0,
    };
    const common = { feature: places.get(node.at("split").text())!, left: yes, right: no, ...extra };
    const condition = node.at("split_condition");
    if (Array.isArray(condition.value))
      return { ...common, threshold: 0, set: Float32Array.from(condition.numbers()), rules: rules | CATEGORY_FLOORED };
    const value = Math.fround(condition.number());
    return { ...common, threshold: below32(value), rules };
  });
}

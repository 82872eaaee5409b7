/**
 * Damaged and hostile files of every format that is read: each is refused in one line that names the file, or gives the scores that the format
 * defines for what it says now. The latter come from walks over the raw file that are written for these tests alone. Long: a table of formats.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { InputError } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { below, random } from "../../numeric/random.ts";
import type { Model, Random } from "../../types.ts";
import { exportModel } from "./export.ts";
import { modelFormats } from "./formats.ts";
import { importModel } from "./import.ts";
import { buildTree, type Node } from "./shared/build-tree.ts";
import { linearModel } from "./shared/linear.ts";
import { Message } from "./shared/protobuf.ts";
import { ubjsonBytes } from "./shared/ubjson.ts";

type Content = string | Uint8Array;
type Fields = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: parsed files, which these tests change at will
type Raw = any;
const PATH = "m.bin";
const MILLION = 1_000_000;
const DEEP = 100_000;

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../test/fixtures/models/${name}`, import.meta.url)), "utf8");
const bytesOf = (content: Content) => (typeof content === "string" ? new TextEncoder().encode(content) : content);

/** Root 0 splits feature 0 at 0.5 into node 1 and a leaf; node 1 splits feature 1 at -1. Missing values go right, then left. */
const nodes: readonly Node[] = [
  { feature: 0, threshold: 0.5, rules: 0, left: 1, right: 2, gain: 2, items: 10 },
  { feature: 1, threshold: -1, rules: 1, left: 3, right: 4, gain: 1, items: 6 },
  { value: 0.25, items: 4 },
  { value: -0.5, items: 3 },
  { value: 1.5, items: 3 },
];
const stump: readonly Node[] = [{ value: 0.75, items: 10 }];
const treeOf = (list: readonly Node[]) =>
  buildTree({ nodes: list.length, root: 0, features: 2, thresholds: "float32", where: "here" }, (node) => list[node]!);
const model = treesModel({ count: 2, base: 0, names: ["a", "b"] }, [treeOf(nodes), treeOf(stump)], {});
const written = (id: string) => exportModel(model, { to: id, missing: "zero" }).content;
const text = (id: string) => String(written(id));

/** The text with one place of it changed, which must be there. */
const swap = (whole: string, from: string | RegExp, to: string): string => {
  expect(whole).toMatch(from);
  return whole.replace(from, () => to);
};

/** A parsed JSON file with something done to it. */
const edit = (whole: string, change: (root: Raw) => void): string => {
  const root = JSON.parse(whole);
  change(root);
  return JSON.stringify(root).replaceAll('"<NaN>"', "NaN").replaceAll('"<Infinity>"', "Infinity");
};

/** A hostile file, or why the format cannot have it. */
type Hostile = Content | (() => Content) | { readonly cannot: string };
const nested = { cannot: "children stand inside their parent" };

const NAMES = [
  "a node that leads back to itself",
  "a child out of range",
  "a negative child",
  "a node with two parents",
  "a threshold that is not a number",
  "a leaf that is not finite",
  "a feature out of range",
  "a negative feature",
  "a fractional feature",
  "a million trees",
  "a tree or brackets of great depth",
  "two features of the same name",
] as const;
type Name = (typeof NAMES)[number];

interface Row {
  /** A sound file. */
  readonly good: Content;
  readonly bad: Readonly<Record<Name, Hostile>>;
}

const lgb = text("lightgbm");
const lgbDump = JSON.stringify({
  ...{ name: "tree", num_tree_per_iteration: 1, objective: "lambdarank", feature_names: ["a", "b"] },
  tree_info: [
    {
      tree_structure: {
        ...{ split_feature: 0, threshold: 0.5, decision_type: "<=", default_left: false, missing_type: "NaN" },
        left_child: {
          ...{ split_feature: 1, threshold: -1, decision_type: "<=", default_left: true, missing_type: "NaN" },
          ...{ left_child: { leaf_value: -0.5 }, right_child: { leaf_value: 1.5 } },
        },
        right_child: { leaf_value: 0.25 },
      },
    },
    { tree_structure: { leaf_value: 0.75 } },
  ],
});
const xgb = text("xgboost");
const xgbTree = (root: Raw) => root.learner.gradient_booster.model.trees[0];
const xgbMany = (root: Raw) => {
  const { model } = root.learner.gradient_booster;
  model.trees = Array.from({ length: MILLION }, () => 0);
  model.gbtree_model_param.num_trees = String(MILLION);
};
const LISTS: Readonly<Record<string, (list: number[]) => unknown>> = Object.fromEntries([
  ...["base_weights", "loss_changes", "split_conditions", "sum_hessian"].map((key) => [
    key,
    (list: number[]) => Float32Array.from(list),
  ]),
  ...["left_children", "right_children", "parents", "split_indices", "default_left", "split_type"].map((key) => [
    key,
    // A list of whole numbers where it still is one.
    (list: number[]) => (list.every((one) => Number.isInteger(one)) ? Int32Array.from(list) : Float32Array.from(list)),
  ]),
]);
/** UBJSON of an XGBoost file that is given as JSON. */
const ubj = (json: string): Uint8Array => {
  const typed = (value: Raw, key = ""): unknown => {
    if (Array.isArray(value)) return LISTS[key] ? LISTS[key](value) : value.map((one) => typed(one));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typed(one, name)]));
    return value;
  };
  return ubjsonBytes(typed(JSON.parse(json.replace(/\b(NaN|Infinity)\b/g, "1e999"))));
};
const dump = text("xgboost-dump");
const cat = JSON.stringify({
  features_info: {
    float_features: [0, 1].map((c) => ({ flat_feature_index: c, feature_id: "ab"[c], nan_value_treatment: "AsTrue" })),
  },
  oblivious_trees: [
    {
      splits: [0, 1].map((c) => ({ border: [0.5, -1][c], float_feature_index: c, split_type: "FloatFeature" })),
      ...{ leaf_values: [1, 2, 3, 4], leaf_weights: [5, 5, 5, 5] },
    },
  ],
  scale_and_bias: [1, [0.5]],
});
const catNested = JSON.stringify({
  features_info: JSON.parse(cat).features_info,
  trees: [
    {
      split: { border: 0.5, float_feature_index: 0, split_type: "FloatFeature" },
      left: { value: 0.25, weight: 3 },
      right: {
        split: { border: -1, float_feature_index: 1, split_type: "FloatFeature" },
        ...{ left: { value: 1, weight: 2 }, right: { value: 2, weight: 1 } },
      },
    },
  ],
  scale_and_bias: [0.5, [0]],
});
const deepSplits = (open: string, inside: string, close: string) => open.repeat(DEEP) + inside + close.repeat(DEEP);
const ranklib = text("ranklib");
const solr = text("solr");
const elastic = text("elasticsearch");
const esTree = (root: Raw): Raw[] => root.trained_model.ensemble.trained_models[0].tree.tree_structure;
const upload = (change: (definition: Raw) => void) =>
  edit(text("opensearch"), (root) => {
    const definition = JSON.parse(root.model.model.definition);
    change(definition);
    root.model.model.definition = JSON.stringify(definition).replaceAll('"<NaN>"', "NaN").replaceAll('"<Infinity>"', "Infinity");
  });
const uploadRanklib = (definition: string) =>
  edit(text("opensearch-ranklib"), (root) => {
    root.model.model.definition = definition;
  });
const vespa = text("vespa");
const vespaEdit = (change: (root: Raw) => void) => edit(vespa, change);
const deepJson = (whole: string) =>
  swap(whole, /^\s*[[{]/, whole.trim()[0]! + (whole.trim()[0] === "[" ? "[".repeat(DEEP) : `"x":${"[".repeat(DEEP)}`));

/** ONNX attributes by name: lists of whole numbers, of floats in f:, of doubles as tensors in d:, of texts. */
function onnx(op: string, attributes: Fields, width = 2): Uint8Array {
  const node = new Message().put(1, "features").put(2, "score").put(4, op);
  for (const [name, value] of Object.entries(attributes)) {
    const one = new Message().put(1, name.replace(/^[fd]:/, ""));
    if (typeof value === "number") one.int(3, value);
    else if (typeof value === "string") one.put(4, value);
    else if (name.startsWith("f:")) one.floats(7, value as number[]);
    else if (name.startsWith("d:")) {
      const [type, data] =
        name === "d:nodes_modes" ? [2, Uint8Array.from(value as number[])] : [11, Float64Array.from(value as number[])];
      one.put(5, new Message().ints(1, [data.length]).int(2, type).put(9, new Uint8Array(data.buffer)));
    } else if (typeof (value as unknown[])[0] === "string") for (const word of value as string[]) one.put(9, word);
    else one.ints(8, value as number[]);
    node.put(5, one);
  }
  const shape = new Message().put(1, new Message().put(2, "rows")).put(1, new Message().int(1, width));
  const input = new Message().put(1, "features").put(2, new Message().put(1, new Message().int(1, 1).put(2, shape)));
  const graph = new Message().put(1, node.put(7, "ai.onnx.ml")).put(2, "tierwise").put(11, input);
  return new Message().int(1, 8).put(2, "tierwise").put(7, graph).bytes().slice();
}
const ensemble: Fields = {
  ...{ n_targets: 1, aggregate_function: 1, tree_roots: [0], nodes_featureids: [0, 1], "d:nodes_splits": [0.5, -1] },
  ...{
    "d:nodes_modes": [0, 0],
    nodes_truenodeids: [1, 1],
    nodes_falsenodeids: [0, 2],
    nodes_trueleafs: [0, 1],
    nodes_falseleafs: [1, 1],
  },
  ...{ "d:leaf_weights": [0.25, -0.5, 1.5], leaf_targetids: [0, 0, 0] },
};
const onnx5 = (change: Fields) => onnx("TreeEnsemble", { ...ensemble, ...change });
const regressor: Fields = {
  ...{ n_targets: 1, nodes_treeids: [0, 0, 0, 0, 0], nodes_nodeids: [0, 1, 2, 3, 4], nodes_featureids: [0, 1, 0, 0, 0] },
  ...{ "f:nodes_values": [0.5, -1, 0, 0, 0], nodes_modes: ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF"] },
  ...{ nodes_truenodeids: [1, 3, 0, 0, 0], nodes_falsenodeids: [2, 4, 0, 0, 0] },
  ...{ target_treeids: [0, 0, 0], target_nodeids: [2, 3, 4], target_ids: [0, 0, 0], "f:target_weights": [0.25, -0.5, 1.5] },
};
const onnx3 = (change: Fields) => onnx("TreeEnsembleRegressor", { ...regressor, ...change });
const binary = { cannot: "messages of protocol buffers nest as deep as their reader goes, and the list of nodes is flat" };
const unnamed = { cannot: "its features have no names" };
const wholes = { cannot: "the type of the list has only whole numbers" };

const table: Readonly<Record<string, Row>> = {
  lightgbm: {
    good: lgb,
    bad: {
      "a node that leads back to itself": swap(lgb, "left_child=1 -1", "left_child=0 -1"),
      "a child out of range": swap(lgb, "left_child=1 -1", "left_child=1 9"),
      "a negative child": swap(lgb, "left_child=1 -1", "left_child=1 -4"),
      "a node with two parents": swap(lgb, "left_child=1 -1", "left_child=1 -3"),
      "a threshold that is not a number": swap(lgb, /threshold=\S+/, "threshold=nan"),
      "a leaf that is not finite": swap(lgb, /leaf_value=\S+/, "leaf_value=inf"),
      "a feature out of range": swap(lgb, "split_feature=0 1", "split_feature=0 2"),
      "a negative feature": swap(lgb, "split_feature=0 1", "split_feature=-1 1"),
      "a fractional feature": swap(lgb, "split_feature=0 1", "split_feature=0.5 1"),
      "a million trees": () =>
        `${lgb.slice(0, lgb.indexOf("tree_sizes"))}\n\n${Array.from({ length: MILLION }, (_, t) => `Tree=${t}\n`).join("\n")}end of trees\n`,
      "a tree or brackets of great depth": () =>
        swap(
          lgb,
          /num_leaves=3.*?\n\n/s,
          `num_leaves=${DEEP + 1}\nnum_cat=0\n${Object.entries({
            split_feature: () => 0,
            threshold: () => 0,
            left_child: (i: number) => (i === DEEP - 1 ? ~i : i + 1),
            right_child: (i: number) => (i === DEEP - 1 ? ~DEEP : ~i),
          })
            .map(([key, of]) => `${key}=${Array.from({ length: DEEP }, (_, i) => of(i)).join(" ")}`)
            .join("\n")}\nleaf_value=${Array.from({ length: DEEP + 1 }, () => 0).join(" ")}\n\n`,
        ),
      "two features of the same name": swap(lgb, "feature_names=a b", "feature_names=a a"),
    },
  },
  "lightgbm-json": {
    good: lgbDump,
    bad: {
      ...{ "a node that leads back to itself": nested, "a child out of range": nested, "a negative child": nested },
      "a node with two parents": nested,
      "a threshold that is not a number": swap(lgbDump, '"threshold":0.5', '"threshold":NaN'),
      "a leaf that is not finite": swap(lgbDump, '"leaf_value":0.25', '"leaf_value":Infinity'),
      "a feature out of range": swap(lgbDump, '"split_feature":1', '"split_feature":2'),
      "a negative feature": swap(lgbDump, '"split_feature":1', '"split_feature":-1'),
      "a fractional feature": swap(lgbDump, '"split_feature":1', '"split_feature":0.5'),
      "a million trees": () => edit(lgbDump, (root) => void (root.tree_info = Array.from({ length: MILLION }, () => 0))),
      "a tree or brackets of great depth": () => swap(lgbDump, '{"leaf_value":0.25}', deepSplits('{"left_child":', "1", "}")),
      "two features of the same name": swap(lgbDump, '["a","b"]', '["a","a"]'),
    },
  },
  xgboost: {
    good: xgb,
    bad: {
      "a node that leads back to itself": swap(xgb, '"left_children":[1,', '"left_children":[0,'),
      "a child out of range": swap(xgb, '"left_children":[1,', '"left_children":[9,'),
      "a negative child": swap(xgb, '"left_children":[1,', '"left_children":[-2,'),
      "a node with two parents": swap(xgb, '"left_children":[1,3', '"left_children":[1,2'),
      "a threshold that is not a number": swap(xgb, /"split_conditions":\[[\d.]+/, '"split_conditions":[NaN'),
      "a leaf that is not finite": swap(
        xgb,
        /("split_conditions":\[[^\]]*),[\d.]+\]/,
        '"split_conditions":[0.5,-1.0,0.25,-0.5,Infinity]',
      ),
      "a feature out of range": swap(xgb, '"split_indices":[0,1', '"split_indices":[0,2'),
      "a negative feature": swap(xgb, '"split_indices":[0,1', '"split_indices":[-1,1'),
      "a fractional feature": swap(xgb, '"split_indices":[0,1', '"split_indices":[0.5,1'),
      "a million trees": () => edit(xgb, xgbMany),
      "a tree or brackets of great depth": () => deepJson(xgb),
      "two features of the same name": swap(xgb, '["a","b"]', '["a","a"]'),
    },
  },
  "xgboost-ubj": {
    good: ubj(xgb),
    bad: {
      "a node that leads back to itself": ubj(edit(xgb, (root) => void (xgbTree(root).left_children[0] = 0))),
      "a child out of range": ubj(edit(xgb, (root) => void (xgbTree(root).left_children[0] = 9))),
      "a negative child": ubj(edit(xgb, (root) => void (xgbTree(root).left_children[0] = -2))),
      "a node with two parents": ubj(edit(xgb, (root) => void (xgbTree(root).left_children[1] = 2))),
      "a threshold that is not a number": ubj(edit(xgb, (root) => void (xgbTree(root).split_conditions[0] = "x"))),
      "a leaf that is not finite": ubj(edit(xgb, (root) => void (xgbTree(root).split_conditions[4] = "<Infinity>"))),
      "a feature out of range": ubj(edit(xgb, (root) => void (xgbTree(root).split_indices[1] = 2))),
      "a negative feature": ubj(edit(xgb, (root) => void (xgbTree(root).split_indices[1] = -1))),
      "a fractional feature": ubj(edit(xgb, (root) => void (xgbTree(root).split_indices[1] = 0.5))),
      "a million trees": () => ubj(edit(xgb, xgbMany)),
      "a tree or brackets of great depth": () => Uint8Array.from([0x7b, 0x69, 1, 0x61, ...new Uint8Array(DEEP).fill(0x5b)]),
      "two features of the same name": ubj(edit(xgb, (root) => void (root.learner.feature_names = ["a", "a"]))),
    },
  },
  "xgboost-dump": {
    good: dump,
    bad: {
      ...{ "a node that leads back to itself": nested, "a node with two parents": swap(dump, '"no":4', '"no":1') },
      ...{ "a child out of range": swap(dump, '"yes":1', '"yes":9'), "a negative child": swap(dump, '"yes":1', '"yes":-1') },
      "a threshold that is not a number": swap(dump, /"split_condition":[^,]+/, '"split_condition":NaN'),
      "a leaf that is not finite": swap(dump, /"leaf":[^,}]+/, '"leaf":Infinity'),
      ...{ "a feature out of range": { cannot: "it does not tell how many features there are" } },
      "a negative feature": swap(dump, '"split":"a"', '"split":-1'),
      "a fractional feature": swap(dump, '"split":"a"', '"split":0.5'),
      "a million trees": () => `[{"nodeid":0}${",0".repeat(MILLION)}]`,
      "a tree or brackets of great depth": () => `[{"nodeid":0,"children":${deepSplits("[{", "", "}]")}}]`,
      "two features of the same name": { cannot: "a name is the feature" },
    },
  },
  catboost: {
    good: cat,
    bad: {
      ...{ "a node that leads back to itself": nested, "a child out of range": nested, "a negative child": nested },
      "a node with two parents": swap(cat, '"flat_feature_index":1', '"flat_feature_index":0'), // two features in one column
      "a threshold that is not a number": swap(cat, '"border":0.5', '"border":NaN'),
      "a leaf that is not finite": swap(cat, "[1,2,3,4]", "[1,2,3,Infinity]"),
      "a feature out of range": swap(cat, '"float_feature_index":1', '"float_feature_index":2'),
      "a negative feature": swap(cat, '"float_feature_index":1', '"float_feature_index":-1'),
      "a fractional feature": swap(cat, '"float_feature_index":1', '"float_feature_index":0.5'),
      "a million trees": () => edit(cat, (root) => void (root.oblivious_trees = Array.from({ length: MILLION }, () => 0))),
      "a tree or brackets of great depth": () =>
        swap(catNested, '{"value":0.25,"weight":3}', deepSplits('{"split":{},"left":', "1", "}")),
      "two features of the same name": swap(cat, '"feature_id":"b"', '"feature_id":"a"'),
    },
  },
  ranklib: {
    good: ranklib,
    bad: {
      "a node that leads back to itself": nested,
      "a child out of range": swap(ranklib, 'pos="right"', 'pos="middle"'),
      "a negative child": swap(ranklib, 'pos="right"', 'pos="-1"'),
      "a node with two parents": swap(ranklib, 'pos="right"', 'pos="left"'),
      "a threshold that is not a number": swap(ranklib, "<threshold>0.5", "<threshold>NaN"),
      "a leaf that is not finite": swap(ranklib, "<output>0.25", "<output>Infinity"),
      "a feature out of range": swap(ranklib, "<feature>2", "<feature>20000000"),
      "a negative feature": swap(ranklib, "<feature>2", "<feature>-2"),
      "a fractional feature": swap(ranklib, "<feature>2", "<feature>1.5"),
      "a million trees": () => swap(ranklib, "<ensemble>", `<ensemble>${'<tree id="1" weight="1"></tree>'.repeat(MILLION)}`),
      "a tree or brackets of great depth": () => swap(ranklib, "<split>", "<split>".repeat(DEEP)),
      "two features of the same name": unnamed,
    },
  },
  onnx: {
    good: onnx5({}),
    bad: {
      "a node that leads back to itself": onnx5({ nodes_truenodeids: [0, 1] }),
      "a child out of range": onnx5({ nodes_truenodeids: [4, 1] }),
      "a negative child": onnx5({ nodes_falsenodeids: [-1, 2] }),
      "a node with two parents": onnx5({ nodes_falsenodeids: [1, 2] }),
      "a threshold that is not a number": onnx5({ "d:nodes_splits": [Number.NaN, -1] }),
      "a leaf that is not finite": onnx5({ "d:leaf_weights": [0.25, Infinity, 1.5] }),
      "a feature out of range": onnx5({ nodes_featureids: [0, 2] }),
      "a negative feature": onnx5({ nodes_featureids: [0, -1] }),
      "a fractional feature": wholes,
      "a million trees": () => onnx5({ tree_roots: Array.from({ length: MILLION }, () => 0) }),
      "a tree or brackets of great depth": binary,
      "two features of the same name": unnamed,
    },
  },
  "onnx-float": {
    good: onnx3({}),
    bad: {
      "a node that leads back to itself": onnx3({ nodes_truenodeids: [0, 3, 0, 0, 0] }),
      "a child out of range": onnx3({ nodes_truenodeids: [9, 3, 0, 0, 0] }),
      "a negative child": onnx3({ nodes_truenodeids: [-1, 3, 0, 0, 0] }),
      "a node with two parents": onnx3({ nodes_truenodeids: [1, 2, 0, 0, 0] }),
      "a threshold that is not a number": onnx3({ "f:nodes_values": [Number.NaN, -1, 0, 0, 0] }),
      "a leaf that is not finite": onnx3({ "f:target_weights": [0.25, Infinity, 1.5] }),
      "a feature out of range": onnx3({ nodes_featureids: [0, 2, 0, 0, 0] }),
      "a negative feature": onnx3({ nodes_featureids: [0, -1, 0, 0, 0] }),
      "a fractional feature": wholes,
      "a million trees": () =>
        onnx3({
          ...Object.fromEntries(
            ["nodes_treeids", "nodes_nodeids"].map((key) => [key, Array.from({ length: MILLION }, (_, t) => t)]),
          ),
          ...Object.fromEntries(
            ["nodes_featureids", "f:nodes_values", "nodes_truenodeids", "nodes_falsenodeids"].map((key) => [
              key,
              new Array(MILLION).fill(0),
            ]),
          ),
          nodes_modes: new Array(MILLION).fill("LEAF"),
        }),
      "a tree or brackets of great depth": binary,
      "two features of the same name": unnamed,
    },
  },
  solr: {
    good: solr,
    bad: {
      ...{ "a node that leads back to itself": nested, "a child out of range": nested, "a negative child": nested },
      "a node with two parents": nested,
      "a threshold that is not a number": swap(solr, /"threshold":"[^"]+"/, '"threshold":"NaN"'),
      "a leaf that is not finite": swap(solr, /"value":"[^"]+"/, '"value":"Infinity"'),
      "a feature out of range": swap(solr, '"feature":"b"', '"feature":"c"'),
      "a negative feature": swap(solr, '"feature":"b"', '"feature":-1'),
      "a fractional feature": swap(solr, '"feature":"b"', '"feature":0.5'),
      "a million trees": () => edit(solr, (root) => void (root.params.trees = Array.from({ length: MILLION }, () => 0))),
      "a tree or brackets of great depth": () =>
        swap(solr, /\{"value":"[^"]+"\}/, deepSplits('{"feature":"a","left":', "1", "}")),
      "two features of the same name": swap(solr, '{"name":"a"},{"name":"b"}', '{"name":"a"},{"name":"a"}'),
    },
  },
  opensearch: {
    good: text("opensearch"),
    bad: {
      ...{ "a node that leads back to itself": nested },
      "a node with two parents": upload(({ splits }) => void (splits[0].no = 1)),
      "a child out of range": upload(({ splits }) => void (splits[0].yes = 9)),
      "a negative child": upload(({ splits }) => void (splits[0].yes = -1)),
      "a threshold that is not a number": upload(({ splits }) => void (splits[0].split_condition = "<NaN>")),
      "a leaf that is not finite": upload(({ splits }) => void (splits[1].leaf = "<Infinity>")),
      "a feature out of range": { cannot: "it does not tell how many features there are" },
      "a negative feature": upload(({ splits }) => void (splits[0].split = -1)),
      "a fractional feature": upload(({ splits }) => void (splits[0].split = 0.5)),
      "a million trees": () => upload((definition) => void (definition.splits = new Array(MILLION).fill(0))),
      "a tree or brackets of great depth": () =>
        edit(text("opensearch"), (root) => void (root.model.model.definition = "[".repeat(DEEP))),
      "two features of the same name": { cannot: "a name is the feature" },
    },
  },
  "opensearch-ranklib": {
    good: text("opensearch-ranklib"),
    bad: {
      "a node that leads back to itself": nested,
      "a child out of range": uploadRanklib(swap(ranklib, 'pos="right"', 'pos="middle"')),
      "a negative child": uploadRanklib(swap(ranklib, 'pos="right"', 'pos="-1"')),
      "a node with two parents": uploadRanklib(swap(ranklib, 'pos="right"', 'pos="left"')),
      "a threshold that is not a number": uploadRanklib(swap(ranklib, "<threshold>0.5", "<threshold>NaN")),
      "a leaf that is not finite": uploadRanklib(swap(ranklib, "<output>0.25", "<output>Infinity")),
      "a feature out of range": uploadRanklib(swap(ranklib, "<feature>2", "<feature>20000000")),
      "a negative feature": uploadRanklib(swap(ranklib, "<feature>2", "<feature>-2")),
      "a fractional feature": uploadRanklib(swap(ranklib, "<feature>2", "<feature>1.5")),
      "a million trees": () => uploadRanklib(swap(ranklib, "<ensemble>", `<ensemble>${"<tree></tree>".repeat(MILLION)}`)),
      "a tree or brackets of great depth": () => uploadRanklib(swap(ranklib, "<split>", "<split>".repeat(DEEP))),
      "two features of the same name": unnamed,
    },
  },
  elasticsearch: {
    good: elastic,
    bad: {
      "a node that leads back to itself": edit(elastic, (root) => void (esTree(root)[0].left_child = 0)),
      "a child out of range": edit(elastic, (root) => void (esTree(root)[0].left_child = 9)),
      "a negative child": edit(elastic, (root) => void (esTree(root)[0].left_child = -1)),
      "a node with two parents": edit(elastic, (root) => void (esTree(root)[1].left_child = 4)),
      "a threshold that is not a number": edit(elastic, (root) => void (esTree(root)[0].threshold = "<NaN>")),
      "a leaf that is not finite": edit(elastic, (root) => void (esTree(root)[4].leaf_value = "<Infinity>")),
      "a feature out of range": edit(elastic, (root) => void (esTree(root)[1].split_feature = 2)),
      "a negative feature": edit(elastic, (root) => void (esTree(root)[1].split_feature = -1)),
      "a fractional feature": edit(elastic, (root) => void (esTree(root)[1].split_feature = 0.5)),
      "a million trees": () =>
        edit(elastic, (root) => void (root.trained_model.ensemble.trained_models = new Array(MILLION).fill(0))),
      "a tree or brackets of great depth": () => deepJson(elastic),
      "two features of the same name": swap(elastic, '["a","b"]', '["a","a"]'),
    },
  },
  vespa: {
    good: vespa,
    bad: {
      ...{ "a node that leads back to itself": nested, "a child out of range": nested, "a negative child": nested },
      "a node with two parents": nested,
      "a threshold that is not a number": vespaEdit((root) => void (root.tree_info[0].tree_structure.threshold = "<NaN>")),
      "a leaf that is not finite": vespaEdit((root) => void (root.tree_info[1].tree_structure.leaf_value = "<Infinity>")),
      "a feature out of range": vespaEdit((root) => void (root.tree_info[0].tree_structure.split_feature = 2)),
      "a negative feature": vespaEdit((root) => void (root.tree_info[0].tree_structure.split_feature = -1)),
      "a fractional feature": vespaEdit((root) => void (root.tree_info[0].tree_structure.split_feature = 0.5)),
      "a million trees": () => vespaEdit((root) => void (root.tree_info = new Array(MILLION).fill(0))),
      "a tree or brackets of great depth": () => deepJson(vespa),
      "two features of the same name": swap(vespa, '["a","b"]', '["a","a"]'),
    },
  },
};

/** What a file gives: a model, or the one line that refuses it. */
function attempt(id: string, content: Content): Model | string {
  try {
    return importModel(bytesOf(content), { from: id, path: PATH }).model;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).toMatch(/^m\.bin(:\d+)?: [^\n]{1,400}$/);
    return error.message;
  }
}

function scores(model: Model, rows: readonly Float32Array[]): Float64Array {
  const { count, base, names } = model.columns;
  const values = new Float32Array(rows.length * count);
  rows.forEach((row, r) => void values.set(row.subarray(0, count), r * count));
  const into = new Float64Array(rows.length);
  if (count === 0) return into;
  model.score(
    {
      starts: Uint32Array.of(0, rows.length),
      labels: new Float32Array(rows.length),
      features: { kind: "dense", rows: rows.length, columns: count, values },
      base,
      names: names ? { features: names } : {},
    },
    into,
  );
  return into;
}

const VALUES = [Number.NaN, 0, 0.5, Math.fround(0.50000006), -1, -1.5, 1, 3];
const rowsFor = (draw: Random, columns: number) =>
  Array.from({ length: 12 }, () => Float32Array.from({ length: columns }, () => VALUES[below(draw, VALUES.length)]!));

it("every format that is read stands in the table", () => {
  expect(Object.keys(table).sort()).toEqual(
    modelFormats
      .filter(({ read }) => read)
      .map(({ id }) => id)
      .sort(),
  );
});

describe.each(Object.entries(table))("%s", (id, { good, bad }) => {
  it("a sound file is read", () => {
    expect(attempt(id, good)).toMatchObject({ id: "trees" });
  });

  for (const name of NAMES) {
    const hostile = bad[name];
    if (typeof hostile === "object" && "cannot" in hostile) continue;
    it(`${name} is refused with the place`, () => {
      const message = attempt(id, typeof hostile === "function" ? hostile() : hostile);
      expect(message).toBeTypeOf("string");
      expect(message).not.toMatch(/undefined|\[object|RangeError/);
    });
  }

  it("cut off at any byte it is refused, or complete", () => {
    const bytes = bytesOf(good);
    const rows = rowsFor(random(1), 2);
    const whole = scores(attempt(id, bytes) as Model, rows);
    for (let length = 0; length < bytes.length; length++) {
      const model = attempt(id, bytes.subarray(0, length));
      if (typeof model !== "string") expect(scores(model, rows)).toEqual(whole);
    }
  });

  it("with random bytes it is a model or one line", () => {
    const draw = random(2, id.length);
    const bytes = bytesOf(good);
    for (let turn = 0; turn < 300; turn++) {
      const changed = bytes.slice();
      for (let n = 1 + below(draw, 4); n > 0; n--) changed[below(draw, bytes.length)] = below(draw, 256);
      const model = attempt(id, changed);
      if (typeof model !== "string" && model.columns.count < 100) scores(model, rowsFor(draw, model.columns.count));
    }
  });
});

/** The value of a feature by its name or number in one row. */
type Lookup = (feature: number | string) => number;
const f = Math.fround;
const INVALID = Symbol("no tree");

/** Walks until `step` gives a leaf's value; more steps than nodes are a circle. */
function walk<T>(start: T, step: (at: T) => { readonly leaf: number } | { readonly next: T }): number {
  let at = start;
  for (let n = 0; n < 10_000; n++) {
    const one = step(at);
    if ("leaf" in one) {
      if (typeof one.leaf !== "number" || !Number.isFinite(one.leaf)) throw INVALID;
      return one.leaf;
    }
    at = one.next;
  }
  throw INVALID;
}

/** Scores by the raw file, as the formats define them. A file that is none ends in any error. */
const oracles: Readonly<Record<string, (content: Raw, value: Lookup) => number>> = {
  "lightgbm-json": ({ tree_info, average_output }, value) => {
    const total = tree_info.reduce(
      (sum: number, tree: Raw) =>
        sum +
        walk(tree.tree_structure, (node: Raw) => {
          if (node.leaf_value !== undefined) return { leaf: node.leaf_value };
          const x = value(node.split_feature);
          const missing =
            node.missing_type === "NaN" ? Number.isNaN(x) : node.missing_type === "Zero" && (Number.isNaN(x) || x === 0);
          const left = missing ? node.default_left === true : (Number.isNaN(x) ? 0 : x) <= node.threshold;
          return { next: left ? node.left_child : node.right_child };
        }),
      0,
    );
    return average_output === true ? total / tree_info.length : total;
  },
  xgboost: ({ learner }, value) => {
    const { trees } = learner.gradient_booster.model;
    return trees.reduce(
      (sum: number, tree: Raw) =>
        f(
          sum +
            f(
              walk(0, (node) => {
                if (tree.left_children[node] === -1) return { leaf: tree.split_conditions[node] };
                const x = value(tree.split_indices[node]);
                const left = Number.isNaN(x) ? Boolean(tree.default_left[node]) : x < f(tree.split_conditions[node]);
                return { next: left ? tree.left_children[node] : tree.right_children[node] };
              }),
            ),
        ),
      f(Number(/^\[?(.*?)\]?$/.exec(learner.learner_model_param.base_score)![1])),
    );
  },
  "xgboost-dump": (trees, value) =>
    trees.reduce(
      (sum: number, tree: Raw) =>
        f(
          sum +
            f(
              walk(tree, (node: Raw) => {
                if (node.leaf !== undefined) return { leaf: node.leaf };
                const x = value(node.split);
                const to = Number.isNaN(x)
                  ? (node.missing ?? node.no)
                  : (Array.isArray(node.split_condition) ? node.split_condition.includes(x) : x < f(node.split_condition))
                    ? node.yes
                    : node.no;
                return { next: node.children.find(({ nodeid }: Raw) => nodeid === to) };
              }),
            ),
        ),
      0,
    ),
  catboost: ({ features_info, oblivious_trees, trees, scale_and_bias }, value) => {
    const right = ({ border, float_feature_index }: Raw) => {
      const feature = features_info.float_features[float_feature_index];
      const x = value(feature.flat_feature_index);
      return Number.isNaN(x) ? feature.nan_value_treatment === "AsTrue" : x > f(border);
    };
    const total = (oblivious_trees ?? trees).reduce(
      (sum: number, tree: Raw) =>
        sum +
        (oblivious_trees
          ? tree.leaf_values[
              (tree.splits ?? []).reduce((leaf: number, split: Raw, i: number) => leaf + (right(split) ? 2 ** i : 0), 0)
            ]
          : walk(tree, (node: Raw) =>
              node.split ? { next: right(node.split) ? node.right : node.left } : { leaf: node.value },
            )),
      0,
    );
    return scale_and_bias[0] * total + (scale_and_bias[1][0] ?? 0);
  },
  elasticsearch: ({ trained_model }, value) =>
    trained_model.ensemble.trained_models.reduce((sum: number, { tree }: Raw) => {
      const at = (index: number) => tree.tree_structure.filter(({ node_index }: Raw) => node_index === index);
      return (
        sum +
        walk(0, (index: number) => {
          const [node, another] = at(index);
          if (another) throw INVALID;
          if (node.leaf_value !== undefined) return { leaf: node.leaf_value };
          const x = value(node.split_feature);
          return {
            next: (Number.isNaN(x) ? node.default_left === true : x <= node.threshold) ? node.left_child : node.right_child,
          };
        })
      );
    }, 0),
};

/** All places in parsed JSON that hold no list and no object. */
function leavesOf(root: Raw): { readonly at: Raw; readonly key: string | number }[] {
  if (typeof root !== "object" || root === null) return [];
  const keys: (string | number)[] = Array.isArray(root) ? [...root.keys()] : Object.keys(root);
  return keys.flatMap((key) => (typeof root[key] === "object" && root[key] !== null ? leavesOf(root[key]) : [{ at: root, key }]));
}

const ODD = [-1, 0, 1, 2, 3, 4, 5, 0.5, -1.5, 1e9, 1e39, -1e39, null, "x", true, [], {}];

/** One place gets another value, or that of another place, or goes. */
function disturb(root: Raw, draw: Random): void {
  const places = leavesOf(root);
  const { at, key } = places[below(draw, places.length)]!;
  const chance = draw();
  if (chance < 0.5) at[key] = ODD[below(draw, ODD.length)];
  else if (chance < 0.85) {
    const other = places[below(draw, places.length)]!;
    [at[key], other.at[other.key]] = [other.at[other.key], at[key]];
  } else if (Array.isArray(at)) at.splice(Number(key), 1);
  else delete at[key];
}

const samples: Readonly<Record<string, readonly string[]>> = {
  "lightgbm-json": [lgbDump, swap(lgbDump, /"missing_type":"NaN"/, '"missing_type":"Zero"')],
  xgboost: [xgb, fixture("xgboost-plain.json")],
  "xgboost-dump": [dump],
  catboost: [cat, catNested, fixture("catboost-plain.json"), fixture("catboost-lossguide.json")],
  elasticsearch: [elastic],
};

describe.each(Object.entries(samples))("%s with numbers changed, moved or removed", (id, list) => {
  it("is refused, or scores as the file now says", () => {
    const draw = random(3, id.length);
    let [read, refused] = [0, 0];
    for (let turn = 0; turn < 2000; turn++) {
      const root = JSON.parse(list[turn % list.length]!);
      for (let n = 1 + below(draw, 2); n > 0; n--) disturb(root, draw);
      const changed = JSON.stringify(root);
      const model = attempt(id, changed);
      if (typeof model === "string") {
        refused++;
        continue;
      }
      const { count, names } = model.columns;
      if (count > 100) continue;
      read++;
      const rows = rowsFor(draw, count);
      const own = scores(model, rows);
      rows.forEach((row, r) => {
        const value: Lookup = (feature) => {
          const column = typeof feature === "number" ? feature : (names?.indexOf(feature) ?? Number(feature.slice(1)));
          if (!(column >= 0 && column < count)) throw INVALID;
          return row[column]!;
        };
        let wanted: unknown;
        try {
          wanted = count === 0 ? 0 : oracles[id]!(root, value);
        } catch (error) {
          wanted = error;
        }
        if (wanted !== own[r])
          expect.fail(`read, and row ${row.join(" ")} scores ${own[r]} instead of ${String(wanted)}: ${changed}`);
      });
    }
    expect(Math.min(read, refused)).toBeGreaterThan(100); // neither is the exception
  });
});

describe("lightgbm and ranklib with words changed", () => {
  it("a changed LightGBM file is that of LightGBM's own rules or refused: its dump as JSON agrees", () => {
    const draw = random(4);
    const words = lgb.split(/(?<=[= \n])/);
    for (let turn = 0; turn < 2000; turn++) {
      const changed = [...words];
      const at = below(draw, words.length);
      if (draw() < 0.5)
        changed[at] =
          `${[-9, -3, -2, -1, 0, 1, 2, 3, 0.5, "nan", "inf", "x", ""][below(draw, 13)]}${/\s$/.exec(words[at]!)?.[0] ?? ""}`;
      else changed[at] = words[below(draw, words.length)]!;
      const model = attempt("lightgbm", changed.join(""));
      if (typeof model !== "string" && model.columns.count > 0 && model.columns.count < 100)
        for (const score of scores(model, rowsFor(draw, model.columns.count))) expect(score).toBeTypeOf("number");
    }
  });

  it("a changed RankLib file is a model or one line", () => {
    const draw = random(5);
    const words = ranklib.split(/(?<=[>"])|(?=[<"])/);
    for (let turn = 0; turn < 2000; turn++) {
      const changed = [...words];
      changed[below(draw, words.length)] =
        draw() < 0.3 ? `${[-1, 0, 1e39, "NaN", "<", ">", ""][below(draw, 7)]}` : words[below(draw, words.length)]!;
      const model = attempt("ranklib", changed.join(""));
      if (typeof model !== "string" && model.columns.count > 0 && model.columns.count < 100)
        scores(model, rowsFor(draw, model.columns.count));
    }
  });
});

describe("files made to take time or memory", () => {
  const lines = (...all: string[]) => all.join("\n");
  it.each<readonly [string, string, Content]>([
    ["ranklib", "opening brackets alone", lines("## LambdaMART", "<".repeat(MILLION))],
    ["ranklib", "a tag of blanks", lines("## LambdaMART", `<ensemble${" ".repeat(MILLION)}`)],
    [
      "xgboost-ubj",
      "lists of values that take no space",
      Uint8Array.from([0x7b, 0x69, 1, 0x61, ...new Array(9999).fill([0x5b, 0x24, 0x54, 0x23, 0x49, 0x7f, 0xff]).flat()]),
    ],
    [
      "xgboost-ubj",
      "a list longer than the file",
      Uint8Array.from([0x7b, 0x69, 1, 0x61, 0x5b, 0x24, 0x64, 0x23, 0x4c, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
    ],
    ["onnx", "trees that share a root", onnx5({ tree_roots: Array.from({ length: 50_000 }, () => 0) })],
    ["onnx-float", "numbers of nodes far apart", onnx3({ nodes_nodeids: [0, 1, 2, 3, 2 ** 40] })],
    ["elasticsearch", "a node with a large number", edit(elastic, (root) => void (esTree(root)[4].node_index = 2 ** 52))],
    [
      "lightgbm",
      "sets that overlap",
      swap(
        swap(lgb, "num_cat=0", "num_cat=2\ncat_boundaries=0 9 1\ncat_threshold=1 1 1 1 1 1 1 1 1"),
        "decision_type=8 10",
        "decision_type=1 1",
      ),
    ],
    ["lightgbm", "more leaves than there are", swap(lgb, "num_leaves=3", "num_leaves=2000000000")],
    ["lightgbm", "more features than there are", swap(lgb, "max_feature_idx=1", "max_feature_idx=2000000000")],
    ["xgboost-dump", "a word of brackets", `${"[".repeat(MILLION)}`],
    [
      "catboost",
      "more levels than leaves",
      edit(cat, (root) => void (root.oblivious_trees[0].splits = new Array(40).fill(root.oblivious_trees[0].splits[0]))),
    ],
  ])("%s: %s", (id, _, content) => {
    expect(attempt(id, content)).toBeTypeOf("string");
  });
});

describe("linear models and networks", () => {
  const linear = linearModel({ count: 3, base: 1 }, [0.5, -1, 0.125], 0.75);
  it.each(["ranklib", "onnx", "onnx-float", "solr", "opensearch"])(
    "%s: a weighted sum cut off at any byte is refused, or complete",
    (id) => {
      const bytes = bytesOf(exportModel(linear, { to: id, missing: "zero" }).content);
      const rows = rowsFor(random(6), 3);
      const whole = scores(attempt(id, bytes) as Model, rows);
      for (let length = 0; length < bytes.length; length++) {
        const model = attempt(id, bytes.subarray(0, length));
        if (typeof model !== "string") expect([length, ...scores(model, rows)]).toEqual([length, ...whole]);
      }
    },
  );

  it.each(["onnx", "onnx-float"])("%s: a graph that computes something else is refused", (id) => {
    const bytes = bytesOf(exportModel(linear, { to: id }).content);
    const [from, to] = [new TextEncoder().encode("IsNaN"), new TextEncoder().encode("IsInf")];
    const at = bytes.findIndex((_, i) => from.every((byte, k) => bytes[i + k] === byte));
    const changed = bytes.slice();
    changed.set(to, at);
    expect(attempt(id, changed)).toMatch(/expected a graph of trees, a linear model, or one that tierwise wrote/);
  });
});

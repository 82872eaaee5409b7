/**
 * ONNX: a graph that takes `features` (float, rows x features) and gives `score` (rows x 1). "onnx" uses TreeEnsemble of ai.onnx.ml 5 in double,
 * whose scores are the model's to the last bit; "onnx-float" uses TreeEnsembleRegressor of ai.onnx.ml 3, which older runtimes know, and sums
 * in float32. Weighted sums and networks are MatMul, Add and Relu. Checked against onnx 1.23.2 and ONNX Runtime 1.31.1, which with several
 * threads and many rows at once adds trees in another order.
 */
import { InputError } from "../../input-error.ts";
import { isTrees } from "../../models/trees/index.ts";
import { MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import { floor32 } from "../../numeric/float32.ts";
import type { Exported, Imported, ModelFormat, WriteOptions } from "./format.ts";
import { readOnnx } from "./onnx-read.ts";
import { lower } from "./shared/lower.ts";
import { type Portable, type PortableLinear, type PortableNetwork, type PortableTrees, portable } from "./shared/portable.ts";
import { Message } from "./shared/protobuf.ts";

const looksLike = (head: string, bytes: Uint8Array) =>
  bytes[0] === 0x08 && bytes.length > 8 && (head.includes("TreeEnsemble") || head.includes("tierwise") || head.includes("onnx"));

export const onnx: ModelFormat = {
  id: "onnx",
  about: "ONNX with trees in double (ai.onnx.ml 5)",
  endings: [".onnx"],
  sniff: looksLike,
  read,
  write: (model, options) => write(model, options, DOUBLE),
};

export const onnxFloat: ModelFormat = {
  id: "onnx-float",
  about: "ONNX in float (ai.onnx.ml 3), for older runtimes",
  endings: [".float.onnx"],
  sniff: looksLike,
  read,
  write: (model, options) => write(model, options, FLOAT),
};

const FLOAT = 1;
const UINT8 = 2;
const DOUBLE = 11;

/** A graph of MatMul, Add and Relu is read only where it is to the last byte what is written for its numbers: any other computes something else. */
function read(bytes: Uint8Array, path: string): Imported {
  const imported = readOnnx(bytes, path);
  if (isTrees(imported.model) || isOperator(bytes)) return imported;
  const same = [DOUBLE, FLOAT].some((type) => {
    const { content } = write(portable(imported.model), {}, type as typeof FLOAT | typeof DOUBLE);
    return content.length === bytes.length && (content as Uint8Array).every((byte, at) => byte === bytes[at]);
  });
  if (!same)
    throw new InputError(
      `${path}: expected a graph of trees, a linear model, or one that tierwise wrote, and this differs from those`,
    );
  return imported;
}

const isOperator = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes.subarray(0, 4096)).includes("LinearRegressor");

function write(model: Portable, options: WriteOptions, type: typeof FLOAT | typeof DOUBLE): Exported {
  const graph = new Graph(type);
  const facts = model.kind === "trees" ? trees(graph, model, options, type) : layers(graph, model, type);
  return { ...facts, content: graph.model(model.columns.count), missing: "kept" };
}

type Facts = Omit<Exported, "content" | "missing">;

function trees(graph: Graph, model: PortableTrees, options: WriteOptions, type: number): Facts {
  const double = type === DOUBLE;
  const target = {
    name: "ONNX",
    precision: double ? "float64" : "float32",
    missing: "side",
    sets: "missing right",
    exact: true,
  } as const;
  const { trees, tolerance, notes } = lower(model, target, options);
  const { attributes, op } = double ? ensemble(trees) : regressor(trees);
  graph.node(
    op,
    [double ? graph.node("Cast", ["features"], [int("to", DOUBLE)]) : "features"],
    attributes,
    "ai.onnx.ml",
    "score",
  );
  // Runtimes may add the trees of a large batch in another order when they use several threads.
  return { precision: target.precision, tolerance, notes };
}

function layers(graph: Graph, model: PortableLinear | PortableNetwork, type: number): Facts {
  const { standard } = model;
  const count = model.columns.count;
  let at = type === DOUBLE ? graph.node("Cast", ["features"], [int("to", DOUBLE)]) : "features";
  const missing = graph.node("IsNaN", [at]);
  if (standard) {
    at = graph.node("Sub", [at, graph.tensor("mean", [count], standard.mean)]);
    at = graph.node("Mul", [at, graph.tensor("factor", [count], standard.factor)]);
  }
  at = graph.node("Where", [missing, graph.tensor("zero", [1], [0]), at]);
  // The model rounds what it has standardised to float32.
  if (standard && type === DOUBLE) at = graph.node("Cast", [graph.node("Cast", [at], [int("to", FLOAT)])], [int("to", DOUBLE)]);
  const steps =
    model.kind === "linear" ? [{ inputs: count, outputs: 1, weights: model.weights, biases: [model.bias] }] : model.layers;
  steps.forEach(({ inputs, outputs, weights, biases }, l) => {
    const last = l === steps.length - 1;
    at = graph.node("MatMul", [at, graph.tensor(`weights${l + 1}`, [inputs, outputs], weights)]);
    at = graph.node("Add", [at, graph.tensor(`biases${l + 1}`, [outputs], biases)], [], "", last ? "score" : undefined);
    if (!last) at = graph.node("Relu", [at]);
  });
  const tolerance = type === DOUBLE && model.kind === "linear" ? 1e-12 : 1e-4;
  return { precision: type === DOUBLE ? "float64" : "float32", tolerance, notes: [] };
}

class Graph {
  readonly #message = new Message();
  #names = 0;

  constructor(readonly type: number) {}

  /** Adds a node and returns the name of its output. */
  node(
    op: string,
    inputs: readonly string[],
    attributes: readonly Message[] = [],
    domain = "",
    output = `v${++this.#names}`,
  ): string {
    const node = new Message();
    for (const input of inputs) node.put(1, input);
    node.put(2, output).put(4, op);
    for (const attribute of attributes) node.put(5, attribute);
    if (domain) node.put(7, domain);
    this.#message.put(1, node);
    return output;
  }

  tensor(name: string, dims: readonly number[], values: ArrayLike<number>): string {
    this.#message.put(5, tensor(this.type, dims, values).put(8, name));
    return name;
  }

  model(features: number): Uint8Array {
    const value = (name: string, type: number, columns: number) => {
      const shape = new Message().put(1, new Message().put(2, "rows")).put(1, new Message().int(1, columns));
      return new Message().put(1, name).put(2, new Message().put(1, new Message().int(1, type).put(2, shape)));
    };
    this.#message
      .put(2, "tierwise")
      .put(11, value("features", FLOAT, features))
      .put(12, value("score", this.type, 1));
    const [ir, opset, ml] = this.type === DOUBLE ? [10, 21, 5] : [8, 17, 3];
    return new Message()
      .int(1, ir)
      .put(2, "tierwise")
      .put(7, this.#message)
      .put(8, new Message().put(1, "").int(2, opset))
      .put(8, new Message().put(1, "ai.onnx.ml").int(2, ml))
      .bytes()
      .slice();
  }
}

function tensor(type: number, dims: readonly number[], values: ArrayLike<number>): Message {
  const data = type === DOUBLE ? Float64Array.from(values) : type === FLOAT ? Float32Array.from(values) : Uint8Array.from(values);
  return new Message().ints(1, dims).int(2, type).put(9, new Uint8Array(data.buffer));
}

const int = (name: string, value: number) => new Message().put(1, name).int(3, value).int(20, 2);
const text = (name: string, value: string) => new Message().put(1, name).put(4, value).int(20, 3);
const ints = (name: string, values: Iterable<number>) => new Message().put(1, name).ints(8, values).int(20, 7);
const floats = (name: string, values: ArrayLike<number>) => new Message().put(1, name).floats(7, values).int(20, 6);
const tensorOf = (name: string, type: number, values: ArrayLike<number>) =>
  new Message()
    .put(1, name)
    .put(5, tensor(type, [values.length], values))
    .int(20, 4);
function texts(name: string, values: readonly string[]): Message {
  const message = new Message().put(1, name);
  for (const value of values) message.put(9, value);
  return message.int(20, 8);
}

/** Splits and leaves apart; a tree of one leaf is a split both of whose ways lead there. */
function ensemble(all: readonly Tree[]) {
  const roots: number[] = [];
  const [feature, split, mode, missing]: number[][] = [[], [], [], []] as number[][] as [number[], number[], number[], number[]];
  const [yes, no, yesLeaf, noLeaf]: number[][] = [[], [], [], []] as number[][] as [number[], number[], number[], number[]];
  const [members, values]: number[][] = [[], []] as number[][] as [number[], number[]];
  for (const tree of all) {
    const first = feature!.length;
    roots.push(first);
    const place = new Int32Array(tree.feature.length);
    let splits = 0;
    const isLeaf = (node: number) => tree.feature[node]! < 0;
    tree.feature.forEach((_, node) => {
      place[node] = isLeaf(node) ? values!.push(tree.value[node]!) - 1 : first + splits++;
    });
    const add = (column: number, threshold: number, kind: number, tracks: number, left: number, right: number) => {
      feature!.push(column);
      split!.push(threshold);
      mode!.push(kind);
      missing!.push(tracks);
      yes!.push(place[left]!);
      no!.push(place[right]!);
      yesLeaf!.push(Number(isLeaf(left)));
      noLeaf!.push(Number(isLeaf(right)));
    };
    if (splits === 0) add(0, 0, 0, 0, 0, 0);
    tree.feature.forEach((column, node) => {
      if (column < 0) return;
      const set = tree.sets.get(node);
      for (const member of set ?? []) members!.push(member);
      if (set) members!.push(Number.NaN);
      add(
        column,
        set ? 0 : tree.threshold[node]!,
        set ? 6 : 0,
        tree.missing[node]! & MISSING_LEFT,
        tree.left[node]!,
        tree.right[node]!,
      );
    });
  }
  const attributes = [
    ...[int("aggregate_function", 1), int("n_targets", 1), int("post_transform", 0), ints("tree_roots", roots)],
    ...[ints("nodes_featureids", feature!), tensorOf("nodes_splits", DOUBLE, split!), tensorOf("nodes_modes", UINT8, mode!)],
    ...[
      ints("nodes_truenodeids", yes!),
      ints("nodes_falsenodeids", no!),
      ints("nodes_trueleafs", yesLeaf!),
      ints("nodes_falseleafs", noLeaf!),
    ],
    ...[
      ints("nodes_missing_value_tracks_true", missing!),
      ints(
        "leaf_targetids",
        values!.map(() => 0),
      ),
      tensorOf("leaf_weights", DOUBLE, values!),
    ],
    ...(members!.length > 0 ? [tensorOf("membership_values", DOUBLE, members!)] : []),
  ];
  return { op: "TreeEnsemble", attributes };
}

/** Nodes by tree and number. A set is a chain of equalities that share their children. */
function regressor(all: readonly Tree[]) {
  const columns = {
    tree: [] as number[],
    node: [] as number[],
    feature: [] as number[],
    value: [] as number[],
    mode: [] as string[],
  };
  const [yes, no, missing]: [number[], number[], number[]] = [[], [], []];
  const [leafTree, leafNode, weight]: [number[], number[], number[]] = [[], [], []];
  all.forEach((tree, t) => {
    let next = tree.feature.length;
    const add = (node: number, feature: number, value: number, mode: string, a: number, b: number, tracks: number) => {
      columns.tree.push(t);
      columns.node.push(node);
      columns.feature.push(feature);
      columns.value.push(value);
      columns.mode.push(mode);
      yes.push(a);
      no.push(b);
      missing.push(tracks);
    };
    tree.feature.forEach((feature, node) => {
      const [left, right] = [tree.left[node]!, tree.right[node]!];
      const set = tree.sets.get(node);
      if (feature < 0) {
        add(node, 0, 0, "LEAF", 0, 0, 0);
        leafTree.push(t);
        leafNode.push(node);
        weight.push(tree.value[node]!);
      } else if (set && set.length > 0)
        set.forEach((member, m) => {
          const here = m === 0 ? node : next++;
          add(here, feature, member, "BRANCH_EQ", left, m === set.length - 1 ? right : next, 0);
        });
      else
        add(
          node,
          feature,
          set ? -Infinity : floor32(tree.threshold[node]!),
          "BRANCH_LEQ",
          left,
          right,
          tree.missing[node]! & MISSING_LEFT,
        );
    });
  });
  const attributes = [
    ...[int("n_targets", 1), text("aggregate_function", "SUM"), text("post_transform", "NONE")],
    ...[ints("nodes_treeids", columns.tree), ints("nodes_nodeids", columns.node), ints("nodes_featureids", columns.feature)],
    ...[floats("nodes_values", columns.value), texts("nodes_modes", columns.mode)],
    ...[ints("nodes_truenodeids", yes), ints("nodes_falsenodeids", no), ints("nodes_missing_value_tracks_true", missing)],
    ...[
      ints("target_treeids", leafTree),
      ints("target_nodeids", leafNode),
      ints(
        "target_ids",
        leafTree.map(() => 0),
      ),
      floats("target_weights", weight),
    ],
  ];
  return { op: "TreeEnsembleRegressor", attributes };
}

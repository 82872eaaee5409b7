/** Trees, weighted sums and networks out of ONNX graphs: those of onnx.ts, and TreeEnsemble, TreeEnsembleRegressor and LinearRegressor of others. */
import { InputError, quote } from "../../input-error.ts";
import { revive } from "../../models/index.ts";
import { treesModel } from "../../models/trees/index.ts";
import { plainSum } from "../../models/trees/sum.ts";
import { MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import { below32, below64 } from "../../numeric/float32.ts";
import type { Columns, Model } from "../../types.ts";
import type { Imported } from "./format.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { largest } from "./shared/columns.ts";
import { linearModel } from "./shared/linear.ts";
import { leafTree } from "./shared/lower.ts";
import { type Fields, fieldsOf, floatsOf, intsOf } from "./shared/protobuf.ts";

export function readOnnx(bytes: Uint8Array, path: string): Imported {
  // A copy in a buffer of its own, so that places in it are places in the file.
  const [graph, another] = messages(fieldsOf(new Uint8Array(bytes), path), 7, path);
  if (another) throw new InputError(`${path}: expected one graph in an ONNX model, got more`);
  if (!graph) throw new InputError(`${path}: expected an ONNX model, and this has no graph (cut off, perhaps)`);
  const nodes = messages(graph, 1, path).map((fields) => nodeFrom(fields, path));
  const features = inputWidth(graph, path);
  const trees = nodes.find(({ op }) => op === "TreeEnsemble" || op === "TreeEnsembleRegressor");
  if (trees) {
    const others = nodes.filter((node) => node !== trees && !isHarmless(node, path));
    if (others.length > 0)
      throw new InputError(`${path}: the graph computes ${quote(others[0]!.op)} besides its trees, which is not read`);
    return {
      model: trees.op === "TreeEnsemble" ? ensemble(trees, features, path) : regressor(trees, features, path),
      objective: "unknown",
      notes: [],
    };
  }
  return { model: layers(nodes, graph, features, path), objective: "unknown", notes: [] };
}

/** Whether a node beside trees leaves values as they are: casts to floats and doubles do, as rows are floats. */
function isHarmless(node: OnnxNode, path: string): boolean {
  const get = reader(node, path);
  return node.op === "Identity" || (node.op === "Cast" && [1, 11].includes(get.int("to", 0)));
}

const messages = (fields: Fields, field: number, path: string): Fields[] =>
  (fields.get(field) ?? []).map((value) => {
    if (typeof value === "number") throw new InputError(`${path}: expected a message in field ${field} of an ONNX model`);
    return fieldsOf(value, path);
  });

const decoder = new TextDecoder();
const textsOf = (fields: Fields, field: number) =>
  (fields.get(field) ?? []).map((value) => (typeof value === "number" ? "" : decoder.decode(value)));

interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly attributes: ReadonlyMap<string, Fields>;
}

function nodeFrom(fields: Fields, path: string): OnnxNode {
  const attributes = messages(fields, 5, path).map((one) => [textsOf(one, 1)[0] ?? "", one] as const);
  return { op: textsOf(fields, 4)[0] ?? "", inputs: textsOf(fields, 1), attributes: new Map(attributes) };
}

function inputWidth(graph: Fields, path: string): number {
  const [input] = messages(graph, 11, path);
  const [type] = input ? messages(input, 2, path) : [];
  const [tensor] = type ? messages(type, 1, path) : [];
  const [shape] = tensor ? messages(tensor, 2, path) : [];
  const last = shape ? messages(shape, 1, path).at(-1) : undefined;
  const width = last ? (intsOf(last, 1, path)[0] ?? 0) : 0;
  return width > 0 && width <= 2 ** 24 ? width : 0;
}

/** The lists of numbers that attributes and tensors hold. */
function reader({ attributes, op }: OnnxNode, path: string) {
  const need = (name: string) => {
    const found = attributes.get(name);
    if (!found) throw new InputError(`${path}: ${op} lacks the attribute ${name}`);
    return found;
  };
  return {
    has: (name: string) => attributes.has(name),
    ints: (name: string) => intsOf(need(name), 8, path),
    int: (name: string, start: number) => (attributes.has(name) ? (intsOf(need(name), 3, path)[0] ?? 0) : start),
    floats: (name: string) => floatsOf(need(name), 7, path),
    text: (name: string, start: string) => (attributes.has(name) ? (textsOf(need(name), 4)[0] ?? "") : start),
    texts: (name: string) => textsOf(need(name), 9),
    tensor: (name: string) => tensorOf(messages(need(name), 5, path)[0], `${path}: ${op}.${name}`),
  };
}

interface Tensor {
  readonly type: number;
  readonly dims: readonly number[];
  readonly values: number[];
}

function tensorOf(fields: Fields | undefined, path: string): Tensor {
  if (!fields) throw new InputError(`${path}: expected a tensor`);
  const type = intsOf(fields, 2, path)[0] ?? 0;
  const raw = fields.get(9)?.[0];
  const dims = intsOf(fields, 1, path);
  let values: number[];
  if (raw instanceof Uint8Array) {
    const size = { 1: 4, 2: 1, 11: 8 }[type];
    if (size === undefined || raw.length % size !== 0)
      throw new InputError(`${path}: expected a tensor of floats, doubles or bytes`);
    const { buffer } = raw.slice();
    values = [...(type === 1 ? new Float32Array(buffer) : type === 11 ? new Float64Array(buffer) : new Uint8Array(buffer))];
  } else if (type === 11) values = floatsOf(fields, 10, path, Float64Array);
  else values = type === 1 ? floatsOf(fields, 4, path) : intsOf(fields, 5, path);
  if (values.length !== dims.reduce((product, dim) => product * dim, 1)) throw new InputError(`${path}: the tensor is cut off`);
  return { type, dims, values };
}

/** Threshold of `value <= threshold` for a comparison by its ONNX number: 0 LEQ, 1 LT. Greater ones change the sides. */
const MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER"];

function splitOf(mode: string, value: number, single: boolean, tracks: boolean, where: string) {
  const under = single ? below32 : below64;
  const rules = (left: boolean) => (left ? MISSING_LEFT : 0);
  if (mode === "BRANCH_LEQ") return { threshold: value, rules: rules(tracks), swap: false };
  if (mode === "BRANCH_LT") return { threshold: under(value), rules: rules(tracks), swap: false };
  if (mode === "BRANCH_GT") return { threshold: value, rules: rules(!tracks), swap: true };
  if (mode === "BRANCH_GTE") return { threshold: under(value), rules: rules(!tracks), swap: true };
  throw new InputError(`${where}: splits of the mode ${quote(mode)} are not read here`);
}

function ensemble(node: OnnxNode, features: number, path: string): Model {
  const get = reader(node, path);
  if (get.int("n_targets", 1) !== 1 || get.int("aggregate_function", 1) !== 1 || get.int("post_transform", 0) !== 0)
    throw new InputError(`${path}: expected trees whose values are summed to one score`);
  const [roots, feature, splits, modes] = [
    get.ints("tree_roots"),
    get.ints("nodes_featureids"),
    get.tensor("nodes_splits"),
    get.tensor("nodes_modes").values,
  ];
  const n = feature.length;
  const [yes, no, yesLeaf, noLeaf] = [
    get.ints("nodes_truenodeids"),
    get.ints("nodes_falsenodeids"),
    get.ints("nodes_trueleafs"),
    get.ints("nodes_falseleafs"),
  ];
  const missing = get.has("nodes_missing_value_tracks_true") ? get.ints("nodes_missing_value_tracks_true") : feature.map(() => 0);
  const weights = get.tensor("leaf_weights");
  for (const list of [splits.values, modes, yes, no, yesLeaf, noLeaf, missing])
    if (list.length !== n) throw new InputError(`${path}: TreeEnsemble has ${n} nodes, and a list of ${list.length}`);
  const members: Float32Array[] = [];
  if (get.has("membership_values")) {
    let set: number[] = [];
    for (const value of get.tensor("membership_values").values)
      if (Number.isNaN(value)) {
        members.push(Float32Array.from(set));
        set = [];
      } else set.push(value);
  }
  const setOf = new Map<number, Float32Array>();
  modes.forEach((mode, at) => {
    if (mode === 6) setOf.set(at, members[setOf.size]!);
  });
  if (setOf.size !== members.length)
    throw new InputError(`${path}: TreeEnsemble has ${setOf.size} nodes of sets, and membership_values of ${members.length}`);
  if (get.has("leaf_targetids") && get.ints("leaf_targetids").some((id) => id !== 0))
    throw new InputError(`${path}: expected trees whose values are summed to one score`);
  checkTrees(roots.length, path);
  const single = weights.type === 1;
  const count = features || largest(feature, -1) + 1;
  const leaves = weights.values.length;
  const seen = new Uint8Array(n + leaves);
  // Splits and leaves are numbered apart.
  const child = (at: number, isLeaf: number) => (at < 0 || at >= (isLeaf ? leaves : n) ? Number.NaN : isLeaf ? n + at : at);
  const trees = roots.map((root, t): Tree => {
    const where = `${path}: tree ${t}`;
    // A split both of whose ways are the same leaf is that leaf.
    if (yesLeaf[root] && noLeaf[root] && yes[root] === no[root])
      return buildTree({ nodes: 1, root: 0, features: count, thresholds: "float64", where }, () => ({
        value: weights.values[yes[root]!] ?? Number.NaN, // refused where it is not there
        items: 0,
      }));
    const shape = {
      nodes: n + leaves,
      root: child(root, 0),
      seen,
      features: count,
      thresholds: single ? "float32" : "float64",
      where,
    } as const;
    return buildTree(shape, (at): Node => {
      if (at >= n) return { value: weights.values[at - n]!, items: 0 };
      const [a, b] = [child(yes[at]!, yesLeaf[at]!), child(no[at]!, noLeaf[at]!)];
      const common = { feature: feature[at]!, gain: 0, items: 0 };
      const set = setOf.get(at);
      if (set) return { ...common, threshold: 0, set, rules: missing[at] ? MISSING_LEFT : 0, left: a, right: b };
      const { threshold, rules, swap } = splitOf(
        MODES[modes[at]!] ?? "none",
        splits.values[at]!,
        single,
        missing[at] !== 0,
        where,
      );
      return { ...common, threshold, rules, left: swap ? b : a, right: swap ? a : b };
    });
  });
  return treesModel({ count, base: 0 }, trees, {}, undefined, single ? { ...plainSum, precision: "float32" } : plainSum);
}

function regressor(node: OnnxNode, features: number, path: string): Model {
  const get = reader(node, path);
  if (
    get.int("n_targets", 1) !== 1 ||
    get.text("aggregate_function", "SUM") !== "SUM" ||
    get.text("post_transform", "NONE") !== "NONE"
  )
    throw new InputError(`${path}: expected trees whose values are summed to one score`);
  const [tree, id, feature, value, mode] = [
    get.ints("nodes_treeids"),
    get.ints("nodes_nodeids"),
    get.ints("nodes_featureids"),
    get.floats("nodes_values"),
    get.texts("nodes_modes"),
  ];
  const [yes, no] = [get.ints("nodes_truenodeids"), get.ints("nodes_falsenodeids")];
  const missing = get.has("nodes_missing_value_tracks_true") ? get.ints("nodes_missing_value_tracks_true") : feature.map(() => 0);
  const n = tree.length;
  for (const list of [id, feature, value, mode, yes, no, missing])
    if (list.length !== n) throw new InputError(`${path}: TreeEnsembleRegressor has ${n} nodes, and a list of ${list.length}`);
  const [targetTree, leafNode, weights] = [get.ints("target_treeids"), get.ints("target_nodeids"), get.floats("target_weights")];
  const [ids, size] = [get.ints("target_ids"), targetTree.length];
  if (leafNode.length !== size || weights.length !== size || ids.length !== size || ids.some((target) => target !== 0))
    throw new InputError(`${path}: expected a tree, a node and a weight for each of ${size} leaves of one target`);
  const leaves = new Map(targetTree.map((t, i) => [`${t} ${leafNode[i]}`, weights[i]!]));
  if (leaves.size !== size) throw new InputError(`${path}: target_nodeids names a leaf twice`);
  const byTree = new Map<number, Map<number, number>>();
  tree.forEach((t, at) => {
    if (!byTree.has(t)) byTree.set(t, new Map());
    if (byTree.get(t)!.has(id[at]!)) throw new InputError(`${path}: tree ${t} has two nodes with the number ${id[at]}`);
    byTree.get(t)!.set(id[at]!, at);
  });
  checkTrees(byTree.size, path);
  const count = features || largest(feature, -1) + 1;
  const base = get.has("base_values") ? get.floats("base_values") : [];
  if (base.length > 1) throw new InputError(`${path}: expected one base value, got ${base.length}`);
  const seen = new Uint8Array(n);
  const trees = [...byTree].map(([t, places]): Tree => {
    const where = `${path}: tree ${t}`;
    const shape = {
      nodes: n,
      root: places.values().next().value!, // the first of the tree in the file, as in ONNX Runtime
      seen,
      features: count,
      thresholds: "float32",
      where,
    } as const;
    const child = (name: number): number => {
      const at = places.get(name);
      if (at === undefined) throw new InputError(`${where}: a node leads to node ${name}, and there is none`);
      return at;
    };
    return buildTree(shape, (at): Node => {
      if (mode[at] === "LEAF") return { value: leaves.get(`${t} ${id[at]}`) ?? 0, items: 0 };
      const common = { feature: feature[at]!, gain: 0, items: 0 };
      if (mode[at] === "BRANCH_EQ") {
        const { set, right } = chain(at, places, { feature, value, mode, yes, no, missing, seen }, where);
        return {
          ...common,
          threshold: 0,
          set,
          rules: missing[at] ? MISSING_LEFT : 0,
          left: child(yes[at]!),
          right: child(right),
        };
      }
      const { threshold, rules, swap } = splitOf(mode[at]!, Math.fround(value[at]!), true, missing[at] !== 0, where);
      const [a, b] = [child(yes[at]!), child(no[at]!)];
      return { ...common, threshold, rules, left: swap ? b : a, right: swap ? a : b };
    });
  });
  // ONNX Runtime adds the base value last, and rounds.
  const all = base[0] ? [...trees, leafTree(base[0])] : trees;
  return treesModel({ count, base: 0 }, all, {}, undefined, { ...plainSum, precision: "float32" });
}

interface Chain {
  readonly feature: readonly number[];
  readonly value: readonly number[];
  readonly mode: readonly string[];
  readonly yes: readonly number[];
  readonly no: readonly number[];
  readonly missing: readonly number[];
  readonly seen: Uint8Array;
}

/** Equalities of one feature that share where they lead are a set. */
function chain(
  first: number,
  places: ReadonlyMap<number, number>,
  { feature, value, mode, yes, no, missing, seen }: Chain,
  where: string,
) {
  const members = [value[first]!];
  let at = first;
  for (;;) {
    const next = places.get(no[at]!);
    if (next === undefined) throw new InputError(`${where}: there is no node ${no[at]}`);
    if (
      mode[next] !== "BRANCH_EQ" ||
      feature[next] !== feature[first] ||
      yes[next] !== yes[first] ||
      missing[next] !== missing[first]
    )
      break;
    if (seen[next]) throw new InputError(`${where}: node ${no[at]} has two parents or leads back to itself`);
    seen[next] = 1;
    members.push(value[next]!);
    at = next;
  }
  return { set: Float32Array.from(members), right: no[at]! };
}

/** LinearRegressor, or the layers that onnx.ts writes. */
function layers(nodes: readonly OnnxNode[], graph: Fields, features: number, path: string): Model {
  const linear = nodes.find(({ op }) => op === "LinearRegressor");
  if (linear && nodes.length === 1) {
    const get = reader(linear, path);
    if (get.int("targets", 1) !== 1 || get.text("post_transform", "NONE") !== "NONE")
      throw new InputError(`${path}: expected a linear model with one score`);
    const [weights, intercepts] = [get.floats("coefficients"), get.has("intercepts") ? get.floats("intercepts") : []];
    const [bias = 0] = intercepts;
    if (intercepts.length > 1 || (features && weights.length !== features))
      throw new InputError(
        `${path}: expected ${features} coefficients and one intercept, got ${weights.length} and ${intercepts.length}`,
      );
    return linearModel({ count: weights.length, base: 0 }, weights, bias);
  }
  const tensors = new Map(messages(graph, 5, path).map((one) => [textsOf(one, 8)[0] ?? "", tensorOf(one, path)]));
  const known = new Set(["Cast", "IsNaN", "Where", "Sub", "Mul", "MatMul", "Add", "Relu"]);
  const other = nodes.find(({ op }) => !known.has(op));
  const multiplied = nodes.filter(({ op }) => op === "MatMul").map(({ inputs }) => inputs[1] ?? "");
  if (other || multiplied.length === 0 || !multiplied.every((name, l) => name === `weights${l + 1}`))
    throw new InputError(
      `${path}: expected a graph of trees, a linear model, or one that tierwise wrote, and this computes ${quote(other?.op ?? nodes[0]?.op ?? "nothing")}`,
    );
  const list = (name: string): number[] => {
    const found = tensors.get(name);
    if (!found) throw new InputError(`${path}: the tensor ${name} is not there`);
    return found.values;
  };
  const columns: Columns = { count: features, base: 0 };
  const inner =
    multiplied.length === 1
      ? { id: "linear", weights: [...list("weights1"), ...list("biases1")], extras: {} }
      : {
          id: "mlp",
          sizes: multiplied.map((_, l) => list(`biases${l + 1}`).length),
          ...Object.fromEntries(
            multiplied.flatMap((_, l) => ["weights", "biases"].map((key) => [`${key}${l + 1}`, list(`${key}${l + 1}`)])),
          ),
          extras: {},
        };
  const standard = tensors.has("mean") ? { by: "all", mean: list("mean"), factor: list("factor") } : { by: "none" };
  try {
    return revive({ id: "standardise", ...standard, inner }, columns);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${path}: ${error.message}`) : error;
  }
}

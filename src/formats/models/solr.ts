/**
 * Solr's LTR module, as the body of PUT /schema/model-store: MultipleAdditiveTreesModel, LinearModel and NeuralNetworkModel. Everything is
 * float32; what a document lacks is 0; values up to the threshold go left, after Solr has added 1e-6f to the threshold, so that a smaller one
 * is written. Numbers of trees are texts. Checked against Solr 8.11.4, as a server.
 */
import { InputError } from "../../input-error.ts";
import { revive } from "../../models/index.ts";
import { treesModel } from "../../models/trees/index.ts";
import { plainSum } from "../../models/trees/sum.ts";
import { MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import { above32, below32, floor32 } from "../../numeric/float32.ts";
import type { Model } from "../../types.ts";
import type { Exported, ModelFormat, WriteOptions } from "./format.ts";
import { javaFloat } from "./ranklib.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { checkNames } from "./shared/columns.ts";
import { lower } from "./shared/lower.ts";
import type { PortableLinear, PortableNetwork, PortableTrees } from "./shared/portable.ts";
import { Json, jsonOf, numberOf, textOf } from "./shared/text.ts";

const CLASS = "org.apache.solr.ltr.model.";
const NORM = "org.apache.solr.ltr.norm.StandardNormalizer";
const SLACK = Math.fround(1e-6);

export const solr: ModelFormat = {
  id: "solr",
  about: "Solr LTR: trees, linear models, networks",
  endings: [".solr.json"],
  named: true,
  sniff: (head) => head.includes(`"${CLASS}`),
  read(bytes, path) {
    const root = new Json(jsonOf(textOf(bytes, path), path), path);
    return { model: modelFrom(root), objective: "unknown", notes: [] };
  },
  write: (model, options) => (model.kind === "trees" ? treesFor(model, options) : layersFor(model, options)),
};

/** What Solr compares with: the threshold that it reads plus its slack. */
const loaded = (written: number) => Math.fround(Math.fround(written) + SLACK);

/**
 * The float32 that becomes the threshold in Solr, or, where none does, the next above, so that values that meet the threshold still go left; but
 * a threshold below zero stays there, since zeros are many.
 */
export function beforeSlack(threshold: number): number {
  if (!Number.isFinite(threshold)) return threshold;
  let written = Math.fround(threshold - SLACK);
  while (loaded(written) < threshold) written = above32(written);
  while (loaded(below32(written)) >= threshold) written = below32(written);
  while (threshold < 0 && loaded(written) >= 0) written = below32(written);
  return written;
}

function treesFor(model: PortableTrees, options: WriteOptions): Exported {
  const { trees, tolerance, notes } = lower(
    model,
    { name: "Solr", precision: "float32", missing: "zero", sets: "none" },
    options,
  );
  const names = model.columns.names!;
  let [off, worst] = [0, 0];
  const shifted = trees.map((tree) => ({
    ...tree,
    threshold: Float32Array.from(tree.threshold, (value, node) => {
      if (tree.feature[node]! < 0) return 0;
      const wanted = floor32(value);
      const had = loaded(beforeSlack(wanted));
      if (had !== wanted && Number.isFinite(wanted)) {
        off++;
        worst = Math.max(worst, Math.abs(had - wanted));
      }
      return had;
    }),
  }));
  const more =
    off > 0
      ? [`Solr adds 1e-6 to thresholds, and ${off} cannot be had exactly; they are off by up to ${worst.toPrecision(2)}`]
      : [];
  const used = names.filter((_, c) => trees.some(({ feature }) => feature.includes(c)));
  const node = (tree: Tree, at: number): unknown =>
    tree.feature[at]! < 0
      ? { value: javaFloat(tree.value[at]!) }
      : {
          feature: names[tree.feature[at]!],
          threshold: javaFloat(beforeSlack(floor32(tree.threshold[at]!))),
          left: node(tree, tree.left[at]!),
          right: node(tree, tree.right[at]!),
        };
  const body = {
    class: `${CLASS}MultipleAdditiveTreesModel`,
    name: options.name ?? "tierwise",
    features: used.map((name) => ({ name })),
    params: { trees: trees.map((tree) => ({ weight: "1", root: node(tree, 0) })) },
  };
  const reference = off > 0 ? { ...model, trees: shifted, sum: { ...plainSum, precision: "float32" as const } } : model;
  return { content: text(body), precision: "float32", tolerance, missing: "zero", notes: [...notes, ...more], reference };
}

/** Numbers with a point: Solr takes others for integers and fails to cast them. */
const text = (body: unknown): string =>
  `${JSON.stringify(body, (_, value: unknown) => (typeof value === "number" ? `\u0000${javaFloat(value)}` : value)).replace(/"\\u0000([^"]*)"/g, "$1")}\n`;

function layersFor(model: PortableLinear | PortableNetwork, options: WriteOptions): Exported {
  const names = model.columns.names!;
  const { standard } = model;
  const apart = standard
    ? standard.mean.reduce((count, mean, c) => count + Number(mean !== 0 && standard.factor[c] !== 0), 0)
    : 0;
  if (apart > 0 && options.missing !== "zero")
    throw new InputError(
      `Solr counts missing values as 0, and the model counts them as the mean, which is not 0 for ${apart} features; scores of rows with missing values would be wrong. The option missing=zero writes the model nevertheless`,
    );
  const notes =
    apart > 0
      ? ["missing values count as 0 there, and as the mean in the model: right only for rows without missing values"]
      : [];
  const features = names.map((name, c) => {
    const factor = standard?.factor[c] ?? 1;
    // A feature that never varies has weight 0 below.
    if (!standard || factor === 0) return { name };
    return { name, norm: { class: NORM, params: { avg: String(standard.mean[c]), std: String(1 / factor) } } };
  });
  const silent = (c: number) => standard !== undefined && standard.factor[c] === 0;
  const head = { name: options.name ?? "tierwise", features };
  if (model.kind === "linear") {
    const weights = Object.fromEntries(names.map((name, c) => [name, silent(c) ? 0 : model.weights[c]!]));
    if (model.bias !== 0) notes.push(`a LinearModel has no constant, so all scores lack ${model.bias}; their order is the same`);
    const content = text({ class: `${CLASS}LinearModel`, ...head, params: { weights } });
    return { content, precision: "float32", tolerance: 1e-4, missing: "zero", notes, reference: { ...model, bias: 0 } };
  }
  const layers = model.layers.map(({ inputs, outputs, weights, biases }, l) => ({
    matrix: Array.from({ length: outputs }, (_, o) =>
      Array.from({ length: inputs }, (_, i) => (l === 0 && silent(i) ? 0 : weights[i * outputs + o]!)),
    ),
    bias: [...biases],
    activation: l === model.layers.length - 1 ? "identity" : "relu",
  }));
  const content = text({ class: `${CLASS}NeuralNetworkModel`, ...head, params: { layers } });
  return { content, precision: "float32", tolerance: 1e-4, missing: "zero", notes };
}

function modelFrom(root: Json): Model {
  const kind = root.at("class").text().replace(CLASS, "");
  const names = root
    .at("features")
    .list()
    .map((feature) => feature.at("name").text());
  checkNames(names, `${root.path}: features`);
  const columns = { count: names.length, base: 0, names } as const;
  const params = root.at("params");
  if (kind === "MultipleAdditiveTreesModel") {
    const places = new Map(names.map((name, c) => [name, c]));
    const given = params.at("trees").list();
    checkTrees(given.length, root.path);
    const trees = given.map((tree) => treeFrom(tree, places));
    return treesModel(columns, trees, {}, undefined, { precision: "float32", start: 0, divisor: 1, scale: 1, bias: 0 });
  }
  const norms = root
    .at("features")
    .list()
    .map((feature) => {
      if (!feature.has("norm")) return [0, 1] as const;
      const given = feature.at("norm").at("params");
      if (feature.at("norm").at("class").value !== NORM) throw feature.at("norm").at("class").error(NORM);
      return [inText(given.at("avg")), 1 / inText(given.at("std"))] as const;
    });
  const wrap = (inner: Record<string, unknown>) =>
    revive(
      { id: "standardise", by: "all", mean: norms.map(([mean]) => mean), factor: norms.map(([, factor]) => factor), inner },
      columns,
    );
  if (kind === "LinearModel")
    return wrap({ id: "linear", weights: [...names.map((name) => params.at("weights").at(name).number()), 0], extras: {} });
  if (kind !== "NeuralNetworkModel") throw root.at("class").error("a model of trees, a linear one or a network");
  const layers = params.at("layers").list();
  const lists = layers.flatMap((layer, l): [string, number[]][] => {
    const inputs = l === 0 ? names.length : layers[l - 1]!.at("bias").numbers().length;
    const rows = layer
      .at("matrix")
      .list()
      .map((row) => row.numbers(inputs));
    const activation = l === layers.length - 1 ? "identity" : "relu";
    if (layer.at("activation").value !== activation) throw layer.at("activation").error(activation);
    const weights = Array.from({ length: inputs * rows.length }, (_, k) => rows[k % rows.length]![Math.floor(k / rows.length)]!);
    return [
      [`weights${l + 1}`, weights],
      [`biases${l + 1}`, [...layer.at("bias").numbers(rows.length)]],
    ];
  });
  return wrap({
    id: "mlp",
    sizes: layers.map((layer) => layer.at("bias").numbers().length),
    ...Object.fromEntries(lists),
    extras: {},
  });
}

function inText(field: Json): number {
  const value = numberOf(String(field.value));
  if (value === undefined || !Number.isFinite(value)) throw field.error("a number as a text");
  return value;
}

function treeFrom(tree: Json, places: ReadonlyMap<string, number>): Tree {
  const nodes: Json[] = [tree.at("root")];
  const sides = new Map<number, [number, number]>();
  const weight = inText(tree.at("weight"));
  for (let at = 0; at < nodes.length; at++)
    if (nodes[at]!.has("feature")) sides.set(at, [nodes.push(nodes[at]!.at("left")) - 1, nodes.push(nodes[at]!.at("right")) - 1]);
  return buildTree(
    { nodes: nodes.length, root: 0, features: places.size, thresholds: "float32", where: `${tree.path}: ${tree.place}` },
    (at): Node => {
      const node = nodes[at]!;
      const both = sides.get(at);
      if (!both) return { value: Math.fround(inText(node.at("value")) * weight), items: 0 };
      const feature = places.get(node.at("feature").text());
      if (feature === undefined) throw node.at("feature").error("one of the features");
      const text = String(node.at("threshold").value);
      const threshold = loaded(/^-?Infinity$/.test(text) ? Number(text) : inText(node.at("threshold")));
      return { feature, threshold, rules: 0 <= threshold ? MISSING_LEFT : 0, left: both[0], right: both[1], gain: 0, items: 0 };
    },
  );
}

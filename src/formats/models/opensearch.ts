/**
 * Models of the learning-to-rank plugins of OpenSearch and Elasticsearch (o19s), as the body of POST _ltr/_featureset/NAME/_createmodel:
 * model/xgboost+json for trees, model/linear for weighted sums, or model/ranklib. Sums are float32. Missing values go their side of each node
 * in Elasticsearch LTR and in OpenSearch from 3.3 on, and count as 0 before. Not run by the plugins.
 */
import { InputError } from "../../input-error.ts";
import type { Exported, Imported, ModelFormat } from "./format.ts";
import { ranklib } from "./ranklib.ts";
import { isSplit, missingAsZero, nodeOf } from "./shared/build-tree.ts";
import { linearModel } from "./shared/linear.ts";
import { lower } from "./shared/lower.ts";
import { folded, type PortableLinear, type PortableTrees } from "./shared/portable.ts";
import { Json, jsonOf, textOf } from "./shared/text.ts";
import { dumpedModel, dumpTree } from "./xgboost-dump.ts";

export const opensearch: ModelFormat = {
  id: "opensearch",
  about: "OpenSearch LTR and Elasticsearch LTR: xgboost+json or linear",
  endings: [".opensearch.json", ".es-ltr.json"],
  named: true,
  sniff: (head) => /"type"\s*:\s*"model\/(xgboost\+json|linear|ranklib)"/.test(head),
  read,
  write(model, options) {
    if (model.kind === "network")
      throw new InputError("OpenSearch LTR holds trees or a weighted sum, and this model is a network");
    if (model.kind === "linear") return weightsFor(model, options.name, options.missing);
    const { trees, tolerance, notes } = lower(
      model,
      { name: "OpenSearch LTR", precision: "float32", missing: "side", sets: "none" },
      options,
    );
    const definition = JSON.stringify({ objective: "rank:ndcg", splits: trees.map((tree) => dumpTree(tree, model.columns)) });
    const content = upload(options.name, "model/xgboost+json", definition);
    return { content, precision: "float32", tolerance, missing: "kept", notes: [...notes, ...oldNote({ ...model, trees })] };
  },
};

export const opensearchRanklib: ModelFormat = {
  id: "opensearch-ranklib",
  about: "OpenSearch LTR and Elasticsearch LTR: ranklib",
  endings: [".opensearch-ranklib.json"],
  named: true,
  read,
  write(model, options) {
    if (model.kind !== "trees")
      throw new InputError("OpenSearch LTR takes trees as model/ranklib; a weighted sum goes as opensearch");
    const { content, ...rest } = ranklib.write!(model, options);
    return { ...rest, content: upload(options.name, "model/ranklib", String(content)) };
  },
};

const upload = (name = "tierwise", type: string, definition: string) =>
  `${JSON.stringify({ model: { name, model: { type, definition } } })}\n`;

/** What older OpenSearch does otherwise. */
function oldNote({ trees }: PortableTrees): string[] {
  let [apart, all] = [0, 0];
  for (const tree of trees)
    for (let at = 0; at < tree.feature.length; at++) {
      const node = nodeOf(tree, at);
      if (!isSplit(node)) continue;
      all++;
      if (!missingAsZero(node)) apart++;
    }
  return apart > 0
    ? [`OpenSearch before 3.3 counts missing values as 0, and ${apart} of the model's ${all} nodes send them elsewhere`]
    : [];
}

function weightsFor(model: PortableLinear, name: string | undefined, missing: "refuse" | "zero" = "refuse"): Exported {
  const { weights, bias, missing: means } = folded(model);
  const apart = means.reduce((count, value, c) => count + Number(value * weights[c]! !== 0), 0);
  if (apart > 0 && missing === "refuse")
    throw new InputError(
      `OpenSearch LTR counts missing values as 0 in a weighted sum, and the model as the mean, which is not 0 for ${apart} features; scores of rows with missing values would be wrong. The option missing=zero writes the model nevertheless`,
    );
  const names = model.columns.names!;
  const definition = JSON.stringify(Object.fromEntries(Array.from(weights, (weight, c) => [names[c]!, weight])));
  const notes = bias === 0 ? [] : [`model/linear has no constant, so all scores lack ${bias}; their order is the same`];
  // Sums of large terms in float32 lose digits that the constant would have cancelled.
  const reference = { ...model, weights, bias: 0, standard: undefined };
  return {
    content: upload(name, "model/linear", definition),
    precision: "float32",
    tolerance: 1e-4,
    missing: "zero",
    notes,
    reference,
  };
}

function read(bytes: Uint8Array, path: string): Imported {
  const root = new Json(jsonOf(textOf(bytes, path), path), path);
  const model = root.at("model").at("model");
  const [type, definition] = [model.at("type").text(), model.at("definition").text()];
  const inside = `${path}: definition`;
  if (type === "model/ranklib") return ranklib.read!(new TextEncoder().encode(definition), inside);
  const parsed = new Json(jsonOf(definition, inside), inside);
  if (type === "model/xgboost+json")
    return {
      model: dumpedModel(Array.isArray(parsed.value) ? parsed : parsed.at("splits"), "named"),
      objective: "unknown",
      notes: [],
    };
  if (type !== "model/linear") throw model.at("type").error("model/xgboost+json, model/linear or model/ranklib");
  const names = parsed.keys();
  const weights = Float64Array.from(names, (name) => parsed.at(name).number());
  return { model: linearModel({ count: names.length, base: 0, names }, weights, 0), objective: "unknown", notes: [] };
}

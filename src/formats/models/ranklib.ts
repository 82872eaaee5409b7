/**
 * RankLib's model files: LambdaMART, MART and Random Forests as XML, Coordinate Ascent and Linear Regression as weights. Values up to the
 * threshold go left, in float32; what is missing counts as 0. A score is rounded to float32 after every tree; forests take the mean of
 * ensembles in float64; weighted sums are float64. Features are numbered from 1. What is written was scored by RankLib 2.10.1 (org.codelibs:ranklib).
 */
import { InputError, quote } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { MISSING_LEFT, type Tree } from "../../models/trees/tree.ts";
import { floor32 } from "../../numeric/float32.ts";
import type { Model } from "../../types.ts";
import type { Exported, Imported, ModelFormat, WriteOptions } from "./format.ts";
import { buildTree, checkTrees, type Node } from "./shared/build-tree.ts";
import { largest } from "./shared/columns.ts";
import { linearModel } from "./shared/linear.ts";
import { lower } from "./shared/lower.ts";
import { folded, type Portable, type PortableLinear } from "./shared/portable.ts";
import { numberOf, textOf } from "./shared/text.ts";
import { childrenOf, type Element, elementsOf } from "./shared/xml.ts";

export const ranklib: ModelFormat = {
  id: "ranklib",
  about: "RankLib's model file: LambdaMART, MART, Random Forests, linear models",
  endings: [".ranklib", ".ranklib.txt", ".xml"],
  sniff: (head) => new RegExp(`^## (${[...TREES, ...SUMS, ...OTHERS].join("|")})\\s*$`, "m").test(head.slice(0, 200)),
  read,
  write,
};

const TREES = ["LambdaMART", "MART", "Random Forests"];
const SUMS = ["Coordinate Ascent", "Linear Regression"];
const OTHERS = ["RankNet", "RankBoost", "AdaRank", "ListNet", "LambdaRank"]; // known, so that they are refused by name

function read(bytes: Uint8Array, path: string): Imported {
  const text = textOf(bytes, path);
  const name = /^## (.+?)\s*$/m.exec(text)?.[1] ?? "";
  if (SUMS.includes(name)) return { model: weightsFrom(text, path), objective: name, notes: [] };
  if (!TREES.includes(name))
    throw new InputError(`${path}:1: the model is ${quote(name)}, and ${TREES.join(", ")}, ${SUMS.join(" and ")} are read`);
  checkTrees(text.split("<tree").length - 1, path);
  const ensembles = elementsOf(text, path);
  const other = [
    ...ensembles.filter((one) => one.name !== "ensemble"),
    ...ensembles.flatMap(({ children }) => children.filter((one) => one.name !== "tree")),
  ][0];
  if (other) throw new InputError(`${path}:${other.line}: expected an <ensemble> of <tree> elements, got <${other.name}>`);
  if (ensembles.length === 0) throw new InputError(`${path}: expected an <ensemble> of trees, got none`);
  if (ensembles.length > 1 && name !== "Random Forests")
    throw new InputError(`${path}:${ensembles[1]!.line}: expected one <ensemble>, got ${ensembles.length}`);
  const trees = ensembles.map((ensemble) => childrenOf(ensemble, "tree"));
  let count = 0;
  const raised = (feature: number) => void (count = Math.max(count, feature));
  const grown = trees.map((group) => group.map((tree) => treeFrom(tree, path, raised)));
  const columns = { count, base: 1 } as const;
  const notes = ["RankLib counts missing values as 0, and so does this model"];
  const sum = { precision: "float32", start: 0, divisor: 1, scale: 1, bias: 0 } as const;
  if (grown.length === 1) return { model: treesModel(columns, grown[0]!, {}, undefined, sum), objective: name, notes };
  // An ensemble of one tree, the default, gives its value rounded to float32; the mean over ensembles is taken in float64.
  if (grown.some((group) => group.length !== 1))
    notes.push("bags of several trees are summed in float32 by RankLib and in float64 here, so scores differ by rounding");
  const single = grown.flat().map((tree) => ({ ...tree, value: tree.value.map(Math.fround) }));
  return {
    model: treesModel(columns, single, {}, undefined, { ...sum, precision: "float64", divisor: grown.length }),
    objective: name,
    notes,
  };
}

function treeFrom(tree: Element, path: string, raised: (feature: number) => void): Tree {
  const where = `${path}:${tree.line}: a tree`;
  const given = numberOf(tree.attributes.weight ?? "1");
  const weight = given === undefined ? undefined : Math.fround(given); // a float in RankLib, and the product a double
  const [root, ...more] = childrenOf(tree, "split");
  if (!root || more.length > 0 || weight === undefined || !Number.isFinite(weight))
    throw new InputError(`${where}: expected a weight and one <split>`);
  const nodes: Element[] = [root];
  const sides = new Map<number, [number, number]>();
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!;
    const parts = childrenOf(node, "split");
    if (parts.length === 0) continue;
    const [left, right] = ["left", "right"].map((side) => parts.filter(({ attributes }) => attributes.pos === side));
    if (left!.length !== 1 || right!.length !== 1)
      throw new InputError(`${path}:${node.line}: a split: expected one left and one right side`);
    sides.set(at, [nodes.push(left![0]!) - 1, nodes.push(right![0]!) - 1]);
  }
  const number = (node: Element, key: string): number => {
    const [field] = childrenOf(node, key);
    const value = numberOf((field?.text ?? "").trim());
    if (value === undefined)
      throw new InputError(
        `${path}:${field?.line ?? node.line}: expected a number in <${key}>, got ${quote((field?.text ?? "").trim())}`,
      );
    return value;
  };
  return buildTree({ nodes: nodes.length, root: 0, features: 2 ** 24, thresholds: "float32", where }, (at): Node => {
    const node = nodes[at]!;
    const both = sides.get(at);
    if (!both) return { value: Math.fround(number(node, "output")) * weight, items: 0 };
    const feature = number(node, "feature");
    if (!Number.isInteger(feature) || feature < 1)
      throw new InputError(`${path}:${node.line}: expected a feature from 1 on, got ${feature}`);
    raised(feature);
    const threshold = Math.fround(number(node, "threshold"));
    return {
      feature: feature - 1,
      threshold,
      rules: 0 <= threshold ? MISSING_LEFT : 0,
      left: both[0],
      right: both[1],
      gain: 0,
      items: 0,
    };
  });
}

/** One line of feature:weight; feature 0 is the constant of a regression. */
function weightsFrom(text: string, path: string): Model {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("##"));
  // Files that were written here tell how many features they have, by which one that is cut off is noticed.
  const declared = /^## Features = (\d+)\s*$/m.exec(text)?.[1];
  if (declared !== undefined && !(lines.length > at + 1 && at >= 0))
    throw new InputError(`${path}:${lines.length}: the line of weights is cut off`);
  const weights = new Map<number, number>();
  for (const pair of (lines[at] ?? "").split("#")[0]!.trim().split(/\s+/)) {
    const [, feature, value] = /^(\d+):(\S+)$/.exec(pair) ?? [];
    const weight = numberOf(value ?? "");
    if (weight === undefined || !Number.isFinite(weight) || Number(feature) > 2 ** 24)
      throw new InputError(`${path}:${at + 1}: expected feature:weight, got ${quote(pair)}`);
    if (weights.has(Number(feature))) throw new InputError(`${path}:${at + 1}: feature ${feature} has two weights`);
    weights.set(Number(feature), weight);
  }
  const count = largest(weights.keys(), 0);
  if (declared !== undefined && count !== Number(declared))
    throw new InputError(`${path}:${at + 1}: expected weights of ${declared} features, got ${count}`);
  const columns = { count, base: 1 } as const;
  return linearModel(
    columns,
    Float64Array.from({ length: count }, (_, c) => weights.get(c + 1) ?? 0),
    weights.get(0) ?? 0,
  );
}

function write(model: Portable, options: WriteOptions): Exported {
  if (model.kind === "network")
    throw new InputError("a RankLib file holds trees or a weighted sum here, and this model is a network");
  if (model.kind === "linear") return linearText(model, options);
  const { trees, tolerance, notes } = lower(
    model,
    { name: "RankLib", precision: "float32", missing: "zero", sets: "none" },
    options,
  );
  const lines = ["## LambdaMART", `## No. of trees = ${trees.length}`, "", "<ensemble>"];
  trees.forEach((tree, t) => {
    lines.push(`\t<tree id="${t + 1}" weight="1.0">`);
    splitLines(tree, 0, "", "\t\t", lines);
    lines.push("\t</tree>");
  });
  return { content: `${[...lines, "</ensemble>"].join("\n")}\n`, precision: "float32", tolerance, missing: "zero", notes };
}

function splitLines(tree: Tree, node: number, pos: string, indent: string, lines: string[]): void {
  lines.push(`${indent}<split${pos && ` pos="${pos}"`}>`);
  if (tree.feature[node]! < 0) lines.push(`${indent}\t<output>${javaFloat(tree.value[node]!)}</output>`);
  else {
    lines.push(
      `${indent}\t<feature>${tree.feature[node]! + 1}</feature>`,
      `${indent}\t<threshold>${javaFloat(floor32(tree.threshold[node]!))}</threshold>`,
    );
    splitLines(tree, tree.left[node]!, "left", `${indent}\t`, lines);
    splitLines(tree, tree.right[node]!, "right", `${indent}\t`, lines);
  }
  lines.push(`${indent}</split>`);
}

/** A float32 as Java reads it. */
export function javaFloat(value: number): string {
  const rounded = Math.fround(value);
  if (!Number.isFinite(rounded)) return rounded > 0 ? "Infinity" : "-Infinity";
  const text = String(rounded);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function linearText(model: PortableLinear, options: WriteOptions): Exported {
  const { weights, bias, missing } = folded(model);
  const apart = missing.reduce((count, value, c) => count + Number(value * weights[c]! !== 0), 0);
  if (apart > 0 && options.missing !== "zero")
    throw new InputError(
      `RankLib counts missing values as 0, and the model counts them as the mean, which is not 0 for ${apart} features; scores of rows with missing values would be wrong. The option missing=zero writes the model nevertheless`,
    );
  const pairs = Array.from(weights, (weight, c) => `${c + 1}:${weight}`).join(" ");
  const content = `## Linear Regression\n## Lambda = 1.0E-10\n## Features = ${weights.length}\n0:${bias} ${pairs}\n`;
  const notes =
    apart > 0
      ? [`missing values count as 0 there, and as the mean in the model: right only for rows without missing values`]
      : [];
  if (model.standard) notes.push("standardisation went into the weights, so scores may differ in the last digits");
  return { content, precision: "float64", tolerance: 1e-6, missing: "zero", notes };
}

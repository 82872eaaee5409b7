/**
 * LightGBM's text file. A value goes left where it is at most the threshold, in float64; values of size up to 1e-35 count as zero; each node
 * says whether missing values are none (NaN counts as 0), zeros and NaN, or NaN. Leaf values have learning rate and base inside, and are
 * summed in float64 in the order of trees. Checked against LightGBM 4.7.0.
 */
import { InputError, quote } from "../../input-error.ts";
import { treesModel } from "../../models/trees/index.ts";
import { plainSum } from "../../models/trees/sum.ts";
import { CATEGORY_TRUNCATED, MISSING_LEFT, type Tree, ZERO, ZERO_MISSING } from "../../models/trees/tree.ts";
import { below64 } from "../../numeric/float32.ts";
import type { Columns } from "../../types.ts";
import type { Imported, ModelFormat } from "./format.ts";
import { buildTree, checkTrees, missingAsZero, type Node } from "./shared/build-tree.ts";
import { countOf, largest, namesFor } from "./shared/columns.ts";
import { lower, type Target } from "./shared/lower.ts";
import { numberOf, textOf } from "./shared/text.ts";

/** What LightGBM can express. */
export const lightgbmTarget: Target = {
  name: "LightGBM",
  precision: "float64",
  missing: "side",
  zeroMissing: true,
  sets: "missing right",
  mean: true,
};

export const lightgbm: ModelFormat = {
  id: "lightgbm",
  about: "LightGBM's text file",
  endings: [".txt", ".lightgbm", ".lgb"],
  sniff: (head) => /^tree\r?\n/.test(head) || /(^|\n)max_feature_idx=\d/.test(head),
  read,
  write(model, options) {
    if (model.kind !== "trees") throw new InputError("a LightGBM file holds trees, and this model has none");
    const { trees, mean, tolerance, notes } = lower(model, lightgbmTarget, options);
    const names = featureNames(model.columns);
    const content = textFor(names, trees, mean);
    if (!model.columns.names || names.every((name, c) => name === model.columns.names![c]))
      return { content, precision: "float64", tolerance, missing: "kept", notes };
    const renamed = names.findIndex((name, c) => name !== model.columns.names![c]);
    const note = `blanks in names of features are underscores in the file, as LightGBM writes them, such as ${quote(names[renamed]!)}`;
    const reference = { ...model, columns: { ...model.columns, names } };
    return { content, precision: "float64", tolerance, missing: "kept", notes: [...notes, note], reference };
  },
};

/** A block of key=value lines with the number of its first line. */
interface Block {
  readonly name: string;
  readonly line: number;
  readonly fields: Map<string, { readonly text: string; readonly line: number }>;
}

function read(bytes: Uint8Array, path: string): Imported {
  const { head, trees, average, rest } = blocksOf(textOf(bytes, path), path);
  const whole = (block: Block, key: string, least: number) => {
    const field = block.fields.get(key);
    const value = field && /^-?\d+$/.test(field.text) ? Number(field.text) : Number.NaN;
    if (!(value >= least && value < 2 ** 31))
      throw new InputError(
        `${path}:${field?.line ?? block.line}: ${block.name}: expected ${key} as a whole number of at least ${least}, got ${field ? quote(field.text) : "nothing"}`,
      );
    return value;
  };
  const perRound = head.fields.has("num_tree_per_iteration")
    ? whole(head, "num_tree_per_iteration", 1)
    : whole(head, "num_class", 1);
  if (perRound > 1)
    throw new InputError(
      `${path}:${head.fields.get("num_class")?.line ?? 1}: the model has ${perRound} outputs for each row, and a ranking needs one score`,
    );
  const count = whole(head, "max_feature_idx", 0) + 1;
  if (count > 2 ** 24) throw new InputError(`${path}: the model says that it has ${count} features, more than are read`);
  const names = (head.fields.get("feature_names")?.text ?? "").split(" ").filter((name) => name !== "");
  if (names.length > 0 && names.length !== count)
    throw new InputError(
      `${path}:${head.fields.get("feature_names")!.line}: expected ${count} feature names, got ${names.length}`,
    );
  const sizes = head.fields.get("tree_sizes");
  if (sizes && sizes.text !== "" && sizes.text.split(/ +/).length !== trees.length)
    throw new InputError(
      `${path}:${sizes.line}: tree_sizes lists ${sizes.text.split(/ +/).length} trees, and the file has ${trees.length}`,
    );
  const grown = trees.map((block) => treeFrom(block, path, count, whole));
  const objective = head.fields.get("objective")?.text ?? "unknown";
  const sum = average ? { ...plainSum, divisor: Math.max(1, grown.length) } : plainSum;
  const namesAt = `${path}:${head.fields.get("feature_names")?.line ?? 1}`;
  const columns = namesFor(count, 0, names, namesAt, (c) => `Column_${c}`);
  return { model: treesModel(columns, grown, {}, undefined, sum), objective, notes: notesOf(objective, rest) };
}

function notesOf(objective: string, rest: readonly string[]): string[] {
  const notes: string[] = [];
  const [kind] = objective.split(" ");
  if (
    ["binary", "poisson", "gamma", "tweedie", "cross_entropy", "cross_entropy_lambda", "quantile"].includes(kind!) &&
    kind !== "quantile"
  )
    notes.push(`the objective is ${kind}: scores are the raw ones, as predict(raw_score=True) gives them`);
  const pandas = rest.find((line) => line.startsWith("pandas_categorical:"));
  if (pandas && !/:(null|\[\])\s*$/.test(pandas))
    notes.push(
      "the model was trained on a data frame with categories: its categorical features take the codes of the categories, from 0",
    );
  return notes;
}

function blocksOf(text: string, path: string) {
  const lines = text.split(/\r?\n/);
  const head: Block = { name: "the head", line: 1, fields: new Map() };
  const trees: Block[] = [];
  let [block, average, i]: [Block, boolean, number] = [head, false, 0];
  for (; i < lines.length; i++) {
    const line = lines[i]!.trim();
    if (line === "end of trees") break;
    if (line === "" || line === "tree") continue;
    const at = line.indexOf("=");
    if (at < 0) {
      if (line !== "average_output" || block !== head)
        throw new InputError(`${path}:${i + 1}: expected key=value, got ${quote(line)}`);
      average = true;
      continue;
    }
    const [key, value] = [line.slice(0, at), line.slice(at + 1)];
    if (key === "Tree") {
      if (value !== String(trees.length))
        throw new InputError(`${path}:${i + 1}: expected Tree=${trees.length}, got ${quote(line)}`);
      block = { name: line, line: i + 1, fields: new Map() };
      trees.push(block);
      checkTrees(trees.length, `${path}:${i + 1}`);
    } else if (block.fields.has(key)) throw new InputError(`${path}:${i + 1}: ${block.name} has ${quote(key)} twice`);
    else block.fields.set(key, { text: value.trim(), line: i + 1 });
  }
  if (i === lines.length)
    throw new InputError(`${path}:${lines.length}: the file ends without "end of trees" (cut off, perhaps)`);
  return { head, trees, average, rest: lines.slice(i + 1) };
}

type Whole = (block: Block, key: string, least: number) => number;

function treeFrom(block: Block, path: string, features: number, whole: Whole): Tree {
  const list = (key: string, length: number): Float64Array => {
    const field = block.fields.get(key);
    const words = field && field.text !== "" ? field.text.split(/ +/) : [];
    if (words.length !== length)
      throw new InputError(
        `${path}:${field?.line ?? block.line}: ${block.name}: expected ${length} numbers of ${key}, got ${field ? words.length : "nothing"}`,
      );
    return Float64Array.from(words, (word) => {
      const value = numberOf(word);
      if (value === undefined)
        throw new InputError(`${path}:${field!.line}: ${block.name}: expected numbers of ${key}, got ${quote(word)}`);
      return value;
    });
  };
  const wholes = (key: string, length: number): Float64Array => {
    const values = list(key, length);
    const bad = values.findIndex((value) => !Number.isInteger(value));
    if (bad >= 0)
      throw new InputError(
        `${path}:${block.fields.get(key)!.line}: ${block.name}: expected whole numbers of ${key}, got ${values[bad]}`,
      );
    return values;
  };
  const optional = (key: string, length: number) => (block.fields.has(key) ? list(key, length) : new Float64Array(length));
  if (block.fields.has("is_linear") && block.fields.get("is_linear")!.text !== "0")
    throw new InputError(
      `${path}:${block.fields.get("is_linear")!.line}: ${block.name} has linear functions in its leaves (linear_tree), which are not read`,
    );
  const leaves = whole(block, "num_leaves", 1);
  const where = `${path}:${block.line}: ${block.name}`;
  if (leaves - 1 > (block.fields.get("split_feature")?.text.length ?? 0))
    throw new InputError(`${where}: num_leaves is ${leaves}, and there are not as many splits`);
  const n = leaves - 1;
  const value = list("leaf_value", leaves);
  const shape = { nodes: n + leaves, root: 0, features, thresholds: "float64", where } as const;
  const leafItems = n === 0 ? new Float64Array(1) : optional("leaf_count", leaves);
  if (n === 0) return buildTree(shape, () => ({ value: value[0]!, items: leafItems[0]! }));
  const [split, threshold, left, right] = [
    wholes("split_feature", n),
    list("threshold", n),
    wholes("left_child", n),
    wholes("right_child", n),
  ];
  const decision = block.fields.has("decision_type") ? wholes("decision_type", n) : new Float64Array(n);
  const [gain, items] = [optional("split_gain", n), optional("internal_count", n)];
  const sets = setsOf(block, where, whole, wholes);
  const child = (index: number) => (index < 0 ? n + ~index : index < n ? index : Number.NaN);
  return buildTree(shape, (node): Node => {
    if (node >= n) return { value: value[node - n]!, items: leafItems[node - n]! };
    const type = decision[node]!;
    const common = {
      feature: split[node]!,
      left: child(left[node]!),
      right: child(right[node]!),
      gain: gain[node]!,
      items: items[node]!,
    };
    if (type < 0 || type > 15 || type >> 2 === 3) throw new InputError(`${where}: decision_type ${type} is none that is known`);
    if (type & 1) return { ...common, threshold: 0, rules: CATEGORY_TRUNCATED, set: sets(threshold[node]!) };
    return { ...common, ...rulesOf(threshold[node]!, type) };
  });
}

/** Threshold and rules of a numerical split, with values that LightGBM takes as zero on the side of zero. */
export function rulesOf(given: number, type: number): { threshold: number; rules: number } {
  const threshold = given >= 0 && given < ZERO ? ZERO : given < 0 && given >= -ZERO ? below64(-ZERO) : given;
  const side = type & 2 ? MISSING_LEFT : 0;
  if (type >> 2 === 0) return { threshold, rules: threshold >= 0 ? MISSING_LEFT : 0 };
  if (type >> 2 === 1 && !missingAsZero({ threshold, rules: side })) return { threshold, rules: side | ZERO_MISSING };
  return { threshold, rules: side };
}

/** The categories of set number c. */
function setsOf(block: Block, where: string, whole: Whole, wholes: (key: string, length: number) => Float64Array) {
  const count = block.fields.has("num_cat") ? whole(block, "num_cat", 0) : 0;
  if (count > (block.fields.get("cat_boundaries")?.text.length ?? 0))
    throw new InputError(`${where}: num_cat is ${count}, and there are fewer sets`);
  const used = new Set<number>();
  const bounds = count > 0 ? wholes("cat_boundaries", count + 1) : new Float64Array(1);
  const words = count > 0 ? wholes("cat_threshold", (block.fields.get("cat_threshold")?.text ?? "").split(/ +/).length) : bounds;
  const bad = words.findIndex((word) => word < 0 || word >= 2 ** 32);
  if (bad >= 0) throw new InputError(`${where}: expected words of 32 bits in cat_threshold, got ${words[bad]}`);
  if (bounds.some((bound, c) => bound < (bounds[c - 1] ?? 0)))
    throw new InputError(`${where}: expected ascending cat_boundaries`);
  return (c: number): Float32Array => {
    const [from, to] = [bounds[c]!, bounds[c + 1]!];
    if (!(c >= 0 && c < count && Number.isInteger(c) && from >= 0 && from <= to && to <= words.length))
      throw new InputError(`${where}: a categorical split asks for set ${c}, which is not there`);
    if (used.has(c)) throw new InputError(`${where}: two categorical splits ask for set ${c}`);
    used.add(c);
    const members: number[] = [];
    for (let w = from; w < to; w++)
      for (let bit = 0; bit < 32; bit++) if ((words[w]! >>> bit) & 1) members.push(32 * (w - from) + bit);
    return Float32Array.from(members);
  };
}

/** Names without blanks, which separate names in the file; each is there once. */
function featureNames({ count, base, names }: Columns): string[] {
  const given = Array.from({ length: Math.max(1, count) }, (_, c) => names?.[c] ?? `Column_${c + base}`);
  const isValid = (name: string) => name !== "" && !/\s/.test(name);
  const taken = new Set(given.filter(isValid));
  return given.map((name) => {
    if (isValid(name)) return name;
    const plain = name.replace(/\s/g, "_") || "_";
    let free = plain;
    for (let number = 2; taken.has(free); number++) free = `${plain}_${number}`;
    taken.add(free);
    return free;
  });
}

function textFor(names: readonly string[], trees: readonly Tree[], mean: boolean): string {
  const head = [
    "tree",
    "version=v4",
    "num_class=1",
    "num_tree_per_iteration=1",
    "label_index=0",
    `max_feature_idx=${names.length - 1}`,
  ];
  head.push("objective=lambdarank", ...(mean ? ["average_output"] : []), `feature_names=${names.join(" ")}`);
  head.push(`feature_infos=${names.map(() => "none").join(" ")}`);
  const blocks = trees.map((tree, t) => `Tree=${t}\n${treeText(tree)}\n`);
  const encoder = new TextEncoder();
  // LightGBM counts the two line feeds after a tree.
  head.push(`tree_sizes=${blocks.map((block) => encoder.encode(block).length + 1).join(" ")}`);
  return `${head.join("\n")}\n\n${blocks.map((block) => `${block}\n`).join("")}end of trees\n\npandas_categorical:null\n`;
}

function treeText(tree: Tree): string {
  const splits: number[] = [];
  const leaves: number[] = [];
  const number = new Int32Array(tree.feature.length);
  tree.feature.forEach((feature, node) => {
    number[node] = feature >= 0 ? splits.push(node) - 1 : ~(leaves.push(node) - 1);
  });
  const sets = splits.filter((node) => tree.sets.has(node));
  const line = (key: string, nodes: readonly number[], of: (node: number) => number) =>
    `${key}=${nodes.map((node) => cText(of(node))).join(" ")}`;
  const counted = tree.items[0]! > 0;
  const lines = [`num_leaves=${leaves.length}`, `num_cat=${sets.length}`];
  if (splits.length > 0)
    lines.push(
      line("split_feature", splits, (node) => tree.feature[node]!),
      line("split_gain", splits, (node) => tree.gain[node]!),
      line("threshold", splits, (node) => (tree.sets.has(node) ? sets.indexOf(node) : tree.threshold[node]!)),
      line("decision_type", splits, (node) => decisionOf(tree, node)),
      line("left_child", splits, (node) => number[tree.left[node]!]!),
      line("right_child", splits, (node) => number[tree.right[node]!]!),
    );
  lines.push(line("leaf_value", leaves, (node) => tree.value[node]!));
  if (splits.length > 0) {
    const weight = (node: number) => (counted ? tree.items[node]! : 0);
    lines.push(
      line("leaf_weight", leaves, weight),
      line("leaf_count", leaves, (node) => countOf(weight(node))),
    );
    lines.push(
      line("internal_value", splits, () => 0),
      line("internal_weight", splits, weight),
    );
    lines.push(line("internal_count", splits, (node) => countOf(weight(node))));
  }
  if (sets.length > 0) {
    const words = sets.map((node) => bitset(tree.sets.get(node)!));
    const bounds = [0];
    for (const { length } of words) bounds.push(bounds.at(-1)! + length);
    lines.push(`cat_boundaries=${bounds.join(" ")}`, `cat_threshold=${words.flat().join(" ")}`);
  }
  return [...lines, "is_linear=0", "shrinkage=1", ""].join("\n");
}

const cText = (value: number) =>
  Number.isFinite(value) ? (Object.is(value, -0) ? "-0" : String(value)) : value > 0 ? "inf" : "-inf";

const decisionOf = (tree: Tree, node: number) => {
  const rules = tree.missing[node]!;
  return tree.sets.has(node) ? 1 : (rules & ZERO_MISSING ? 4 : 8) + (rules & MISSING_LEFT ? 2 : 0);
};

function bitset(members: Float32Array): number[] {
  const words: number[] = Array.from({ length: Math.floor(largest(members, 0) / 32) + 1 }, () => 0);
  for (const member of members) words[member >> 5] = (words[member >> 5]! | (1 << (member & 31))) >>> 0;
  return words;
}

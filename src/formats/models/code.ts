/**
 * A model as plain code without dependencies: one function score(features), in JavaScript or in C. Trees are tables that a loop walks, so that
 * code of any size compiles quickly. Sums are taken as the model takes them, so scores of trees are the same to the last bit.
 */

import { columnName } from "../../models/shared/columns.ts";
import { CATEGORY_FLOORED, CATEGORY_TRUNCATED, MISSING_LEFT, ZERO, ZERO_MISSING } from "../../models/trees/tree.ts";
import type { Columns } from "../../types.ts";
import type { Exported, ModelFormat } from "./format.ts";
import type { Portable, PortableLinear, PortableNetwork, PortableTrees } from "./shared/portable.ts";

export const js: ModelFormat = {
  id: "js",
  about: "a JavaScript module with one function, score(features)",
  endings: [".js", ".mjs"],
  write: (model) => code(model, jsTrees, jsLayers),
};

export const c: ModelFormat = {
  id: "c",
  about: "a C file with one function, double score(const double *features)",
  endings: [".c"],
  write: (model) => code(model, cTrees, cLayers),
};

function code(
  model: Portable,
  trees: (model: PortableTrees, flat: Flat) => string,
  layers: (model: PortableLinear | PortableNetwork) => string,
): Exported {
  if (model.kind === "trees")
    return {
      content: trees(model, flatten(model)),
      precision: model.sum.precision,
      leaves: "float64",
      tolerance: 0,
      missing: "kept",
      notes: [],
    };
  const tolerance = model.kind === "linear" ? 1e-12 : 1e-4;
  return { content: layers(model), precision: "float64", tolerance, missing: "kept", notes: [] };
}

/** All trees in one table of nodes. A leaf has feature -1 and its value in the place of the threshold. */
interface Flat {
  readonly roots: readonly number[];
  readonly feature: readonly number[];
  readonly number: readonly number[]; // threshold or value
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly rules: readonly number[];
  readonly sets: readonly number[]; // where the members of a node's set begin, or -1
  readonly members: readonly number[]; // each set is its length and then its members
}

function flatten({ trees }: PortableTrees): Flat {
  const roots: number[] = [];
  const [feature, number, left, right, rules, sets, members]: number[][] = [[], [], [], [], [], [], []];
  for (const tree of trees) {
    const first = feature!.length;
    roots.push(first);
    for (let node = 0; node < tree.feature.length; node++) {
      const leaf = tree.feature[node]! < 0;
      const set = tree.sets.get(node);
      feature!.push(tree.feature[node]!);
      number!.push(leaf ? tree.value[node]! : tree.threshold[node]!);
      left!.push(leaf ? 0 : first + tree.left[node]!);
      right!.push(leaf ? 0 : first + tree.right[node]!);
      rules!.push(tree.missing[node]!);
      sets!.push(set ? members!.length : -1);
      if (!set) continue;
      members!.push(set.length);
      for (const member of set) members!.push(member);
    }
  }
  return { roots, feature: feature!, number: number!, left: left!, right: right!, rules: rules!, sets: sets!, members: members! };
}

const head = (columns: Columns, comment: (line: string) => string) =>
  [
    "Written by tierwise convert. score(features) takes the features of one item in this order, NaN where one is missing:",
    ...Array.from(
      { length: Math.min(columns.count, 500) },
      (_, at) => `${at}: ${columnName(columns, at).replace(/[^\x20-\x7e]|\*\//g, "?")}`,
    ),
    ...(columns.count > 500 ? [`and ${columns.count - 500} more`] : []),
  ]
    .map(comment)
    .join("\n");

/** Lines of at most 120 characters. */
function wrapped(values: readonly string[]): string {
  const lines: string[] = [""];
  for (const value of values) {
    if (lines.at(-1)!.length + value.length > 118) lines.push("");
    lines[lines.length - 1] += `${value},`;
  }
  return lines.join("\n");
}

const jsNumber = (value: number) => (Object.is(value, -0) ? "-0" : String(value));
const jsList = (name: string, kind: string, values: ArrayLike<number>) =>
  `const ${name} = ${kind}.of(\n${wrapped(Array.from(values, jsNumber))}\n);`;

function jsTrees({ columns, trees, sum }: PortableTrees, flat: Flat): string {
  const single = trees.every(({ threshold }) => threshold instanceof Float32Array);
  const round = sum.precision === "float32";
  const { divisor, scale, bias } = sum;
  return `${head(columns, (line) => `// ${line}`)}

${jsList("roots", "Uint32Array", flat.roots)}
${jsList("feature", "Int32Array", flat.feature)}
${jsList("number", "Float64Array", flat.number)}
${jsList("left", "Uint32Array", flat.left)}
${jsList("right", "Uint32Array", flat.right)}
${jsList("rules", "Uint8Array", flat.rules)}
${jsList("sets", "Int32Array", flat.sets)}
${jsList("members", "Float64Array", flat.members)}

function goesLeft(node, value) {
  const rule = rules[node];
  if (value !== value || (rule & ${ZERO_MISSING} && Math.abs(value) <= ${ZERO})) return (rule & ${MISSING_LEFT}) !== 0;
  const set = sets[node];
  if (set < 0) return value <= number[node];
  const category = rule & ${CATEGORY_TRUNCATED} ? Math.trunc(value) : rule & ${CATEGORY_FLOORED} ? Math.floor(value) : value;
  for (let i = set + 1; i <= set + members[set]; i++) if (members[i] === category) return true;
  return false;
}

/** The score of one item. */
export function score(features) {
  let sum = ${jsNumber(sum.start)};
  for (const root of roots) {
    let node = root;
    while (feature[node] >= 0) {
      const value = features[feature[node]];
      node = goesLeft(node, ${single ? "Math.fround(value ?? NaN)" : "Number(value ?? NaN)"}) ? left[node] : right[node];
    }
    sum = ${round ? "Math.fround(sum + number[node])" : "sum + number[node]"};
  }
  return ${divisor === 1 && scale === 1 && bias === 0 ? "sum" : `(sum / ${jsNumber(divisor)}) * ${jsNumber(scale)} + ${jsNumber(bias)}`};
}
`;
}

const stepsOf = (model: PortableLinear | PortableNetwork) =>
  model.kind === "linear"
    ? [{ inputs: model.columns.count, outputs: 1, weights: model.weights, biases: Float64Array.of(model.bias) }]
    : model.layers;

function jsLayers(model: PortableLinear | PortableNetwork): string {
  const { standard, columns } = model;
  const steps = stepsOf(model);
  const lists = steps.map(
    ({ weights, biases }, l) =>
      `${jsList(`weights${l}`, "Float64Array", weights)}\n${jsList(`biases${l}`, "Float64Array", biases)}`,
  );
  const scaled = standard ? "Math.fround((Math.fround(value) - mean[c]) * factor[c])" : "Math.fround(value)";
  return `${head(columns, (line) => `// ${line}`)}

${standard ? `${jsList("mean", "Float64Array", standard.mean)}\n${jsList("factor", "Float64Array", standard.factor)}\n` : ""}${lists.join("\n")}

/** The score of one item. */
export function score(features) {
  let values = new Float64Array(${columns.count});
  for (let c = 0; c < values.length; c++) {
    const value = Number(features[c] ?? NaN);
    values[c] = value !== value ? 0 : ${scaled};
  }
${steps.map((_, l) => `  values = layer(values, weights${l}, biases${l}, ${l < steps.length - 1});`).join("\n")}
  return values[0];
}

function layer(values, weights, biases, relu) {
  const sums = Float64Array.from(biases);
  for (let i = 0; i < values.length; i++)
    for (let o = 0; o < sums.length; o++) sums[o] += values[i] * weights[i * sums.length + o];
  return relu ? sums.map((sum) => Math.max(0, sum)) : sums;
}
`;
}

/** A number as C reads it exactly. */
const cNumber = (value: number): string => {
  if (!Number.isFinite(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  const text = Object.is(value, -0) ? "-0.0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
};
const cList = (name: string, kind: string, values: ArrayLike<number>) =>
  `static const ${kind} ${name}[] = {\n${wrapped(values.length === 0 ? ["0"] : Array.from(values, kind === "double" ? cNumber : String))}\n};`;

/** What makes the file a program that scores rows of numbers from standard input, for checks. */
const cMain = (count: number) => `
#ifdef TIERWISE_CHECK
#include <stdio.h>
int main(void) {
  static double row[${Math.max(1, count)}];
  for (;;) {
    for (int c = 0; c < ${count}; c++) if (scanf("%lf", row + c) != 1) return 0;
    printf("%.17g\\n", score(row));
    if (${count} == 0) return 0;
  }
}
#endif
`;

function cTrees({ columns, trees, sum }: PortableTrees, flat: Flat): string {
  const single = trees.every(({ threshold }) => threshold instanceof Float32Array);
  const round = sum.precision === "float32";
  const { divisor, scale, bias } = sum;
  return `${head(columns, (line) => `/* ${line} */`)}
/* Compile without -ffast-math, which would lose missing values and change the sums. */
#include <math.h>

${cList("roots", "unsigned", flat.roots)}
${cList("feature", "int", flat.feature)}
${cList("number", "double", flat.number)}
${cList("left", "unsigned", flat.left)}
${cList("right", "unsigned", flat.right)}
${cList("rules", "unsigned char", flat.rules)}
${cList("sets", "int", flat.sets)}
${cList("members", "double", flat.members)}

static int goes_left(unsigned node, double value) {
  int rule = rules[node];
  if (isnan(value) || ((rule & ${ZERO_MISSING}) && fabs(value) <= ${cNumber(ZERO)})) return (rule & ${MISSING_LEFT}) != 0;
  int set = sets[node];
  if (set < 0) return value <= number[node];
  double category = rule & ${CATEGORY_TRUNCATED} ? trunc(value) : rule & ${CATEGORY_FLOORED} ? floor(value) : value;
  for (int i = set + 1; i <= set + (int)members[set]; i++) if (members[i] == category) return 1;
  return 0;
}

/* The score of one item. */
double score(const double *features) {
  ${round ? "float" : "double"} sum = ${round ? `(float)${cNumber(sum.start)}` : cNumber(sum.start)};
  for (unsigned t = 0; t < ${flat.roots.length}u; t++) {
    unsigned node = roots[t];
    while (feature[node] >= 0) node = goes_left(node, ${single ? "(double)(float)features[feature[node]]" : "features[feature[node]]"}) ? left[node] : right[node];
    sum = ${round ? "(float)((double)sum + number[node])" : "sum + number[node]"};
  }
  return ${divisor === 1 && scale === 1 && bias === 0 ? "sum" : `(sum / ${cNumber(divisor)}) * ${cNumber(scale)} + ${cNumber(bias)}`};
}
${cMain(columns.count)}`;
}

function cLayers(model: PortableLinear | PortableNetwork): string {
  const { standard, columns } = model;
  const steps = stepsOf(model);
  const widest = steps.reduce((most, { inputs, outputs }) => Math.max(most, inputs, outputs), 1);
  const lists = steps.map(
    ({ weights, biases }, l) => `${cList(`weights${l}`, "double", weights)}\n${cList(`biases${l}`, "double", biases)}`,
  );
  const scaled = standard ? "(double)(float)(((double)(float)features[c] - mean[c]) * factor[c])" : "(double)(float)features[c]";
  const layers = steps.map(({ inputs, outputs }, l) => {
    const [from, to] = l % 2 === 0 ? ["a", "b"] : ["b", "a"];
    return `  layer(${from}, ${to}, weights${l}, biases${l}, ${inputs}, ${outputs}, ${Number(l < steps.length - 1)});`;
  });
  return `${head(columns, (line) => `/* ${line} */`)}
#include <math.h>

${standard ? `${cList("mean", "double", standard.mean)}\n${cList("factor", "double", standard.factor)}\n` : ""}${lists.join("\n")}

static void layer(const double *from, double *to, const double *weights, const double *biases, int inputs, int outputs, int relu) {
  for (int o = 0; o < outputs; o++) to[o] = biases[o];
  for (int i = 0; i < inputs; i++)
    for (int o = 0; o < outputs; o++) to[o] += from[i] * weights[i * outputs + o];
  if (relu) for (int o = 0; o < outputs; o++) if (to[o] < 0) to[o] = 0;
}

/* The score of one item. */
double score(const double *features) {
  double a[${widest}], b[${widest}];
  for (int c = 0; c < ${columns.count}; c++) a[c] = isnan(features[c]) ? 0 : ${scaled};
${layers.join("\n")}
  return ${steps.length % 2 === 1 ? "b" : "a"}[0];
}
${cMain(columns.count)}`;
}

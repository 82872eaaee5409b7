/** A trained ensemble of label trees, and its file. */
import { InputError } from "../../input-error.ts";
import { soloTeam } from "../../teams/solo.ts";
import type { Columns, LabelSpace, Model, SavedModel } from "../../types.ts";
import { sameLabels } from "../mlp/label-scoring.ts";
import { allocTop } from "../mlp/predict.ts";
import { checkColumns, checkScoring } from "../shared/columns.ts";
import { savedFloats, savedIntegers, savedLabelSpace, savedModel, saveLabelSpace, writable } from "../shared/saved.ts";
import { entriesOf } from "../shared/sparse.ts";
import { type Ensemble, type LabelTree, labelScores, topLabels } from "./beam.ts";
import { mostClasses, nodeNumbers, type TreeShape, treeShape } from "./shape.ts";

/** The numbers that the shape of all trees follows from, besides the number of labels. */
export interface ShapeOptions {
  readonly branches: number;
  readonly leafLabels: number;
}

export function labelTreeModel(columns: Columns, ensemble: Ensemble, from: ShapeOptions, labelSpace: LabelSpace): Model {
  const { trees, shape, beam } = ensemble;
  const team = soloTeam();
  return {
    id: "label-tree",
    columns,
    labelSpace,
    score(data, into) {
      checkScoring(columns, data, into);
      labelScores(team, ensemble, sameLabels(data, labelSpace), into);
    },
    top(data, k) {
      checkColumns(columns, data);
      const into = allocTop(sameLabels(data, labelSpace).starts.length - 1, k, team);
      topLabels(team, ensemble, entriesOf(data.features), into);
      return into;
    },
    save: () => ({
      id: "label-tree",
      shape: [from.branches, from.leafLabels, beam],
      trees: trees.map(saveTree),
      catalogue: saveLabelSpace(labelSpace),
    }),
    describe: () => ({
      title: "label-tree: linear classifiers in a tree of labels",
      facts: {
        features: `${columns.count}`,
        ...{ trees: trees.length, levels: shape.levels, "nodes per tree": nodeNumbers(shape).at(-1)! },
        ...{ "labels ranked": labelSpace.count, "labels in a leaf at most": mostLabels(shape), beam },
        weights: trees.reduce((sum, { values }) => sum + values.length, 0),
      },
      tables: [],
    }),
  };
}

const mostLabels = ({ classes, ...shape }: TreeShape): number => mostClasses({ ...shape, classes: classes.slice(-1) });

const saveTree = ({ order, nodes, features, starts, classes, values }: LabelTree): SavedModel => ({
  id: "label-tree-tree",
  ...{ order: writable(order), nodes: writable(nodes), features: writable(features), starts: writable(starts) },
  ...{ classes: writable(classes), values: writable(values) },
});

const damaged = (what: string) => new InputError(`the model file is damaged: ${what}`);

export function readLabelTree(saved: SavedModel, columns: Columns): Model {
  const labelSpace = savedLabelSpace({ ...saved, catalogue: saved.catalogue ?? null }, "catalogue")!;
  const [branches, leafLabels, beam] = savedIntegers(saved, "shape", 3) as unknown as [number, number, number];
  if (branches < 2 || leafLabels < 1 || beam < 1) throw damaged("shape should be three numbers, the first of at least 2");
  if (!Array.isArray(saved.trees) || saved.trees.length === 0) throw damaged("trees should be a list of one tree or more");
  const each = saved.trees.map((tree: unknown, t) => savedModel({ [`trees[${t}]`]: tree }, `trees[${t}]`));
  const count = savedIntegers(each[0]!, "order").length;
  if (count < 1 || count > labelSpace.count) throw damaged(`order should have 1 to ${labelSpace.count} labels`);
  const shape = treeShape(count, branches, leafLabels);
  const trees = each.map((tree) => readTree(tree, shape, columns.count, labelSpace.count));
  const ensemble = { shape, trees, columns: columns.count, labels: labelSpace.count, beam };
  return labelTreeModel(columns, ensemble, { branches, leafLabels }, labelSpace);
}

function readTree(saved: SavedModel, shape: TreeShape, columns: number, labels: number): LabelTree {
  const order = savedIntegers(saved, "order", shape.bounds[0]![1]!);
  if (order.some((label) => label >= labels) || new Set(order).size < order.length)
    throw damaged("order should have each label once");
  const firsts = nodeNumbers(shape);
  const nodes = savedIntegers(saved, "nodes", firsts.at(-1)! + 1);
  checkOffsets("nodes", nodes);
  const features = savedIntegers(saved, "features", nodes.at(-1)!);
  const starts = savedIntegers(saved, "starts", features.length + 1);
  checkOffsets("starts", starts);
  const tree = {
    ...{ order, nodes, features, starts },
    classes: savedClasses(saved, starts.at(-1)!, mostClasses(shape)),
    values: savedFloats(saved, "values", starts.at(-1)!),
  };
  checkNodes(tree, shape, columns);
  return tree;
}

/** Bytes where no node has more than 256 classes; files of before have 32 bits for each. */
function savedClasses(saved: SavedModel, length: number, most: number): Uint8Array | Uint32Array {
  if (saved.classes instanceof Uint8Array && saved.classes.length === length) return saved.classes;
  const classes = savedIntegers(saved, "classes", length);
  if (classes.some((one) => one >= most)) throw damaged("classes should be those of their node");
  return most <= 256 ? Uint8Array.from(classes) : classes;
}

function checkOffsets(name: string, starts: Uint32Array): void {
  if (starts[0] !== 0 || starts.some((start, i) => i > 0 && start < starts[i - 1]!))
    throw damaged(`${name} should ascend from 0`);
}

/** Features of a node ascend up to the bias, and classes are those of the node. */
function checkNodes({ nodes, features, starts, classes }: LabelTree, shape: TreeShape, columns: number): void {
  let node = 0;
  for (const own of shape.classes)
    for (let j = 0; j + 1 < own.length; j++, node++) {
      for (let f = nodes[node]!; f < nodes[node + 1]!; f++)
        if (features[f]! > columns || (f > nodes[node]! && features[f]! <= features[f - 1]!))
          throw damaged(`features of a node should ascend up to ${columns}`);
      for (let e = starts[nodes[node]!]!; e < starts[nodes[node + 1]!]!; e++)
        if (classes[e]! >= own[j + 1]! - own[j]!) throw damaged("classes should be those of their node");
    }
}

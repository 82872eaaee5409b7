/** Trains the trees of an ensemble one after the other (see index.ts). */
import { InputError } from "../../input-error.ts";
import { Heap } from "../../numeric/heap.ts";
import { below, random } from "../../numeric/random.ts";
import { BLOCKS, splitLists } from "../../teams/blocks.ts";
import type { Dataset, Run, Team, TopItems } from "../../types.ts";
import { allocTop } from "../mlp/predict.ts";
import { type Entries, entriesOf, transpose } from "../shared/sparse.ts";
import { type Ensemble, type LabelTree, labelScores, topLabels } from "./beam.ts";
import { bisect } from "./bisect.ts";
import { Classifier, type ClassifySettings, type NodeWeights } from "./classify.ts";
import { copyTree, joinNodes } from "./join.ts";
import { type LabeledRows, NodeRows } from "./node-rows.ts";
import { leftSize, mostClasses, nodeNumbers, type TreeShape, treeShape } from "./shape.ts";

export interface FitOptions extends ClassifySettings {
  readonly trees: number;
  readonly branches: number;
  readonly leafLabels: number;
  readonly beam: number;
}

/** What a checkpoint keeps. */
type State = { readonly trees: readonly LabelTree[]; readonly best: number; readonly cost: number };

export function fitTrees(data: Dataset, run: Run, options: FitOptions): Ensemble {
  const { team, validation } = run;
  const rows = labeledRows(team, data);
  const labels = Uint32Array.from(rows.starts.keys()).filter((l) => rows.starts[l + 1]! > rows.starts[l]!);
  if (labels.length === 0) throw new InputError("label-tree: no document has a label");
  const shape = treeShape(labels.length, options.branches, options.leafLabels);
  const base = { shape, columns: rows.columns, labels: data.labelSpaceSize!, beam: options.beam };
  const lengths = sumLengths(team, rows);
  const restored = run.checkpoint?.restored as State | undefined;
  const trees = restored ? [...restored.trees] : [];
  let [best, cost] = [restored?.best ?? 0, restored?.cost ?? 0];
  const shown = validation ?? data;
  let top: TopItems | undefined;
  // Only validation needs the trees of all rounds in memory that all members see, of which there is less.
  const kept = validation && new Heap();
  for (let round = trees.length + 1; round <= options.trees; round++) {
    const order = team.allocShared("u32", labels.length);
    if (team.rank === 0) order.set(labels);
    team.barrier();
    clusterLabels(team, rows, shape, order, lengths, options, [run.seed, round]);
    const { tree, total } = trainNodes(
      team,
      rows,
      shape,
      order,
      options,
      below(random(run.seed, round, 0x7ee), 2 ** 31),
      (share) => run.progress?.((round - 1 + share) / options.trees),
      kept,
    );
    trees.push(tree);
    cost += (total / (rows.x.starts.length - 1) - cost) / round;
    const ensemble = { ...base, trees };
    const status = run.afterRound(round, {
      cost,
      top(k) {
        if (top?.k !== k) top = allocTop(shown.starts.length - 1, k, team);
        topLabels(team, ensemble, entriesOf(shown.features), top);
        return top;
      },
      scores() {
        const into = team.allocShared("f64", shown.labels.length);
        labelScores(team, ensemble, shown, into);
        return into;
      },
    });
    if (status === "improved") best = round;
    if (status === "stop") break;
    if (round < options.trees) run.checkpoint?.save((): State => ({ trees, best, cost }));
  }
  const chosen = validation && best > 0 ? trees.slice(0, best) : trees;
  const lasting = validation && team.rank === 0 ? chosen.map(copyTree) : chosen;
  team.barrier();
  kept?.close();
  return { ...base, trees: lasting };
}

function labeledRows(team: Team, data: Dataset): LabeledRows {
  const { starts, items, labels, labelSpaceSize = 0 } = data;
  const x = data.features.kind === "sparse" ? data.features : sharedEntries(team, entriesOf(data.features));
  const byLabel = transpose({ starts, indices: items!, values: labels }, labelSpaceSize);
  return { x, columns: data.features.columns, starts: Uint32Array.from(byLabel.starts), documents: byLabel.indices };
}

/** One copy for all members, where kernels reach it. */
function sharedEntries(team: Team, { starts, indices, values }: Entries): Entries {
  const shared = {
    starts: team.allocShared("f64", starts.length),
    indices: team.allocShared("u32", indices.length),
    values: team.allocShared("f32", values.length),
  };
  if (team.rank === 0) {
    shared.starts.set(starts);
    shared.indices.set(indices);
    shared.values.set(values);
  }
  team.barrier();
  return shared;
}

/** The length of the sum of each label's documents. */
function sumLengths(team: Team, { x, columns, starts, documents }: LabeledRows): Float64Array {
  const labels = starts.length - 1;
  const lengths = team.allocShared("f64", labels);
  const sum = new Float64Array(columns);
  const bounds = splitLists(starts, Math.min(labels, 16 * BLOCKS));
  team.parallelFor(bounds.length - 1, (block) => {
    for (let label = bounds[block]!; label < bounds[block + 1]!; label++) {
      const [from, to] = [starts[label]!, starts[label + 1]!];
      for (let d = from; d < to; d++)
        for (let e = x.starts[documents[d]!]!; e < x.starts[documents[d]! + 1]!; e++)
          sum[x.indices[e]!] = sum[x.indices[e]!]! + x.values[e]!;
      let square = 0;
      for (let d = from; d < to; d++)
        for (let e = x.starts[documents[d]!]!; e < x.starts[documents[d]! + 1]!; e++) {
          const value = sum[x.indices[e]!]!;
          square += value * value;
          sum[x.indices[e]!] = 0; // counts once, and is clear for the next label
        }
      lengths[label] = Math.sqrt(square);
    }
  });
  return lengths;
}

/** Orders the labels so that those of a node are next to each other, level by level. */
function clusterLabels(
  team: Team,
  rows: LabeledRows,
  { bounds, levels }: TreeShape,
  order: Uint32Array,
  lengths: Float64Array,
  { branches }: FitOptions,
  keys: readonly number[],
): void {
  const heap = new Heap();
  const node = new NodeRows(rows, heap);
  const split = (labels: Uint32Array, parts: number, ...path: number[]) => {
    if (parts === 1 || labels.length <= 1) return;
    const few = Math.min(parts, labels.length);
    const left = leftSize(labels.length, few);
    bisect(node, labels, left, lengths, random(...keys, 0x7ee5, ...path));
    const half = Math.ceil(few / 2);
    split(labels.subarray(0, left), half, ...path, 0);
    split(labels.subarray(left), few - half, ...path, 1);
  };
  for (let d = 0; d + 1 < levels; d++) {
    const own = bounds[d]!;
    team.parallelFor(own.length - 1, (j) => split(order.subarray(own[j]!, own[j + 1]!), branches, d, j));
  }
  heap.close();
}

/** Trains the classifiers of all nodes. Each is the work of one thread, the largest first. */
function trainNodes(
  team: Team,
  rows: LabeledRows,
  shape: TreeShape,
  order: Uint32Array,
  options: FitOptions,
  seed: number,
  progress: (share: number) => void,
  kept: Heap | undefined,
): { readonly tree: LabelTree; readonly total: number } {
  const firsts = nodeNumbers(shape);
  const count = firsts.at(-1)!;
  const heap = new Heap();
  const classifier = new Classifier(new NodeRows(rows, heap), options, heap);
  const own = new Map<number, NodeWeights>();
  const costs = team.allocShared("f64", count);
  const sizes = team.allocShared("u32", 2 * count);
  let level = 0;
  team.parallelFor(count, (number) => {
    while (number >= firsts[level + 1]!) level++;
    while (number < firsts[level]!) level--;
    const j = number - firsts[level]!;
    const [from, to] = [shape.bounds[level]![j]!, shape.bounds[level]![j + 1]!];
    const classes = shape.bounds[level + 1]!.subarray(shape.classes[level]![j]!, shape.classes[level]![j + 1]! + 1);
    const parts = classes.map((place) => place - from);
    const weights = classifier.train(order.subarray(from, to), parts, seed + number);
    own.set(number, weights);
    costs[number] = weights.cost;
    sizes[2 * number] = weights.features.length;
    sizes[2 * number + 1] = weights.values.length;
    if (team.rank === 0) progress((number + 1) / count);
  });
  heap.close();
  const classKind = mostClasses(shape) <= 256 ? "u8" : "u32";
  const tree = joinNodes(team, order, sizes, own, classKind, kept);
  return { tree, total: costs.reduce((sum, cost) => sum + cost, 0) };
}

/** Trees that have been grown: scores, the file, and what there is to tell. */

import { Mistake } from "../../mistake.ts";
import { Heap } from "../../numeric/heap.ts";
import type { Columns, Dataset, Model, SavedModel } from "../../types.ts";
import { columnName } from "../shared/columns.ts";
import { aNumber, numbers } from "../shared/saved.ts";
import { importance } from "./importance.ts";
import { addScores, flatten } from "./score.ts";
import { depthOf, type Tree } from "./tree.ts";

export interface TreesModel extends Model {
  readonly id: "trees";
  readonly trees: readonly Tree[];
  readonly outputs: number;
}

export function treesModel(columns: Columns, trees: readonly Tree[], outputs: number): TreesModel {
  return {
    id: "trees",
    columns,
    trees,
    outputs,
    score(data: Dataset, into) {
      const room = new Heap();
      const rows = data.labels.length;
      if (outputs === 1) {
        into.fill(0, 0, rows);
        addScores(trees, flatten(trees, room), data.features, 0, rows, 1, into);
      } else {
        const all = new Float64Array(rows * outputs);
        addScores(trees, flatten(trees, room), data.features, 0, rows, outputs, all);
        for (let row = 0; row < rows; row++) into[row] = all[row * outputs]!;
      }
      room.close();
    },
    save: () => save(trees, outputs),
    describe() {
      const used = importance(trees, columns.count)
        .filter(({ splits }) => splits > 0)
        .sort((a, b) => b.gain - a.gain || a.feature - b.feature);
      const all = used.reduce((sum, { gain }) => sum + gain, 0);
      return {
        title: "trees: a sum of decision trees",
        facts: {
          trees: trees.length,
          "leaves in all": trees.reduce((sum, tree) => sum + tree.feature.filter((feature) => feature < 0).length, 0),
          "deepest leaf": trees.reduce((most, tree) => Math.max(most, depthOf(tree)), 0),
          features: `${columns.count}, of which ${used.length} are used`,
        },
        tables: [
          {
            title: "Features, by what their cuts gained in training",
            head: ["feature", "gain", "share", "splits"],
            rows: used.map(({ feature, gain, splits }) => [columnName(columns, feature), gain, gain / all, splits]),
          },
        ],
      };
    },
  };
}

/** All trees in flat columns, one after another: `nodes` says how many each has. */
function save(trees: readonly Tree[], outputs: number): SavedModel {
  const flat = (column: (tree: Tree) => ArrayLike<number>) => trees.flatMap((tree) => Array.from(column(tree)));
  return {
    id: "trees",
    outputs,
    nodes: trees.map((tree) => tree.feature.length),
    feature: flat((tree) => tree.feature),
    threshold: flat((tree) => tree.threshold),
    missing: flat((tree) => tree.missing),
    left: flat((tree) => tree.left),
    right: flat((tree) => tree.right),
    value: flat((tree) => tree.value),
    gain: flat((tree) => tree.gain),
    items: flat((tree) => tree.items),
    sets: trees.flatMap((tree, t) => [...tree.sets].map(([node, set]) => [t, node, ...set])),
  };
}

export function readTrees(saved: SavedModel, columns: Columns): TreesModel {
  const sizes = numbers(saved, "nodes");
  const total = sizes.reduce((a, b) => a + b, 0);
  const [feature, threshold, missing] = ["feature", "threshold", "missing"].map((key) => numbers(saved, key, total));
  const [left, right] = ["left", "right"].map((key) => numbers(saved, key, total));
  const [value, gain, items] = ["value", "gain", "items"].map((key) => numbers(saved, key, total));
  const sets = setsOf(saved);
  const trees: Tree[] = [];
  let from = 0;
  sizes.forEach((size, t) => {
    const to = from + size;
    const tree: Tree = {
      feature: Int32Array.from(feature!.subarray(from, to)),
      threshold: Float32Array.from(threshold!.subarray(from, to)),
      missing: Uint8Array.from(missing!.subarray(from, to)),
      left: Int32Array.from(left!.subarray(from, to)),
      right: Int32Array.from(right!.subarray(from, to)),
      value: value!.slice(from, to),
      gain: gain!.slice(from, to),
      items: items!.slice(from, to),
      sets: sets.get(t) ?? new Map(),
    };
    check(tree, columns);
    trees.push(tree);
    from = to;
  });
  return treesModel(columns, trees, aNumber(saved, "outputs"));
}

function setsOf(saved: SavedModel): Map<number, Map<number, Float32Array>> {
  const sets = new Map<number, Map<number, Float32Array>>();
  const lists = Array.isArray(saved.sets) ? (saved.sets as unknown[]) : [];
  lists.forEach((_, i) => {
    const [tree, node, ...values] = numbers(saved.sets as never, i as never);
    if (!sets.has(tree!)) sets.set(tree!, new Map());
    sets.get(tree!)!.set(node!, Float32Array.from(values));
  });
  return sets;
}

/** Children must come after their parent, or a walk would never end. */
function check(tree: Tree, columns: Columns): void {
  const size = tree.feature.length;
  for (let node = 0; node < size; node++) {
    if (tree.feature[node]! < 0) continue;
    const good = [tree.left[node]!, tree.right[node]!].every((child) => child > node && child < size);
    if (!good || tree.feature[node]! >= columns.count)
      throw new Mistake(
        `the model file is damaged: node ${node} of a tree leads nowhere or asks for a feature that is not there`,
      );
  }
}

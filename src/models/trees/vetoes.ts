/** Trees of few leaves as what numeric/forest.ts scores fastest: the cuts of all of them by feature, each with the leaves that it strikes out. */
import { floor32 } from "../../numeric/float32.ts";
import { LEAVES, type Vetoes } from "../../numeric/forest.ts";
import type { Heap } from "../../numeric/heap.ts";
import { MISSING_LEFT, type Tree } from "./tree.ts";

interface Cut {
  readonly feature: number;
  readonly right: boolean; // whether missing values go right
  readonly threshold: number;
  readonly kept: number; // a bit for each leaf, off for those on the left
  readonly tree: number;
}

/** Whether a tree can be scored so: up to 32 leaves, no categories, and no zeros that count as missing. */
export const canVeto = ({ feature, sets, missing }: Tree): boolean =>
  sets.size === 0 && feature.length < 2 * LEAVES && missing.every((rules) => rules <= MISSING_LEFT);

export function vetoesOf(trees: readonly Tree[], room: Heap): Vetoes {
  const values = room.f64(LEAVES * trees.length);
  const cuts: Cut[] = [];
  trees.forEach((tree, t) => {
    /** Numbers the leaves under a node, of which there are `before` on its left, and returns how many there are then. */
    const number = (node: number, before: number): number => {
      const feature = tree.feature[node]!;
      if (feature < 0) {
        values[LEAVES * t + before] = tree.value[node]!;
        return before + 1;
      }
      const middle = number(tree.left[node]!, before);
      const kept = ~((2 ** (middle - before) - 1) << before);
      cuts.push({
        feature,
        right: (tree.missing[node]! & MISSING_LEFT) === 0,
        threshold: floor32(tree.threshold[node]!),
        kept,
        tree: t,
      });
      return number(tree.right[node]!, middle);
    };
    number(0, 0);
  });
  cuts.sort((a, b) => a.feature - b.feature || Number(a.right) - Number(b.right) || a.threshold - b.threshold);

  const words = room.i32(3 * cuts.length);
  const thresholds = new Float32Array(words.buffer, words.byteOffset, words.length);
  const groups: number[] = [];
  cuts.forEach(({ feature, right, threshold, kept, tree }, c) => {
    thresholds[3 * c] = threshold;
    words[3 * c + 1] = kept;
    words[3 * c + 2] = tree;
    if (groups.at(-4) !== feature) groups.push(feature, c, c, c);
    if (!right) groups[groups.length - 2] = c + 1;
    groups[groups.length - 1] = c + 1;
  });
  const placed = room.u32(groups.length);
  placed.set(groups);
  return { groups: placed, cuts: words, values, trees: trees.length, states: room.i32(8 * trees.length) };
}

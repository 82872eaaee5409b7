/**
 * Scores of rows of which only bins are known (see `BinnedFeatures`), under trees that split at edges of these bins. Values are added in the
 * order of trees, so that a score has the same bits as that of the values (score.ts).
 */
import type { BinnedFeature, BinnedFeatures } from "../../types.ts";
import { CODES, COLUMNS } from "./layout.ts";
import { goesLeft, type Tree } from "./tree.ts";

/** Adds the values of trees to into[row * outputs + t % outputs], for rows from to to of so many. */
export function addBinned(
  trees: readonly Tree[],
  outputs: number,
  { features, layout, bins }: BinnedFeatures,
  rows: number,
  [from, to]: readonly [from: number, to: number],
  into: Float64Array,
): void {
  trees.forEach((tree, t) => {
    const { feature, left, right, value } = tree;
    // By node: which byte of the first row it looks at, and which codes go left.
    const bytes = new Float64Array(feature.length);
    const sides = Array.from(feature, (f, node) => {
      const slot = f >= 0 ? layout.slots[f] : undefined;
      if (slot) bytes[node] = Math.floor(slot.column / COLUMNS) * rows * COLUMNS + (slot.column % COLUMNS);
      return f >= 0 ? leftCodes(tree, node, features[f]!, slot?.step ?? 0) : new Uint8Array(0);
    });
    for (let row = from; row < to; row++) {
      let node = 0;
      while (feature[node]! >= 0) node = sides[node]![bins[bytes[node]! + COLUMNS * row]!] === 1 ? left[node]! : right[node]!;
      into[row * outputs + (t % outputs)]! += value[node]!;
    }
  });
}

/** By code of the feature's byte: 1 where a row goes left. A feature without a byte has a single bin, and `step` is 0. */
function leftCodes(tree: Tree, node: number, feature: BinnedFeature, step: number): Uint8Array {
  const { bins, missing } = feature;
  const width = bins + (missing ? 1 : 0);
  return Uint8Array.from({ length: CODES }, (_, code) => {
    const bin = step === 0 ? 0 : Math.floor(code / step) % width;
    return Number(goesLeft(tree, node, valueIn(feature, bin)));
  });
}

const GREATEST = 3.4028234663852886e38; // of float32

/** A value that falls into the bin: its upper end, or one above all edges. NaN where values are missing or categories unknown. */
function valueIn({ edges, bins, categorical }: BinnedFeature, bin: number): number {
  if (bin === bins) return Number.NaN;
  return categorical || bin < edges.length ? edges[bin]! : GREATEST;
}

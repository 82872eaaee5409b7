/** Feature importance: total gain and number of splits. */
import type { Tree } from "./tree.ts";

export interface Importance {
  readonly feature: number;
  readonly gain: number;
  readonly splits: number;
}

export function importance(trees: readonly Tree[], features: number): Importance[] {
  const gain = new Float64Array(features);
  const splits = new Float64Array(features);
  for (const tree of trees)
    tree.feature.forEach((feature, node) => {
      if (feature < 0) return;
      gain[feature]! += tree.gain[node]!;
      splits[feature]! += 1;
    });
  return Array.from({ length: features }, (_, feature) => ({ feature, gain: gain[feature]!, splits: splits[feature]! }));
}

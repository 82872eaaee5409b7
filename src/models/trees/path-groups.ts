/**
 * Interaction constraints: the features on a path from the root must all be in one of the given groups. A leaf keeps the groups that hold
 * all features of its path; those of these groups may split it further.
 */
import type { LeafPath } from "./search.ts";

export interface PathGroups {
  /** Sets the features that one tree may use; undefined: all. */
  begin(allowed: Uint8Array | undefined): void;
  /** The path of the root. */
  root(): LeafPath;
  /** The path after a split by a feature. */
  after(path: LeafPath, feature: number): LeafPath;
}

export function pathGroups(groups: readonly ReadonlySet<number>[], features: number): PathGroups {
  let ofTree: Uint8Array | undefined;
  const known = new Map<string, LeafPath>(); // of this tree, as many leaves have the same groups

  const pathOf = (open: readonly number[]): LeafPath => {
    const key = open.join();
    const before = known.get(key);
    if (before) return before;
    const allowed = new Uint8Array(features);
    for (const g of open) for (const f of groups[g]!) allowed[f] = ofTree ? ofTree[f]! : 1;
    const path = { allowed, groups: open };
    known.set(key, path);
    return path;
  };

  return {
    begin(allowed) {
      ofTree = allowed;
      known.clear();
    },
    root: () => pathOf([...groups.keys()]),
    after: ({ groups: open = [] }, feature) => pathOf(open.filter((g) => groups[g]!.has(feature))),
  };
}

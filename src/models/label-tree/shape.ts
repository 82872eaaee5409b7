/**
 * The shape of a label tree, which follows from three numbers: how many labels there are, how many children a node has, and how many labels a
 * leaf has at most. All leaves have the same depth. A node owns a range of places in an order of the labels; what it chooses between, its
 * classes, are its children, or its labels if it is a leaf.
 */

/** Level d has nodes with places bounds[d][j] to bounds[d][j + 1]; each place is a node of the last level. */
export interface TreeShape {
  readonly bounds: readonly Uint32Array[];
  /** Classes of node j of level d are nodes classes[d][j] to classes[d][j + 1] of level d + 1. */
  readonly classes: readonly Uint32Array[];
  /** Levels of nodes that choose: one less than there are bounds. */
  readonly levels: number;
}

/** How many of n labels go left when they are split into `parts` parts, n of at least that many. */
export const leftSize = (n: number, parts: number): number => Math.ceil((n * Math.ceil(parts / 2)) / parts);

/** Sizes of the parts of n labels, of which none is empty unless there are fewer labels than parts. */
export function partSizes(n: number, parts: number): number[] {
  if (n <= parts) return new Array<number>(n).fill(1);
  if (parts === 1) return [n];
  const left = leftSize(n, parts);
  const half = Math.ceil(parts / 2);
  return [...partSizes(left, half), ...partSizes(n - left, parts - half)];
}

export function treeShape(labels: number, branches: number, leafLabels: number): TreeShape {
  let nodes: Uint32Array = Uint32Array.of(0, labels);
  const [bounds, classes] = [[nodes], [] as Uint32Array[]];
  const sizes = () => Array.from(nodes.subarray(1), (end, j) => end - nodes[j]!);
  const descend = (split: (n: number) => number[]) => {
    const parts = sizes().map(split);
    classes.push(offsets(parts.map(({ length }) => length)));
    nodes = offsets(parts.flat());
    bounds.push(nodes);
  };
  while (sizes().some((n) => n > leafLabels)) descend((n) => partSizes(n, branches));
  descend((n) => new Array<number>(n).fill(1));
  return { bounds, classes, levels: classes.length };
}

function offsets(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, i) => void (starts[i + 1] = starts[i]! + length));
  return starts;
}

/** Nodes that choose, of all levels, numbered level by level: level d begins with number firsts[d]. */
export function nodeNumbers({ bounds, levels }: TreeShape): Uint32Array {
  return offsets(bounds.slice(0, levels).map(({ length }) => length - 1));
}

/** The largest number of classes of a node. */
export function mostClasses({ classes }: TreeShape): number {
  let most = 0;
  for (const starts of classes) for (let j = 0; j + 1 < starts.length; j++) most = Math.max(most, starts[j + 1]! - starts[j]!);
  return most;
}

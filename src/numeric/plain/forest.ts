/** The twin of wasm/forest.ts. */
import type { Vetoes } from "../forest.ts";

export const LEAVES = 32; // of a tree that scores by vetoes, at most

export function walkTree(
  nodes: Int32Array,
  tree: number,
  depth: number,
  values: Float64Array,
  rows: Float32Array,
  row: number,
  columns: number,
  n: number,
  into: Float64Array,
  at: number,
  outputs: number,
): void {
  const thresholds = new Float32Array(nodes.buffer, nodes.byteOffset, nodes.length);
  for (let i = 0; i < n; i++) {
    const from = row + i * columns;
    let node = tree;
    for (let k = 0; k < depth; k++) {
      const feature = nodes[4 * node + 1]!;
      const x = rows[from + (feature & 0x7fffffff)]!;
      const right = x > thresholds[4 * node]! || (Number.isNaN(x) && feature >= 0);
      node += nodes[4 * node + (right ? 3 : 2)]! / 16;
    }
    into[at + i * outputs]! += values[node]!;
  }
}

export function vetoLeaves(
  { groups, cuts, values, trees }: Vetoes,
  rows: Float32Array,
  columns: number,
  n: number,
  into: Float64Array,
  outputs: number,
): void {
  const thresholds = new Float32Array(cuts.buffer, cuts.byteOffset, cuts.length);
  const states = new Int32Array(trees);
  for (let i = 0; i < n; i++) {
    states.fill(-1);
    for (let g = 0; g < groups.length; g += 4) {
      const [column, from, middle, to] = [groups[g]!, groups[g + 1]!, groups[g + 2]!, groups[g + 3]!];
      const x = rows[i * columns + column]!;
      for (let c = from; c < middle && x > thresholds[3 * c]!; c++) states[cuts[3 * c + 2]!]! &= cuts[3 * c + 1]!;
      const y = Number.isNaN(x) ? Infinity : x;
      for (let c = middle; c < to && y > thresholds[3 * c]!; c++) states[cuts[3 * c + 2]!]! &= cuts[3 * c + 1]!;
    }
    for (let t = 0; t < trees; t++) {
      const first = 31 - Math.clz32(states[t]! & -states[t]!);
      into[i * outputs + (t % outputs)]! += values[LEAVES * t + first]!;
    }
  }
}

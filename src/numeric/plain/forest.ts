/** The twin of wasm/forest.ts. */

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

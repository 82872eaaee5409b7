// Scores of rows under trees. A node is 16 bytes: its threshold, its feature in the low 31 bits and in the top one whether missing values go
// left, then the bytes from here to the left and to the right child. A leaf leads to itself, and its value stands in `values`.

@inline
function next(node: usize, row: usize): usize {
  const feature = load<u32>(node, 4);
  const x = load<f32>(row + ((<usize>(feature & 0x7fffffff)) << 2));
  const right = <i32>(x > load<f32>(node)) | (<i32>(x != x) & <i32>((feature >> 31) ^ 1));
  return node + load<i32>(node + ((<usize>right) << 2), 8);
}

/** Adds to into[i * outputs] the value of the leaf that row i reaches from `tree` after `depth` steps. */
export function walkTree(tree: usize, depth: i32, values: usize, rows: usize, columns: i32, n: i32, into: usize, outputs: i32): void {
  const width = (<usize>columns) << 2;
  const move = (<usize>outputs) << 3;
  while (n >= 4) {
    const r1 = rows + width;
    const r2 = r1 + width;
    const r3 = r2 + width;
    let a = tree;
    let b = tree;
    let c = tree;
    let d = tree;
    for (let k = 0; k < depth; k++) {
      a = next(a, rows);
      b = next(b, r1);
      c = next(c, r2);
      d = next(d, r3);
    }
    store<f64>(into, load<f64>(into) + load<f64>(values + ((a - tree) >> 1)));
    into += move;
    store<f64>(into, load<f64>(into) + load<f64>(values + ((b - tree) >> 1)));
    into += move;
    store<f64>(into, load<f64>(into) + load<f64>(values + ((c - tree) >> 1)));
    into += move;
    store<f64>(into, load<f64>(into) + load<f64>(values + ((d - tree) >> 1)));
    into += move;
    rows = r3 + width;
    n -= 4;
  }
  while (n > 0) {
    let a = tree;
    for (let k = 0; k < depth; k++) a = next(a, rows);
    store<f64>(into, load<f64>(into) + load<f64>(values + ((a - tree) >> 1)));
    into += move;
    rows += width;
    n--;
  }
}

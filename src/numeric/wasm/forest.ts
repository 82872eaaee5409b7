// Scores of rows under trees. A node is 16 bytes: its threshold, its feature in the low 31 bits and in the top one whether missing values go
// left, then the bytes from here to the left and to the right child. A leaf leads to itself, and its value stands in `values`.

function step(node: usize, feature: u32, x: f32): usize {
  const right = <i32>(x > load<f32>(node)) | (<i32>F32.isNaN(x) & <i32>((feature >> 31) ^ 1));
  return node + load<i32>(node + ((<usize>right) << 2), 8);
}

/** Adds to into[i * outputs] the value of the leaf that row i reaches from `tree` after `depth` steps. */
export function walkTree(
  tree: usize,
  depth: i32,
  values: usize,
  rows: usize,
  columns: i32,
  n: i32,
  into: usize,
  outputs: i32,
): void {
  const width = (<usize>columns) << 2;
  const move = (<usize>outputs) << 3;
  // Four rows at a time, so that one waits for its node while the others go on; the last rows may be fewer.
  while (n > 0) {
    const r1 = n > 1 ? rows + width : rows;
    const r2 = n > 2 ? r1 + width : rows;
    const r3 = n > 3 ? r2 + width : rows;
    let a = tree;
    let b = tree;
    let c = tree;
    let d = tree;
    for (let k = 0; k < depth; k++) {
      const fa = load<u32>(a, 4);
      const fb = load<u32>(b, 4);
      const fc = load<u32>(c, 4);
      const fd = load<u32>(d, 4);
      const xa = load<f32>(rows + ((<usize>fa) << 2));
      const xb = load<f32>(r1 + ((<usize>fb) << 2));
      const xc = load<f32>(r2 + ((<usize>fc) << 2));
      const xd = load<f32>(r3 + ((<usize>fd) << 2));
      a = step(a, fa, xa);
      b = step(b, fb, xb);
      c = step(c, fc, xc);
      d = step(d, fd, xd);
    }
    store<f64>(into, load<f64>(into) + load<f64>(values + ((a - tree) >> 1)));
    if (n > 1) store<f64>(into + move, load<f64>(into + move) + load<f64>(values + ((b - tree) >> 1)));
    if (n > 2) store<f64>(into + 2 * move, load<f64>(into + 2 * move) + load<f64>(values + ((c - tree) >> 1)));
    if (n > 3) store<f64>(into + 3 * move, load<f64>(into + 3 * move) + load<f64>(values + ((d - tree) >> 1)));
    into += 4 * move;
    rows = r3 + width;
    n -= 4;
  }
}

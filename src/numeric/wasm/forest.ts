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

// Scores by vetoes. Every cut of a tree holds a word: a bit for each leaf, off for those on its left. A row that goes right there can reach
// none of these; of the leaves that no cut has vetoed the row reaches the first.
const PACKET: usize = 8; // rows that are asked together
const CUT: usize = 12; // bytes: threshold, word, tree
const STATE: usize = PACKET << 2; // bytes: of a tree, a word for each row
const LEAVES: usize = 32; // of a tree, at most

/** The cuts from `cut` to `end` that some row's value is above; they come in rising order, so the first that no row is above ends it. */
@inline function veto(near: v128, far: v128, cut: usize, end: usize, states: usize): void {
  for (; cut < end; cut += CUT) {
    const threshold = v128.load32_splat(cut);
    const above = f32x4.gt(near, threshold);
    const over = f32x4.gt(far, threshold);
    if (!v128.any_true(v128.or(above, over))) break;
    const kept = v128.load32_splat(cut, 4);
    const state = states + (<usize>load<u32>(cut, 8)) * STATE;
    v128.store(state, v128.andnot(v128.load(state), v128.andnot(above, kept)));
    v128.store(state, v128.andnot(v128.load(state, 16), v128.andnot(over, kept)), 16);
  }
}

/** In place of no value one that is above every threshold. */
@inline function filled(x: v128): v128 {
  return v128.bitselect(x, f32x4.splat(Infinity), f32x4.eq(x, x));
}

/**
 * Adds to into[i * outputs + t % outputs] the value of the leaf of tree t that row i reaches. A group of four words is a feature's: its
 * column, and where its cuts begin, those where missing values go right begin, and both end. `states` is scratch for the trees.
 */
export function vetoLeaves(
  groups: usize,
  count: i32,
  cuts: usize,
  values: usize,
  trees: i32,
  states: usize,
  rows: usize,
  columns: i32,
  n: i32,
  into: usize,
  outputs: i32,
): void {
  const width = (<usize>columns) << 2;
  const last = groups + ((<usize>count) << 4);
  const end = states + (<usize>trees) * STATE;
  for (; n > 0; n -= <i32>PACKET) {
    // The last rows may be fewer: then one of them is asked several times.
    const r1 = n > 1 ? rows + width : rows;
    const r2 = n > 2 ? r1 + width : rows;
    const r3 = n > 3 ? r2 + width : rows;
    const r4 = n > 4 ? r3 + width : rows;
    const r5 = n > 5 ? r4 + width : rows;
    const r6 = n > 6 ? r5 + width : rows;
    const r7 = n > 7 ? r6 + width : rows;
    memory.fill(states, 0xff, (<usize>trees) * STATE);
    for (let group = groups; group < last; group += 16) {
      const at = (<usize>load<u32>(group)) << 2;
      const from = cuts + (<usize>load<u32>(group, 4)) * CUT;
      const middle = cuts + (<usize>load<u32>(group, 8)) * CUT;
      const to = cuts + (<usize>load<u32>(group, 12)) * CUT;
      let near = v128.load32_zero(rows + at);
      near = v128.load32_lane(r1 + at, near, 1);
      near = v128.load32_lane(r2 + at, near, 2);
      near = v128.load32_lane(r3 + at, near, 3);
      let far = v128.load32_zero(r4 + at);
      far = v128.load32_lane(r5 + at, far, 1);
      far = v128.load32_lane(r6 + at, far, 2);
      far = v128.load32_lane(r7 + at, far, 3);
      veto(near, far, from, middle, states);
      if (middle < to) veto(filled(near), filled(far), middle, to, states);
    }
    const some = <usize>min<i32>(n, <i32>PACKET);
    const move = (<usize>outputs) << 3;
    let leaves = values;
    let output = 0;
    for (let state = states; state < end; state += STATE) {
      let sum = into + ((<usize>output) << 3);
      for (let i: usize = 0; i < some; i++) {
        const leaf = <usize>ctz<u32>(load<u32>(state + (i << 2)));
        store<f64>(sum, load<f64>(sum) + load<f64>(leaves + (leaf << 3)));
        sum += move;
      }
      leaves += LEAVES << 3;
      output = output + 1 === outputs ? 0 : output + 1;
    }
    into += PACKET * move;
    rows = r7 + width;
  }
}

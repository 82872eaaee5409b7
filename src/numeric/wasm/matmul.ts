// Products of float32 matrices. Every number of the result is one sum over k, in order, rounded at each step, however the work is tiled:
// the bits depend neither on tiles nor on how rows and columns are divided among threads.

const ROWS: i32 = 4; // of a tile: its 4 x 8 sums fill 8 of the 16 vector registers, and what larger ones gain they lose by spilling
const COLUMNS: i32 = 8;
const HEIGHT: i32 = 128; // rows of A that are packed at once: with DEPTH, 128 KiB, which the second cache holds
const DEPTH: i32 = 256;

/**
 * C = A B where `add` is 0, else C += A B. A(i, p) lies at a + 4 (i aRow + p aStep), B(p, j) at b + 4 (p bStep + j bColumn), and rows of
 * C are 4 cRow bytes apart. `scratch` holds HEIGHT x DEPTH and DEPTH x COLUMNS numbers and one tile.
 */
export function matmul(
  a: usize,
  aRow: usize,
  aStep: usize,
  b: usize,
  bStep: usize,
  bColumn: usize,
  c: usize,
  cRow: usize,
  m: i32,
  n: i32,
  k: i32,
  add: i32,
  scratch: usize,
): void {
  const packedA = scratch;
  const packedB = scratch + ((<usize>HEIGHT * DEPTH) << 2);
  const tile = packedB + ((<usize>DEPTH * COLUMNS) << 2);
  let p = 0;
  do {
    const depth = min(DEPTH, k - p);
    const fresh = i32(p === 0 && add === 0);
    for (let i = 0; i < m; i += HEIGHT) {
      const height = min(HEIGHT, m - i);
      packRows(a + ((<usize>i * aRow + <usize>p * aStep) << 2), aRow, aStep, height, depth, packedA);
      for (let j = 0; j < n; j += COLUMNS) {
        const width = min(COLUMNS, n - j);
        packColumns(b + ((<usize>p * bStep + <usize>j * bColumn) << 2), bStep, bColumn, width, depth, packedB);
        for (let t = 0; t < height; t += ROWS) {
          const rows = min(ROWS, height - t);
          const from = packedA + ((<usize>t * depth) << 2);
          const to = c + ((<usize>(i + t) * cRow + j) << 2);
          if (rows === ROWS && width === COLUMNS) {
            multiply(from, packedB, to, cRow << 2, depth, fresh);
          } else {
            if (!fresh) copyTile(to, cRow << 2, tile, COLUMNS << 2, rows, width);
            multiply(from, packedB, tile, COLUMNS << 2, depth, fresh);
            copyTile(tile, COLUMNS << 2, to, cRow << 2, rows, width);
          }
        }
      }
    }
    p += DEPTH;
  } while (p < k); // once also when k is 0, to set C to zeros
}

/** Strips of ROWS rows, each step by step; rows that are missing from the last strip are zeros. */
function packRows(a: usize, row: usize, step: usize, height: i32, depth: i32, into: usize): void {
  for (let t = 0; t < height; t += ROWS) {
    const rows = min(ROWS, height - t);
    const from = a + ((<usize>t * row) << 2);
    if (rows === ROWS && row === 1) copyLines(from, step << 2, depth, into, ROWS << 2);
    else if (rows === ROWS && step === 1) interleave(from, row << 2, depth, into, ROWS << 2);
    else packEach(from, row, step, rows, ROWS, depth, into);
    into += (<usize>(ROWS * depth)) << 2;
  }
}

/** One strip of COLUMNS columns, step by step, filled up with zeros. */
function packColumns(b: usize, step: usize, column: usize, width: i32, depth: i32, into: usize): void {
  if (width === COLUMNS && column === 1) {
    copyLines(b, step << 2, depth, into, COLUMNS << 2);
    copyLines(b + 16, step << 2, depth, into + 16, COLUMNS << 2);
  } else if (width === COLUMNS && step === 1) {
    interleave(b, column << 2, depth, into, COLUMNS << 2);
    interleave(b + (column << 4), column << 2, depth, into + 16, COLUMNS << 2);
  } else packEach(b, column, step, width, COLUMNS, depth, into);
}

/** Copies four numbers next to each other of each step, `from` bytes apart, to lines that are `to` bytes apart. */
/* @inline */
function copyLines(a: usize, from: usize, depth: i32, into: usize, to: usize): void {
  for (let p = 0; p < depth; p++) {
    v128.store(into, v128.load(a));
    a += from;
    into += to;
  }
}

/** Interleaves four lines that are `line` bytes apart: step p of all four goes to into + p * to. */
/* @inline */
function interleave(a: usize, line: usize, depth: i32, into: usize, to: usize): void {
  let p = 0;
  for (; p + 3 < depth; p += 4) {
    const x0 = v128.load(a);
    const x1 = v128.load(a + line);
    const x2 = v128.load(a + 2 * line);
    const x3 = v128.load(a + 3 * line);
    const low01 = v128.shuffle<f32>(x0, x1, 0, 4, 1, 5);
    const high01 = v128.shuffle<f32>(x0, x1, 2, 6, 3, 7);
    const low23 = v128.shuffle<f32>(x2, x3, 0, 4, 1, 5);
    const high23 = v128.shuffle<f32>(x2, x3, 2, 6, 3, 7);
    v128.store(into, v128.shuffle<f32>(low01, low23, 0, 1, 4, 5));
    v128.store(into + to, v128.shuffle<f32>(low01, low23, 2, 3, 6, 7));
    v128.store(into + 2 * to, v128.shuffle<f32>(high01, high23, 0, 1, 4, 5));
    v128.store(into + 3 * to, v128.shuffle<f32>(high01, high23, 2, 3, 6, 7));
    a += 16;
    into += 4 * to;
  }
  for (; p < depth; p++) {
    store<f32>(into, load<f32>(a));
    store<f32>(into, load<f32>(a + line), 4);
    store<f32>(into, load<f32>(a + 2 * line), 8);
    store<f32>(into, load<f32>(a + 3 * line), 12);
    a += 4;
    into += to;
  }
}

/** Number by number: `count` lines, filled up with zeros to `full`. */
function packEach(a: usize, line: usize, step: usize, count: i32, full: i32, depth: i32, into: usize): void {
  for (let i = 0; i < full; i++) {
    let from = a + ((<usize>i * line) << 2);
    let to = into + ((<usize>i) << 2);
    for (let p = 0; p < depth; p++) {
      store<f32>(to, i < count ? load<f32>(from) : 0);
      from += step << 2;
      to += (<usize>full) << 2;
    }
  }
}

function copyTile(from: usize, fromRow: usize, to: usize, toRow: usize, rows: i32, width: i32): void {
  for (let i = 0; i < rows; i++) {
    for (let j: usize = 0; j < <usize>width; j++) store<f32>(to + (j << 2), load<f32>(from + (j << 2)));
    from += fromRow;
    to += toRow;
  }
}

/** One tile over the packed strips. */
function multiply(a: usize, b: usize, c: usize, row: usize, depth: i32, fresh: i32): void {
  const c1 = c + row;
  const c2 = c1 + row;
  const c3 = c2 + row;
  let c00 = f32x4.splat(0);
  let c01 = c00;
  let c10 = c00;
  let c11 = c00;
  let c20 = c00;
  let c21 = c00;
  let c30 = c00;
  let c31 = c00;
  if (!fresh) {
    c00 = v128.load(c, 0);
    c01 = v128.load(c, 16);
    c10 = v128.load(c1, 0);
    c11 = v128.load(c1, 16);
    c20 = v128.load(c2, 0);
    c21 = v128.load(c2, 16);
    c30 = v128.load(c3, 0);
    c31 = v128.load(c3, 16);
  }
  for (let p = depth; p > 0; p--) {
    const b0 = v128.load(b, 0);
    const b1 = v128.load(b, 16);
    let x = v128.load32_splat(a, 0);
    c00 = f32x4.add(c00, f32x4.mul(x, b0));
    c01 = f32x4.add(c01, f32x4.mul(x, b1));
    x = v128.load32_splat(a, 4);
    c10 = f32x4.add(c10, f32x4.mul(x, b0));
    c11 = f32x4.add(c11, f32x4.mul(x, b1));
    x = v128.load32_splat(a, 8);
    c20 = f32x4.add(c20, f32x4.mul(x, b0));
    c21 = f32x4.add(c21, f32x4.mul(x, b1));
    x = v128.load32_splat(a, 12);
    c30 = f32x4.add(c30, f32x4.mul(x, b0));
    c31 = f32x4.add(c31, f32x4.mul(x, b1));
    a += ROWS << 2;
    b += COLUMNS << 2;
  }
  v128.store(c, c00, 0);
  v128.store(c, c01, 16);
  v128.store(c1, c10, 0);
  v128.store(c1, c11, 16);
  v128.store(c2, c20, 0);
  v128.store(c2, c21, 16);
  v128.store(c3, c30, 0);
  v128.store(c3, c31, 16);
}

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
    for (let r = 0; r < ROWS; r++) {
      let from = a + ((<usize>(t + r) * row) << 2);
      let to = into + ((<usize>r) << 2);
      for (let p = 0; p < depth; p++) {
        store<f32>(to, r < rows ? load<f32>(from) : 0);
        from += step << 2;
        to += ROWS << 2;
      }
    }
    into += (<usize>(ROWS * depth)) << 2;
  }
}

/** One strip of COLUMNS columns, step by step, filled up with zeros. */
function packColumns(b: usize, step: usize, column: usize, width: i32, depth: i32, into: usize): void {
  if (width === COLUMNS && column === 1) {
    for (let p = 0; p < depth; p++) {
      v128.store(into, v128.load(b, 0), 0);
      v128.store(into, v128.load(b, 16), 16);
      b += step << 2;
      into += 32;
    }
    return;
  }
  for (let j = 0; j < COLUMNS; j++) {
    let from = b + ((<usize>j * column) << 2);
    let to = into + ((<usize>j) << 2);
    for (let p = 0; p < depth; p++) {
      store<f32>(to, j < width ? load<f32>(from) : 0);
      from += step << 2;
      to += COLUMNS << 2;
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

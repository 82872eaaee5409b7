// Rows of a float32 matrix against float64 vectors: the two loops of a linear model.

/* @inline */ function wide(address: usize, offset: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(address + offset));
}

/** into[r] = sum over j of rows[r][j] * vector[j], in eight partial sums as `dot` takes them. */
export function rowsTimesVector(rows: usize, vector: usize, into: usize, count: i32, columns: i32): void {
  const whole = columns & ~7;
  for (let r = 0; r < count; r++) {
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    let b = vector;
    const end = rows + ((<usize>whole) << 2);
    while (rows < end) {
      s0 = f64x2.add(s0, f64x2.mul(wide(rows, 0), v128.load(b, 0)));
      s1 = f64x2.add(s1, f64x2.mul(wide(rows, 8), v128.load(b, 16)));
      s2 = f64x2.add(s2, f64x2.mul(wide(rows, 16), v128.load(b, 32)));
      s3 = f64x2.add(s3, f64x2.mul(wide(rows, 24), v128.load(b, 48)));
      rows += 32;
      b += 64;
    }
    const four = f64x2.add(f64x2.add(s0, s2), f64x2.add(s1, s3));
    let sum = f64x2.extract_lane(four, 0) + f64x2.extract_lane(four, 1);
    for (let j = whole; j < columns; j++) {
      sum += <f64>load<f32>(rows) * load<f64>(b);
      rows += 4;
      b += 8;
    }
    store<f64>(into, sum);
    into += 8;
  }
}

/** into[j] += sum over r of vector[r] * rows[r][j], row after row. */
export function vectorTimesRows(vector: usize, rows: usize, into: usize, count: i32, columns: i32): void {
  const size = (<usize>columns) << 2;
  let r = 0;
  // Four rows at a time, so that `into` is read and written a quarter as often; each of its numbers still grows row after row.
  for (; r + 4 <= count; r += 4) {
    const f0 = v128.load64_splat(vector, 0);
    const f1 = v128.load64_splat(vector, 8);
    const f2 = v128.load64_splat(vector, 16);
    const f3 = v128.load64_splat(vector, 24);
    let a = rows;
    let out = into;
    const end = a + ((<usize>(columns & ~1)) << 2);
    while (a < end) {
      let sum = f64x2.add(v128.load(out), f64x2.mul(f0, wide(a, 0)));
      sum = f64x2.add(sum, f64x2.mul(f1, wide(a, size)));
      sum = f64x2.add(sum, f64x2.mul(f2, wide(a, 2 * size)));
      sum = f64x2.add(sum, f64x2.mul(f3, wide(a, 3 * size)));
      v128.store(out, sum);
      a += 8;
      out += 16;
    }
    if (columns & 1) {
      let sum = load<f64>(out);
      for (let q: usize = 0; q < 4; q++) sum += load<f64>(vector + (q << 3)) * <f64>load<f32>(a + q * size);
      store<f64>(out, sum);
    }
    rows += 4 * size;
    vector += 32;
  }
  for (; r < count; r++) {
    const factor = load<f64>(vector);
    for (let j: usize = 0; j < <usize>columns; j++)
      store<f64>(into + (j << 3), load<f64>(into + (j << 3)) + factor * <f64>load<f32>(rows + (j << 2)));
    rows += size;
    vector += 8;
  }
}

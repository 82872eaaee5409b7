/** Products of a float32 matrix with float64 vectors, from either side, in plain TypeScript. */

/** into[r] = sum over j of rows[r][j] * vector[j], in eight partial sums, entry j in sum j % 8. */
export function rowsTimesVector(rows: Float32Array, vector: Float64Array, into: Float64Array): void {
  const columns = vector.length;
  const whole = columns - (columns % 8);
  for (let r = 0, at = 0; r < into.length; r++, at += columns) {
    let [s0, s1, s2, s3, s4, s5, s6, s7] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let j = 0; j < whole; j += 8) {
      s0 += rows[at + j]! * vector[j]!;
      s1 += rows[at + j + 1]! * vector[j + 1]!;
      s2 += rows[at + j + 2]! * vector[j + 2]!;
      s3 += rows[at + j + 3]! * vector[j + 3]!;
      s4 += rows[at + j + 4]! * vector[j + 4]!;
      s5 += rows[at + j + 5]! * vector[j + 5]!;
      s6 += rows[at + j + 6]! * vector[j + 6]!;
      s7 += rows[at + j + 7]! * vector[j + 7]!;
    }
    let sum = s0 + s4 + (s2 + s6) + (s1 + s5 + (s3 + s7));
    for (let j = whole; j < columns; j++) sum += rows[at + j]! * vector[j]!;
    into[r] = sum;
  }
}

/** into[j] += sum over r of vector[r] * rows[r][j], row after row. */
export function vectorTimesRows(vector: Float64Array, rows: Float32Array, into: Float64Array): void {
  const columns = into.length;
  for (let r = 0, at = 0; r < vector.length; r++, at += columns) {
    const factor = vector[r]!;
    for (let j = 0; j < columns; j++) into[j]! += factor * rows[at + j]!;
  }
}

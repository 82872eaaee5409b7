/** Products of float32 matrices in plain TypeScript: each number is one sum in order, rounded to float32 at each step. */
import type { MatrixView } from "../matmul.ts";

/** Sets c to a b, or adds a b to c. */
export function matmul(a: MatrixView, b: MatrixView, c: MatrixView, how: "set" | "add"): void {
  const { fround } = Math;
  const sums = new Float32Array(c.columns);
  for (let i = 0; i < c.rows; i++) {
    const out = c.values.subarray(c.from + i * c.row, c.from + i * c.row + c.columns);
    if (how === "add") sums.set(out);
    else sums.fill(0);
    for (let p = 0; p < a.columns; p++) {
      const factor = a.values[a.from + i * a.row + p * a.column]!;
      let at = b.from + p * b.row;
      for (let j = 0; j < c.columns; j++) {
        sums[j]! += fround(factor * b.values[at]!); // storing rounds the sum
        at += b.column;
      }
    }
    out.set(sums);
  }
}

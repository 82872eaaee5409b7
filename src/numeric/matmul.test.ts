import { afterAll, describe, expect, it } from "vitest";
import { heap } from "./heap.ts";
import { columnSlice, type MatrixView, matmul, matrixView, rowSlice, transposed } from "./matmul.ts";
import * as plain from "./plain/matmul.ts";
import { random } from "./random.ts";

const draw = random(8);
afterAll(() => heap.close());

function matrix(rows: number, columns: number): MatrixView {
  const values = heap.f32(rows * columns);
  for (let i = 0; i < values.length; i++) values[i] = draw() - 0.5;
  return matrixView(values, rows, columns);
}

const outside = (m: MatrixView): MatrixView => ({ ...m, values: Float32Array.from(m.values) });
const of = (rows: number, columns: number, ...values: number[]) => matrixView(Float32Array.from(values), rows, columns);

describe("products of matrices", () => {
  it("by hand, in the three shapes", () => {
    const [a, b] = [of(2, 3, 1, 2, 3, 4, 5, 6), of(3, 2, 7, 8, 9, 10, 11, 12)];
    const c = of(2, 2, 1, 1, 1, 1);
    matmul(a, b, c);
    expect([...c.values]).toEqual([58, 64, 139, 154]);
    matmul(a, b, c, "add");
    expect([...c.values]).toEqual([116, 128, 278, 308]);
    matmul(a, transposed(a), c);
    expect([...c.values]).toEqual([14, 32, 32, 77]);
    const wide = of(3, 3, ...new Array(9).fill(0));
    matmul(transposed(a), a, wide);
    expect([...wide.values]).toEqual([17, 22, 27, 22, 29, 36, 27, 36, 45]);
  });

  it("compiled and plain give the same bits, for every shape, edge and window", () => {
    for (const [m, k, n] of [
      [1, 1, 1],
      [3, 5, 7],
      [4, 8, 8],
      [5, 257, 9],
      [130, 300, 17],
      [131, 3, 40],
      [8, 0, 8],
      [0, 4, 4],
    ] as const)
      for (const shape of ["forward", "input", "weights"])
        for (const how of ["set", "add"] as const) {
          const a = shape === "weights" ? transposed(matrix(k, m)) : matrix(m, k);
          const b = shape === "input" ? transposed(matrix(n, k)) : matrix(k, n);
          const c = columnSlice(matrix(m + 1, n + 3), 2, n + 2);
          const ours = rowSlice(c, 1, m + 1);
          const theirs = rowSlice(outside(c), 1, m + 1);
          plain.matmul(outside(a), outside(b), theirs, how);
          matmul(a, b, ours, how);
          expect(ours.values, `${m} ${k} ${n} ${shape} ${how}`).toEqual(theirs.values);
        }
  });

  it("do not depend on how rows and columns are divided", () => {
    const [a, b] = [matrix(37, 300), matrix(300, 53)];
    const [whole, parts] = [matrix(37, 53), matrix(37, 53)];
    matmul(a, b, whole);
    for (const [top, bottom] of [
      [0, 5],
      [5, 30],
      [30, 37],
    ] as const)
      for (const [left, right] of [
        [0, 19],
        [19, 20],
        [20, 53],
      ] as const)
        matmul(rowSlice(a, top, bottom), columnSlice(b, left, right), columnSlice(rowSlice(parts, top, bottom), left, right));
    expect(parts.values).toEqual(whole.values);
  });

  it("shapes that do not fit are refused", () => {
    expect(() => matmul(matrix(2, 3), matrix(2, 3), matrix(2, 3))).toThrow(
      "cannot put the product of 2 x 3 and 2 x 3 into 2 x 3",
    );
  });
});

/**
 * Matrix multiplication in float32: a kernel if the arrays are in the heap, plain otherwise, with bit-identical results.
 *
 * A matrix is a view of an array, so transposing and slicing rows or columns are free, and one function computes a layer's forward pass,
 * product(x, w, y), the gradient of its weights, product(transposed(x), dy, dw), and that of its input, product(dy, transposed(w), dx).
 * Each number of the result is one sum in order over what rows and columns share, whatever window it is part of, so work may be divided
 * among threads by rows or columns of the result without changing a bit.
 */
import { kernelScratch, kernelsFor } from "./kernels.ts";
import * as plain from "./plain/matmul.ts";

/** Entry (i, j) is values[from + i * row + j * column]. */
export interface MatrixView {
  readonly values: Float32Array;
  readonly rows: number;
  readonly columns: number;
  readonly from: number;
  readonly row: number;
  readonly column: number;
}

/** A matrix stored row after row. */
export const matrixView = (values: Float32Array, rows: number, columns: number): MatrixView => ({
  ...{ values, rows, columns },
  ...{ from: 0, row: columns, column: 1 },
});

export const transposed = (m: MatrixView): MatrixView => ({
  ...m,
  rows: m.columns,
  columns: m.rows,
  row: m.column,
  column: m.row,
});

export const rowSlice = (m: MatrixView, from: number, to: number): MatrixView => ({
  ...m,
  rows: to - from,
  from: m.from + from * m.row,
});

export const columnSlice = (m: MatrixView, from: number, to: number): MatrixView => transposed(rowSlice(transposed(m), from, to));

export interface MatmulKernels {
  matmul(
    ...args: [
      ...[a: number, aRow: number, aStep: number, b: number, bStep: number, bColumn: number, c: number, cRow: number],
      ...[m: number, n: number, k: number, add: number, scratch: number],
    ]
  ): void;
}

const SCRATCH = 4 * (128 * 256 + 256 * 8 + 32); // bytes: see wasm/matmul.ts

/** Sets c to a b, or adds a b to c. The rows of c must be stored as rows. */
export function matmul(a: MatrixView, b: MatrixView, c: MatrixView, how: "set" | "add" = "set"): void {
  if (a.rows !== c.rows || b.columns !== c.columns || a.columns !== b.rows || c.column !== 1)
    throw new Error(`cannot put the product of ${shape(a)} and ${shape(b)} into ${shape(c)}`);
  const wasm = kernelsFor(a.values, b.values, c.values);
  if (wasm) {
    wasm.matmul(
      ...([start(a), a.row, a.column, start(b), b.row, b.column, start(c), c.row] as const),
      ...([c.rows, c.columns, a.columns, how === "add" ? 1 : 0, kernelScratch(SCRATCH).address] as const),
    );
  } else plain.matmul(a, b, c, how);
}

const start = (m: MatrixView) => m.values.byteOffset + 4 * m.from;
const shape = (m: MatrixView) => `${m.rows} x ${m.columns}`;

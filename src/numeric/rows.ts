/**
 * Rows of a float32 matrix against float64 vectors, the two loops of a linear model: a kernel if the arrays are in the heap, plain
 * otherwise, with bit-identical results. `rows` holds its rows one after the other; a part of a matrix is a subarray.
 */
import { kernelsFor } from "./kernels.ts";
import * as plain from "./plain/rows.ts";

export interface RowKernels {
  rowsTimesVector(rows: number, vector: number, into: number, count: number, columns: number): void;
  vectorTimesRows(vector: number, rows: number, into: number, count: number, columns: number): void;
}

/** into[r] = sum over j of rows[r][j] * vector[j], for as many rows as `into` has numbers. */
export function rowsTimesVector(rows: Float32Array, vector: Float64Array, into: Float64Array): void {
  const wasm = kernelsFor(rows, vector, into);
  if (wasm) wasm.rowsTimesVector(rows.byteOffset, vector.byteOffset, into.byteOffset, into.length, vector.length);
  else plain.rowsTimesVector(rows, vector, into);
}

/** into[j] += sum over r of vector[r] * rows[r][j], for as many rows as `vector` has numbers. */
export function vectorTimesRows(vector: Float64Array, rows: Float32Array, into: Float64Array): void {
  const wasm = kernelsFor(vector, rows, into);
  if (wasm) wasm.vectorTimesRows(vector.byteOffset, rows.byteOffset, into.byteOffset, vector.length, into.length);
  else plain.vectorTimesRows(vector, rows, into);
}

/** The feature rows of a batch, copied to where the kernels work. Missing values count as zero. */
import type { ParallelOps } from "../../teams/solo.ts";
import type { Matrix } from "../../types.ts";

/** Row r owns entries starts[r] to starts[r + 1]. */
export interface SparseRows {
  readonly kind: "sparse";
  readonly starts: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

export type BatchRows = SparseRows | { readonly kind: "dense"; readonly columns: number; readonly values: Float32Array };

export function batchRows(alloc: ParallelOps["allocShared"], features: Matrix, most: number): BatchRows {
  if (features.kind === "dense")
    return { kind: "dense", columns: features.columns, values: alloc("f32", most * features.columns) };
  let widest = 0;
  for (let row = 0; row < features.rows; row++) widest = Math.max(widest, features.starts[row + 1]! - features.starts[row]!);
  const cells = Math.max(1, Math.min(features.values.length, most * widest)); // a row stands in a batch once
  return { kind: "sparse", starts: alloc("u32", most + 1), indices: alloc("u32", cells), values: alloc("f32", cells) };
}

/** Fills the batch with rows `rows[from]` to `rows[to - 1]` of the matrix. */
export function fill(batch: BatchRows, features: Matrix, rows: ArrayLike<number>, count: number): void {
  const clean = (value: number) => (Number.isNaN(value) ? 0 : value);
  if (batch.kind === "dense") {
    const { columns } = batch;
    for (let r = 0; r < count; r++)
      for (let c = 0; c < columns; c++)
        batch.values[r * columns + c] = clean((features as { values: Float32Array }).values[rows[r]! * columns + c]!);
    return;
  }
  const { starts, indices, values } = features as Extract<Matrix, { kind: "sparse" }>;
  let at = 0;
  batch.starts[0] = 0;
  for (let r = 0; r < count; r++) {
    const [from, to] = [starts[rows[r]!]!, starts[rows[r]! + 1]!];
    batch.indices.set(indices.subarray(from, to), at);
    for (let e = from; e < to; e++) batch.values[at++] = clean(values[e]!);
    batch.starts[r + 1] = at;
  }
}

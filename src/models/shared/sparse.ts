/** Sparse matrices by row, and the same by column. */
import type { Matrix } from "../../types.ts";

/** Row r owns entries starts[r] to starts[r + 1]. */
export interface Entries {
  readonly starts: Float64Array | Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float32Array;
}

/** Entries whose rows are the columns of others. */
export type Transposed = Entries;

/** The entries of a feature matrix that are neither zero nor missing. */
export function entriesOf(matrix: Matrix): Entries {
  if (matrix.kind === "sparse") {
    const { starts, indices } = matrix;
    return { starts, indices, values: matrix.values.map((value) => (Number.isNaN(value) ? 0 : value)) };
  }
  const { rows, columns, values } = matrix;
  const there = (at: number) => values[at] !== 0 && !Number.isNaN(values[at]!);
  const starts = new Float64Array(rows + 1);
  let count = 0;
  for (let at = 0; at < values.length; at++) {
    if (there(at)) count++;
    if ((at + 1) % columns === 0) starts[(at + 1) / columns] = count;
  }
  const entries = { starts, indices: new Uint32Array(count), values: new Float32Array(count) };
  for (let at = 0, to = 0; at < values.length; at++)
    if (there(at)) {
      entries.indices[to] = at % columns;
      entries.values[to++] = values[at]!;
    }
  return entries;
}

export function transpose({ starts, indices, values }: Entries, columns: number): Transposed {
  const into = {
    starts: new Float64Array(columns + 1),
    indices: new Uint32Array(indices.length),
    values: new Float32Array(indices.length),
  };
  for (let e = 0; e < indices.length; e++) into.starts[indices[e]! + 1] = into.starts[indices[e]! + 1]! + 1;
  for (let c = 0; c < columns; c++) into.starts[c + 1] = into.starts[c + 1]! + into.starts[c]!;
  const next = into.starts.slice();
  for (let r = 0; r + 1 < starts.length; r++)
    for (let e = starts[r]!; e < starts[r + 1]!; e++) {
      const at = next[indices[e]!]!;
      next[indices[e]!] = at + 1;
      into.indices[at] = r;
      into.values[at] = values[e]!;
    }
  return into;
}

/** The same with a last column of ones. */
export function withOnes({ starts, indices, values }: Entries, columns: number): Entries {
  const rows = starts.length - 1;
  const more = {
    starts: new Float64Array(rows + 1),
    indices: new Uint32Array(indices.length + rows),
    values: new Float32Array(indices.length + rows),
  };
  for (let r = 0; r < rows; r++) {
    const [from, to, at] = [starts[r]!, starts[r + 1]!, starts[r]! + r];
    more.indices.set(indices.subarray(from, to), at);
    more.values.set(values.subarray(from, to), at);
    more.indices[at + to - from] = columns;
    more.values[at + to - from] = 1;
    more.starts[r + 1] = to + r + 1;
  }
  return more;
}

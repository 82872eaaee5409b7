/** Features that all items of a list share, in every list: of the query, the user or the race rather than of the item. */
import type { Dataset, DenseMatrix, SparseMatrix } from "../types.ts";

/**
 * The columns whose values are equal within every list, but not in all rows. Missing values equal each other. None where no list has two items, as all
 * columns are so then, and for data without a row of features for each item. Takes time in proportion to the values that are stored.
 */
export function sameInLists({ features, starts, labels }: Dataset): readonly number[] {
  const rows = "binned" in features ? 0 : features.rows;
  const isLong = starts.some((start, list) => list > 0 && start - starts[list - 1]! > 1);
  if (!isLong || rows !== labels.length) return [];
  return features.kind === "dense" ? denseColumns(features, starts) : sparseColumns(features, starts);
}

function denseColumns({ values, rows, columns: width }: DenseMatrix, starts: Uint32Array): number[] {
  const isSame = (c: number, from: number, to: number) => {
    for (let row = from + 1; row < to; row++) if (!areSame(values[row * width + c]!, values[from * width + c]!)) return false;
    return true;
  };
  let columns = Array.from({ length: width }, (_, c) => c);
  for (let list = 0; list + 1 < starts.length && columns.length > 0; list++)
    columns = columns.filter((c) => isSame(c, starts[list]!, starts[list + 1]!));
  return columns.filter((c) => !isSame(c, 0, rows));
}

function sparseColumns(matrix: SparseMatrix, starts: Uint32Array): number[] {
  const { even, varied } = columnsIn(matrix, starts, new Set());
  const { even: constant } = even.size > 0 ? columnsIn(matrix, Uint32Array.of(0, matrix.rows), varied) : { even };
  return [...even].filter((c) => !constant.has(c)).sort((a, b) => a - b);
}

/** The columns with stored values that are equal within each group of rows, and those that are not, among them some that are known. */
function columnsIn({ starts, indices, values, absent }: SparseMatrix, groups: Uint32Array, known: ReadonlySet<number>) {
  const varied = new Set(known);
  const even = new Set<number>();
  const held = new Map<number, { readonly value: number; rows: number }>();
  for (let group = 0; group + 1 < groups.length; group++) {
    const [from, to] = [groups[group]!, groups[group + 1]!];
    held.clear();
    for (let row = from; row < to; row++)
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        const [c, value] = [indices[at]!, values[at]!];
        if (varied.has(c)) continue;
        const first = held.get(c);
        if (!first) held.set(c, { value, rows: 1 });
        else if (areSame(first.value, value)) first.rows++;
        else varied.add(c);
      }
    for (const [c, { value, rows }] of held)
      if (varied.has(c) || (rows < to - from && !areSame(value, absent))) {
        varied.add(c);
        even.delete(c);
      } else even.add(c);
  }
  return { even, varied };
}

const areSame = (a: number, b: number) => a === b || (Number.isNaN(a) && Number.isNaN(b));

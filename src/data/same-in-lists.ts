/** Features that all items of a list share, in every list: of the query, the user or the race rather than of the item. */
import type { Dataset, DenseMatrix, SparseMatrix } from "../types.ts";

/**
 * The columns whose values are equal within every list, and those of them that are equal in all rows too. Missing values equal each other. Empty where no list has two items, as all
 * columns are so then, and for data without a row of features for each item.
 */
export function sameInLists({ features, starts, labels }: Dataset): {
  columns: readonly number[];
  constant: ReadonlySet<number>;
} {
  const rows = "binned" in features ? 0 : features.rows;
  const isLong = starts.some((start, list) => list > 0 && start - starts[list - 1]! > 1);
  if (!isLong || rows !== labels.length) return { columns: [], constant: new Set() };
  const isSame = features.kind === "dense" ? denseTest(features) : sparseTest(features);
  let columns = Array.from({ length: features.columns }, (_, c) => c);
  for (let list = 0; list + 1 < starts.length && columns.length > 0; list++)
    columns = isSame(columns, starts[list]!, starts[list + 1]!);
  return { columns, constant: new Set(isSame(columns, 0, rows)) };
}

/** Which of some columns, in ascending order, have one value in the rows from one to before another. */
type Test = (columns: number[], from: number, to: number) => number[];

function denseTest({ values, columns: width }: DenseMatrix): Test {
  return (columns, from, to) =>
    columns.filter((c) => {
      for (let row = from + 1; row < to; row++) if (!areSame(values[row * width + c]!, values[from * width + c]!)) return false;
      return true;
    });
}

function sparseTest({ starts, indices, values, absent }: SparseMatrix): Test {
  return (columns, from, to) => {
    const open = new Set(columns);
    const held = new Map<number, { readonly value: number; rows: number }>();
    for (let row = from; row < to; row++)
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        const [c, value] = [indices[at]!, values[at]!];
        if (!open.has(c)) continue;
        const first = held.get(c);
        if (!first) held.set(c, { value, rows: 1 });
        else if (areSame(first.value, value)) first.rows++;
        else open.delete(c);
      }
    for (const [c, { value, rows }] of held) if (rows < to - from && !areSame(value, absent)) open.delete(c);
    return columns.filter((c) => open.has(c));
  };
}

const areSame = (a: number, b: number) => a === b || (Number.isNaN(a) && Number.isNaN(b));

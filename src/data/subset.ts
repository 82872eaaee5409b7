/** Selects lists of a dataset, in the given order, with repetition allowed. */
import { check, checkData, someNumbers } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import type { Dataset, Matrix } from "../types.ts";

/** The lists of the data with these numbers, counted from 0. */
export function subset(data: Dataset, lists: ArrayLike<number>): Dataset {
  checkData("subset", data);
  check("subset, the lists", lists, someNumbers);
  const count = data.starts.length - 1;
  const starts = new Uint32Array(lists.length + 1);
  for (let i = 0; i < lists.length; i++) {
    const q = lists[i]!;
    if (!(Number.isInteger(q) && q >= 0 && q < count)) throw new InputError(`subset: there is no list ${q} among ${count}`);
    starts[i + 1] = starts[i]! + data.starts[q + 1]! - data.starts[q]!;
  }
  const rows = new Uint32Array(starts[lists.length]!);
  for (let i = 0, at = 0; i < lists.length; i++)
    for (let row = data.starts[lists[i]!]!; row < data.starts[lists[i]! + 1]!; row++) rows[at++] = row;

  return selectEntries(data, lists, starts, rows);
}

/** Some entries of some lists: list i of the result is list lists[i] with the entries rows[starts[i]] to rows[starts[i + 1]]. */
export function selectEntries(data: Dataset, lists: ArrayLike<number>, starts: Uint32Array, rows: Uint32Array): Dataset {
  const { listWeights, itemWeights, items, names } = data;
  return {
    ...data,
    starts,
    labels: Float32Array.from(rows, (row) => data.labels[row]!),
    features: pickRows(data.features, data.labelSpaceSize === undefined ? rows : Uint32Array.from(lists)),
    ...(items && { items: Uint32Array.from(rows, (row) => items[row]!) }),
    ...(listWeights && { listWeights: Float32Array.from(lists, (q) => listWeights[q]!) }),
    ...(itemWeights && { itemWeights: Float32Array.from(rows, (row) => itemWeights[row]!) }),
    names: {
      ...names,
      ...(names.lists && { lists: Array.from(lists, (q) => names.lists![q]!) }),
      ...(names.entries && { entries: Array.from(rows, (row) => names.entries![row]!) }),
    },
  };
}

function pickRows(matrix: Matrix, rows: Uint32Array): Matrix {
  if (matrix.kind === "dense") {
    const { columns } = matrix;
    const values = new Float32Array(rows.length * columns);
    for (let i = 0; i < rows.length; i++)
      values.set(matrix.values.subarray(rows[i]! * columns, (rows[i]! + 1) * columns), i * columns);
    return { ...matrix, rows: rows.length, values };
  }
  const sizes = new Float64Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) sizes[i + 1] = sizes[i]! + matrix.starts[rows[i]! + 1]! - matrix.starts[rows[i]!]!;
  const total = sizes[rows.length]!;
  const indices = new Uint32Array(total);
  const values = new Float32Array(total);
  for (let i = 0; i < rows.length; i++) {
    const from = matrix.starts[rows[i]!]!;
    const to = matrix.starts[rows[i]! + 1]!;
    indices.set(matrix.indices.subarray(from, to), sizes[i]!);
    values.set(matrix.values.subarray(from, to), sizes[i]!);
  }
  return { ...matrix, rows: rows.length, starts: total < 2 ** 32 ? Uint32Array.from(sizes) : sizes, indices, values };
}

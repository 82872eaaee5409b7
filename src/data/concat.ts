/**
 * Concatenates datasets, with lists in the given order. Numbered columns keep their number, and narrower data are padded with absent
 * values; named columns are matched to the first dataset by name. The result is sparse if any dataset is.
 */
import { check, checkData } from "../arguments.ts";
import { InputError } from "../input-error.ts";
import type { Dataset, Matrix, SparseMatrix } from "../types.ts";
import { align } from "./align.ts";

/** One dataset of all lists. */
export function concat(parts: readonly Dataset[]): Dataset {
  check("concat", parts, { wanted: "an array of data", fits: Array.isArray });
  for (const part of parts) checkData("concat", part);
  const first = parts[0];
  if (!first) throw new InputError("concat: expected at least one dataset, got none");
  if (parts.length === 1) return first;
  const names = first.names.features;
  const base = names ? first.base : parts.some((part) => part.base === 0) ? 0 : 1;
  const count = names ? names.length : Math.max(...parts.map((part) => part.features.columns + part.base - base));
  const columns = { count, base, ...(names && { names }) } as const;
  const aligned = parts.map((part) => align(part, columns, { unknownFeatures: "error" }).data);

  const lists = aligned.map((part) => part.starts.length - 1);
  const rows = aligned.map((part) => part.labels.length);
  const starts = new Uint32Array(sum(lists) + 1);
  let q = 0;
  let row = 0;
  aligned.forEach((part, p) => {
    for (let i = 0; i < lists[p]!; i++) starts[++q] = row + part.starts[i + 1]!;
    row += rows[p]!;
  });

  const listNames = ifAll(aligned, (part) => part.names.lists);
  const entries = aligned.some((part) => part.names.entries)
    ? aligned.flatMap((part, p) => part.names.entries ?? new Array<string>(rows[p]!).fill(""))
    : undefined;
  const items = joinItems(aligned);
  const listWeights = weights(aligned, (part) => part.listWeights, lists);
  const itemWeights = weights(aligned, (part) => part.itemWeights, rows);
  return {
    starts,
    labels: joined(
      Float32Array,
      aligned.map((part) => part.labels),
    ),
    features: stack(aligned.map((part) => part.features)),
    ...(items && { items }),
    ...(first.labelSpaceSize !== undefined && { labelSpaceSize: first.labelSpaceSize }),
    ...(listWeights && { listWeights }),
    ...(itemWeights && { itemWeights }),
    base,
    names: {
      ...(listNames && { lists: listNames.flat() }),
      ...(entries && { entries }),
      ...(names && { features: names }),
      ...(first.names.encoding && { encoding: first.names.encoding }),
      ...(first.names.items && { items: first.names.items }),
    },
  };
}

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);

/** What every part has, or undefined where one lacks it. */
function ifAll<T>(parts: readonly Dataset[], of: (part: Dataset) => T | undefined): T[] | undefined {
  const found = parts.map(of);
  return found.every((one) => one !== undefined) ? found : undefined;
}

function joined<A extends Float32Array | Uint32Array>(Kind: new (size: number) => A, parts: readonly A[]): A {
  const all = new Kind(sum(parts.map((part) => part.length)));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function weights(parts: readonly Dataset[], of: (part: Dataset) => Float32Array | undefined, sizes: readonly number[]) {
  if (!parts.some(of)) return undefined;
  return joined(
    Float32Array,
    parts.map((part, p) => of(part) ?? new Float32Array(sizes[p]!).fill(1)),
  );
}

function joinItems(parts: readonly Dataset[]): Uint32Array | undefined {
  if (!parts.some((part) => part.items)) return undefined;
  const items = ifAll(parts, (part) => part.items);
  const itemNames = JSON.stringify(parts[0]!.names.items ?? null);
  if (
    !items ||
    parts.some((part) => part.labelSpaceSize !== parts[0]!.labelSpaceSize) ||
    parts.some((part) => JSON.stringify(part.names.items ?? null) !== itemNames)
  )
    throw new InputError("concat: the datasets have different items");
  return joined(Uint32Array, items);
}

function stack(parts: readonly Matrix[]): Matrix {
  const { columns } = parts[0]!;
  const rows = sum(parts.map((part) => part.rows));
  const absents = parts.map((part) => part.absent ?? 0);
  if (parts.every((part) => part.kind === "dense")) {
    const values = joined(
      Float32Array,
      parts.map((part) => part.values),
    );
    return { kind: "dense", rows, columns, values, absent: absents[0]! };
  }
  const absent = parts.find((part): part is SparseMatrix => part.kind === "sparse")!.absent;
  if (parts.some((part) => part.kind === "sparse" && !Object.is(part.absent, absent)))
    throw new InputError(
      "concat: what is absent is 0 in one dataset and missing in another; read or build both with the same absent",
    );
  const sparse = parts.map((part) => (part.kind === "sparse" ? part : toSparse(part, absent)));
  const total = sum(sparse.map((part) => part.indices.length));
  const starts = total < 2 ** 32 ? new Uint32Array(rows + 1) : new Float64Array(rows + 1);
  let row = 0;
  let before = 0;
  for (const part of sparse) {
    for (let i = 0; i < part.rows; i++) starts[++row] = before + part.starts[i + 1]!;
    before += part.indices.length;
  }
  const indices = joined(
    Uint32Array,
    sparse.map((part) => part.indices),
  );
  const values = joined(
    Float32Array,
    sparse.map((part) => part.values),
  );
  return { kind: "sparse", rows, columns, starts, indices, values, absent };
}

/** A dense matrix with only what differs from the absent value. */
function toSparse({ rows, columns, values }: Matrix, absent: number): SparseMatrix {
  const stored = (value: number) => (absent === 0 ? value !== 0 : !Number.isNaN(value));
  const starts = new Float64Array(rows + 1);
  for (let row = 0; row < rows; row++) {
    starts[row + 1] = starts[row]!;
    for (let i = row * columns; i < (row + 1) * columns; i++) if (stored(values[i]!)) starts[row + 1]!++;
  }
  const indices = new Uint32Array(starts[rows]!);
  const kept = new Float32Array(starts[rows]!);
  for (let i = 0, at = 0; i < values.length; i++) {
    if (!stored(values[i]!)) continue;
    indices[at] = i % columns;
    kept[at++] = values[i]!;
  }
  return { kind: "sparse", rows, columns, starts, indices, values: kept, absent };
}

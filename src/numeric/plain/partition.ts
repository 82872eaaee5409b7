/** Partitions the rows of a leaf by a split, in plain TypeScript: the fallbacks for wasm/partition.ts. */

export function partitionRows(
  bins: Uint8Array,
  column: number,
  stride: number,
  rows: Uint32Array,
  row: number,
  n: number,
  right: Uint8Array,
  spare: Uint32Array,
): number {
  let left = row;
  let aside = 0;
  for (let i = row; i < row + n; i++) {
    const one = rows[i]!;
    if (right[bins[column + stride * one]!]! === 0) rows[left++] = one;
    else spare[aside++] = one;
  }
  for (let i = 0; i < aside; i++) rows[left + i] = spare[i]!;
  return left - row;
}

export function copyColumn(bins: Uint8Array, column: number, n: number, into: Uint8Array, at: number): void {
  for (let i = 0; i < n; i++) into[at + i] = bins[column + 8 * i]!;
}

export function countCodes(
  bins: Uint8Array,
  column: number,
  rows: Uint32Array,
  row: number,
  n: number,
  counts: Int32Array,
): void {
  for (let i = row; i < row + n; i++) counts[bins[column + 8 * rows[i]!]!]!++;
}

export function addToRows(
  scores: Float64Array,
  output: number,
  stride: number,
  rows: Uint32Array,
  row: number,
  n: number,
  value: number,
): void {
  for (let i = row; i < row + n; i++) scores[output + rows[i]! * stride]! += value;
}

/** Gradient histograms in plain TypeScript: the fallbacks for wasm/histogram.ts. A packed entry is two entries of an Int32Array: the Hessian, then the gradient. */

import { ROUND } from "../coefficients.ts";
import type { Units } from "../histogram.ts";

const COLUMNS = 8;
const SLOTS = 512; // entries of one column's histogram: 256 entries

function add(bins: Uint8Array, from: number, hessian: number, gradient: number, into: Int32Array, at: number): void {
  for (let k = 0; k < COLUMNS; k++) {
    const slot = at + k * SLOTS + 2 * bins[from + k]!;
    into[slot]! += hessian;
    into[slot + 1]! += gradient;
  }
}

export function sumContiguous(
  bins: Uint8Array,
  bin: number,
  entries: Int32Array,
  entry: number,
  n: number,
  into: Int32Array,
  at: number,
): void {
  for (let i = 0; i < n; i++)
    add(bins, bin + COLUMNS * i, entries[2 * (entry + i)]!, entries[2 * (entry + i) + 1]!, into, 2 * at);
}

export function sumRows(
  bins: Uint8Array,
  bin: number,
  stride: number,
  rows: Uint32Array,
  row: number,
  entries: Int32Array,
  entry: number,
  n: number,
  into: Int32Array,
  at: number,
): void {
  for (let i = 0; i < n; i++)
    add(bins, bin + stride * rows[row + i]!, entries[2 * (entry + i)]!, entries[2 * (entry + i) + 1]!, into, 2 * at);
}

export function markOthers(
  bins: Uint8Array,
  bin: number,
  n: number,
  defaultBins: Uint8Array,
  bit: number,
  marks: Uint8Array,
  at: number,
): void {
  for (let i = 0; i < n; i++)
    if (defaultBins.some((usual, k) => bins[bin + COLUMNS * i + k] !== usual)) marks[at + i]! |= 1 << bit;
}

export function gatherEntries(
  entries: Int32Array,
  rows: Uint32Array,
  row: number,
  n: number,
  into: Int32Array,
  at: number,
): void {
  for (let i = 0; i < n; i++) {
    const from = 2 * rows[row + i]!;
    into[2 * (at + i)] = entries[from]!;
    into[2 * (at + i) + 1] = entries[from + 1]!;
  }
}

export function subtractEntries(entries: Int32Array, from: number, part: number, n: number): void {
  for (let i = 0; i < 2 * n; i++) entries[2 * from + i]! -= entries[2 * part + i]!;
}

export function packGradients(
  gradient: Float64Array,
  hessian: Float64Array | undefined,
  output: number,
  stride: number,
  from: number,
  to: number,
  units: Units,
  entries: Int32Array,
): number {
  let most = 0;
  for (let row = from; row < to; row++) {
    const at = row * stride + output;
    const h = Math.max(0, hessian ? hessian[at]! : 1) * units.hessian + ROUND - ROUND;
    if (h > most) most = h;
    entries[2 * row] = h; // modulo 2^32
    entries[2 * row + 1] = gradient[at]! * units.gradient + ROUND - ROUND;
  }
  return most;
}

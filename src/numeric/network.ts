/**
 * Loops of neural networks over float32: a kernel if the arrays are in the heap, plain otherwise, with bit-identical results. Rows of
 * scores have a multiple of 4 numbers; what fills them up is -Infinity, which has no mass and no pair.
 */
import { kernelScratch, kernelsFor } from "./kernels.ts";
import * as plain from "./plain/network.ts";

/** All numbers are float32. `step` and `epsilon` already hold the corrections for the first steps. */
export interface AdamSettings {
  readonly beta1: number;
  /** 1 - beta1. */
  readonly oneMinusBeta1: number;
  readonly beta2: number;
  readonly oneMinusBeta2: number;
  readonly step: number;
  readonly epsilon: number;
  readonly l2: number;
}

type Pairs = (
  z: number,
  n: number,
  better: number,
  weights: number,
  count: number,
  costs: number,
  gradients: number,
  e: number,
) => void;

export interface NetworkKernels {
  gatherRows(indices: number, values: number, count: number, w: number, n: number, out: number): void;
  adamStep(w: number, m: number, v: number, g: number, n: number, settings: number): void;
  adamCatchUp(w: number, m: number, v: number, n: number, move: number, epsilon: number, keep1: number, keep2: number): void;
  adamRows(
    ...args: [
      ...[count: number, rows: number, starts: number, lines: number, values: number, d: number, n: number],
      ...[w: number, m: number, v: number, g: number, how: number],
    ]
  ): void;
  expSumRows(z: number, rows: number, n: number, maxima: number, sums: number): void;
  scaleRows(z: number, rows: number, n: number, factors: number): void;
  columnSums(z: number, rows: number, n: number, stride: number, sums: number): void;
  logisticPairs: Pairs;
  hingePairs: Pairs;
}

const SETTINGS = 64; // bytes

/** Writes the settings into scratch, with space for `n` numbers after them. */
function settingsAddress({ beta1, oneMinusBeta1, beta2, oneMinusBeta2, step, epsilon, l2 }: AdamSettings, n = 0): number {
  const { f32: settings, address } = kernelScratch(SETTINGS + 4 * n);
  settings[0] = beta1;
  settings[1] = oneMinusBeta1;
  settings[2] = beta2;
  settings[3] = oneMinusBeta2;
  settings[4] = step;
  settings[5] = epsilon;
  settings[6] = l2;
  return address;
}

export function gatherRows(
  indices: Uint32Array,
  values: Float32Array,
  from: number,
  to: number,
  w: Float32Array,
  out: Float32Array,
): void {
  const wasm = kernelsFor(indices, values, w, out);
  if (!wasm) {
    plain.gatherRows(indices, values, from, to, w, out);
    return;
  }
  wasm.gatherRows(
    indices.byteOffset + 4 * from,
    values.byteOffset + 4 * from,
    to - from,
    w.byteOffset,
    out.length,
    out.byteOffset,
  );
}

export function adamStep(
  w: Float32Array,
  m: Float32Array,
  v: Float32Array,
  at: number,
  g: Float32Array,
  n: number,
  settings: AdamSettings,
): void {
  const wasm = kernelsFor(w, m, v, g);
  if (!wasm) {
    plain.adamStep(w, m, v, at, g, n, settings);
    return;
  }
  wasm.adamStep(w.byteOffset + 4 * at, m.byteOffset + 4 * at, v.byteOffset + 4 * at, g.byteOffset, n, settingsAddress(settings));
}

export function adamCatchUp(
  ...args: [
    ...[w: Float32Array, m: Float32Array, v: Float32Array, at: number, n: number],
    ...[move: number, epsilon: number, keep1: number, keep2: number],
  ]
): void {
  const [w, m, v, at, n, move, epsilon, keep1, keep2] = args;
  const wasm = kernelsFor(w, m, v);
  if (!wasm) {
    plain.adamCatchUp(...args);
    return;
  }
  wasm.adamCatchUp(w.byteOffset + 4 * at, m.byteOffset + 4 * at, v.byteOffset + 4 * at, n, move, epsilon, keep1, keep2);
}

/** Rows to move and what their gradients are made of, as `plain.adamRows` explains. */
export interface RowEntries {
  count: number;
  readonly rows: Uint32Array;
  readonly starts: Uint32Array;
  readonly lines: Uint32Array;
  readonly values: Float32Array;
}

export function adamRows(
  { count, rows, starts, lines, values }: RowEntries,
  d: Float32Array,
  n: number,
  w: Float32Array,
  m: Float32Array,
  v: Float32Array,
  settings: AdamSettings,
): void {
  const wasm = kernelsFor(w, m, v, d) && kernelsFor(rows, starts, lines, values);
  if (!wasm) {
    plain.adamRows(count, rows, starts, lines, values, d, w, m, v, new Float32Array(n), settings);
    return;
  }
  const address = settingsAddress(settings, n);
  wasm.adamRows(
    ...([count, rows.byteOffset, starts.byteOffset, lines.byteOffset, values.byteOffset, d.byteOffset, n] as const),
    ...([w.byteOffset, m.byteOffset, v.byteOffset, address + SETTINGS, address] as const),
  );
}

export function expSumRows(z: Float32Array, rows: number, n: number, maxima: Float64Array, sums: Float64Array): void {
  const wasm = kernelsFor(z, maxima, sums);
  if (!wasm) {
    plain.expSumRows(z, rows, n, maxima, sums);
    return;
  }
  wasm.expSumRows(z.byteOffset, rows, n, maxima.byteOffset, sums.byteOffset);
}

export function scaleRows(z: Float32Array, rows: number, n: number, factors: Float32Array): void {
  const wasm = kernelsFor(z, factors);
  if (!wasm) {
    plain.scaleRows(z, rows, n, factors);
    return;
  }
  wasm.scaleRows(z.byteOffset, rows, n, factors.byteOffset);
}

export function columnSums(z: Float32Array, from: number, rows: number, n: number, stride: number, sums: Float32Array): void {
  const wasm = kernelsFor(z, sums);
  if (!wasm) {
    plain.columnSums(z, from, rows, n, stride, sums);
    return;
  }
  wasm.columnSums(z.byteOffset + 4 * from, rows, n, stride, sums.byteOffset);
}

const pairs =
  (kernel: "logisticPairs" | "hingePairs", fallback: typeof plain.hingePairs): typeof plain.hingePairs =>
  (z, better, weights, count, costs, gradients) => {
    const wasm = kernelsFor(z, better, weights) && kernelsFor(costs, gradients);
    if (!wasm) {
      fallback(z, better, weights, count, costs, gradients);
      return;
    }
    wasm[kernel](
      ...([z.byteOffset, z.length, better.byteOffset, weights.byteOffset, count] as const),
      ...([costs.byteOffset, gradients.byteOffset, kernelScratch(8 * z.length).address] as const),
    );
  };

export const logisticPairs = pairs("logisticPairs", plain.logisticPairs);
export const hingePairs = pairs("hingePairs", plain.hingePairs);

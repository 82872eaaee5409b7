/** Loops over vectors of float64: a kernel if the arrays are in the heap, plain otherwise, with bit-identical results. */
import { kernelsFor } from "./kernels.ts";
import * as plain from "./plain/vectors.ts";

export interface VectorKernels {
  dot(a: number, b: number, n: number): number;
  scale(a: number, factor: number, n: number): void;
  axpy(factor: number, a: number, b: number, n: number): void;
  expAll(from: number, to: number, n: number): void;
  expm1All(from: number, to: number, n: number): void;
  logAll(from: number, to: number, n: number): void;
  log1pAll(from: number, to: number, n: number): void;
  logSumExp(from: number, n: number): number;
  softmax(from: number, to: number, n: number): number;
}

/** Sum of a[i] * b[i]. */
export function dot(a: Float64Array, b: Float64Array): number {
  const wasm = kernelsFor(a, b);
  return wasm ? wasm.dot(a.byteOffset, b.byteOffset, a.length) : plain.dot(a, b);
}

/** a[i] *= factor. */
export function scale(a: Float64Array, factor: number): void {
  const wasm = kernelsFor(a);
  if (wasm) wasm.scale(a.byteOffset, factor, a.length);
  else plain.scale(a, factor);
}

/** b[i] += factor * a[i]. */
export function axpy(factor: number, a: Float64Array, b: Float64Array): void {
  const wasm = kernelsFor(a, b);
  if (wasm) wasm.axpy(factor, a.byteOffset, b.byteOffset, a.length);
  else plain.axpy(factor, a, b);
}

type Map = (from: Float64Array, to: Float64Array) => void;

/** A function of every number of an array, written to another or the same. */
const each =
  (name: "expAll" | "expm1All" | "logAll" | "log1pAll", twin: Map): Map =>
  (from, to) => {
    const wasm = kernelsFor(from, to);
    if (wasm) wasm[name](from.byteOffset, to.byteOffset, from.length);
    else twin(from, to);
  };

export const expAll = each("expAll", plain.expAll);
export const expm1All = each("expm1All", plain.expm1All);
export const logAll = each("logAll", plain.logAll);
export const log1pAll = each("log1pAll", plain.log1pAll);

/** log of the sum of e^values. */
export function logSumExp(values: Float64Array): number {
  const wasm = kernelsFor(values);
  return wasm ? wasm.logSumExp(values.byteOffset, values.length) : plain.logSumExp(values);
}

/** to[i] = e^from[i] over their sum, whose log is returned. */
export function softmax(from: Float64Array, to: Float64Array): number {
  const wasm = kernelsFor(from, to);
  return wasm ? wasm.softmax(from.byteOffset, to.byteOffset, from.length) : plain.softmax(from, to);
}

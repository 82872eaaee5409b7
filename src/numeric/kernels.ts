/**
 * The compiled kernels of wasm/, one instance per thread over its heap memory. Kernels take addresses; the functions that callers use take
 * arrays: each has the name of its kernel, checks that its arrays are in the heap, and otherwise runs its plain fallback from plain/.
 *
 * The binary is part of the package (`binary.ts` is written by the build), so nothing is fetched or awaited, in Node or in a browser.
 * `TIERWISE_PLAIN=1` in the environment, or `usePlain()`, disables the kernels.
 */
import { binary } from "./binary.ts";
import { block } from "./coefficients.ts";
import type { DigestKernels } from "./digest.ts";
import { engine, type Module } from "./engine.ts";
import type { GramKernels } from "./gram-hinge.ts";
import { Heap, isInHeap, memory } from "./heap.ts";
import type { HingeKernels } from "./hinge.ts";
import type { IndexValueKernels } from "./index-values.ts";
import type { LambdaKernels } from "./lambda.ts";
import type { MatmulKernels } from "./matmul.ts";
import type { NetworkKernels } from "./network.ts";
import { CONSTANTS } from "./pages.ts";
import type { RowKernels } from "./rows.ts";
import type { TierKernels } from "./tier-cost.ts";
import type { TiersKernels } from "./tiers.ts";
import type { TreeKernels } from "./tree-kernels.ts";

/** The exports of wasm/index.ts, declared beside the functions that call them. An address counts bytes from the start of the memory. */
export interface Kernels
  extends DigestKernels,
    GramKernels,
    HingeKernels,
    LambdaKernels,
    NetworkKernels,
    IndexValueKernels,
    MatmulKernels,
    RowKernels,
    TierKernels,
    TiersKernels,
    TreeKernels {}

const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
let plain = (process?.env?.TIERWISE_PLAIN ?? "0") !== "0";
let compiled: Module | undefined;
let instance: Kernels | null | undefined;

/** From now on the plain fallbacks serve in this thread, and in threads that it starts. */
export function usePlain(): void {
  plain = true;
  instance = null;
}

/** Uses a module that was compiled by another thread, or by a page that may not compile itself. */
export function useModule(given: Module): void {
  compiled = given;
}

/** The compiled module, to be given to other threads; undefined where only the plain fallbacks can serve. */
export function kernelModule(): Module | undefined {
  if (plain || !engine) return undefined;
  if (!compiled)
    try {
      compiled = new engine.Module(Uint8Array.from(atob(binary), (letter) => letter.charCodeAt(0)));
    } catch {} // no SIMD or no shared memory in this engine
  return compiled;
}

/** The kernels of this thread, or null where only the plain fallbacks can serve. */
export function kernels(): Kernels | null {
  if (instance === undefined) {
    const [module, ours] = [kernelModule(), memory()];
    if (!engine || !module || !ours) return (instance = null);
    new Float64Array(ours.buffer, CONSTANTS, block.length).set(block); // every thread writes the same
    instance = new engine.Instance(module, { env: { memory: ours } }).exports as Kernels;
  }
  return instance;
}

/** Memory of a kernel for the time of one call, and for what it returns besides its result. */
export interface KernelScratch {
  readonly address: number;
  readonly f64: Float64Array;
  readonly f32: Float32Array;
  readonly i32: Int32Array;
}

const LEAST = 2 ** 17 + 2 ** 14; // bytes: enough for all kernels but those over long lists
const scratchHeap = new Heap(1);
let scratch: KernelScratch | undefined;

/** At least so many bytes, at a multiple of 64. The next kernel that this thread calls may overwrite them. */
export function kernelScratch(bytes: number): KernelScratch {
  if (scratch === undefined || scratch.f64.byteLength < bytes) {
    scratchHeap.close();
    const f64 = scratchHeap.f64(Math.ceil(Math.max(LEAST, 2 * bytes) / 8));
    const { buffer, byteOffset: address, length } = f64;
    scratch = {
      address,
      f64,
      f32: new Float32Array(buffer, address, 2 * length),
      i32: new Int32Array(buffer, address, 2 * length),
    };
  }
  return scratch;
}

type Array = { readonly buffer: ArrayBufferLike };

/** The kernels when all the arrays are in the heap, else null. */
export const kernelsFor = (a: Array, b: Array = a, c: Array = b, d: Array = c): Kernels | null =>
  isInHeap(a) && isInHeap(b) && isInHeap(c) && isInHeap(d) ? kernels() : null;

/**
 * The compiled loops of wasm/, one instance a thread over the memory of its heap. They know addresses; the functions that callers use
 * know arrays: each has the name of its kernel, checks that its arrays lie in the heap, and otherwise runs its plain twin from plain/.
 *
 * The bytes are part of the package (`binary.ts` is written by the build), so nothing is fetched or awaited, in Node or in a browser.
 */
import { binary } from "./binary.ts";
import { engine, type Module } from "./engine.ts";
import { holds, memory } from "./heap.ts";

/** The exports of wasm/index.ts. Addresses are bytes from the start of the memory. */
export interface Kernels {
  dot(a: number, b: number, n: number): number;
}

let compiled: Module | undefined;
let instance: Kernels | null | undefined;

/** Takes a module that was compiled elsewhere: by another thread, or by a page that may not compile for itself. */
export function useModule(given: Module): void {
  compiled = given;
}

/** The compiled module, to be given to other threads; undefined where the engine cannot run it. */
export function kernelModule(): Module | undefined {
  const wasm = engine();
  if (!compiled && wasm)
    try {
      const text = atob(binary);
      compiled = new wasm.Module(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
    } catch {} // no SIMD or no threads in this engine
  return compiled;
}

/** The kernels of this thread, or null where only the plain twins can serve. */
export function kernels(): Kernels | null {
  if (instance === undefined) {
    const wasm = engine();
    const ours = memory();
    const module = kernelModule();
    instance = wasm && ours && module ? (new wasm.Instance(module, { env: { memory: ours } }).exports as Kernels) : null;
  }
  return instance;
}

type Array = { readonly buffer: ArrayBufferLike };

/** The kernels when all the arrays lie in the heap, else null. */
export const kernelsOver = (a: Array, b: Array = a, c: Array = b, d: Array = c): Kernels | null =>
  holds(a) && holds(b) && holds(c) && holds(d) ? kernels() : null;

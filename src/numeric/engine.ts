/**
 * What this library needs to know of WebAssembly, typed here because neither the language's own types nor Node's name it.
 * Undefined where the engine has none.
 */
export interface Memory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

export type Module = object;

interface Engine {
  Memory: new (limits: { initial: number; maximum: number; shared: true }) => Memory;
  Module: new (bytes: Uint8Array) => Module;
  Instance: new (module: Module, imports: { env: { memory: Memory } }) => { readonly exports: unknown };
}

export const { WebAssembly: engine } = globalThis as unknown as { WebAssembly?: Engine };

/**
 * What this library needs to know of WebAssembly, typed here because neither the language's nor Node's own types name it, and whether
 * the engine has it. `TIERWISE_PLAIN=1` in the environment, or `usePlain()` before the first use, does without.
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

const world = globalThis as { WebAssembly?: Engine; process?: { env?: Record<string, string | undefined> } };
let plain = (world.process?.env?.TIERWISE_PLAIN ?? "0") !== "0";

/** From now on the plain twins serve, and the heap hands out ordinary arrays. Call it before anything else. */
export function usePlain(): void {
  plain = true;
}

/** The engine, or undefined where there is none or it must not be used. */
export const engine = (): Engine | undefined => (plain ? undefined : world.WebAssembly);

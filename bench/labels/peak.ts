/**
 * How near are matrix products to the most that plain multiplication and addition of four float32 at once reach on one thread? The peak is that of
 * twelve sums in registers, x ← x + c x, without any load or store: a fused multiply-add would have another rounding and is not used in training.
 * The products are those of an output layer: scores, gradients of hidden rows, gradients of weights. Rates are of processor time, best of several.
 */
import { setFlagsFromString } from "node:v8";
import { main } from "assemblyscript/asc";
import { Heap } from "../../src/numeric/heap.ts";
import { type MatrixView, matmul, matrixView, transposed } from "../../src/numeric/matmul.ts";

const SUMS = 12; // as many as registers hold beside two constants, and enough to hide the latency of both operations
const names = Array.from({ length: SUMS }, (_, i) => `x${i}`);
const source = `export function sums(steps: i32): f32 {
  const c = f32x4.splat(-2);
  ${names.map((x, i) => `let ${x} = f32x4.splat(${i + 1});`).join("\n  ")}
  for (let s = 0; s < steps; s++) {
    ${names.map((x) => `${x} = f32x4.add(${x}, f32x4.mul(c, ${x}));`).join("\n    ")}
  }
  return f32x4.extract_lane(${names.reduce((sum, x) => `f32x4.add(${sum}, ${x})`)}, 0);
}`;

/** What this program needs to know of WebAssembly. */
interface Engine {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: { sums(steps: number): number } };
}

async function compile(): Promise<(steps: number) => number> {
  let bytes: Uint8Array | undefined;
  const { error, stderr } = await main(
    ["sums.ts", "--outFile", "sums.wasm", "-O3", "--noAssert", "--runtime", "stub", "--enable", "simd"],
    {
      readFile: (name) => (name === "sums.ts" ? source : null),
      writeFile: (name, contents) => void (name === "sums.wasm" && (bytes = contents as Uint8Array)),
      listFiles: () => [],
    },
  );
  if (error || !bytes) throw new Error(`the kernel of the peak: ${stderr.toString()}`);
  const { WebAssembly: engine } = globalThis as unknown as { WebAssembly: Engine };
  setFlagsFromString("--no-liftoff"); // the optimizing compiler at once
  const { sums } = new engine.Instance(new engine.Module(bytes), {}).exports;
  setFlagsFromString("--liftoff");
  return sums;
}

/** Billions of operations in a second of processor time. */
function rate(act: () => void, operations: number): number {
  const now = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
  let best = 0;
  for (let repeat = 0; repeat < 25; repeat++) {
    const begun = now();
    act();
    best = Math.max(best, operations / (now() - begun) / 1e9);
  }
  return best;
}

export async function peakAndProducts(batch: number, hidden: number, labels = 512): Promise<void> {
  const sums = await compile();
  const steps = 2_000_000;
  const peak = rate(() => void sums(steps), steps * SUMS * 8);
  console.log(`peak of f32x4 multiply and add, one thread: ${peak.toFixed(1)} GFLOP/s`);
  const heap = new Heap();
  const random = (rows: number, columns: number): MatrixView => {
    const values = heap.f32(rows * columns);
    values.forEach((_, i) => void (values[i] = ((i * 7919) % 1000) / 1000 - 0.5));
    return matrixView(values, rows, columns);
  };
  const [h, w, z] = [random(batch, hidden), random(labels, hidden), random(batch, labels)];
  const [dh, dw] = [random(batch, hidden), random(labels, hidden)];
  const times = 8;
  for (const [name, product] of [
    ["scores", () => matmul(h, transposed(w), z)],
    ["gradients of hidden rows", () => matmul(z, w, dh)],
    ["gradients of weights", () => matmul(transposed(z), h, dw)],
  ] as const) {
    const reached = rate(
      () => {
        for (let t = 0; t < times; t++) product();
      },
      times * 2 * batch * hidden * labels,
    );
    console.log(`  ${name.padEnd(28)} ${reached.toFixed(1)} GFLOP/s, ${((100 * reached) / peak).toFixed(0)} % of it`);
  }
  heap.close();
}

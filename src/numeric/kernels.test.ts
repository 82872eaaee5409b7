import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const url = (path: string) => JSON.stringify(new URL(`../../dist/src/${path}`, import.meta.url).href);

/** Trains nothing, but goes through heap, kernels and numbers; prints what it is made of and the bits of its results. */
const program = `
  const { heap, isInHeap } = await import(${url("numeric/heap.js")});
  const { kernels } = await import(${url("numeric/kernels.js")});
  const { rowsTimesVector, vectorTimesRows } = await import(${url("numeric/rows.js")});
  const { DOUBLE, tierCost, tierLists } = await import(${url("numeric/tier-cost.js")});
  const x = heap.f64(101);
  for (let i = 0; i < 101; i++) x[i] = Math.sqrt(i) - 5;
  const mark = heap.mark();
  const y = heap.f64(101);
  const rows = heap.f32(101 * 3);
  for (let i = 0; i < rows.length; i++) rows[i] = (i % 7) / 30;
  const products = heap.f64(3);
  rowsTimesVector(rows, x, products);
  y.fill(0);
  vectorTimesRows(products, rows, y);
  const list = tierLists()(101);
  list.count = 2;
  list.starts.set([0, 30, 101]);
  list.weights.fill(1);
  list.scores.set(y);
  const cost = tierCost(list, DOUBLE, true);
  heap.release(mark);
  const numbers = new BigUint64Array(Float64Array.of(cost, ...products.slice()).buffer);
  console.log(JSON.stringify({ holds: isInHeap(x), kernels: kernels() !== null, bits: [...numbers].map(String) }));
`;

function run(before: string, env: Record<string, string>) {
  const { TIERWISE_PLAIN: _, ...rest } = process.env;
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", before + program], {
    encoding: "utf8",
    env: { ...rest, ...env },
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as { holds: boolean; kernels: boolean; bits: string[] };
}

describe("what the engine has changes the speed, never the bits", () => {
  const { bits, ...full } = run("", {});

  it("with everything, arrays of the heap reach the kernels", () => expect(full).toEqual({ holds: true, kernels: true }));

  it("TIERWISE_PLAIN=1 keeps the shared heap and does without kernels", () => {
    expect(run("", { TIERWISE_PLAIN: "1" })).toEqual({ holds: true, kernels: false, bits });
  });

  it("an engine that cannot compile the kernels keeps the shared heap", () => {
    const before = "WebAssembly.Module = class { constructor() { throw new Error('no SIMD'); } };";
    expect(run(before, {})).toEqual({ holds: true, kernels: false, bits });
  });

  it("an engine without shared memory hands out ordinary arrays", () => {
    expect(run("delete globalThis.SharedArrayBuffer;", {})).toEqual({ holds: false, kernels: false, bits });
  });

  it("an engine without WebAssembly hands out ordinary arrays", () => {
    expect(run("delete globalThis.WebAssembly;", {})).toEqual({ holds: false, kernels: false, bits });
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { Heap } from "../numeric/heap.ts";
import { poison, usePoison } from "../numeric/stress.ts";
import type { Team } from "../types.ts";
import { runSolo } from "./solo.ts";

const built = (path: string) => import(new URL(`../../dist/src/${path}`, import.meta.url).href);
const { runThreads } = (await built("teams/threads.js")) as typeof import("./threads.ts");
const program = (run: (team: Team) => unknown) => `data:text/javascript,${encodeURIComponent(`export const run = ${run}`)}`;

afterEach(() => usePoison(false));

describe("poison", () => {
  const extremes = {
    f64: Number.NaN,
    f32: Number.NaN,
    u8: 255,
    i8: -128,
    u16: 65535,
    i16: -32768,
    u32: 2 ** 32 - 1,
    i32: -(2 ** 31),
  };

  it("fills new arrays with values that stand out, unless zeros were asked for", () => {
    const heap = new Heap();
    usePoison(true);
    for (const [kind, value] of Object.entries(extremes) as [keyof typeof extremes, number][]) {
      expect([...heap.make(kind, 3)]).toEqual([value, value, value]);
      expect([...heap.make(kind, 3, "zeros")]).toEqual([0, 0, 0]);
    }
    expect([...heap.i64(1), ...heap.u64(1)]).toEqual([-(2n ** 63n), 2n ** 64n - 1n]);
    expect([...heap.i64(1, "zeros")]).toEqual([0n]);
    heap.close();
  });

  it("overwrites what a heap gives back, up to its mark", () => {
    const heap = new Heap();
    usePoison(true);
    const kept = heap.f64(2, "zeros");
    const mark = heap.mark();
    const [near, far] = [heap.f64(2, "zeros"), heap.f64(1_000_000, "zeros")];
    heap.release(mark);
    expect([kept[0], near[0], near[1], far[0], far[999_999]]).toEqual([0, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    heap.close();
    expect(kept[0]).toBeNaN();
  });

  it("leaves arrays alone when the mode is off", () => {
    expect([...poison(Float64Array.of(1, 2))]).toEqual([1, 2]);
    expect(runSolo((team) => team.allocShared("f64", 2).slice())).toEqual(Float64Array.of(0, 0));
    usePoison(true);
    expect(runSolo((team) => team.allocShared("f64", 2).slice())).toEqual(Float64Array.of(Number.NaN, Number.NaN));
    expect(runSolo((team) => team.allocShared("f64", 2, "zeros").slice())).toEqual(Float64Array.of(0, 0));
  });
});

describe("stress", () => {
  // A barrier is missing: each member counts what the others have written so far.
  const racy = (team: Team) => {
    let missed = 0;
    const counts = team.allocShared("i32", team.size, "zeros");
    for (let round = 1; round <= 300; round++) {
      counts[team.rank] = round;
      if (Array.from(counts).some((count) => count !== round)) missed++;
      team.barrier();
      team.barrier();
    }
    return missed;
  };
  // The same with the barrier between.
  const safe = (team: Team) => {
    let missed = 0;
    const counts = team.allocShared("i32", team.size, "zeros");
    for (let round = 1; round <= 300; round++) {
      counts[team.rank] = round;
      team.barrier();
      if (Array.from(counts).some((count) => count !== round)) missed++;
      team.barrier();
    }
    return missed;
  };

  it("shows a missing barrier, and no other", async () => {
    const missed = (run: (team: Team) => number) =>
      runThreads({ size: 3, program: program(run), results: "all", stress: 7 }) as Promise<number[]>;
    for (const count of await missed(racy)) expect(count).toBeGreaterThan(30);
    expect(await missed(safe)).toEqual([0, 0, 0]);
  });

  it("poisons what members share, and what each has for itself", async () => {
    const url = new URL("../../dist/src/numeric/heap.js", import.meta.url).href;
    const run = `data:text/javascript,${encodeURIComponent(`
      import { heap } from "${url}";
      export const run = (team) => [team.allocShared("f64", 1)[0], team.allocShared("f64", 1, "zeros")[0], heap.u32(1)[0]];`)}`;
    expect(await runThreads({ size: 2, program: run, stress: 1, results: "all" })).toEqual(
      Array(2).fill([Number.NaN, 0, 2 ** 32 - 1]),
    );
    expect(await runThreads({ size: 2, program: run })).toEqual([0, 0, 0]);
  });
});

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Cached, cachedBytes } from "./cached.ts";
import { bytesInUse, Heap, isInHeap } from "./heap.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const MIB = 2 ** 20;

/** Something of a size, filled with a number. */
const table = (bytes: number, fill = 0, made?: () => void) =>
  new Cached((allocate) => {
    made?.();
    return allocate(bytes).fill(fill);
  });

describe("tables that are kept", () => {
  it("are made once, in the memory of the kernels, in whole pages", () => {
    const before = [bytesInUse(), cachedBytes()] as const;
    let times = 0;
    const one = table(70_000, 3, () => times++);
    expect(bytesInUse()).toBe(before[0]);
    expect(one.get()).toBe(one.get());
    expect([times, isInHeap(one.get()), one.get()[69_999]]).toEqual([1, true, 3]);
    expect([bytesInUse() - before[0], cachedBytes() - before[1]]).toEqual([2 * 65536, 2 * 65536]);
  });

  it("are given back when their owner has been collected", async () => {
    const before = cachedBytes();
    (() => {
      for (let k = 0; k < 20; k++) table(MIB, k).get();
    })();
    expect(cachedBytes()).toBe(before + 20 * MIB);
    const memory = bytesInUse();
    for (let k = 0; k < 50 && cachedBytes() > before; k++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // The test before left one that is collected as well.
    expect(cachedBytes()).toBeLessThanOrEqual(before);
    expect(bytesInUse()).toBeLessThanOrEqual(memory - 20 * MIB);
  });

  it("make place for others beyond 256 MiB, the longest unused first, and are made again when needed", () => {
    let [first, second] = [0, 0];
    const used = table(MIB, 1, () => first++);
    const unused = table(MIB, 2, () => second++);
    used.get();
    unused.get();
    const others = Array.from({ length: 300 }, (_, k) => table(MIB, k % 200));
    for (const [k, other] of others.entries()) {
      expect(other.get()[MIB - 1]).toBe(k % 200);
      expect(used.get()[MIB - 1]).toBe(1);
      expect(cachedBytes()).toBeLessThanOrEqual(256 * MIB);
    }
    expect(unused.get()[MIB - 1]).toBe(2);
    expect([first, second]).toEqual([1, 2]);
  });

  it("make place when memory runs out", () => {
    const many = Array.from({ length: 100 }, (_, k) => table(MIB, k));
    for (const one of many) one.get();
    const heap = new Heap();
    const large = 4096 * MIB - bytesInUse() + 40 * MIB; // more than is free beside what is kept
    expect(heap.u8(large).length).toBe(large);
    expect(cachedBytes()).toBe(0);
    heap.close();
    expect(many[7]!.get()[MIB - 1]).toBe(7);
  });

  it("leave nothing behind when they cannot be made", () => {
    const before = bytesInUse();
    const wrong = new Cached((allocate) => {
      allocate(MIB);
      throw new Error("no");
    });
    expect(() => wrong.get()).toThrow("no");
    expect(() => wrong.get()).toThrow("no");
    expect(bytesInUse()).toBe(before);
  });
});

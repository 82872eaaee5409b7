import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { bytesInUse, isInHeap } from "./heap.ts";
import { ListScratch } from "./list-scratch.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

describe("scratch for lists", () => {
  it("is the same for shorter lists and longer for longer ones", () => {
    const sizes: number[] = [];
    const scratch = new ListScratch((heap, size) => {
      sizes.push(size);
      return heap.f64(size);
    });
    const first = scratch.for(0);
    expect([isInHeap(first), first.length]).toEqual([true, 128]);
    expect(scratch.for(128)).toBe(first);
    expect(scratch.for(129).length).toBe(258);
    expect(scratch.for(5).length).toBe(258);
    expect(sizes).toEqual([128, 258]);
  });

  it("is given back when its owner has been collected", async () => {
    const before = bytesInUse();
    (() => {
      for (let k = 0; k < 20; k++) new ListScratch((heap, size) => heap.f64(size)).for(2 ** 16);
    })();
    expect(bytesInUse()).toBe(before + 20 * 2 ** 20);
    for (let k = 0; k < 50 && bytesInUse() > before; k++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // The test before left one that is collected as well.
    expect(bytesInUse()).toBeLessThanOrEqual(before);
  });
});

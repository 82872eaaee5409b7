import { afterEach, describe, expect, it } from "vitest";
import { setMemoryBudget, usedMemory } from "../memory-budget.ts";
import { engine } from "./engine.ts";
import { bytesInUse, fromRef, Heap, heap, isInHeap, memory, refOf, useMemory } from "./heap.ts";
import { newMemory, PAGE, pages } from "./pages.ts";

describe("the heap", () => {
  const start = bytesInUse();
  const mark = heap.mark();
  afterEach(() => heap.release(mark));

  it("hands out zeroed arrays that do not overlap and begin on cache lines", () => {
    const arrays = [heap.u8(3), heap.f64(5), heap.f32(1000), heap.i64(1), heap.u16(0), heap.u32(7)];
    for (const array of arrays) expect([array.byteOffset % 64, array.byteOffset > 0, isInHeap(array)]).toEqual([0, true, true]);
    const ends = arrays
      .map((array) => [array.byteOffset, array.byteOffset + array.byteLength] as const)
      .sort((a, b) => a[0] - b[0]);
    for (let i = 1; i < ends.length; i++) expect(ends[i]![0]).toBeGreaterThanOrEqual(ends[i - 1]![1]);
    heap.release(mark);
    const dirty = heap.f64(300_000).fill(7);
    heap.release(mark);
    const again = heap.f64(300_000, "zeros");
    expect(again.byteOffset).toBe(dirty.byteOffset);
    expect(again.every((value) => value === 0)).toBe(true);
  });

  it("gives back all pages above a mark, and no others", () => {
    const small = heap.f64(4).fill(1);
    const inner = heap.mark();
    const before = bytesInUse();
    heap.f64(1_000_000);
    heap.u8(10);
    expect(bytesInUse()).toBeGreaterThanOrEqual(before + 8_000_000);
    heap.release(inner);
    expect(bytesInUse()).toBe(before);
    expect([...small]).toEqual([1, 1, 1, 1]);
    heap.release(mark);
    expect(bytesInUse()).toBe(start);
  });

  it("heaps of one thread do not disturb each other", () => {
    const [one, two] = [new Heap(), new Heap()];
    const kept = one.f64(100_000).fill(1);
    const other = two.f64(100_000).fill(2);
    two.close();
    heap.f64(200_000).fill(3);
    expect(kept.every((value) => value === 1)).toBe(true);
    expect(other.length).toBe(100_000);
    one.close();
    heap.release(mark);
    expect(bytesInUse()).toBe(start);
  });

  it("arrays survive growth of the memory, and a place leads back to the same bytes", () => {
    const early = heap.f64(8).fill(5);
    const large = heap.u8(300 << 20);
    large[large.length - 1] = 9;
    expect(isInHeap(early)).toBe(true);
    early[3] = 6;
    const same = fromRef(refOf(early)!);
    expect([...same]).toEqual([5, 5, 5, 6, 5, 5, 5, 5]);
    same[0] = 1;
    expect(early[0]).toBe(1);
    expect([large[0], fromRef(refOf(large)!).at(-1)]).toEqual([0, 9]);
  });

  it("knows its own arrays from others", () => {
    expect(isInHeap(new Float64Array(3))).toBe(false);
    expect(isInHeap(new Float64Array(new SharedArrayBuffer(64)))).toBe(false);
    expect(isInHeap(heap.f64(10).subarray(2, 5))).toBe(true);
    expect(refOf(new Float64Array(3))).toBeUndefined();
  });

  it("a thread cannot change its memory once it has one", () => {
    heap.f64(1);
    expect(() => useMemory(null, 2)).toThrow("before it uses one");
  });
});

describe("pages", () => {
  it("what an owner has is found free again when it is reclaimed, even if it died with the lock", () => {
    heap.f64(1);
    const ours = pages(memory()!);
    const before = ours.used();
    const first = ours.allocate(3, 77).start;
    const second = ours.allocate(40, 77).start;
    const third = ours.allocate(2, 78).start;
    expect(ours.used()).toBe(before + 45);
    new Int32Array(ours.buffer())[256] = 77;
    ours.reclaim(77);
    expect(ours.used()).toBe(before + 2);
    const again = ours.allocate(40, 78).start;
    expect([first, second].some((address) => Math.abs(address - again) <= 43 * PAGE)).toBe(true);
    ours.free(again, 40);
    ours.free(third, 2);
    expect(ours.used()).toBe(before);
  });

  it("more than there is room for is refused in words", () => {
    const have = Math.round(memory()!.buffer.byteLength / 1024 / 1024);
    expect(() => new Heap().u8(5 * 2 ** 30)).toThrow(
      new RegExp(`^out of memory: \\d+ MiB were requested in addition to ${have} MiB \\(the maximum is 4096\\)`),
    );
    expect(bytesInUse()).toBeLessThan(2 ** 30);
  });

  it("are of a smaller memory where the system has not so many addresses, down to 256 MB, and of none below", () => {
    const tried: number[] = [];
    const Whole = engine!.Memory;
    const limitTo = (most: number) => {
      engine!.Memory = function limited(limits: ConstructorParameters<typeof Whole>[0]) {
        if (tried.push(limits.maximum) < 20 && limits.maximum > most) throw new RangeError("could not allocate memory");
        return new Whole(limits);
      } as unknown as typeof Whole;
    };
    try {
      limitTo(20_000);
      expect(newMemory()).toBeInstanceOf(Whole);
      expect(tried.splice(0)).toEqual([65_536, 32_768, 16_384]);
      limitTo(4000);
      expect(newMemory()).toBeUndefined();
      expect(tried).toEqual([65_536, 32_768, 16_384, 8192, 4096]);
    } finally {
      engine!.Memory = Whole;
    }
  });

  it("of kernel memory count in a budget before anything is written to them, with 64 MB for all else", () => {
    const own = newMemory()!;
    const { allocate } = pages(own);
    const megabyte = 2 ** 20 / PAGE;
    allocate(1500 * megabyte, 1);
    expect(usedMemory()).toBeLessThan(1400 * 2 ** 20); // of the system's pages
    setMemoryBudget(own.buffer.byteLength + 164 * 2 ** 20);
    const spare = own.buffer.byteLength / PAGE - 1500 * megabyte;
    try {
      expect(() => allocate(101 * megabyte + spare, 1)).toThrow(
        /^out of memory: kernel memory needs 1\d\d MB, 1\.[56] GB are in use/,
      );
      allocate(99 * megabyte, 1);
    } finally {
      setMemoryBudget(Number.POSITIVE_INFINITY);
    }
  });

  it("an array that turned out too long gives back its end, and what follows does not touch its beginning", () => {
    const before = bytesInUse();
    const own = new Heap();
    const long = own.f32(1_000_000);
    long.fill(7, 0, 10);
    const short = own.shorten(long, 10);
    expect(short.length).toBe(10);
    expect(bytesInUse() - before).toBe(65536);
    const next = own.f32(20);
    expect([...next]).toEqual(new Array(20).fill(0));
    next.fill(1);
    expect([...short]).toEqual(new Array(10).fill(7));
    own.shorten(short, 5); // no longer the last: stays as it is
    expect([...next]).toEqual(new Array(20).fill(1));
    own.close();
    expect(bytesInUse()).toBe(before);
  });
});
